"""Programs that deal, oversee and bet in a person's place."""
