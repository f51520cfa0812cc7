"""A wager of an earlier coup is put right by what held in that coup, not by what holds today."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import OVERSEER, pair
from tests.kit.table.verified import sound

NATURAL = "9c Kd Kh 5s"
"""Player wins by a natural."""
TIE = "9c Kd Kh 9s"
WARNS = pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])


def lay(coup: int, dollars: int, person: str = "ann", box: int = 1) -> c.CorrectWager:
    return c.CorrectWager(coup, person, box, Bet.PLAYER, dollars * 100, "keyed wrong")


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
def test_who_was_warned_later_had_not_been_warned_in_that_coup(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] The wager was settled then, and not returned."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    at.coup("1 p 10", NATURAL)
    assert "ann" in at.table.warned
    done = pair(at, lay(1, 10))
    line = one(events.WagerSettled, done)
    assert (line.outcome, line.stake_cents, line.warn) == (Outcome.WINS, 1000, True)
    assert of(events.WarningGiven, done) == []
    assert sound(at)


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
def test_a_wager_put_right_below_the_minimum_brings_the_advice(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4]"""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    assert one(events.WarningGiven, pair(at, lay(1, 10))).person == "ann"
    assert "ann" in at.table.warned
    assert sound(at)


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
def test_a_wager_put_right_to_the_minimum_takes_the_advice_back(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] In a coup that is over, and in one that is settled."""
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    assert one(events.WarningWithdrawn, pair(at, lay(1, 100))).person == "ann"
    assert "ann" not in at.table.warned
    at.bet("1 p 10").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    one(events.WarningWithdrawn, pair(at, lay(2, 100)))
    assert "ann" not in at.table.warned
    assert sound(at)


@clause(*tas("7.2"))
def test_limits_agreed_since_do_not_hold_for_an_earlier_coup() -> None:
    """[tas-2018:7.2] And those that were agreed then do, though they are agreed no more."""
    at = ready()
    at.coup("1 p 100", NATURAL)
    at.do("mara", c.AgreeLimits("ann", Limits(5_000, 5_000_000)))
    most = at.notice.limits.max_cents
    assert one(events.WagerSettled, pair(at, lay(1, 10_000))).stake_cents == most
    at.coup("1 p 100", NATURAL)
    at.do("mara", c.AgreeLimits("ann"))
    assert one(events.WagerSettled, pair(at, lay(2, 8_000))).stake_cents == 800_000
    assert sound(at)


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
def test_a_warning_goes_with_the_coup_it_was_given_in(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] As it does when the coup is void at once."""
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    at.do(OVERSEER[doc], c.VoidEarlier(1, "seen on video", cause="fraud"))
    assert one(events.WarningWithdrawn, at.approve("mara")).person == "ann"
    at.bet("1 p 10").deal(NATURAL)
    assert one(events.WarningGiven, at.do("dan", c.DeclareResult())).person == "ann"
    assert sound(at)


@clause(*tas("7.5"))
def test_a_warning_of_another_coup_stays() -> None:
    """[tas-2018:7.5] Of the same day in another coup, or of another day."""
    at = ready()
    at.coup("1 p 10", NATURAL)
    at.coup("1 p 100", NATURAL)
    at.do("ines", c.VoidEarlier(2, "seen on video", cause="fraud"))
    assert of(events.WarningWithdrawn, at.approve("mara")) == []
    at.do("mara", c.BeginGamingDay("tuesday"))
    at.coup("1 p 10", NATURAL)
    at.do("ines", c.VoidEarlier(1, "seen on video", cause="fraud"))
    assert of(events.WarningWithdrawn, at.approve("mara")) == []
    assert "ann" in at.table.warned
    assert sound(at)


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
@pytest.mark.parametrize("over", [False, True])
def test_a_coup_put_right_to_a_tie_warned_nobody(doc: str, over: bool) -> None:
    """[tas-2018:7.5, act-2015:3.4] The wager was neither paid nor collected."""
    at = ready(doc)
    at.bet("1 p 10").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    if over:
        at.do("dan", c.EndCoup())
    one(events.WarningWithdrawn, pair(at, c.CorrectCard(1, 4, Card("9s"), "a nine")))
    if not over:
        result = one(events.ResultDeclared, at.do("dan", c.DeclareResult())).result
        assert result is Result.TIE
    assert "ann" not in at.table.warned
    assert sound(at)


@WARNS
@clause(*tas("7.5"), "act-2015:3.4")
@pytest.mark.parametrize("over", [False, True])
def test_wagers_declared_void_warn_nobody(doc: str, over: bool) -> None:
    """[tas-2018:7.5, act-2015:3.4]"""
    at = ready(doc)
    at.bet("1 p 10").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    if over:
        at.do("dan", c.EndCoup())
    at.do(OVERSEER[doc], c.VoidWagers("ann", "a breach", 1))
    one(events.WarningWithdrawn, at.approve("mara"))
    assert "ann" not in at.table.warned
    assert sound(at)


def standing_at(box: int) -> At:
    """Cy stands behind a seated player's box for the first coup."""
    at = ready()
    at.do("cy", c.StandAt(box))
    at.do("dan", c.BuyIn(100_000, "cy"))
    at.coup("1 p 100", NATURAL)
    return at


@clause(*tas("6.4"))
@pytest.mark.parametrize("since", ["sat", "left"])
def test_a_standing_players_wager_is_put_right_wherever_they_are_now(since: str) -> None:
    """[tas-2018:6.4] The seated player's wager at the same box does not stand in its way."""
    at = standing_at(1)
    if since == "sat":
        at.do("cy", c.Sit(3))
    else:
        at.do("dan", c.CashOut(100_000, "cy"))
        at.do("cy", c.Leave())
        at.coup("1 p 100", NATURAL)
    corrected = one(events.WagerCorrected, pair(at, lay(1, 50, "cy")))
    assert corrected.wager.standing
    assert sound(at)


@clause(*tas("6.4"))
def test_who_sat_then_is_not_standing_because_they_stand_now() -> None:
    """[tas-2018:6.4]"""
    at = standing_at(1)
    at.do("dan", c.CashOut(1_000_000, "bob"))
    at.do("bob", c.Leave())
    at.do("bob", c.StandAt(1))
    assert not one(events.WagerCorrected, pair(at, lay(1, 50, "bob", 2))).wager.standing
    at.refuse("dan", lay(1, 50, "bob"), Reason.NOT_YOUR_BOX)


@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013"])
@clause(*tas("6.4"))
def test_a_wager_on_no_record_lay_where_its_owner_could_have_laid_it(doc: str) -> None:
    """[tas-2018:6.4] At the owner's own box in that coup, a Tie at any."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    at.refuse("ines", lay(1, 100, box=2), Reason.NOT_YOUR_BOX, f"{doc}:6.4")
    at.do("dan", c.StandAt(2, "zoe"))
    at.do("dan", c.BuyIn(100_000, "zoe"))
    at.coup("2 b 100", NATURAL)
    at.do("dan", c.CashOut(at.table.chips["bob"], "bob"))
    at.do("dan", c.Leave("bob"))
    pair(at, lay(2, 50, "zoe", 2))  # bob sat there in that coup
    pair(at, c.CorrectWager(1, "ann", 5, Bet.TIE, 5000, "keyed wrong"))
    assert sound(at)


@clause("act-2015:14.2(a)")
@pytest.mark.parametrize("doc", ["tas-2018", "act-2015"])
def test_a_wager_that_moved_nothing_is_void_like_any_other(doc: str) -> None:
    """[act-2015:14.2(a)] It pushed on a tie that was none: once void, it is not paid for that."""
    at = ready(doc)
    at.coup("1 p 50, 2 p 50", "9c 9d Kh Ks")
    at.do(OVERSEER[doc], c.VoidWagers("ann", "past posting", 1))
    at.approve("mara")
    pair(at, c.CorrectCard(1, 2, Card("2d"), "a two"))
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_005_000}
    at.refuse(OVERSEER[doc], c.VoidWagers("ann", "again", 1), Reason.NO_WAGERS_OF_THEIRS)
    assert sound(at)


# a wager that was cut back


@pytest.mark.parametrize(
    ("doc", "limit", "number"),
    [
        ("tas-2018", "collective_liability_cents", "tas-2018:7.3(b)"),
        ("tas-2013", "collective_liability_cents", "tas-2013:7.3(b)"),
        ("act-2015", "table_differential_cents", "act-2015:3.6"),
    ],
)
@pytest.mark.parametrize("over", [False, True])
@clause(*tas("7.3(b)"), "act-2015:3.6")
def test_a_wager_that_was_cut_back_does_not_grow_again(
    doc: str, limit: str, number: str, *, over: bool
) -> None:
    """[tas-2018:7.3(b), act-2015:3.6] Less may have lain; more than the sign allows has not."""
    at = ready(doc, **{limit: 60_000})
    at.bet("1 p 500, 2 p 300")
    at.do("dan", c.ReduceWagers())
    assert at.table.coup is not None
    assert sum(wager.cents for wager in at.table.coup.wagers) == 60_000
    at.deal(NATURAL)
    if over:
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    at.refuse("dan", lay(1, 300, "bob", 2), Reason.MORE_THAN_THE_CUT, number)
    done = pair(at, lay(1, 50, "bob", 2))
    assert one(events.WagerCorrected, done).wager.reduced
    assert sound(at)
