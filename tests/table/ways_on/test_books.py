"""Competition chips are no money; what was seen of a set is shown for its check."""

import pytest

from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.table import commands as c
from puntobanco.table.competition_terms import SessionTerms
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, contest, ready
from tests.kit.table.tas import BOTH, NATURAL, floor, oversight
from tests.kit.table.verified import sound

DOCS = pytest.mark.parametrize("doc", ["tas-2018", "act-2015", "mbs-2017"])


def close(at: At) -> None:
    at.do("mara", c.GiveClosingNotice(at.at_ms + 60_000))
    at.later(2)
    at.do("mara", c.CloseTable())
    if at.table.pack.check_due:
        at.do("dan", c.CheckCardsAtEnd())


@DOCS
def test_a_table_reopened_for_cash_begins_with_its_bank_in_money(doc: str) -> None:
    """[tas-2018:16.4.9, act-2015:d.tournament-chips] What a cup was worth is no money."""
    at = ready(doc)
    at.coup("1 b 100", NATURAL)
    for person in ("ann", "bob"):
        at.do("dan", c.CashOut(at.table.chips[person], person))
    close(at)
    session = SessionTerms("final", ends=SessionEnds(coups=1))
    at.open(conditions=contest(doc, "ann", "bob").table.conditions, session=session)
    assert at.table.money_bank_cents == 10_000
    close(at)
    assert at.table.bank_cents == at.table.money_bank_cents == 10_000
    assert sound(at)


@DOCS
def test_the_bank_of_a_cup_is_not_the_bank_of_the_house(doc: str) -> None:
    at = contest(doc, "ann", "bob")
    at.coup("1 p 100, 2 p 100", NATURAL)
    assert at.table.money_bank_cents == 0
    over = at.view("mara").oversight
    assert over is not None
    assert (over.bank_cents, over.competition_cents) == (0, -20_000)
    close(at)
    assert (at.table.bank_cents, at.table.bought_cents) == (0, 0)
    assert sound(at)


@BOTH
@clause(*tas("4.3"))
def test_cards_seen_against_full_decks_are_shown_for_the_check(doc: str) -> None:
    """[tas-2018:4.3]"""
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    assert floor(at).off_count is None
    at.do("dan", c.EndShoe("closing"))
    shown = at.view("ines").floor
    assert shown is not None
    assert shown.off_count is not None
    assert shown.off_count[Card("9c")] == at.notice.decks - 1
    assert shown.check_clause == f"{doc}:4.3"
    assert oversight(at).competition_cents is None
