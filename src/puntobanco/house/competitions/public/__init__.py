"""A competition as everybody may see it: boards on the wall, and the page of the event."""
