"""Lists of a competition: what comes in from one, and what is taken along as one."""
