"""A competition for everybody: boards on the wall, and the page of the event."""

from puntobanco.server.pages.competitions.boards import event, page

HANDLERS = (*page.HANDLERS, *event.HANDLERS)
