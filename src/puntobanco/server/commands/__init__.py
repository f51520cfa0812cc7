"""Any command of any aggregate, from a form or as JSON."""
