"""Sentences say what happened to whoever reads them, and say it truly."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.irregularities import Found, Verdict
from puntobanco.rules.notice import Limits
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.authority import AUTHORITY
from puntobanco.table.sentences import Writing, tell, tell_ask
from puntobanco.words import one_line
from tests.kit.clauses import clause
from tests.kit.table.asks import example
from tests.kit.table.at import At, of, one, ready

NATURAL = "9c Kd Kh 2s"  # Player 9, Banker 2
PLAYER_AND_BANKER = Limits(2500, 10_000)
MIDNIGHT_MS = 1_700_006_400_000  # 00:00 UTC


def settled(at: At, cards: str = NATURAL) -> list[str]:
    at.deal(cards)
    return [tell(event) for event in of(events.WagerSettled, at.do("dan", c.DeclareResult()))]


@clause("tas-2018:7.4")
def test_a_wager_above_the_maximum_says_what_was_at_stake() -> None:
    at = ready("tas-2018", limits=PLAYER_AND_BANKER).bet("1 p 1000, 2 b 1000")
    assert settled(at) == [
        "ann: 100 of the 1000 on Player (box 1) wins, paid 100 at 1 to 1; 900 goes back",
        "bob: 100 of the 1000 on Banker (box 2) loses; 900 goes back",
    ]


def test_a_wager_within_its_limits_is_told_whole() -> None:
    at = ready("tas-2018").bet("1 p 50, 2 b 50")
    assert settled(at) == [
        "ann: 50 on Player (box 1) wins, paid 50 at 1 to 1",
        "bob: 50 on Banker (box 2) loses",
    ]


@clause("tas-2018:14.4")
@pytest.mark.parametrize("reporter", ["ines", "dan"])
def test_a_card_seen_while_bets_lie_is_ruled_once(reporter: str) -> None:
    """What voids the coup does not say in the next sentence that it stands."""
    at = ready("tas-2018").bet("1 p 50")
    done = at.do(reporter, c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    if reporter == "dan":
        done = at.do("ines", c.ConfirmFinding(upheld=True))
    assert one(events.IrregularityRuled, done).verdict is Verdict.VOID
    said = " / ".join(map(tell, done))
    assert "stands" not in said
    assert "A card face up in the shoe: the coup is void; nobody may bet on the next coup" in said


def test_the_dealer_is_not_told_to_wait_for_the_dealer() -> None:
    said = one_line(ready().refuse("dan", c.DrawCard(), Reason.BETTING_NOT_OPEN))
    assert "The dealer calls for bets first." in said


@clause("tas-2018:5.1")
def test_a_check_of_cards_names_the_lot_or_the_player_who_checked() -> None:
    at = At().open().staffed().seat("ann")
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A", prechecked_lot="L-17")))
    assert tell(checked) == "8 decks, set A, checked by dan; pre-checked, lot L-17"
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A", player="ann")))
    assert tell(checked) == "8 decks, set A, checked by dan and by ann, a player"


@clause("tas-2018:14.5")
def test_too_few_cards_are_not_a_card_to_be_named() -> None:
    at = ready().bet("1 p 50")
    at.deal("9c Kd")
    ask = c.ReportIrregularity(Found.INSUFFICIENT_CARDS)
    said = one_line(at.refuse("ines", ask, Reason.CARDS_SUFFICE, "tas-2018:14.5"))
    assert "which card" not in said
    assert "cards enough" in said


@clause("tas-2018:7.6(b)", "act-2015:13.2")
def test_times_in_sentences_are_local_with_their_zone() -> None:
    """A notice for 21:00 at UTC+10, and the closing at 23:30."""
    at = At()
    at.at_ms = MIDNIGHT_MS
    at.open(utc_minutes=600).staffed()
    wider = replace(at.notice, limits=Limits(2500, 600_000))
    posted = one(
        events.ChangePosted, at.do("mara", c.PostChange(wider, MIDNIGHT_MS + 11 * 3_600_000))
    )
    assert tell(posted) == (
        "A change of the notice is posted, to hold from 21:00 UTC+10,"
        " or as soon after as the rules allow"
    )
    at.do("mara", c.DropChange())
    posted = one(events.ChangePosted, at.do("mara", c.PostChange(wider, 0)))
    assert tell(posted) == "A change of the notice is posted, to hold as soon as it may"
    closing = c.GiveClosingNotice(MIDNIGHT_MS + 13 * 3_600_000 + 1_800_000)
    told = tell(one(events.ClosingNoticeGiven, at.do("mara", closing)))
    assert told == "Notice is given that the table will close at 23:30 UTC+10"


def test_cards_and_amounts_are_written_as_the_reader_wants_them() -> None:
    """Wherever one stands in a sentence: by itself, in a list, in a wager, in what would move."""
    writing = Writing(card="<{}>".format, amount="${}".format)
    at = ready("tas-2018").bet("1 p 50, 2 b 50")
    at.deal("9c Kd Kh 2s")
    done = at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    done += at.do("dan", c.CorrectCoup(1, parse_drawn("Kd 9c Kh 2s"), "swapped"))
    said = " / ".join(tell(event, writing) for event in done)
    assert "ann: $5000 on Player (box 1) wins, paid $5000 at 1 to 1" in said
    assert "ann gives back $5000 for $5000 on Player" in said
    (corrected,) = of(events.CardsCorrected, at.do("ines", c.Approve(1)))
    assert "<Kd>, <9c>, <Kh>, <2s>, not <9c>, <Kd>, <Kh>, <2s>" in tell(corrected, writing)
    assert tell(events.CardDrawn(corrected.cards[0].card), writing) == "<Kd> is dealt"
    assert tell(events.CardsChanged((Card("Kd"),), ("dan", "ines")), writing).endswith(
        "<Kd>; checked by dan, ines"
    )


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (c.TakeBack("void", "fire"), "that the coup is void, coup 7, note fire"),
        (c.TakeBack("void", "fire", 3), "that the coup is void, coup 3, note fire"),
        (
            c.TakeBack("wagers-void", "no", None, "ann"),
            "that a player's wagers are void, coup 7, person ann, note no",
        ),
        (c.TakeBack("end-shoe", "no"), "the end of the shoe, note no"),
        (c.TakeBack("close-table", "no"), "the closing of the table, note no"),
        (c.CorrectPayment("ann", -500, 3, "no"), "person ann, amount -5, coup 3, note no"),
        (c.CorrectExcess(3, "none came"), "coup 3, cards none, note none came"),
        (c.RuleOn("void", "no"), "the coup is void, note no"),
    ],
)
def test_a_proposal_says_all_that_is_proposed(ask: c.TableCommand, says: str) -> None:
    """Nobody approves what they cannot read."""
    assert tell_ask(ask, 7).partition(": ")[2] == says
    assert tell_ask(ask).partition(": ")[2] in tell(events.Proposed(1, ask, "ines"))


def test_what_waits_for_a_second_person_leaves_no_fact_unsaid() -> None:
    for kind, allowed in AUTHORITY.items():
        if allowed.second:
            ask = example(kind)
            said = tell_ask(ask)
            wanted = (getattr(ask, name, "") for name in ("person", "coup"))
            assert all(str(fact) in said for fact in wanted if fact), kind
