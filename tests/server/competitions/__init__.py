"""Pages of competitions, asked for over HTTP."""
