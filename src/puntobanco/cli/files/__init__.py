"""What commands write to files: drawings, and lines of figures."""
