"""The game on paper: no clock, no chance, no input or output."""
