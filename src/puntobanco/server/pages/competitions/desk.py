"""The desk of a competition: a walk-in is entered in one step, alias and cash with it."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from puntobanco.cage import commands as cage
from puntobanco.competition.authority import CASHIER
from puntobanco.competition.commands import AddReserve, Apply, EnterAtDesk
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.desk import fit_alias
from puntobanco.house.access.rights import DESK as SEES_TO_PATRONS
from puntobanco.house.foresight import look_ahead_in
from puntobanco.server.visit import Visit
from puntobanco.table.actor import Actor

CAGE = "cage"
CASH = "cash"
"""How the fee is paid, if not out of the account as it stands."""
MOST_ID = 64


def desk_facts(
    visit: Visit, cup: str, can: Callable[..., bool], typed: Mapping[str, str]
) -> dict[str, Any]:
    """Who stands at the desk: the patron asked for, what they have, and why they cannot enter."""
    if not visit.roles & SEES_TO_PATRONS:
        return {"at_desk": None, "done": None, "desk": False}
    competition = visit.competition(cup).state
    wanted = _wanted(visit, typed.get("person", visit.query("desk")).strip()[:MOST_ID])
    done = visit.query("done")[:MOST_ID]
    entrant = competition.entries.get(done)
    entered = {"person": done, "entry": entrant, "name": visit.house.people.get(done).name}
    return {
        "desk": can("enter-at-desk") or can("apply"),
        "at_desk": _at_desk(visit, cup, wanted, typed) if wanted else None,
        "done": entered if entrant and entrant.paid_cents else None,
    }


def _wanted(visit: Visit, word: str) -> str:
    """The patron of that id, or the only one who is called so."""
    known = visit.house.register.state.people
    if not word or word in known:
        return word
    names = visit.house.people.all().items()
    called = [who for who, one in names if one.name.casefold() == word.casefold()]
    return called[0] if len(called) == 1 and called[0] in known else word


def _at_desk(visit: Visit, cup: str, person: str, typed: Mapping[str, str]) -> dict[str, Any]:
    house, stream = visit.house, visit.competition(cup)
    by, fee = visit.actor(stream.name), fee_of(stream.state)
    refused = _refused(stream.state, EnterAtDesk(person, stream.state.version), by)
    member, cents = house.register.state.people.get(person), house.cage.state.accounts.get(person)
    has_it = cents is not None and cents >= fee
    return {
        "person": person,
        "known": member is not None and member.kind == "patron",
        "name": house.people.get(person).name,
        "alias": typed.get("alias", house.people.alias(person)),
        "cents": cents,
        "fee_cents": fee,
        "has_it": has_it,
        "cash": typed.get("pay", "" if has_it else CASH) == CASH,
        "why_not": visit.words_of(refused) if refused else None,
        "waits_by": _waits_by(stream.state, refused, person, by),
    }


def _waits_by(competition: Any, refused: Refused | None, person: str, by: Actor) -> str:
    """What brings somebody for whom there is no place on to the reserve list; empty: nothing."""
    if refused is None or refused.reason != Reason.ENTRIES_FULL:
        return ""
    ways: dict[str, AddReserve | Apply] = {
        "add-reserve": AddReserve(person),
        "apply": Apply(person),
    }
    return next((name for name, ask in ways.items() if not _refused(competition, ask, by)), "")


def _refused(competition: Any, ask: EnterAtDesk | AddReserve | Apply, by: Actor) -> Refused | None:
    """What it would be refused for, before anybody signs or pays."""
    try:
        look_ahead_in(competition, ask, by)
    except Refused as refused:
        return refused
    return None


def fee_of(competition: Any) -> int:
    """What is taken for an entry: the fee, and a commission beside it."""
    entry = competition.conditions.entry
    beside = entry.commission_cents if entry.commission == "beside" else 0
    return int((entry.fee_cents or 0) + beside)


async def enter_walk_in(visit: Visit, cup: str, form: Mapping[str, str], given: str) -> str:
    """Give all that an entry lacks, after what others are to call its owner and the cash that is
    laid down; who it was. Sent again it is done once; broken off, the cash is in their account.
    """
    house, stream = visit.house, visit.competition(cup)
    by = visit.check(CASHIER, "entries", stream.name)
    facts = {name: form.get(name, "") for name in ("person", "version")}
    ask = msgspec.convert(facts, EnterAtDesk, strict=False)
    person, called = ask.person, house.people.alias(ask.person)
    alias = fit_alias(house, person, form.get("alias", called))
    if house.log.by_command(stream.name, given) is None:
        look_ahead_in(stream.state, ask, by)  # before any money is taken
    if form.get("pay") == CASH:
        if person not in house.cage.state.accounts:
            await visit.give(CAGE, cage.OpenAccount(person), f"{given}-account")
        await visit.give(CAGE, cage.Deposit(person, fee_of(stream.state)), f"{given}-cash")
    await visit.give(stream.name, ask, given)
    if alias != called:
        house.people.put_alias(person, alias)
    return person
