"""The house's money and chips as three pure functions: accounts, trays, fills and credits."""
