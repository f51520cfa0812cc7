"""Who belongs to the house, in which roles, and by which rule sets it has dealt."""
