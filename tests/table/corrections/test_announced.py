"""What is announced of a coup that was put right is what would have been of the right cards.

`CORRECTED=2000` puts that many coups of each document right, instead of a few.
"""

import json
import os
from random import Random

import pytest
from msgspec.structs import replace

import puntobanco_verifier as verifier
from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Drawn, Laid, Side
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.drawing import fold
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.queries.coup import live
from puntobanco.table.sentences import tell
from tests.kit.clauses import clause
from tests.kit.forgery.export import Line, as_text, compact, exported_table, row_of
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.verified import opening_row, sound

BETS = {"p": "player", "b": "banker", "t": "tie", "pp": "player-pair", "bp": "banker-pair"}
CORRECTED = int(os.environ.get("CORRECTED", "25"))


@clause("tas-2018:10.1", "mbs-2017:3.9")
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("whole", [False, True], ids=["card", "coup"])
def test_points_put_right_are_those_of_the_initial_deal(ruleset: str, whole: bool) -> None:
    """A four lay where a five was keyed; by then Player has drawn, and nothing is owed."""
    ask = c.CorrectCoup(1, cards("4c Kd Kh 7s 2d"), "a four")
    at = ready(ruleset)
    at.bet("1 p 100").deal("5c Kd Kh 7s 2d")
    done = pair(at, ask if whole else c.CorrectCard(1, 1, Card("4c"), "a four"))
    said = one(events.PointsAnnounced, done)
    assert (said.player, said.banker, said.next) == (4, 7, Side.PLAYER)
    assert said == one(events.PointsAnnounced, ready(ruleset).bet("1 p 100").deal("4c Kd Kh 7s 2d"))
    assert sound(at)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_third_card_put_right_announces_nothing_anew(ruleset: str) -> None:
    """Pairs that were settled before it go back, and are settled again."""
    at = ready(ruleset)
    at.bet("1 p 100" if ruleset == "tas-2013" else "1 p 100, 1 pp 50").deal("5c Kd Kh 7s 2d")
    for place, card in enumerate(("2h", "2c")):
        done = pair(at, c.CorrectCard(1, 5, Card(card), "another suit"))
        assert of(events.PointsAnnounced, done) == []
        if not place:
            at.do("dan", c.DeclareResult())
    over(at)
    assert len(at.table.coups[-1].lines) == (1 if ruleset == "tas-2013" else 2)
    assert sound(at)


@clause("tas-2018:9.4")
def test_a_last_coup_by_a_card_that_is_not_owed_is_not_certain_to_be_the_last() -> None:
    """By 3 to 4 Banker was owed a sixth card, which would have been the one after the marker."""
    at = ready()
    at.nearly_empty(7 + 5).bet("1 p 100").deal("3s Jc Th 4c 7s")
    assert live(at.table).last is Last.YES
    at.do("dan", c.CorrectCard(1, 4, Card("7h"), "a seven"))
    said = one(events.LastCoupAnnounced, at.approve("ines"))
    assert tell(said) == "Not certain to be the last coup of the shoe"
    assert live(at.table).last is Last.NO
    over(at)
    assert at.table.shoe is not None
    assert not at.table.shoe.ended


def test_what_was_announced_before_edition_8_verifies_as_it_was_decided() -> None:
    at = ready()
    at.bet("1 p 100").deal("5c Kd Kh 7s 2d")
    pair(at, c.CorrectCard(1, 1, Card("4c"), "a four"))
    rows = [row_of(ask, by, _as_of_old(new)) for ask, by, new in at.given]
    _verify(at, rows, 7)
    with pytest.raises(verifier.Fault, match="points-announced"):
        _verify(at, rows, 8)


def _verify(at: At, rows: list[Line], edition: int) -> None:
    rows = [{**row, "command": _of_edition(row, edition)} for row in rows]
    rows[0] = opening_row(rows[0], at.given[0][0])
    verifier.verify(as_text(exported_table(rows)))  # type: ignore[no-untyped-call]


def _as_of_old(told: list[events.TableEvent]) -> list[events.TableEvent]:
    """A correction's announcement told by all cards."""
    if not of(events.CardCorrected, told):
        return told
    return [
        replace(event, next=None) if isinstance(event, events.PointsAnnounced) else event
        for event in told
    ]


def _of_edition(row: Line, edition: int) -> str:
    return compact({**json.loads(row["command"]), "edition": edition})


class Miskeyed:
    """Deals a coup in a random order and keys some of it wrong; two people put it right, before
    the result or after it.
    """

    def __init__(self, ruleset: str, seed: int) -> None:
        self.random, self.ruleset = Random(seed), ruleset
        self.order = self.random.sample(DECK, 8)
        self.ends = self.random.choice((0, 0, *range(1, 12)))
        """Before which card of the coup the shoe comes to its last; 0: much later."""
        self.lies: list[Drawn] = []
        """The cards that truly left the shoe, each where it was laid."""
        self.at = self._ready()

    def _ready(self) -> At:
        at = ready(self.ruleset)
        shoe = at.table.shoe
        assert shoe is not None
        if self.ends and self.ruleset != "act-2015":
            at.nearly_empty((shoe.behind_marker or 7) + self.ends - 1)
        offered = [on for on in ("p", "b", "t", "pp", "bp") if BETS[on] in at.table.terms.limits]
        at.bet(", ".join(f"1 {on} 50" for on in offered))
        if at.table.terms.rules.wagers.close.call:
            at.do("dan", c.NoMoreBets())
        return at

    def wrong(self) -> At:
        at = self.at
        keyed_wrong = self.random.sample(range(6), self.random.choice((1, 1, 2)))
        stops = self.random.choice((1, 2, 3, 4, 5, 6, 6, 6))
        while self._owed(at) and len(self.lies) < stops:
            self._draw(wrong=len(self.lies) in keyed_wrong)
        if not self._owed(at) and self.random.random() < 0.5:
            at.do("dan", c.DeclareResult())
        self._put_right()
        while self._owed(at):
            self._draw()
        if self.random.random() < 0.3:
            at.do("dan", c.DeclareResult()) if live(at.table).verdict is None else None
            self._put_wrong()
            self._put_right()
        return over(at)

    def right(self) -> At:
        at = self._ready()
        for number, card in enumerate(self.lies, 1):
            self._look(at, number)
            at.do("dan", c.DrawCard(card.card, card.laid))
        return over(at)

    def _look(self, at: At, number: int) -> None:
        """Where no count says it, the marker is seen to come out."""
        if number == self.ends and self.ruleset == "act-2015":
            at.do("dan", c.SeeMarker())

    @staticmethod
    def _owed(at: At) -> Side | None:
        return live(at.table).hands(at.table.terms).owed

    def _draw(self, *, wrong: bool = False) -> None:
        """One card, laid where the record on the screen wants it."""
        owed, truly = self._owed(self.at), fold(self.lies, self.at.table.terms.rules.tableau).owed
        assert owed is not None
        card = self.order[len(self.lies)]
        self.lies.append(Drawn(card, None if truly is owed else Laid(owed.value)))
        self._look(self.at, len(self.lies))
        self.at.do("dan", c.DrawCard(self.random.choice(DECK) if wrong else card))

    def _put_right(self) -> None:
        """By the whole list, or card by card where none is too many."""
        coup, right = live(self.at.table), tuple(self.lies)
        whole = self.random.random() < 0.5 or len(coup.drawn) != len(right)
        if [card.card for card in coup.drawn] == [card.card for card in right]:
            return
        if whole or any(card.laid for card in right):
            self._pair(c.CorrectCoup(coup.number, right, "as it lies"))
            return
        for place, (is_so, was) in enumerate(zip(right, coup.drawn, strict=False), 1):
            if is_so.card and is_so.card != was.card:
                self._pair(c.CorrectCard(coup.number, place, is_so.card, "as it lies"))

    def _pair(self, ask: c.TableCommand) -> None:
        self.at.do("dan", ask)
        self.at.approve(OVERSEER[self.ruleset])

    def _put_wrong(self) -> None:
        """Two people err: another card, one too many, or one too few."""
        coup = live(self.at.table)
        cards = list(coup.drawn)
        match self.random.randrange(3):
            case 0:
                cards[self.random.randrange(len(cards))] = Drawn(self.random.choice(DECK))
            case 1:
                cards.append(Drawn(self.random.choice(DECK), Laid.NOWHERE))
            case _:
                cards.pop()
        if tuple(cards) != coup.drawn:
            self._pair(c.CorrectCoup(coup.number, tuple(cards), "by mistake"))


def over(at: At) -> At:
    if live(at.table).verdict is None:
        at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return at


def told(at: At) -> dict[str, object]:
    """What was announced last of the coup that is over, and what came of it."""
    (record,), shoe = at.table.coups, at.table.shoe
    assert shoe is not None
    last = of(events.LastCoupAnnounced, at.log)[-1:]
    return {
        "points": of(events.PointsAnnounced, at.log)[-1:],
        "last": [said for said in last if said.last is not Last.NO],
        "result": of(events.ResultDeclared, at.log)[-1:],
        "verdict": record.verdict,
        "paid": sorted(record.lines, key=str),
        "chips": at.table.chips,
        "warned": at.table.warned,
        "next": (at.table.next_kind, [card.card for card in at.table.carried]),
        "shoe": (shoe.drawn, shoe.ended, shoe.since_marker is None),
    }


@clause("tas-2018:10.1", "mbs-2017:3.9")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_announced_is_what_the_right_cards_bring(ruleset: str) -> None:
    """Save that the last coup is announced while a card is owed, not once there is one too many."""
    for seed in range(CORRECTED):
        dealer = Miskeyed(ruleset, seed)
        wrong, right = told(dealer.wrong()), told(dealer.right())
        if any(card.laid for card in dealer.lies):
            del wrong["last"], right["last"]
        assert wrong == right, f"seed {seed}"
        assert dealer.ends or sound(dealer.at)
