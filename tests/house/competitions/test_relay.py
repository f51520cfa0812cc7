"""What is due between a competition and its tables when plans change before the first coup."""

from pathlib import Path

import pytest

from puntobanco.competition import commands as c
from puntobanco.competition.state import CompetitionPhase
from puntobanco.errors import Reason
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.relay import Relay
from puntobanco.table import commands as at_table
from puntobanco.table.actor import Role
from puntobanco.table.result import SessionResult
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.competition.cup import WORDS, cup_text
from tests.kit.competition.in_house import CUP, CupHouse, in_house

SIX = tuple(f"p{number}" for number in range(1, 7))
TWO_TABLES = {"table-1": dict(enumerate(SIX[:3], 1)), "table-2": dict(enumerate(SIX[3:], 1))}
ONE_TABLE = {"table-1": dict(enumerate(SIX, 1))}


async def prepared(cups: CupHouse, text: str = "", people: tuple[str, ...] = SIX) -> Relay:
    """Two tables are designated; everybody has paid, and the list is closed."""
    await cups.opened(text)
    await cups.enter(*people)
    await cups.do("dora", c.CloseEntries())
    await cups.do("dora", c.SignOn(Role.DIRECTOR))
    for table in ("table-1", "table-2"):
        await cups.do("dora", c.DesignateTable(table))
    return Relay(cups.house)


async def drawn(cups: CupHouse, relay: Relay, tables: dict[str, dict[int, str]]) -> dict[str, bool]:
    """A draw keyed in, and its tables made ready: which of them are open."""
    await cups.two(c.KeyDraw(tables))
    await relay.bring_into_line(CUP)
    await cups.do("dora", c.PrepareSession())
    await relay.bring_into_line(CUP)
    assert not relay.due(CUP)
    assert not relay.refused
    return {name: table.state.is_open for name, table in cups.house.tables.items()}


@clause("tas-2018:16.3.1")
@pytest.mark.parametrize("released", [False, True])
def test_a_table_that_a_new_draw_leaves_out_is_closed_and_opened_when_needed_again(
    released: bool, tmp_path: Path
) -> None:
    async def play(cups: CupHouse) -> None:
        relay = await prepared(cups)
        assert await drawn(cups, relay, TWO_TABLES) == {"table-1": True, "table-2": True}
        await cups.two(c.KeyDraw(ONE_TABLE))
        if released:
            await cups.do("dora", c.ReleaseTable("table-2"))
        await relay.bring_into_line(CUP)
        assert not cups.house.tables["table-2"].state.is_open
        if released:
            await cups.do("dora", c.DesignateTable("table-2"))
        assert await drawn(cups, relay, TWO_TABLES) == {"table-1": True, "table-2": True}
        assert await drawn(cups, relay, ONE_TABLE) == {"table-1": True, "table-2": False}
        await cups.do("dora", c.StartSession())
        await relay.bring_into_line(CUP)
        assert cups.house.tables["table-1"].state.contest.drawn == ONE_TABLE["table-1"]
        assert audit(cups.house.log).fault is None

    in_house(tmp_path, play)


@clause("act-2015:13.2", "tas-2018:16.3.1")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
def test_tables_of_a_competition_cancelled_before_its_session_are_closed(
    ruleset: str, tmp_path: Path
) -> None:
    """[act-2015:13.2] Nobody has sat down there, so there is nobody to give half an hour's
    notice to.
    """

    async def play(cups: CupHouse) -> None:
        people = SIX if ruleset == "tas-2018" else SIX[:5]
        relay = await prepared(cups, cup_text(ruleset), people)
        await cups.do("dora", c.Draw(WORDS))
        await cups.do("dora", c.PrepareSession())
        await relay.bring_into_line(CUP)
        assert cups.house.tables["table-1"].state.phase is Phase.PREPARING
        await cups.two(c.Cancel("flood"))
        await relay.bring_into_line(CUP)
        assert not relay.due(CUP)
        assert not relay.refused
        assert cups.cup.phase is CompetitionPhase.CANCELLED
        assert not cups.house.tables["table-1"].state.is_open
        assert audit(cups.house.log).fault is None

    in_house(tmp_path, play)


def test_a_session_that_begins_at_the_beginning_of_time_has_begun(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        relay = await prepared(cups)
        await drawn(cups, relay, ONE_TABLE)
        await cups.do("dora", c.StartSession())
        await relay.bring_into_line(CUP)
        assert cups.cup.now.started_ms == 0
        assert cups.house.tables["table-1"].state.contest.allotted
        begun = await cups.refused("dora", c.SetStart("heats", 3_600_000, "rain"))
        assert begun is Reason.STAGE_HAS_BEGUN
        assert audit(cups.house.log).fault is None

    in_house(tmp_path, play, at_ms=0)


@clause("tas-2018:16.2.3(e)", "tas-2018:16.8.2")
@pytest.mark.parametrize("forged", ["nothing", "early", "seats", "time", "result", "row"])
def test_what_a_table_and_its_competition_told_each_other_is_held_against_both(
    forged: str, tmp_path: Path
) -> None:
    """[tas-2018:16.2.3(e), 16.8.2] Whatever writes as the house can seat others than were drawn,
    or take a result that no table had; whoever verifies the house finds it.
    """

    async def play(cups: CupHouse) -> None:
        relay = await prepared(cups, cup_text(ends="minutes = 10"))
        await drawn(cups, relay, ONE_TABLE)
        await cups.do("dora", c.StartSession())
        seats, now, row = (
            ONE_TABLE["table-1"],
            cups.cup.now.started_ms,
            cups.house.competitions[CUP].seq,
        )
        if forged in ("early", "seats", "time"):
            swapped = {**seats, 1: "p2", 2: "p1"} if forged == "seats" else seats
            begin = at_table.BeginSession(
                swapped, row - (forged == "early"), None, now + (forged == "time")
            )
            await cups.do("house", begin, "table-1")
        await relay.bring_into_line(CUP)
        await cups.do("dora", c.LastCoup())
        await cups.do("house", at_table.EndSession("time", row), "table-1")
        if forged in ("result", "row"):
            state, seq = cups.house.tables["table-1"].state, cups.house.tables["table-1"].seq
            chips = dict.fromkeys(SIX, 1000000) | ({"p1": 1} if forged == "result" else {})
            came = SessionResult("heats", "time", 0, chips, limits=state.terms.notice.limits)
            await cups.do("house", c.TakeResult("table-1", 1, came, seq - (forged == "row")))
        await relay.bring_into_line(CUP)
        found = audit(cups.house.log).fault
        assert (found is None) == (forged == "nothing"), found
        said = {
            "early": "begins a session that",
            "seats": "seats others",
            "time": "begins at another",
            "result": "takes",
            "row": "takes",
        }
        assert found is None or found.what.startswith(said[forged])

    in_house(tmp_path, play)
