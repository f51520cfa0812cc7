"""The floor: all tables at a glance, incidents, and what one shift hands over to the next."""
