"""What is done to a house from the machine it runs on."""
