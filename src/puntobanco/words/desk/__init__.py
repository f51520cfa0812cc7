"""What the pages of those say who work all night: a catalogue for each."""
