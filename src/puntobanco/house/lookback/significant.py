"""What management must see: voids, corrections, changes, failed sign-ins, grants and leavers, trays
that are short. All of it, for ever: the rows are known by their numbers, and read alone.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from puntobanco.cage import events as cage_events
from puntobanco.cage.commands import worth_cents
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.sentences import tell_competition
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.passkey import PASSKEY
from puntobanco.house.access.names import person_called, place_called, told_to_staff
from puntobanco.house.access.rights import OVERSEES, check_house_role
from puntobanco.house.checks.program import LIST
from puntobanco.house.figures.chosen import EVERY, notable_rows
from puntobanco.house.figures.notable import is_notable
from puntobanco.house.figures.noted import (
    CAGE,
    PAID,
    QUIET,
    decode_cage,
    is_large,
    is_of_competition,
    is_of_people,
    not_kept,
)
from puntobanco.house.house import House
from puntobanco.house.lookback.told import events_of
from puntobanco.house.notes import EventReviewed
from puntobanco.house.stream import COMPETITION, TABLE
from puntobanco.journal.rows import Row, facts_in
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register.settings import is_no_limit
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.table.commands import Note
from puntobanco.table.proposals import check_both_before
from puntobanco.table.sentences import tell
from puntobanco.words import money
from puntobanco.words.pages import PAGES

decode_competition = msgspec.json.Decoder(list[CompetitionEvent]).decode
REVIEWED, RECOVERY = "event-reviewed", "recovery"
SECOND = frozenset({"totp", RECOVERY})
"""What only its owner sets up; by anybody else it is taken away, which the row says, too."""
OVERDONE = frozenset({"pace-exceeded", "rights-tried"})
"""What somebody does whom the house only names."""
Finding = Annotated[Note, Meta(min_length=1)]
"""What somebody found who looked into it."""


class Review(Struct, frozen=True):
    """Somebody has looked into it, and says so."""

    by: str
    at_ms: int
    note: str


class Noted(Struct, frozen=True):
    """One thing management must see."""

    at_ms: int
    stream: str
    seq: int
    actor: str
    says: str
    clauses: tuple[str, ...] = ()
    reviewed: Review | None = None
    """The last review of its row."""


def significant(house: House, most: int = EVERY) -> list[Noted]:
    """Voids, corrections, changes, failed sign-ins, clock jumps; the newest first."""
    rows = set(
        not_kept(house.log, house.register.state.settings.watch)
    )  # first: what is kept meanwhile is found twice, not missed
    rows.update(notable_rows(house.figures.reading(), most))
    read = [row for place in rows if (row := house.log.row(*place)) is not None]
    reviews = _reviews(read)  # each is later than its row: with the newest rows it is read too
    found = [
        replace(one, reviewed=reviews.get((one.stream, one.seq)))
        for row in read
        for one in _of_row(house, row)
    ]
    return sorted(found, key=lambda one: (one.at_ms, one.stream, one.seq), reverse=True)[:most]


def newest(house: House) -> int:
    """A number that is another as soon as there is something more to be seen."""
    return hash(tuple((one.stream, one.seq) for one in significant(house, 1)))


def _reviews(rows: list[Row]) -> dict[tuple[str, int], Review]:
    """The last review of each row."""
    own = sorted((row for row in rows if row.stream == HOUSE), key=lambda row: row.seq)
    return {
        (event["stream"], event["row"]): Review(event["by"], row.at_ms, event["note"])
        for row in own
        for event in facts_in(row)
        if event["is"] == REVIEWED
    }


def noted_at(house: House, stream: str, seq: int) -> list[Noted]:
    """What one row says that must be seen; refused where there is nothing of the kind."""
    found = [one for one in significant(house) if (one.stream, one.seq) == (stream, seq)]
    if not found:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return found


async def review(house: House, by: Actor, stream: str, seq: int, note: str) -> None:
    """Put on record that somebody has looked into it: not who did it themselves, nor who counts as
    one with them.
    """
    check_house_role(by, OVERSEES, "events")
    for person in took_part(house, stream, seq):
        check_both_before(person, by)
    await house.note(EventReviewed(stream, seq, by.person, note))


def took_part(house: House, stream: str, seq: int) -> set[str]:
    """Who brought about what one row says: whoever gave its command, and whoever proposed it; of
    what the house notes of itself, whoever it says did it.
    """
    people = {one.actor for one in noted_at(house, stream, seq)}
    row = house.log.row(stream, seq)
    events = facts_in(row) if row else []
    if stream == HOUSE:
        return people | {who for event in events if (who := _did(event))}
    agreed = {event["number"] for event in events if event["is"] == "approved"}
    if not agreed:
        return people
    earlier = house.log.find(stream, 0, b'"is":"proposed"')
    proposed = (event for row in earlier if row.seq < seq for event in facts_in(row))
    return people | {one["person"] for one in proposed if one.get("number") in agreed}


def _did(event: dict[str, Any]) -> str:
    """Who did what the house notes of itself; empty: nobody it knows."""
    who: str = event.get("by") or (event["person"] if event["is"] in OVERDONE else "")
    return who


def _of_row(house: House, row: Row) -> Iterator[Noted]:
    """What one row says that must be seen."""
    if row.stream.startswith(TABLE):
        told_in, watch = told_to_staff(house), house.register.state.settings.watch(row.at_ms)
        for event in events_of(row):
            if is_notable(event, watch):
                says = tell(event, told_in)
                yield Noted(row.at_ms, row.stream, row.seq, row.actor, says, event.clauses)
        return
    if row.stream.startswith(COMPETITION):
        yield from _of_competition(house, row)
        return
    for says in dict.fromkeys(filter(None, TOLD[row.stream](house, row))):
        yield Noted(row.at_ms, row.stream, row.seq, row.actor, says)


def _of_competition(house: House, row: Row) -> Iterator[Noted]:
    """What was done in a competition otherwise than by play."""
    told_in, events = told_to_staff(house), decode_competition(row.events)
    for facts, event in zip(facts_in(row), events, strict=True):
        if is_of_competition(facts):
            says = tell_competition(event, told_in)
            yield Noted(row.at_ms, row.stream, row.seq, row.actor, says, event.clauses)


def _of_cage(house: House, row: Row) -> Iterator[str]:
    """Trays and drawers that were not as they should be, and large payments."""
    watch = house.register.state.settings.watch(row.at_ms)
    for event in decode_cage(row.events):
        yield _difference(house, event)
        if isinstance(event, PAID) and is_large(event, watch):
            facts = {"person": person_called(house, event.person)}
            facts["amount"] = _amount(house, event.cents)
            yield PAGES[f"event.{event.__struct_config__.tag}"].format(**facts)


def _of_register(house: House, row: Row) -> Iterator[str]:
    """Who was given a role, lost one, was shut out or let in again; what takes two people."""
    for event in facts_in(row):
        if is_of_people(event):
            facts = {name: _called(house, name, fact) for name, fact in event.items()}
            where = facts.get("table") or PAGES["event.whole-house"]
            by = person_called(house, row.actor)
            unlimited = ".no-limit" if is_no_limit(event.get("cash_cents")) else ""
            said = PAGES[f"event.{event['is']}{unlimited}"]
            yield said.format(**{**facts, "table": where, "by": by})


def _difference(house: House, event: cage_events.CageEvent) -> str:
    """How a count differs from what had to be there; empty if it does not."""
    match event:
        case cage_events.TrayCounted() if event.expected_cents != event.counted_cents:
            short = _amount(house, event.expected_cents - event.counted_cents)
            facts = {"table": place_called(house, event.table), "short": short}
            facts["person"] = person_called(house, event.person)
            return PAGES["event.tray-counted"].format(**facts)
        case cage_events.DrawerClosed():
            cash = worth_cents(event.cash) - event.expected_cash_cents
            chips = worth_cents(event.chips) - event.expected_chips_cents
            if not cash and not chips:
                return ""
            facts = {"person": person_called(house, event.person)}
            facts["by"] = person_called(house, event.counted_by)
            over = {"cash": _signed(house, cash), "chips": _signed(house, chips)}
            return PAGES["event.drawer-closed"].format(**facts, **over)
        case _:
            return ""


def _amount(house: House, cents: int) -> str:
    return money(cents, house.register.state.currency)


def _signed(house: House, cents: int) -> str:
    return f"+{_amount(house, cents)}" if cents > 0 else _amount(house, cents)


def _of_house(house: House, row: Row) -> Iterator[str]:
    for event in facts_in(row):
        yield _of_itself(house, event)


def _of_itself(house: House, event: dict[str, Any]) -> str:
    """What the house says of itself; empty if nobody need look at it."""
    kind = event["is"]
    if kind in QUIET or kind == REVIEWED:
        return ""
    if _is_second(event.get("kind", "")) and event["by"] not in {event["person"], HOUSE}:
        return ""
    facts = {name: _called(house, name, fact) for name, fact in event.items()}
    if event.get("used"):
        kind = _gone(event)
    if kind == "program-differs" and tuple(event["names"]) in {(), (LIST,)}:
        kind = "program-changed"
    return PAGES[f"event.{kind}"].format(**facts)


def _is_second(kind: str) -> bool:
    return kind in SECOND or kind.startswith(PASSKEY)


def _gone(event: dict[str, Any]) -> str:
    """What is said of a credential that is good for nothing any more."""
    if event["kind"].startswith(PASSKEY):
        return "passkey-copied" if event["by"] == HOUSE else "passkey-removed"
    return "recovery-used" if event["kind"] == RECOVERY else "slip-used"


def _called(house: House, name: str, fact: Any) -> Any:
    """A fact of the house's own events as people say it."""
    if name == "kind" and fact.startswith(PASSKEY):
        return PAGES["event.kind.passkey"]
    told = FACTS.get(name)
    return told(house, f"event.{name}", fact) if told else fact


def _watched(house: House, _key: str, cents: int) -> str:
    return _amount(house, cents) if cents else PAGES["event.watch-set.never"]


def _kept(_house: House, _key: str, days: int) -> str:
    return PAGES["event.kept-days" if days else "event.kept-for-ever"].format(days=days)


FACTS: dict[str, Callable[[House, str, Any], Any]] = {
    **dict.fromkeys(
        ("person", "by", "first", "second"), lambda house, _, who: person_called(house, who)
    ),
    "table": lambda house, _, table: place_called(house, table),
    **dict.fromkeys(
        ("kind", "scope", "second_factor"), lambda _, key, fact: PAGES.get(f"{key}.{fact}", fact)
    ),
    "cash_cents": lambda house, _, cents: _amount(house, cents),
    **dict.fromkeys(("wager_cents", "win_cents", "payment_cents"), _watched),
    **dict.fromkeys(("record_days", "photos_days", "logs_days", "recordings_days"), _kept),
    "until_ms": lambda house, _, at_ms: house.register.state.settings.day_of(at_ms),
    "by_ms": lambda _, __, ms: f"{ms / 1000:+,.1f}".replace("-", "−"),
}
"""How facts are told that are not told as they stand."""
TOLD = {HOUSE: _of_house, CAGE: _of_cage, REGISTER: _of_register}
"""How rows of streams that are no table's are told."""
