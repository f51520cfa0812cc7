"""The house on the web: JSON API, live pages, sign-in."""
