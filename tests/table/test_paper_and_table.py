"""A round on paper and a round at a live table are decided alike, whatever goes wrong in it."""

from random import Random

import pytest
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import CoupText, ShoeText
from puntobanco.rules.paper.playthrough import Paper, play_coup
from puntobanco.rules.shoe import draw, full_set, new_shoe, shuffled
from puntobanco.rules.wagers import Wager
from tests.kit.table.silent import nameless, play_at_table

BOXES = (1, 2, 3)
FINDINGS = (Found.FOREIGN_CARD, Found.ORDER_UNKNOWN, Found.FACE_UP_IN_SHOE)
"""Without a disturbed shoe: a live table deals no more from it, and paper takes what is written."""
COUPS = 40


class Writer:
    """Writes a shoe down as it might have gone, with an error every few coups."""

    def __init__(self, ruleset: str, seed: int) -> None:
        self.random = Random(seed)
        self.notice = replace(sample_notice(ruleset), burn=sample_notice(ruleset).burn and "unseen")
        self.terms = post(self.notice)
        self.order = list(shuffled(full_set(self.notice.decks), self.random.randrange))
        self.burned = (Drawn(),) if self.notice.burn else ()
        self.paper = Paper(self.terms, draw(new_shoe(self.terms), len(self.burned)))
        self.coups: list[CoupText] = []
        del self.order[: len(self.burned)]

    def write(self) -> ShoeText:
        while len(self.coups) < COUPS and not self.paper.shoe.ended:
            coup = self._coup()
            try:
                after = play_coup(self.paper, coup)
                if after.played[-1].verdict is Verdict.RULING:
                    coup = replace(coup, claim="void")
                    after = play_coup(self.paper, coup)
            except (Refused, MalformedError):
                break  # nothing that could have happened: the shoe ends with the coup before
            self.coups.append(coup)
            self.paper = after
        return ShoeText(self.notice, tuple(self.coups), self.burned)

    def _coup(self) -> CoupText:
        carried = tuple(
            drawn if drawn.card else replace(drawn, card=self.order.pop(0), unseen=True)
            for drawn in self.paper.carried
        )
        named = tuple(Drawn(drawn.card) for drawn in carried)
        drawn: list[Drawn] = []
        hands = fold(named, self.terms.rules.tableau)
        while hands.owed is not None:
            drawn.append(Drawn(self.order.pop(0), self._laid()))
            hands = fold((*named, *drawn), self.terms.rules.tableau)
        while self.random.random() < 0.15:
            drawn.append(Drawn(self.order.pop(0), self.random.choice(tuple(Laid))))
        found = (self.random.choice(FINDINGS),) if self.random.random() < 0.1 else ()
        return CoupText(tuple(drawn), self._wagers(), carried, found=found)

    def _laid(self) -> Laid | None:
        return (
            self.random.choice((Laid.PLAYER, Laid.BANKER)) if self.random.random() < 0.05 else None
        )

    def _wagers(self) -> tuple[Wager, ...]:
        if self.paper.kind is NextCoup.NON_BETTING:
            return ()
        wagers = [
            self._wager(box, on, limits.min_cents * self.random.choice((1, 2, 4)))
            for box in BOXES
            for on, limits in self.terms.limits.items()
            if self.random.random() < 0.4
        ]
        return tuple(wagers) or (Wager(1, next(iter(self.terms.limits)), 10_000),)

    def _wager(self, box: int, on: Bet, cents: int) -> Wager:
        """In time as a rule; now and then raised or taken back after the first card."""
        match self.random.randrange(20):
            case 0:
                return Wager(box, on, cents * 2, late_cents=cents)
            case 1:
                return Wager(box, on, cents, withdrawn=True)
            case _:
                return Wager(box, on, cents)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", range(12))
def test_paper_and_table_agree_on_every_round(ruleset: str, seed: int) -> None:
    """Paper also takes errors that nobody noticed, paid as laid; all else comes out alike."""
    writer = Writer(ruleset, seed)
    text = writer.write()
    live = play_at_table(text)
    assert len(live) > 5
    for paper, table in zip(writer.paper.played, live, strict=True):
        said = f"coup {paper.number}: {text.coups[paper.number - 1]}"
        assert table.betting == (paper.kind is NextCoup.ORDINARY), said
        assert (table.verdict, table.result) == (paper.verdict, paper.result), said
        due = sorted(map(nameless, paper.settlement.lines), key=str)
        assert sorted(map(nameless, table.lines), key=str) == due, said
