"""At the door: whose guesses at a secret wait, and whose do not."""
