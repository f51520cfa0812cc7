"""The till and its papers, over HTTP."""
