"""A virtual shoe: committed to before any wager, opened when it is over."""

from collections.abc import Callable
from itertools import permutations

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.shoe import commitment, cut, full_set, mixed_by_words
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.table.at import At, one, rebuilt
from tests.kit.table.virtual import SALT, committed, order_of, play_out


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_shoe_agrees_with_what_was_committed_to(ruleset: str) -> None:
    at, order, left = committed(ruleset, ("rain on Tuesday", "00ff"))
    play_out(at, left)
    at.refuse("dan", c.OpenCommitment(order, SALT), Reason.WRONG_MOMENT)
    at.do("dan", c.EndShoe())
    opened = one(events.CommitmentOpened, at.do("dan", c.OpenCommitment(order, SALT)))
    assert (opened.agrees, opened.fault) == (True, "")
    at.refuse("dan", c.OpenCommitment(order, SALT), Reason.NOTHING_TO_OPEN)
    assert rebuilt(at) == at.table


@pytest.mark.parametrize(
    ("order", "salt", "fault"),
    [
        (lambda order: order[::-1], SALT, "not what was committed to"),
        (lambda order: order, "ff", "not what was committed to"),
        (lambda order: order[:-1], SALT, "not what was committed to"),
    ],
)
def test_a_false_opening_is_on_record_as_false(
    order: Callable[[tuple[Card, ...]], tuple[Card, ...]], salt: str, fault: str
) -> None:
    at, real, left = committed("tas-2018")
    play_out(at, left)
    at.do("dan", c.EndShoe())
    opened = one(events.CommitmentOpened, at.do("dan", c.OpenCommitment(order(real), salt)))
    assert (opened.agrees, opened.fault) == (False, fault)


def assert_first_card_was_another(at: At, order: tuple[Card, ...]) -> None:
    """The coup is ended, the shoe too, and what it was is shown."""
    at.do("ines", c.VoidCoup("impractical", "enough"))
    at.approve("mara")
    at.do("dan", c.EndCoup())
    at.do("dan", c.EndShoe("enough"))
    opened = one(events.CommitmentOpened, at.do("dan", c.OpenCommitment(order, SALT)))
    assert (opened.agrees, opened.fault) == (False, "card 1 of coup 1 was another")


def test_cards_dealt_otherwise_than_committed_to_come_to_light() -> None:
    at, order, left = committed("tas-2018")
    first, second = next(left), next(left)
    at.bet("1 b 100")
    at.deal(f"{second} {first} {next(left)} {next(left)}")
    assert_first_card_was_another(at, order)


def test_players_add_words_once_each_and_until_the_cut() -> None:
    at = At("tas-2018").open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    mine = c.AddWords("rain on Tuesday")
    at.refuse("ann", mine, Reason.NOT_THE_HOUSES_SHOE)
    at.do("dan", c.Shuffle(commitment=commitment(order_of(at), SALT)))
    for person, reason in (("bob", Reason.NOT_AT_TABLE), ("dan", Reason.NOT_YOUR_ROLE)):
        at.refuse(person, mine, reason)
    added = one(events.WordsAdded, at.do("ann", mine))
    assert (added.person, added.seat, added.words) == ("ann", 1, "rain on Tuesday")
    at.refuse("ann", c.AddWords("others"), Reason.WORDS_ADDED)
    at.do("ann", c.CutCards(100, 1))
    at.refuse("ann", mine, Reason.WORDS_TOO_LATE)
    assert rebuilt(at) == at.table


def test_dealing_without_the_words_that_were_added_comes_to_light() -> None:
    at, order, left = committed("tas-2018", ("rain on Tuesday",))
    next(left)
    at.bet("1 b 100")
    plain = iter(cut(order, 100, at.table.terms))
    at.deal(" ".join(str(next(plain)) for _ in range(4)))
    assert_first_card_was_another(at, order)


def test_words_leave_every_order_as_likely_as_any_other() -> None:
    """Whatever the words are, they rearrange: no two orders come out as one."""
    deck = tuple(full_set(1)[:4])
    found = {mixed_by_words(order, "ab", ("so", "be it")) for order in permutations(deck)}
    assert len(found) == 24


def test_a_set_that_is_not_complete_comes_to_light() -> None:
    at = At("tas-2018").open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    order = order_of(at)[:-1] + order_of(at)[:1]
    at.do("dan", c.Shuffle(commitment=commitment(order, SALT)))
    at.do("ann", c.CutCards(100, 1))
    at.do("dan", c.LoadShoe())
    at.do("dan", c.EndShoe("enough"))
    at.approve("mara")
    opened = one(events.CommitmentOpened, at.do("dan", c.OpenCommitment(order, SALT)))
    assert opened.fault == "not the full set of cards"


def test_a_commitment_never_opened_is_on_record_at_the_next_shuffle() -> None:
    at, _, _ = committed("tas-2018")
    at.do("dan", c.EndShoe("enough"))
    at.refuse("dan", c.Approve(1), Reason.SAME_PERSON)  # one alone could pick among shoes
    at.approve("mara")
    happened = at.do("dan", c.Shuffle())
    assert one(events.CommitmentOpened, happened).fault == "never opened"


def test_everyone_sees_the_commitment_before_the_first_wager() -> None:
    at, order, _ = committed("mbs-2017")
    assert at.view().commitment == commitment(order, SALT)
