"""Rows as the database stores them."""
