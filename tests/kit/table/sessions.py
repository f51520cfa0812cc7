"""A table at which a session of a competition is played."""

from msgspec.structs import replace

from puntobanco.rules.competition.conditions import PlayConditions, SessionEnds
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.competition import betting_order
from tests.kit.table.at import At

MIN = 10_000


def opened(
    ruleset: str = "tas-2018",
    *,
    chips: str = "competition",
    limits: Limits | None = None,
    **terms: object,
) -> At:
    """Opened for a session, with everyone on duty and nobody seated."""
    limits = limits or Limits(MIN, 200_000, sample_notice(ruleset).limits.multiple_cents and 500)
    at = At(ruleset, limits=limits, tie_limits=None, chip_cents=500)
    if ruleset == "act-2015":
        at.notice = replace(at.notice, table_differential_cents=None)
    facts: dict[str, object] = {"id": "heats", "ends": SessionEnds(coups=10), **terms}
    conditions = Conditions("cup", chips, 100_000, face_down=False)  # type: ignore[arg-type]
    session = SessionTerms(**facts)  # type: ignore[arg-type]
    at.open(conditions=conditions, session=session).staffed()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    return at


def begun(
    ruleset: str = "tas-2018",
    *people: str,
    here: bool = True,
    chips: str = "competition",
    limits: Limits | None = None,
    **terms: object,
) -> At:
    """A session that has begun, players in their seats 1, 2, 3, with a shoe loaded."""
    at = opened(ruleset, chips=chips, limits=limits, **terms)
    seats = dict(enumerate(people or ("ann", "bob", "cy"), 1))
    at.do("house", c.BeginSession(seats, 7, first_seat=1))
    for person in seats.values():
        if here and chips == "cash":
            at.do("dan", c.BuyIn(100_000, person))
        if here:
            at.do("dan", c.TakeSeat(person))
    return at.shoe()


def coup(at: At, cards: str = "9c Kd Kh 7s", **stakes: tuple[str, int]) -> list[TableEvent]:
    """A whole coup; everyone in order wagers the minimum on Player, or what is said."""
    start = len(at.log)
    at.do("dan", c.OpenCoup())
    for seat in betting_order(at.table):
        person = at.table.seated[seat]
        on, cents = stakes.get(person, ("player", MIN))
        if not any(wager.by == person for wager in at.table.coup.wagers):  # type: ignore[union-attr]
            at.do("dan", c.PlaceWager(seat, Bet(on), cents, person))
    at.deal(cards)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return at.log[start:]


WAYS = PlayConditions(order="clockwise", every_coup="yes", eliminated="below-minimum")
"""What a tournament in Singapore might settle by its conditions."""
