"""Every refusal cites a clause that is about its matter: `tests/data/refusals.toml` says which."""

import ast
from collections.abc import Iterator

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Side
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.decide import decide
from tests.kit.clauses import clause, tas, twin
from tests.kit.places import ROOT
from tests.kit.table.asks import ASKS
from tests.kit.table.at import PEOPLE, At, contest, one, ready
from tests.kit.table.refusals import WRITTEN, about
from tests.kit.table.tas import BOTH

STOOD = "6c Kd Kh 7s"
MORE: tuple[c.TableCommand, ...] = (
    c.PlaceWager(3, Bet.BANKER_PAIR, 2500, "ann"),
    c.PlaceWager(1, Bet.TIE, 1, "ann"),
    c.PlaceWager(1, Bet.PLAYER, 99_999_900, "ann"),
    c.ChangeWager(1, Bet.PLAYER, 5, "ann"),
    c.WithdrawWager(1, Bet.BANKER, "ann"),
    c.PassCards(Side.BANKER),
    c.Shuffle("another machine"),
    c.CutCards(1, 1),
    c.BurnCards(None, 9),
    *(c.ReportIrregularity(found) for found in Found),
)


def raised() -> Iterator[tuple[str, str]]:
    """Every refusal in the rules and at the table: its reason, and the clause as it is written."""
    for room in ("rules", "table"):
        for file in (ROOT / "src/puntobanco" / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                    yield ast.unparse(node.args[0]), ast.unparse(node.args[1])


def test_every_reason_that_cites_a_document_is_in_the_table() -> None:
    cited = {
        reason.removeprefix("Reason.").lower()
        for reason, said in raised()
        if said != "CONDITIONS" and reason.startswith("Reason.")
    }
    assert len(cited) > 100
    assert cited <= set(WRITTEN)
    assert set(WRITTEN) <= {reason.value for reason in Reason}


@pytest.mark.parametrize("document", RULESETS)
def test_the_table_names_clauses_that_exist(document: str) -> None:
    for reason in map(Reason, WRITTEN):
        for cited in about(reason, document) - {CONDITIONS}:
            assert rulebook.find_clause(cited).id == cited


def moments(document: str) -> Iterator[At]:
    """A table at every moment of its day, and a competition's."""
    yield At(document)
    yield At(document).open()
    yield At(document).open().staffed().seat("ann", "bob")
    at = ready(document)
    yield at
    yield at.bet("1 p 100, 2 b 100")
    at.deal("2c Kd")
    yield at
    at.deal("Kh 7s")
    yield at
    at.deal("3d")
    at.do("dan", c.DeclareResult())
    yield at
    at.do("dan", c.EndCoup())
    yield at
    yield contest(document)
    yield contest(document).bet()


@pytest.mark.parametrize("document", RULESETS)
def test_whatever_anyone_asks_at_any_moment_is_refused_by_a_clause_about_it(document: str) -> None:
    """What people try at the wrong moment, in the wrong role or in vain."""
    seen: set[tuple[Reason, str]] = set()
    for at in moments(document):
        for person in (*PEOPLE, "ann", "zoe"):
            for ask in (*ASKS, *MORE):
                try:
                    decide(at.table, ask, at.by(person))
                except Refused as refused:
                    if at.table.notice:  # before that, no document says anything
                        seen.add((refused.reason, refused.clause))
    assert len(seen) > 40
    wrong = {(reason, cited) for reason, cited in seen if cited not in about(reason, document)}
    assert wrong == set()


def face_down(at: At) -> At:
    """The next coup is dealt face down, as its document wants it."""
    if at.notice.ruleset.startswith("tas"):
        at.do("ann", c.AskFaceDown())
        at.do("mara", c.AcknowledgeFaceDown(next(iter(PEOPLE["mara"]))))
        at.do("sol", c.AcknowledgeFaceDown(next(iter(PEOPLE["sol"]))))
    at.do("mara", c.SetFaceDown(down=True))
    return at


# what was wrong


@BOTH
@clause(*tas("11(player)", "11(table)", "11(banker)", "8"))
@pytest.mark.parametrize(
    ("cards", "number"),
    [
        ("6c Kd Kh 7s", "11(banker)"),
        ("6c Kd Kh 6s", "11(table)"),
        ("2c Kd Kh 3s 8d", "11(table)"),
        ("2c Kd Kh 7s 8d", "11(banker)"),
        ("2c Kd Kh 2s 8d 3c", "8"),
        ("9c Kd Kh 2s", "11(player)"),
    ],
)
def test_no_further_card_cites_what_decided_it(doc: str, cards: str, number: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(cards)
    at.refuse("dan", c.DrawCard(None), Reason.NOTHING_OWED, twin(doc, number))


@BOTH
@clause(*tas("10.1", "11(table)"))
def test_points_on_which_nobody_draws_cite_both_hands(doc: str) -> None:
    announced = one(events.PointsAnnounced, ready(doc).bet("1 p 50").deal("6c Kd Kh 6s"))
    cited = tuple(twin(doc, number) for number in ("10.1", "11(player)", "11(table)"))
    assert announced.clauses == cited


@clause("mbs-2017:3.9.3", "mbs-2017:3.9.4", "act-2015:7.3")
@pytest.mark.parametrize(
    ("doc", "cards", "cited"),
    [
        ("mbs-2017", "6c Kd Kh 7s", "mbs-2017:3.9.3"),
        ("mbs-2017", "2c Kd Kh 7s 8d", "mbs-2017:3.9.4"),
        ("act-2015", "6c Kd Kh 7s", "act-2015:7.3"),
    ],
)
def test_banker_stands_by_its_own_clause(doc: str, cards: str, cited: str) -> None:
    at = ready(doc).bet("1 p 100")
    at.deal(cards)
    at.refuse("dan", c.DrawCard(None), Reason.NOTHING_OWED, cited)


@clause(*tas("9.3"), "act-2015:2.2")
@pytest.mark.parametrize(
    ("doc", "cited"),
    [("tas-2018", "tas-2018:9.3"), ("tas-2013", "tas-2013:9.3"), ("act-2015", "act-2015:2.2")],
)
def test_cards_that_lie_face_down_cite_face_down_play(doc: str, cited: str) -> None:
    at = face_down(ready(doc)).bet("1 p 50")
    at.deal("?? ?? ?? ??")
    at.refuse("dan", c.DeclareResult(), Reason.CARDS_FACE_DOWN, cited)
    at.refuse("dan", c.DrawCard(None), Reason.CARDS_FACE_DOWN, cited)


@BOTH
@clause(*tas("9.3(a)", "9.3(b)"))
def test_a_hand_nobody_backed_is_the_dealers_and_one_refused_too(doc: str) -> None:
    at = face_down(ready(doc)).bet("1 p 50")
    at.deal("?? ?? ?? ??")
    at.refuse("dan", c.PassCards(Side.BANKER), Reason.DEALER_TURNS, twin(doc, "9.3(a)"))
    at.do("ann", c.RefuseCards(Side.PLAYER))
    at.refuse("dan", c.PassCards(Side.PLAYER), Reason.DEALER_TURNS, twin(doc, "9.3(b)"))


@clause("act-2015:4.1", "mbs-2017:3.1", "act-2015:9.7")
def test_betting_not_yet_called_cites_the_call() -> None:
    """Tasmania names no call: what it says of the first card is no answer to it."""
    for doc, cited in (
        ("tas-2018", CONDITIONS),
        ("act-2015", "act-2015:4.1"),
        ("mbs-2017", "mbs-2017:3.1"),
    ):
        at = ready(doc)
        at.refuse("dan", c.DrawCard(), Reason.BETTING_NOT_OPEN, cited)
        at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 10_000), Reason.BETTING_NOT_OPEN, cited)
    pairs = c.PlaceWager(1, Bet.PLAYER_PAIR, 1000)
    ready("act-2015").refuse("ann", pairs, Reason.BETTING_NOT_OPEN, "act-2015:9.7")


@clause("act-2015:4.3(d)", "tas-2018:15.1(tail)", "mbs-2017:2.2.4")
@pytest.mark.parametrize("cited", ["act-2015:4.3(d)", "tas-2018:15.1(tail)", "mbs-2017:2.2.4"])
def test_a_wager_on_pairs_cites_the_clause_that_offers_it(cited: str) -> None:
    at = ready(cited.split(":", maxsplit=1)[0]).bet()
    placed = at.do("ann", c.PlaceWager(1, Bet.PLAYER_PAIR, 10_000))
    assert one(events.WagerPlaced, placed).clauses == (cited,)


@clause("act-2015:15.12", *tas("16.7.6"))
@pytest.mark.parametrize(
    ("doc", "cited"),
    [
        ("act-2015", "act-2015:15.12"),
        ("tas-2018", "tas-2018:16.7.6"),
        ("tas-2013", "tas-2013:15.7.6"),
    ],
)
def test_hidden_chips_are_a_matter_of_competitions(doc: str, cited: str) -> None:
    ask = c.RecordIncident("chips-hidden", "under a hat")
    for at, said in ((ready(doc), CONDITIONS), (contest(doc), cited)):
        assert one(events.IncidentRecorded, at.do("dan", ask)).clauses == (said,)


def test_a_player_who_touches_cards_in_canberra_breaks_no_clause_about_wagers() -> None:
    touched = one(events.CardsTouched, ready("act-2015").do("dan", c.Touched("ann")))
    assert touched.clauses == (CONDITIONS,)


@clause("mbs-2017:5.4", "mbs-2017:5.3")
@pytest.mark.parametrize(
    ("cards", "cited"), [("6c Kd Kh", "mbs-2017:5.3"), ("2c Kd Kh 3s", "mbs-2017:5.4")]
)
def test_third_cards_that_come_together_are_not_of_the_initial_deal(cards: str, cited: str) -> None:
    at = ready("mbs-2017").bet("1 p 100")
    at.deal(cards)
    done = at.do("ines", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    assert one(events.CoupVoided, done).clauses == (cited,)


@clause("mbs-2017:5.7")
def test_a_wager_made_smaller_too_late_is_one_withdrawn() -> None:
    at = ready("mbs-2017").bet("1 p 200")
    at.do("dan", c.NoMoreBets())
    less, more = (c.ChangeWager(1, Bet.PLAYER, cents) for cents in (10_000, 30_000))
    at.refuse("ann", less, Reason.BETS_CLOSED, "mbs-2017:5.7")
    at.refuse("ann", more, Reason.BETS_CLOSED, "mbs-2017:5.6")
