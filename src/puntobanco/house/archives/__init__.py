"""Days that are over, sealed into files that verify by themselves."""
