"""The shell around the core: what runs tables over a journal, and what is told to the outside."""
