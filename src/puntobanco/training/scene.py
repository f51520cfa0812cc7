"""A scene: a table under a rule set, played up to a mistake, and how the table goes on from it."""

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import OVERSEER
from puntobanco.table.decide import run
from puntobanco.table.events import Proposed, TableEvent
from puntobanco.table.queries.shoe import offers
from puntobanco.table.session import Session, commands_of, parse_session
from puntobanco.table.state import Phase, Table
from puntobanco.training.dealt import Cards
from puntobanco.training.kinds import Kind, Topic

SHORT = {
    "bets": (
        "dealer: open-coup",
        "dealer: place-wager 1 p {bet} ann",
        "dealer: place-wager 2 b {bet} bob",
        "dealer: no-more-bets",
    ),
    "finish": ("dealer: declare-result", "dealer: end-coup"),
}
OPENING = (
    "manager: open-table",
    "dealer: sign-on dealer",
    '{overseer}: sign-on "{role}"',
    "ann: sit 1",
    "bob: sit 2",
    "dealer: buy-in 100000 ann",
    "dealer: buy-in 100000 bob",
    "dealer: check-cards set-1 player=ann",
    "dealer: shuffle",
    "dealer: cut-cards 100",
    "dealer: load-shoe",
)
CUP_OPENING = (
    "manager: open-table",
    "dealer: sign-on dealer",
    '{overseer}: sign-on "{role}"',
    'director: sign-on "competition director"',
    "dealer: sit 1 ann",
    "dealer: sit 2 bob",
    "dealer: check-cards set-1 player=ann",
    "dealer: shuffle",
    "dealer: cut-cards 100",
    "dealer: load-shoe",
)
ALLOT = "director: allot-chips"
BURN = "dealer: burn-cards 2c 2"
OPENED = {
    "gaming_day": "training",
    "shoe": "training shoe",
    "shoe_approval": "training",
    "effective": "for training",
    "backs": "training",
}
CUP = {
    "competition": "training-cup",
    "chips": "competition",
    "allotment_cents": 1_000_000,
    "face_down": False,
}
"""The conditions of a competition's table: bets in turn, chips that are no money."""
PATRONS = ("ann", "bob", "cy")
STAFF = 3
"""The number of staff, who come first in `training_people`."""
ROLE_REASONS = (Reason.NOT_YOUR_ROLE, Reason.NOT_ON_DUTY, Reason.SAME_PERSON)


class SceneStep(Struct, frozen=True):
    """One command given to the table, and the table's answer: events, or a refusal."""

    by: str
    ask: c.TableCommand
    after: Table
    events: tuple[TableEvent, ...] = ()
    refused: Refused | None = None


class Scene(Struct, frozen=True):
    """A mistake at a table as the trainee sees it, and how the table goes on from it."""

    kind: Kind
    ruleset: str
    facts: dict[str, str]
    """What the story of the scene is filled with: amounts, and who oversees."""
    before: Table
    happened: tuple[TableEvent, ...]
    """The events up to the mistake."""
    steps: tuple[SceneStep, ...]

    @property
    def after(self) -> Table:
        return self.steps[-1].after

    @property
    def settled(self) -> Table:
        """The table with its coup put right, before the cards were cleared away."""
        tables = [step.after for step in self.steps if step.after.coup is not None]
        return tables[-1] if tables else self.after

    @property
    def events(self) -> tuple[TableEvent, ...]:
        """The events with which the table answered."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def refused(self) -> Refused | None:
        """The refusal with which the scene ends, if it ends with one."""
        return self.steps[-1].refused


def overseer_role(ruleset: str) -> Role:
    """The role that oversees the game under this document."""
    named = {duty.role for duty in load_ruleset(ruleset).staff} & OVERSEER
    return Role(next(iter(named), Role.CASINO_SUPERVISOR))


@cache
def training_people(ruleset: str) -> dict[str, frozenset[Role]]:
    """Everybody at a training table with their roles: staff first, by rising authority."""
    role = overseer_role(ruleset)
    return {
        "dealer": frozenset({Role.DEALER}),
        role.replace(" ", "-"): frozenset({role}),
        "manager": frozenset({Role.MANAGEMENT}),
        **dict.fromkeys(PATRONS, frozenset({Role.PATRON})),
        "director": frozenset({Role.DIRECTOR}),
    }


@cache
def facts(ruleset: str) -> dict[str, str]:
    """Amounts to bet, in dollars, around the limits of the sample notice; and who oversees."""
    limits, role = sample_notice(ruleset).limits, overseer_role(ruleset)
    least, most = limits.min_cents // 100, limits.max_cents // 100
    dollars = {"bet": 4 * least, "more": 6 * least, "low": least - 5, "high": most + 5}
    amounts = {name: str(amount) for name, amount in dollars.items()}
    return {**amounts, "overseer": role.replace(" ", "-"), "role": role.value}


@lru_cache(maxsize=256)
def deal_scene(kind: Kind, ruleset: str, seed: int) -> Scene:
    """Deal a scene; the same seed deals the same scene again."""
    cards = Cards(f"{ruleset} {kind.name} {seed}", load_ruleset(ruleset).tableau, facts(ruleset))
    table = _opened(ruleset, burned=kind.burned, cup=kind.topic is Topic.COMPETITION)
    happened: list[TableEvent] = []
    for ask, by in _asks(ruleset, _written(kind.before, cards), table):
        table, new = run(table, ask, by)
        happened += new
    steps = _go_on(table, ruleset, _written(kind.then, cards))
    return Scene(kind, ruleset, facts(ruleset), table, tuple(happened), steps)


def _written(lines: tuple[str, ...], cards: Cards) -> list[str]:
    every = [line for written in lines for line in SHORT.get(written, (written,))]
    return [line.format_map(cards) for line in every]


def _asks(ruleset: str, lines: list[str], table: Table) -> Iterator[tuple[c.TableCommand, Actor]]:
    """Read lines of a session as commands, each with who gives it."""
    if not lines:
        return
    roles = [
        f"{name} = {sorted(map(str, held))}" for name, held in training_people(ruleset).items()
    ]
    head = ["+++", "[people]", *roles, "+++", "20:00"]
    said = parse_session("\n".join([*head, *lines])).said
    notice = msgspec.to_builtins(sample_notice(ruleset))
    cup = {"conditions": CUP} if any(line == ALLOT for line in lines) else {}
    session = Session({"notice": notice, "open": {**OPENED, **cup}}, said)
    for line in said:
        for ask in commands_of(session, line, table):
            yield ask, line.by


@cache
def _opened(ruleset: str, *, burned: bool, cup: bool = False) -> Table:
    """Make a table between two coups: staff on duty, two players seated, a shoe loaded; with `cup`
    a competition's.
    """
    table = Table()
    burn = (BURN,) if burned and sample_notice(ruleset).burn else ()
    opening = (*CUP_OPENING, *burn, ALLOT) if cup else (*OPENING, *burn)
    lines = [line.format_map(facts(ruleset)) for line in opening]
    for ask, by in _asks(ruleset, lines, table):
        cut = isinstance(ask, c.CutCards)
        table, _ = run(table, replace(ask, seat=offers(table)[0]) if cut else ask, by)
    return table


def _go_on(table: Table, ruleset: str, lines: list[str]) -> tuple[SceneStep, ...]:
    """Give the commands one after another, until one is refused or play is held."""
    steps: list[SceneStep] = []
    for ask, by in _asks(ruleset, lines, table):
        steps += _followed(steps[-1].after if steps else table, ruleset, ask, by)
        if steps[-1].refused or steps[-1].after.phase is Phase.HELD:
            break
    return tuple(steps)


def _followed(table: Table, ruleset: str, ask: c.TableCommand, by: Actor) -> Iterator[SceneStep]:
    """Give one command, and then what a second person must give for it to count.

    A proposal is approved and a finding confirmed. Where the document leaves the ruling to a
    person, one is only proposed: which way it goes is theirs to say.
    """
    step = _given(table, ruleset, ask, by)
    yield step
    table, by = step.after, replace(by, person=step.by)
    if any(isinstance(event, Proposed) for event in step.events):
        yield _given(table, ruleset, c.Approve(table.proposal_number), by)
    elif table.phase is Phase.HELD and table.coup is not None:
        ruling = table.coup.found_verdict is Verdict.RULING
        settle = c.RuleOn("void", "") if ruling else c.ConfirmFinding(upheld=True)
        yield _given(table, ruleset, settle, by)


def _given(table: Table, ruleset: str, ask: c.TableCommand, by: Actor) -> SceneStep:
    """Give a command as the first person up the ladder who may; a patron only as themselves."""
    names = list(training_people(ruleset))
    ladder = (by.person,) if by.person in PATRONS else names[names.index(by.person) : STAFF]
    for person in ladder:
        try:
            after, events = run(
                table, ask, Actor(person, training_people(ruleset)[person], by.at_ms)
            )
        except Refused as error:
            step = SceneStep(person, ask, table, refused=error)
            if error.reason not in ROLE_REASONS:
                break
        else:
            return SceneStep(person, ask, after, tuple(events))
    return step
