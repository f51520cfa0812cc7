"""Commands on their way: completed by the house, with their halves and what is sealed."""
