"""Who people are to a house: names that can be erased, signing in, rights, and what the desk does for them."""
