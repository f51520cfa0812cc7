"""A seat at the stage, the tour and the sounds in a browser."""
