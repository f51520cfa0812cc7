"""Every table as those who oversee the floor see it now: its phase, its people, who waits for whom.

How long a phase or a wait has lasted is on no table: it is noted as rows come, and after a start
found in the last rows. So is the time of the last coup.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.access.names import person_called, told_to_staff
from puntobanco.house.house import House
from puntobanco.house.lookback.told import Told, tell_row
from puntobanco.journal.rows import Row
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import AUTHORITY, second_of
from puntobanco.table.next_step import (
    QUIET,
    awaited_roles,
    next_step,
    whom_to_sign_on,
    with_roles,
)
from puntobanco.table.queries.coup import live_proposals
from puntobanco.table.queries.face_down import rule_of, to_be_told
from puntobanco.table.state import Phase, Table
from puntobanco.table.view.staff import oversight_of
from puntobanco.words import COMMANDS, WAITING, name_order, step_facts, told_money, waited_for
from puntobanco.words.pages import PAGES
from puntobanco.words.steps import WAITING_TO_BE_TOLD

TAIL = 400
"""Rows looked back for when a phase began: a coup takes some twenty."""
OVER = b'"is":"coup-ended"'
BEGINS: dict[Phase, tuple[bytes, ...]] = {
    Phase.SHUT: (b'"is":"table-closed"',),
    Phase.PREPARING: (b'"is":"shoe-ended"', b'"is":"table-opened"'),
    Phase.READY: (OVER, b'"is":"shoe-loaded"', b'"is":"coup-not-dealt"'),
    Phase.BETTING: (b'"is":"coup-opened"',),
    Phase.DEALING: (b'"is":"bets-locked"',),
    Phase.HELD: (b'"is":"ruling-awaited"', b'"is":"irregularity-ruled"'),
    Phase.SETTLED: (b'"is":"result-declared"', b'"is":"coup-voided"'),
    Phase.OVER: (b'"is":"session-ended"',),
}
"""What a row has in it by which a phase began."""
SHOWN, READ = 6, 40
"""What of a table is told at a glance, and rows that are looked through for it."""
UNTOLD = ("wager-placed", "wager-changed", "wager-withdrawn", "card-drawn", "card-turned")
"""What happens all the time and says little by itself."""
ASKED: dict[str, bytes] = {
    "proposal": b'"is":"proposed"',
    "dispute": b'"is":"dispute-raised"',
    "told": b'"is":"face-down-asked"',
}
OVERSEER_ROLES = (Role.INSPECTOR, Role.CASINO_SUPERVISOR, Role.DIRECTOR)
WaitKind = Literal["ruling", "proposal", "dispute", "step", "told"]


class Wait(Struct, frozen=True):
    """Somebody who is waited for at a table."""

    kind: WaitKind
    says: str
    """What is to be done."""
    whom: tuple[Role, ...]
    clause: str
    number: int = 0
    """Of the proposal or dispute."""
    since_ms: int | None = None

    @property
    def holds_play(self) -> bool:
        """Nothing goes on at the table before it is done."""
        return self.kind == "ruling"


class TableAtGlance(Struct, frozen=True):
    """One table, at a glance."""

    table: str
    name: str
    pit: str
    phase: Phase
    since_ms: int | None
    """When the phase began; None: longer ago than was looked back."""
    ruleset: str = ""
    min_cents: int = 0
    max_cents: int = 0
    coup: int = 0
    last_coup_ms: int | None = None
    """When the last coup was over."""
    dealers: tuple[str, ...] = ()
    overseers: tuple[str, ...] = ()
    players: int = 0
    shoe_tenths: int | None = None
    """How much of the shoe was dealt; None: there is none in play."""
    waits: tuple[Wait, ...] = ()
    together: tuple[int, ...] = ()
    """Boxes where several players together pass the maximum [tas-2018:7.3]."""
    closing_ms: int | None = None
    change_posted: bool = False
    """Other limits have been posted."""
    play: bool = False
    """Chips that are worth nothing."""
    competition: str = ""

    @property
    def place(self) -> tuple[object, ...]:
        """Where it stands in a list: by pit and name; those in no pit, and those shut, last."""
        return self.phase == "shut", not self.pit, name_order(self.pit), name_order(self.name)


class _Seen(Struct):
    """What has been noted of one table."""

    seq: int
    phase: Phase
    since_ms: int | None
    last_coup_ms: int | None
    waits: dict[tuple[WaitKind, int], int | None]


class FloorWatch:
    """The tables of a house as they are now, and since when."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._seen: dict[str, _Seen] = {}

    def tables(self) -> Iterator[TableAtGlance]:
        for name in self._house.tables:
            yield self.table(name)

    def table(self, name: str) -> TableAtGlance:
        """One table as it is now."""
        stream = self._house.tables[name]
        asked = tuple(waits_at(stream.state, partial(person_called, self._house)))
        seen = self._note(name, asked)
        settings = self._house.register.state.settings
        waits = tuple(replace(one, since_ms=seen.waits[one.kind, one.number]) for one in asked)
        now = TableAtGlance(
            name,
            settings.called(name),
            settings.table_look(name).pit,
            stream.state.phase,
            seen.since_ms,
            last_coup_ms=seen.last_coup_ms,
            waits=waits,
        )
        return _with_play(now, stream.state)

    def _note(self, name: str, asked: tuple[Wait, ...]) -> _Seen:
        """Note what is new; what was so at the start, as its rows say."""
        stream = self._house.tables[name]
        seen, phase = self._seen.get(name), stream.state.phase
        keys = [(one.kind, one.number) for one in asked]
        if seen is None:
            rows = self._rows_after(name, max(0, stream.seq - TAIL))
            since_ms = _last(rows, *BEGINS[phase])
            waits = {key: _last(rows, ASKED[key[0]]) if key[0] in ASKED else since_ms
                     for key in keys}  # fmt: skip
            seen = self._seen[name] = _Seen(stream.seq, phase, since_ms, _last(rows, OVER), waits)
        elif seen.seq != stream.seq:
            over_ms = _last(self._rows_after(name, seen.seq), OVER)
            seen.last_coup_ms = over_ms or seen.last_coup_ms
            if phase is not seen.phase or (over_ms and phase is not Phase.SHUT):
                seen.phase, seen.since_ms = phase, stream.at_ms
            seen.waits = {key: seen.waits.get(key, stream.at_ms) for key in keys}
            seen.seq = stream.seq
        return seen

    def _rows_after(self, name: str, seq: int) -> list[Row]:
        return list(self._house.log.read(name, seq))


def _last(rows: list[Row], *texts: bytes) -> int | None:
    """When the last row was written that has one of these in it."""
    found = (row.at_ms for row in reversed(rows) if any(text in row.events for text in texts))
    return next(found, None)


def _with_play(now: TableAtGlance, table: Table) -> TableAtGlance:
    """What there is to tell of a table that was opened."""
    if table.notice is None:
        return now
    shoe, limits = table.shoe, table.notice.limits
    staff = [(duty.role, duty.person) for duty in table.staff]
    return replace(
        now,
        ruleset=table.notice.ruleset,
        min_cents=limits.min_cents,
        max_cents=limits.max_cents,
        coup=table.coup_number,
        dealers=tuple(person for role, person in staff if role is Role.DEALER),
        overseers=tuple(person for role, person in staff if role in OVERSEER_ROLES),
        players=len(table.places),
        shoe_tenths=10 - (-(-10 * shoe.left // shoe.cards)) if shoe else None,
        together=tuple(dict.fromkeys(box for box, _, _ in oversight_of(table).together_above)),
        closing_ms=table.closing_ms,
        change_posted=table.posted is not None,
        play=bool(table.play_cents),
        competition=table.conditions.competition if table.conditions and table.is_open else "",
    )


def waits_at(table: Table, named: Callable[[str], str] = str) -> Iterator[Wait]:
    """Who is waited for at a table: what holds up play first."""
    if not table.is_open or table.notice is None:
        return
    step = with_roles(table, next_step(table))
    ruling = table.phase is Phase.HELD
    absent = whom_to_sign_on(table, step)  # a dealer, too, who is not there to see it
    if step.step not in QUIET and (ruling or absent or Role.DEALER not in step.roles):
        whom = awaited_roles(table, step.roles)
        facts = step_facts(step.facts, named)
        says = WAITING[step.step].format(who=waited_for(whom), **facts)
        yield Wait("ruling" if ruling else "step", says, whom, step.clause)
    for number, proposal in live_proposals(table).items():
        whom = awaited_roles(table, second_of(type(proposal.ask)))
        title = COMMANDS[str(proposal.ask.__struct_config__.tag)].title
        yield Wait("proposal", title, whom, CONDITIONS, number)
    if untold := to_be_told(table):
        says = WAITING_TO_BE_TOLD.format(who=" and ".join(PAGES[f"role.{role}"] for role in untold))
        clause = rule_of(table).informed_clause or CONDITIONS
        yield Wait("told", says, untold, clause)
    clause = table.terms.rules.people.disputes
    for number, dispute in table.disputes.items():
        if not dispute.decision:
            whom = awaited_roles(table, AUTHORITY[c.DecideDispute].roles)
            yield Wait("dispute", dispute.about, whom, clause or CONDITIONS, number)


def recent(house: House, name: str) -> list[Told]:
    """What happened last at a table, the newest first."""
    stream = house.tables[name]
    rows = house.log.read(name, max(0, stream.seq - READ))
    state, writing = stream.state, told_to_staff(house)
    if state.play_cents or state.conditions:  # chips that are worth no money
        writing = writing._replace(amount=told_money)
    told = [one for row in rows for one in tell_row(row, writing)]
    kept = [one for one in told if one.event.__struct_config__.tag not in UNTOLD]
    return kept[: -SHOWN - 1 : -1]
