"""What a competition has on paper: each a page that is printed as it stands on the screen."""

from puntobanco.server.pages.competitions.papers.shelf import HANDLERS

__all__ = ["HANDLERS"]
