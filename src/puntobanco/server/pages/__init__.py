"""Every page that people open."""

from puntobanco.server.pages import (
    cage,
    competitions,
    examine,
    floor,
    guest,
    journal,
    limits,
    lobby,
    look,
    odds,
    office,
    rules,
    search,
    sign_in,
    table,
    training,
    trust,
)
from puntobanco.server.pages import print as printed

HANDLERS = (
    *(*competitions.HANDLERS, *floor.HANDLERS),
    *(*lobby.HANDLERS, *guest.HANDLERS, *look.HANDLERS, *sign_in.HANDLERS, *search.HANDLERS),
    *(*table.HANDLERS, *limits.HANDLERS, *printed.HANDLERS, *examine.HANDLERS),
    *(*rules.HANDLERS, *odds.HANDLERS, *training.HANDLERS),
    *(*journal.HANDLERS, *office.HANDLERS, *cage.HANDLERS, *trust.HANDLERS),
)
