"""What was directed, reported or declared by mistake is taken back, and play is as if it had not
been.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid, Side
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found, NextCoup
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Life, Phase
from tests.kit.clauses import clause, tas
from tests.kit.table.act import act
from tests.kit.table.at import At, balanced, contest, one, ready
from tests.kit.table.corrections import OVERSEER
from tests.kit.table.tas import BOTH, NATURAL, squeezed
from tests.kit.table.verified import sound

NOT_VOID = c.TakeBack("void", "the wrong table")
TIE = "9c 9d Kh Ks"


def takes_back(at: At, ask: c.TakeBack) -> list[events.TableEvent]:
    """Whoever oversees the game proposes, a manager approves."""
    one(events.Proposed, at.do(OVERSEER[at.notice.ruleset], ask))
    done = at.approve("mara")
    assert balanced(at.table)
    return done


def void(at: At) -> None:
    at.do(OVERSEER[at.notice.ruleset], c.VoidCoup("impractical", "a fire"))
    at.approve("mara")


# a void


@clause("act-2015:d.void", "conditions")
@pytest.mark.parametrize("doc", RULESETS)
@pytest.mark.parametrize("after", ["", "2c", "2c Kd Kh 3s", "2c Kd Kh 3s 5c 6d"])
def test_a_coup_goes_on_from_the_cards_it_had(doc: str, after: str) -> None:
    """[act-2015:d.void] At whatever card, before the first and after the last."""
    whole = "2c Kd Kh 3s 5c 6d"
    at = ready(doc).bet("1 p 100, 2 b 100")
    at.deal(after)
    void(at)
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    takes_back(at, NOT_VOID)
    assert at.table.phase in (Phase.BETTING, Phase.DEALING)
    assert at.table.layout_cents == 20_000
    at.deal(whole.removeprefix(after).strip())
    one(events.ResultDeclared, at.do("dan", c.DeclareResult()))
    at.do("dan", c.EndCoup())
    assert at.table.chips == {"ann": 990_000, "bob": played(doc, whole).table.chips["bob"]}
    assert sound(at)


def played(doc: str, dealt: str) -> At:
    at = ready(doc)
    at.coup("1 p 100, 2 b 100", dealt)
    return at


@clause("act-2015:9.9(b)", "act-2015:d.void")
def test_pairs_that_were_paid_are_paid_again() -> None:
    """[act-2015:9.9(b), d.void]"""
    at = act().bet("1 p 50, 2 pp 10")
    at.deal("2c Kd 2h 3s")
    paid = at.table.chips["bob"]
    assert paid > 1_000_000
    void(at)
    assert at.table.chips["bob"] == 1_000_000
    settled = one(events.WagerSettled, takes_back(at, NOT_VOID))
    assert (settled.wager.on, at.table.chips["bob"]) == (Bet.PLAYER_PAIR, paid)
    assert sound(at)


@clause(*tas("14.1"), "act-2015:12.2")
@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
def test_the_card_left_over_begins_the_coup_that_is_not_void_after_all(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2]"""
    at = ready(doc)
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do("dan", c.OpenCoup())
    void(at)
    takes_back(at, NOT_VOID)
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.CARRIED_FIRST)
    at.do("dan", c.DealCarried())
    at.deal("Kd Kh 8s")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert sound(at)


@clause("act-2015:5.7")
@pytest.mark.parametrize("ended", [False, True])
def test_a_tie_that_is_not_void_brings_its_extra_round_again(ended: bool) -> None:
    """[act-2015:5.7]"""
    at = act().bet("1 p 50")
    at.deal(TIE)
    at.do("dan", c.SeeMarker())
    at.do("dan", c.DeclareResult())
    if ended:
        at.do("dan", c.EndCoup())
        at.do("sue", c.VoidEarlier(1, "seen on video", cause="fraud"))
        at.approve("mara")
        at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
        takes_back(at, NOT_VOID)
    else:
        void(at)
        takes_back(at, NOT_VOID)
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    at.coup("1 p 50", TIE)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    assert sound(at)


@clause("act-2015:12.5", "act-2015:14.3")
@pytest.mark.parametrize("way", ["same shoe", "new shoe", "closed"])
def test_an_earlier_void_is_taken_back_wherever_its_record_is(way: str) -> None:
    """[act-2015:12.5, 14.3] What it had paid is paid again, and it stands."""
    at = act()
    at.coup("1 p 100, 2 b 100", NATURAL)
    older = at.table.coups[0] if way == "new shoe" else None
    paid = at.table.chips
    if way == "new shoe":
        at.do("dan", c.EndShoe("torn"))
        at.shoe()
    if way == "closed":
        at.do("sue", c.GiveClosingNotice(at.at_ms + 2000))
        at.later(1).do("mara", c.CloseTable())
    at.do("sue", c.VoidEarlier(1, "past posting", cause="fraud", older=older))
    voided = one(events.EarlierCoupVoided, at.approve("mara"))
    assert [wager.by for wager in voided.wagers] == ["ann", "bob"]
    record = one(events.RecordReplaced, at.log).record if older else None
    done = takes_back(at, c.TakeBack("void", "another coup", 1, older=record))
    assert one(events.RecordReplaced, done).record.result == "player"
    assert at.table.chips == paid
    again = c.TakeBack("void", "twice", 1, older=one(events.RecordReplaced, done).record)
    at.refuse("sue", again, Reason.NOTHING_TO_TAKE_BACK, "act-2015:d.void")
    assert sound(at)


@clause("act-2015:14.2(a)")
def test_wagers_that_were_void_before_stay_so() -> None:
    """[act-2015:14.2(a)] One player's wagers were void; then the whole coup, by mistake."""
    at = act()
    at.bet("1 p 100, 2 p 100").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("sue", c.VoidWagers("bob", "past posting"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    at.do("sue", c.VoidEarlier(1, "seen on video", cause="fraud"))
    at.approve("mara")
    takes_back(at, c.TakeBack("void", "another coup", 1))
    assert at.table.chips == {"ann": 1_010_000, "bob": 1_000_000}
    assert sound(at)


@clause("tas-2018:14.6", "act-2015:d.void")
@pytest.mark.parametrize("doc", ["tas-2018", "act-2015"])
def test_hands_that_lack_a_card_stay_void_once_they_are_cleared_away(doc: str) -> None:
    """[tas-2018:14.6, act-2015:d.void] And so does a coup after which a card was drawn."""
    at = ready(doc).bet("1 p 100")
    at.deal("2c Kd Kh 3s")
    void(at)
    drawn = at.table
    at.do("dan", c.DrawCard(Card("4d"), Laid.NOWHERE))
    at.refuse(OVERSEER[doc], NOT_VOID, Reason.VOID_STAYS)
    at.table = drawn
    at.do("dan", c.EndCoup())
    at.refuse(OVERSEER[doc], NOT_VOID, Reason.VOID_STAYS)
    at.refuse("dan", NOT_VOID, Reason.NOT_YOUR_ROLE)


@clause("tas-2018:7.5", "tas-2013:7.5", "act-2015:3.4")
@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
def test_who_was_told_of_the_minimum_is_told_again(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4]"""
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    at.do(OVERSEER[doc], c.VoidEarlier(1, "by mistake", cause="fraud"))
    at.approve("mara")
    assert "ann" not in at.table.warned
    assert one(events.WarningGiven, takes_back(at, NOT_VOID)).person == "ann"
    assert sound(at)


@clause("tas-2018:7.5", "tas-2013:7.5", "act-2015:3.4")
@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
def test_who_was_told_since_had_not_been_told_in_that_coup(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] The wager is settled as it was, and not returned."""
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    at.do(OVERSEER[doc], c.VoidEarlier(1, "by mistake", cause="fraud"))
    at.approve("mara")
    at.coup("1 p 10", NATURAL)
    assert "ann" in at.table.warned
    settled = one(events.WagerSettled, takes_back(at, c.TakeBack("void", "by mistake", 1)))
    assert (settled.stake_cents, at.table.chips["ann"]) == (1000, 1_002_000)
    assert sound(at)


@clause("tas-2018:14.4", "tas-2018:14.6")
def test_what_was_found_of_the_shoe_is_taken_back_by_itself() -> None:
    """[tas-2018:14.4, 14.6] The coup goes on, and nothing more is dealt after it."""
    at = ready("tas-2018").bet("1 p 100")
    at.deal("2c Kd Kh 3s")
    at.do("ines", c.ReportIrregularity(Found.SHOE_DISTURBED, "tipped over"))
    takes_back(at, NOT_VOID)
    at.deal("5c 6d")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert at.table.next_kind is NextCoup.NONE
    assert sound(at)


def test_in_a_competition_a_void_stays_the_directors_matter() -> None:
    at = contest()
    at.bet("1 p 100, 2 p 100, 3 p 100").deal(NATURAL)
    at.do("ines", c.VoidCoup("impractical", "a fire"))
    at.approve("cora")
    at.refuse("ines", NOT_VOID, Reason.NOT_IN_A_COMPETITION)


# one player's wagers


@clause("act-2015:14.2(a)")
@pytest.mark.parametrize("doc", RULESETS)
@pytest.mark.parametrize("when", ["betting", "dealing", "settled", "over"])
def test_wagers_that_were_void_by_mistake_count_again(doc: str, when: str) -> None:
    """[act-2015:14.2(a)] Paid or lost as if they had never been void, and nobody else's."""
    at = ready(doc).bet("1 p 100, 1 t 20, 2 b 100")
    steps: list[Callable[[], object]] = [
        lambda: at.deal(NATURAL),
        lambda: at.do("dan", c.DeclareResult()),
        lambda: at.do("dan", c.EndCoup()),
    ]
    done = ["betting", "dealing", "settled", "over"].index(when)
    for step in steps[:done]:
        step()
    at.do(OVERSEER[doc], c.VoidWagers("ann", "past posting", at.table.coup_number))
    at.approve("mara")
    assert at.table.chips["ann"] == 1_000_000
    ask = c.TakeBack("wagers-void", "another player", at.table.coup_number, "ann")
    takes_back(at, ask)
    at.refuse(OVERSEER[doc], ask, Reason.NOTHING_TO_TAKE_BACK)
    for step in steps[done:]:
        step()
    other = ready(doc)
    other.coup("1 p 100, 1 t 20, 2 b 100", NATURAL)
    assert (at.table.chips, at.table.warned) == (other.table.chips, other.table.warned)
    assert sorted(map(str, at.table.coups[0].lines)) == sorted(map(str, other.table.coups[0].lines))
    assert sound(at)


@clause("act-2015:14.2(a)")
def test_but_not_beside_those_that_were_laid_again() -> None:
    """[act-2015:14.2(a)]"""
    at = act().bet("1 p 100")
    at.do("sue", c.VoidWagers("ann", "past posting"))
    at.approve("mara")
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    ask = c.TakeBack("wagers-void", "another player", None, "ann")
    at.refuse("sue", ask, Reason.NOTHING_TO_TAKE_BACK, "act-2015:14.2(a)")


# the end of a shoe


@clause(*tas("9.4", "14.1"), "act-2015:5.7", "mbs-2017:5.2")
@pytest.mark.parametrize("doc", RULESETS)
def test_a_shoe_that_was_ended_by_mistake_goes_on_as_it_was(doc: str) -> None:
    """[tas-2018:9.4, 14.1, act-2015:5.7] With the coup that was ordered after the last."""
    at = ready(doc)
    at.coup("1 p 100", f"{NATURAL} 4d@p")
    before = at.table
    at.do("dan", c.EndShoe("wrong table"))
    if at.table.proposals:
        at.approve("mara")
    assert at.table.phase is Phase.PREPARING
    takes_back(at, c.TakeBack("end-shoe", "the next table was meant"))
    assert (at.table.shoe, at.table.pack) == (before.shoe, before.pack)
    assert (at.table.next_kind, at.table.carried) == (before.next_kind, before.carried)
    at.do("dan", c.OpenCoup())
    assert sound(at)


@clause(*tas("4.3", "5.5"))
@pytest.mark.parametrize(
    "ask", [c.CheckCardsAtEnd(), c.CheckCards("set A", player="ann"), c.Shuffle()]
)
@BOTH
def test_but_not_once_its_cards_were_checked_or_shuffled(doc: str, ask: c.TableCommand) -> None:
    """[tas-2018:4.3, 5.5] Their order is gone."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    at.do("dan", c.EndShoe("wrong table"))
    at.do("dan", ask)
    taken = c.TakeBack("end-shoe", "the next table was meant")
    at.refuse("ines", taken, Reason.NOTHING_TO_TAKE_BACK)


# cards touched, and a no-bet coup


@BOTH
@clause(*tas("4.4"))
def test_a_set_that_nobody_touched_is_not_replaced(doc: str) -> None:
    """[tas-2018:4.4] One person's touch is taken back, not another's, nor cards passed."""
    at = ready(doc)
    at.do("dan", c.Touched("ann"))
    at.do("dan", c.Touched("bob"))
    takes_back(at, c.TakeBack("touched", "a sleeve", person="ann"))
    one_left = at.table.pack.handled
    at.refuse("ines", c.TakeBack("touched", "", person="ann"), Reason.NOTHING_TO_TAKE_BACK)
    takes_back(at, c.TakeBack("touched", "a sleeve"))
    assert (one_left, at.table.pack.handled) == (True, False)
    at.do("dan", c.EndShoe("torn"))
    assert at.table.pack.life is Life.CHECKED
    assert sound(at)
    passed = squeezed(doc)
    passed.do("dan", c.PassCards(Side.PLAYER))
    passed.do("dan", c.Touched("bob"))
    takes_back(passed, c.TakeBack("touched", "a sleeve"))
    assert passed.table.pack.handled


@clause("act-2015:4.7", "act-2015:4.7(b)")
@pytest.mark.parametrize("opened", [False, True])
def test_a_no_bet_coup_that_was_directed_by_mistake_takes_wagers(opened: bool) -> None:
    """[act-2015:4.7, 4.7(b)] Until its first card; then wagers that lay are put on record."""
    at = act()
    at.do("ann", c.AskNoBetCoup())
    at.do("dan", c.AgreeNoBetCoup("bob"))  # who had not agreed
    at.do("sue", c.DirectNoBetCoup())
    ask = c.TakeBack("no-bet-coup", "bob did not agree")
    if opened:
        at.do("dan", c.OpenCoup())
    assert one(events.TakenBack, takes_back(at, ask)).clauses == ("act-2015:4.7",)
    if not opened:
        at.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.ORDINARY
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, 5000))
    at.deal(NATURAL)
    at.refuse("sue", ask, Reason.NOTHING_TO_TAKE_BACK, "act-2015:4.7")
    at.do("dan", c.DeclareResult())
    assert sound(at)


# as if it had not been


@pytest.mark.parametrize("doc", RULESETS)
@pytest.mark.parametrize("seed", range(6))
def test_a_table_with_voids_taken_back_is_as_one_without(doc: str, seed: int) -> None:
    """Random coups, with cards too many; each void at some moment at one of two tables."""
    chance = random.Random(f"{doc} {seed}")
    plain, other = ready(doc), ready(doc)
    for _ in range(6):
        wagers = ", ".join(
            f"{box} {chance.choice('pbt')} {chance.choice((10, 50, 100))}" for box in (1, 2)
        )
        dealt = hands(chance)
        for at in (plain, other):
            whole_coup(at, wagers, dealt, chance.randrange(4) if at is other else 9)
        assert_same(plain, other)
    assert sound(other)


def hands(chance: random.Random) -> list[Card]:
    """Enough cards for any coup."""
    return [Card(chance.choice("A23456789TJQK") + chance.choice("cdhs")) for _ in range(8)]


def whole_coup(at: At, wagers: str, dealt: list[Card], when: int) -> None:
    """Voided and taken back before the first card, in the deal, when settled, or when cleared."""
    cards = iter(dealt)
    at.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    if at.table.coup.takes_wagers:
        for text in wagers.split(", "):
            box, on, dollars = text.split()
            bet = {"p": Bet.PLAYER, "b": Bet.BANKER, "t": Bet.TIE}[on]
            person = at.table.seated[int(box)]
            at.do("dan", c.PlaceWager(int(box), bet, int(dollars) * 100, person))
    if when == 0:
        back_again(at)
    if at.table.terms.rules.wagers.close.call and at.table.phase is Phase.BETTING:
        at.do("dan", c.NoMoreBets())
    dealing(at, cards, when)
    if dealt[-1].points % 2:
        at.do("dan", c.DrawCard(next(cards), Laid.PLAYER))
    at.do("dan", c.DeclareResult())
    if when == 2:
        back_again(at)
        at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    if when == 3:
        number = at.table.coup_number
        at.do(OVERSEER[at.notice.ruleset], c.VoidEarlier(number, "no", cause="fraud"))
        at.approve("mara")
        takes_back(at, c.TakeBack("void", "another coup", number))


def dealing(at: At, cards: Iterator[Card], when: int) -> None:
    coup = at.table.coup
    while coup is not None and (coup.carried or coup.hands(at.table.terms).owed):
        at.do("dan", c.DealCarried() if coup.carried else c.DrawCard(next(cards)))
        coup = at.table.coup
        if when == 1 and coup is not None and len(coup.drawn) == 3:
            back_again(at)
            coup = at.table.coup


def back_again(at: At) -> None:
    void(at)
    takes_back(at, NOT_VOID)


def assert_same(one: At, other: At) -> None:
    names = ("chips", "bank_cents", "warned", "shoe", "pack", "next_kind", "carried", "coups")
    for name in names:
        assert getattr(one.table, name) == getattr(other.table, name), name
