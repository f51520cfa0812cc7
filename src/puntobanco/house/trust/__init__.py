"""What a house owes those who must trust it: access looked through, and players looked after."""
