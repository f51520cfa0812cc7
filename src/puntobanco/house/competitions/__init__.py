"""A competition and its tables, brought into line: the only room that knows both."""
