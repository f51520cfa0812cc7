"""What is personal, erased for good, so that the proof stays whole: the journal has only ids.

Nobody is erased while the house owes them something or must know them again.
"""

from collections.abc import Iterator

from puntobanco.competition.state import ENDED, CompetitionPhase, Entrant
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.names import place_called
from puntobanco.house.access.photos import erase_photo, is_kept
from puntobanco.house.access.rights import check_gone, member_of
from puntobanco.house.floor.incidents import IncidentLog
from puntobanco.house.house import House
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.words import money

ENDED_PHASES = frozenset({CompetitionPhase.DONE, CompetitionPhase.CANCELLED})


def kept_back(house: House, person: str) -> Iterator[Refused]:
    """Why somebody cannot be erased yet, one after another; nothing: they can be."""
    member = member_of(house.register.state, person)
    try:
        check_gone(member, person)
    except Refused as still:
        yield still
    yield from _at_tables(house, person)
    cents = house.cage.state.accounts.get(person, 0)
    if cents:
        told = money(cents, house.register.state.currency)
        yield Refused(Reason.STILL_HAS_MONEY, CONDITIONS, person=person, cents=told)
    for name, cup in sorted(house.competitions.items()):
        entrant = cup.state.entries.get(person)
        if entrant is not None and is_open(entrant, over=cup.state.phase in ENDED_PHASES):
            called = place_called(house, name)
            yield Refused(Reason.STILL_ENTERED, CONDITIONS, person=person, competition=called)
    if member.excluded_until_ms > house.time.now_ms():
        until = house.register.state.settings.day_of(member.excluded_until_ms)
        yield Refused(Reason.STILL_EXCLUDED, CONDITIONS, person=person, until=until)


def _at_tables(house: House, person: str) -> Iterator[Refused]:
    for name, stream in sorted(house.tables.items()):
        table, called = stream.state, place_called(house, name)
        wagers = table.coup.wagers if table.coup else ()
        holds = table.chips.get(person) and not table.plays_for_chips
        if person in table.places or holds or any(wager.by == person for wager in wagers):
            yield Refused(Reason.STILL_AT_TABLE, CONDITIONS, person=person, table=called)
        if any(one.person == person and not one.decision for one in table.disputes.values()):
            yield Refused(Reason.STILL_DISPUTES, CONDITIONS, person=person, table=called)


def is_open(entrant: Entrant, *, over: bool) -> bool:
    """Whether somebody is in a competition, or is owed a refund or a prize of it."""
    owed = entrant.owed_cents or (entrant.prize_cents and not entrant.prize_paid)
    return bool(owed) or (not over and entrant.status not in ENDED)


async def erase_agreed(house: House, by: str) -> None:
    """Erase those of whom it was agreed, as soon as the house owes them nothing any more. Who has
    come back since then is erased no more: what is personal of them now can be erased again.
    """
    register, gone = house.register.state, house.people.erased()
    for person in sorted(gone):
        if register.people[person].enabled:
            house.people.came_back(person)
    for person in sorted(register.to_erase - gone):
        if not any(kept_back(house, person)):
            await erase_all(house, person, by)


async def erase_all(house: House, person: str, by: str) -> None:
    """Name, contact, alias, credentials, sign-ins and training go, and photos of incidents that
    concern nobody else; on record, by whom.
    """
    for still in kept_back(house, person):
        raise still
    for incident in IncidentLog(house).all():
        if incident.people == (person,) and incident.photo and is_kept(house.log, incident.photo):
            await erase_photo(house, incident.table, incident.row, incident.photo, by)
    await house.erase(person, by)
