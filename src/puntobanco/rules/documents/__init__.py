"""The regulators' documents: their values, their texts, and every clause in our own words."""
