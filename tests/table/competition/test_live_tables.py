"""What a table of a house may be opened for; on paper and in training every document plays."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import remember, ruleset_text
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.competition_terms import Conditions, SessionTerms
from tests.kit.clauses import clause
from tests.kit.places import STORED
from tests.kit.table.at import At, one

CUP = Conditions("cup", "competition", 100_000, face_down=False)
FINAL = SessionTerms("final", SessionEnds(coups=5))


def opening(ruleset: str, digest: str = "", **more: object) -> c.OpenTable:
    """The opening of a table of a house, which names the text that the house keeps."""
    return c.OpenTable(
        sample_notice(ruleset), "monday", "shoe 1", "S1", "as published", backs="blue",
        digest=digest or ruleset_text(ruleset)[1], **more,  # type: ignore[arg-type]
    )  # fmt: skip


@clause("mbs-2017:0.front")
def test_a_tournament_document_opens_no_table_for_money() -> None:
    """[mbs-2017:0.front] Its even-money Banker is no game for money."""
    at = At("mbs-2017")
    at.refuse("mara", opening("mbs-2017"), Reason.COMPETITION_ONLY, "mbs-2017:0.front")
    at.do("mara", opening("mbs-2017", conditions=CUP, session=FINAL))
    assert one(events.TableOpened, at.log).session == FINAL


@clause("mbs-2017:0.front")
@pytest.mark.parametrize("file", sorted((STORED / "rulesets").glob("mbs-*")), ids=lambda f: f.stem)
def test_an_older_text_of_it_opens_none_either(file: object) -> None:
    digest = remember(file.read_bytes().decode())  # type: ignore[attr-defined]
    at = At("mbs-2017")
    at.refuse("mara", opening("mbs-2017", digest), Reason.COMPETITION_ONLY, "mbs-2017:0.front")


def test_on_paper_it_plays_without_conditions() -> None:
    At("mbs-2017").open()


@pytest.mark.parametrize(
    ("ruleset", "cited"),
    [
        ("tas-2018", "tas-2018:16.1-session"),
        ("tas-2013", "tas-2013:15.1-session"),
        ("act-2015", "act-2015:d.session"),
        ("mbs-2017", "conditions"),
    ],
)
def test_a_competitions_table_opens_only_for_a_session_of_it(ruleset: str, cited: str) -> None:
    """[tas-2018:16.1-session, tas-2013:15.1-session, act-2015:d.session]"""
    alone = opening(ruleset, conditions=CUP)
    At(ruleset).refuse("mara", alone, Reason.SESSION_WITH_CONDITIONS, cited)


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "mbs-2017"])
def test_a_session_without_conditions_is_none(ruleset: str) -> None:
    """[tas-2018:16.1-session] And a table for money opens as ever."""
    alone = opening(ruleset, session=FINAL)
    At(ruleset).refuse("mara", alone, Reason.SESSION_WITH_CONDITIONS)
    At(ruleset).do("mara", opening(ruleset))
