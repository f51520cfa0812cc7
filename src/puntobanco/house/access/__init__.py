"""Who people are to a house: erasable names, signing in, rights, what the desk does for them."""
