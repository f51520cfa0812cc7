"""What a person can do at a table now: its commands, and the intents that the house completes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puntobanco.errors import Reason, Refused
from puntobanco.house.intents import (
    CHIPS,
    BetMore,
    BuyChips,
    CashChips,
    Deal,
    LodgeForm,
    NoteIncident,
    OpenOrder,
    ShuffleHouse,
    Turn,
)
from puntobanco.house.virtual_shoe import DEALT_AT, is_virtual
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import PLAYERS, STAFF, Actor
from puntobanco.table.authority import (
    ALWAYS,
    AUTHORITY,
    BETTING,
    DEALER,
    DEALING,
    DRAWN,
    FLOOR,
    HOUSE,
    IN_COUP,
    ITSELF,
    MANAGEMENT,
    OPEN,
    PATRON,
    PEOPLE,
    PREPARING,
    READY,
    SHUT,
    Allowed,
    Form,
    check_allowed,
    from_outside,
    name_of,
    open_to,
    stands_for,
)
from puntobanco.table.may import ANY, refusal
from puntobanco.table.next_step import next_step
from puntobanco.table.state import Table
from puntobanco.words import Step

INTENTS: dict[type[Any], Allowed] = {
    Deal: Allowed(
        DEALER,
        READY | IN_COUP,
        given_by=DRAWN,
        steps=tuple(DEALT_AT),
        form=Form.NOTHING,
        stands_for=(c.DrawCard, c.BurnCards, c.DealCarried, c.TurnCard, c.DrawForCoups),
    ),
    Turn: Allowed(DEALER | PATRON, DEALING, given_by=DRAWN, stands_for=(c.TurnCard,)),
    BetMore: Allowed(PLAYERS, OPEN, stands_for=(c.PlaceWager, c.ChangeWager)),
    ShuffleHouse: Allowed(
        FLOOR, PREPARING, steps=(Step.SHUFFLE,), form=Form.NOTHING, stands_for=(c.Shuffle,)
    ),
    OpenOrder: Allowed(
        FLOOR | MANAGEMENT | HOUSE,
        PREPARING | SHUT,
        given_by=PEOPLE | ITSELF,
        form=Form.NOTHING,
        stands_for=(c.OpenCommitment,),
    ),
    BuyChips: Allowed(PATRON, ALWAYS, stands_for=(c.BuyIn,)),
    CashChips: Allowed(PATRON, ALWAYS, stands_for=(c.CashOut,)),
    LodgeForm: Allowed(PATRON | FLOOR, BETTING, stands_for=(c.LodgeSecret,)),
    NoteIncident: Allowed(STAFF, ALWAYS, given_by=ITSELF, stands_for=(c.RecordIncident,)),
}
"""The entry of each intent; it becomes one of the commands it stands for."""
ENTRIES: dict[type[Any], Allowed] = {**AUTHORITY, **INTENTS}
"""The entry of every command and intent of a table."""
KINDS: dict[str, type[Any]] = {name_of(kind): kind for kind in from_outside(ENTRIES)}
"""The commands and intents that may come from outside the house, by name."""
GIVEN: dict[str, Allowed] = {name: ENTRIES[kind] for name, kind in KINDS.items()}


def possible(table: Table, by: Actor, bot_dealer: str = "") -> Iterator[str]:
    """List the names of the commands and intents that a person can give at a table now."""
    open_now = {name_of(kind) for kind in open_to(table, stands_for(table, by))}
    for name, allowed in GIVEN.items():
        if (name in open_now or allowed.stands_for) and not why_not(
            table, name, by, bot_dealer=bot_dealer
        ):
            yield name


def why_not(
    table: Table,
    name: str,
    by: Actor,
    facts: Mapping[str, object] = ANY,
    bot_dealer: str = "",
) -> Refused | None:
    """Say why a person cannot give this command now, with these facts; None: they can.

    `bot_dealer` is the bot that deals here, if one does: it sells and redeems patrons' chips.
    """
    allowed, kind = GIVEN[name], KINDS[name]
    try:
        check_allowed(table, name, allowed, by)
        _check_shoe(table, allowed)
    except Refused as refused:
        return refused
    if kind in CHIPS:
        if not bot_dealer:
            return Refused(Reason.ASK_THE_DEALER, CONDITIONS)
        by, facts = Actor(bot_dealer, DEALER, by.at_ms), {"person": by.person}
    refusals = [refusal(table, command, by, facts) for command in _due(table, kind, allowed)]
    if None in refusals:
        return None
    return next(iter(refusals), Refused(Reason.NOT_CALLED_FOR, CONDITIONS, command=name))


def _check_shoe(table: Table, allowed: Allowed) -> None:
    """Refuse to key cards of the house's own shoe, and to have the house deal any other."""
    virtual = is_virtual(table)
    if allowed.keyed and virtual:
        raise Refused(Reason.HOUSE_DEALS, CONDITIONS)
    of_own_shoe = allowed.stands_for and all(
        AUTHORITY[command].keyed for command in allowed.stands_for
    )
    if of_own_shoe and not virtual:
        raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)


def _due(table: Table, kind: type[Any], allowed: Allowed) -> Iterable[type[c.Command]]:
    """The command itself, or the commands an intent stands for; if many, those due next."""
    if issubclass(kind, c.Command):
        return (kind,)
    if not allowed.steps:
        return allowed.stands_for
    step = next_step(table).step
    return [command for command in allowed.stands_for if step in AUTHORITY[command].steps]
