"""What each viewer may see, and may not."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.next_step import next_step
from puntobanco.table.state import Table
from puntobanco.table.view import Own, ShoeSeen, View, Viewer, beads, view
from puntobanco.table.view.staff import Floor, Oversight
from puntobanco.words import STEPS, Step, step_facts
from tests.kit.clauses import clause, tas
from tests.kit.table.at import PEOPLE, At, ready
from tests.kit.table.virtual import committed

VIEWERS = ("", "ann", "dan", "ines", "sue", "mara", "sol", "cora", "otto")


def text(seen: View) -> str:
    return msgspec.json.encode(seen).decode()


def squeezed() -> At:
    """Four cards face down, ann highest on Player and bob on Banker."""
    at = ready("tas-2018", "ann", "bob")
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(down=True))
    at.bet("1 p 100, 2 b 200")
    at.deal("?? ?? ?? ??")
    return at


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_sees_a_face_down_card(viewer: str) -> None:
    at = squeezed()
    seen = at.view(viewer)
    assert seen.play is not None
    assert seen.play.player == seen.play.banker == (None, None)
    assert seen.play.player_points is None
    assert not any(f'"{card}"' in text(seen) for card in DECK)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_nobody_may_know_cannot_change_a_view(viewer: str) -> None:
    """A card burned, left over unseen or dealt face down is not in the state at all: whatever
    it is, the events and every view are the same until it is turned.
    """
    at = squeezed()
    hidden = at.view(viewer)
    assert not any(card in msgspec.json.encode(at.log[-4:]).decode() for card in DECK)
    turned = [squeezed(), squeezed()]
    for other, card in zip(turned, ("9c", "Kd"), strict=True):
        assert text(other.view(viewer)) == text(hidden)
        other.do("dan", c.TurnCard(Card(card), 1))
    assert text(turned[0].view(viewer)) != text(turned[1].view(viewer))


def test_each_card_is_shown_once_it_is_turned() -> None:
    at = squeezed()
    at.do("dan", c.TurnCard(Card("9c"), 1))
    play = at.view().play
    assert play is not None
    assert play.player == (Card("9c"), None)
    assert play.banker == (None, None)


def test_patrons_see_their_own_balance_and_everyone_the_wagers() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.bet("1 p 100, 2 b 200")
    ann, wall = at.view("ann"), at.view()
    assert ann.own is not None
    assert ann.own.chips == 990_000
    assert "980000" not in text(ann)
    assert ann.floor is None
    assert ann.oversight is None
    assert wall.own is None
    for seen in (ann, wall):
        assert seen.play is not None
        assert [(w.box, w.on, w.cents) for w in seen.play.wagers] == [
            (1, Bet.PLAYER, 10_000),
            (2, Bet.BANKER, 20_000),
        ]
    assert wall.play is not None
    assert ann.play is not None
    assert [wager.person for wager in wall.play.wagers] == ["", ""]
    assert [(w.own, w.person) for w in ann.play.wagers] == [(True, "ann"), (False, "")]


def test_a_display_on_the_wall_names_nobody() -> None:
    at = squeezed()
    shown = text(at.view())
    assert not any(f'"{person}"' in shown for person in (*PEOPLE, "ann", "bob"))


@pytest.mark.parametrize("viewer", ["dan", "ines", "mara", "sol", "otto"])
def test_staff_and_auditors_see_who_holds_what(viewer: str) -> None:
    at = ready("tas-2018", "ann", "bob")
    seen = at.view(viewer)
    assert seen.floor is not None
    assert seen.floor.chips == {"ann": 1_000_000, "bob": 1_000_000}
    assert (seen.oversight is None) == (viewer == "dan")


@clause("act-2015:14.5(a)")
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_view_counts_cards_or_gives_odds_while_a_shoe_is_played(
    ruleset: str, viewer: str
) -> None:
    """Nothing a viewer is given depends on what has left the shoe before this coup, but how full
    it looks.
    """
    at = ready(ruleset)
    at.coup("1 b 100", "9c Kd Kh 7s")
    seen = at.view(viewer)
    assert seen.shoe == ShoeSeen(10, marker_shows=False)
    assert at.table.shoe is not None
    fewer = replace(at.table.shoe, drawn=at.table.shoe.drawn + 10)
    pack = replace(at.table.pack, seen={Card("Ah"): 3})
    other = replace(at.table, shoe=fewer, pack=pack)
    roles = at.by(viewer).roles if viewer else frozenset()
    assert text(view(other, Viewer(viewer, roles))) == text(seen)


@clause(*tas("4.3"), "act-2015:2.5")
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013", "act-2015"])
def test_for_the_closing_check_staff_see_which_cards_have_not_been_seen(ruleset: str) -> None:
    at = ready(ruleset)
    at.coup("1 b 100", "9c Kd Kh 7s")
    at.do("dan", c.EndShoe("early"))
    floor = at.view("dan").floor
    assert floor is not None
    assert floor.off_count is not None
    decks = at.notice.decks
    assert floor.off_count[Card("9c")] == decks - 1
    assert floor.off_count[Card("9d")] == decks
    assert at.view("ann").floor is None


@clause(*tas("7.2"), "act-2015:3.2")
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013", "act-2015"])
def test_a_marker_shows_where_limits_were_agreed(ruleset: str) -> None:
    at = ready(ruleset)
    limits = Limits(2500, 800_000)
    at.do("mara", c.AgreeLimits("bob", limits))
    assert [box.marker for box in at.view().boxes[:2]] == [None, limits]
    own = at.view("bob").own
    assert own is not None
    assert own.limits == limits


@clause(*tas("9.3(d)"))
def test_a_disc_lies_before_whoever_accepted_the_cards() -> None:
    at = squeezed()
    at.do("dan", c.PassCards(Side.PLAYER))
    assert [box.discs for box in at.view().boxes[:2]] == [(Side.PLAYER,), ()]


@clause(*tas("7.3"))
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013"])
def test_wagers_that_together_pass_the_maximum_are_pointed_out(ruleset: str) -> None:
    at = ready(ruleset, "ann", "bob")
    at.do("cy", c.StandAt(1))
    at.do("dan", c.BuyIn(1_000_000, "cy"))
    most = at.notice.limits.max_cents
    at.bet()
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, most))
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, 2500))
    oversight = at.view("ines").oversight
    assert oversight is not None
    assert oversight.together_above == ()
    at.do("cy", c.PlaceWager(1, Bet.PLAYER, 2500))
    oversight = at.view("ines").oversight
    assert oversight is not None
    assert oversight.together_above == ((1, Bet.PLAYER, most + 2500),)


def test_a_payout_can_be_asked_why() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.coup("1 b 100, 2 p 100", "6c Kd Kh 7s")
    own = at.view("ann").own
    assert own is not None
    (line,) = own.payouts
    assert (line.won_cents, line.clauses) == (9500, ("tas-2018:12.2", "tas-2018:6.6"))


def test_who_owes_after_a_reversal_is_shown_to_those_in_charge() -> None:
    at = ready("act-2015", "ann", "bob")
    at.coup("1 b 5000", "6c Kd Kh 7s 9c@-")
    at.do("dan", c.CashOut(at.table.chips["ann"], "ann"))
    at.bet()
    at.do("dan", c.DealCarried())
    at.do("sue", c.VoidEarlier(1, "laid wrong", 2))
    at.approve("mara")
    oversight = at.view("mara").oversight
    assert oversight is not None
    assert oversight.owing == {"ann": 475_000}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_to_do_next_is_always_said(ruleset: str) -> None:
    """From an empty room to a closed table, following the table's own word."""
    at = At(ruleset)
    said = []

    def step() -> Step:
        now = next_step(at.table)
        assert STEPS[now.step].format(**step_facts(now.facts, str))
        assert now.clause
        said.append(now.step)
        return now.step

    assert step() is Step.OPEN_TABLE
    at.open().staffed().seat("ann")
    step()
    at.do("dan", c.CheckCards("set A", player="ann"))
    step()
    at.do("dan", c.Shuffle())
    assert step() is Step.OFFER_CUT
    at.do("dan", c.CutCards(100, 1))
    step()
    at.do("dan", c.LoadShoe())
    if at.notice.burn:
        assert step() is Step.BURN
        at.do("dan", c.BurnCards(Card("2c"), 2))
    assert step() is Step.OPEN_COUP
    at.bet("1 b 100")
    step()
    for card, due in (("4c", "player"), ("5d", "banker"), ("Kh", "player"), ("Ks", "banker")):
        at.deal(card) if card == "4c" else None
        if card != "4c":
            assert step() == f"card-for-{due}"
            at.deal(card)
    assert step() is Step.CARD_FOR_PLAYER
    at.deal("2s")
    assert step() is Step.DECLARE
    at.do("dan", c.DeclareResult())
    assert step() is Step.CLEAR
    at.do("dan", c.EndCoup())
    assert said[:3] == [Step.OPEN_TABLE, Step.CHECK_CARDS, Step.SHUFFLE]


def test_a_held_table_says_that_it_waits_for_a_ruling() -> None:
    at = ready()
    at.bet("1 b 100")
    at.deal("9c")
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    step = next_step(at.table)
    assert (step.step, step.clause) == (Step.RULE, "tas-2018:3")


def test_a_table_never_opened_shows_that_it_is_shut() -> None:
    assert text(view(Table(), Viewer())) == text(View(Table().phase))


STRANGERS = ("", "ann", "bob")
"""Whoever has nothing to do with running the table."""


def test_what_was_reported_and_by_whom_is_told_to_staff_and_nobody_else() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.bet("1 b 100")
    at.deal("9c")
    assert floor_of(at, "ines").held is None
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    for viewer in ("dan", "ines", "mara", "sol", "otto"):
        held = floor_of(at, viewer).held
        assert held is not None
        assert (held.found, held.by) == (Found.FOREIGN_CARD, "dan")
        assert held.clauses
    for viewer in STRANGERS:
        assert Found.FOREIGN_CARD not in text(at.view(viewer))
        assert '"dan"' not in text(at.view(viewer))


def floor_of(at: At, viewer: str) -> Floor:
    floor = at.view(viewer).floor
    assert floor is not None
    return floor


def oversight_of(at: At, viewer: str) -> Oversight:
    oversight = at.view(viewer).oversight
    assert oversight is not None
    return oversight


def own_of(at: At, viewer: str) -> Own:
    own = at.view(viewer).own
    assert own is not None
    return own


def test_who_asked_for_face_down_cards_only_they_and_those_in_charge_are_told() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.do("ann", c.AskFaceDown())
    assert own_of(at, "ann").asked_face_down
    assert not own_of(at, "bob").asked_face_down
    assert "asked_by" not in text(at.view("dan"))
    assert oversight_of(at, "ines").asked_face_down == ("ann",)
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    assert oversight_of(at, "sol").informed == {Role.MANAGEMENT: "mara"}
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(down=True))
    assert not own_of(at, "ann").asked_face_down  # they are dealt so now
    for viewer in STRANGERS:
        assert not any(f'"{told}"' in text(at.view(viewer)) for told in ("mara", "sol"))


def test_which_card_is_turned_next_staff_are_told() -> None:
    at = squeezed()
    at.do("dan", c.PassCards(Side.PLAYER, "ann"))
    assert floor_of(at, "dan").turned_next == 1
    at.do("dan", c.TurnCard(Card("9c"), 1))
    assert floor_of(at, "dan").turned_next == 3
    assert own_of(at, "ann").turning == {}, (
        "a card on the table is turned, and keyed, by the dealer"
    )


def test_a_hand_of_the_houses_own_shoe_is_turned_by_whoever_has_it_before_them() -> None:
    at, _, _ = committed("tas-2018")
    at.seat("bob").do("dan", c.BuyIn(1_000_000, "bob"))
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(down=True))
    at.bet("1 p 100, 2 b 200")
    at.deal("?? ?? ?? ??")
    at.do("dan", c.PassCards(Side.PLAYER, "ann"))
    assert own_of(at, "ann").turning == {Side.PLAYER: (1, 3, 5)}
    assert own_of(at, "bob").turning == {}
    assert "turning" not in text(at.view())


def test_who_must_approve_a_proposal_is_said_beside_it() -> None:
    at = ready("act-2015", "ann", "bob")
    at.coup("1 b 5000", "6c Kd Kh 7s 9c@-")
    at.bet()
    at.do("dan", c.DealCarried())
    at.do("sue", c.VoidEarlier(1, "laid wrong", 2))
    floor = floor_of(at, "sue")
    assert set(floor.seconds) == set(floor.proposals) == {1}
    assert floor.proposed[1].startswith("An error in an earlier coup: coup 1, card number 2")
    assert Role.MANAGEMENT in floor.seconds[1]
    assert Role.DIRECTOR not in floor.seconds[1], "there is no competition"
    assert all("laid wrong" not in text(at.view(viewer)) for viewer in STRANGERS)


@pytest.mark.parametrize(
    ("viewer", "on_duty", "duties"),
    [
        ("", False, ()),
        ("ann", False, ()),
        ("dan", True, (Role.DEALER,)),
        ("dora", False, (Role.DEALER,)),
        ("ines", True, (Role.INSPECTOR,)),
        ("sue", True, ()),
        ("mara", False, ()),
        ("otto", False, ()),
    ],
)
def test_everyone_is_told_their_own_duty(
    viewer: str, *, on_duty: bool, duties: tuple[Role, ...]
) -> None:
    """Where the document has an inspector, a casino supervisor is there and oversees nothing."""
    seen = ready("tas-2018").view(viewer)
    assert (seen.on_duty, seen.duties) == (on_duty, duties)


def test_the_sign_has_the_limits_of_every_bet_on_offer() -> None:
    at = ready("tas-2018")
    sign = at.view().sign
    assert sign is not None
    assert sign.limits == at.table.terms.limits
    assert sign.limits[Bet.BANKER] == at.notice.limits


def test_free_coups_and_the_clause_on_partnerships_are_for_those_in_charge() -> None:
    at = ready("tas-2018", "ann")
    assert oversight_of(at, "ines").free_coups == 0
    assert oversight_of(at, "ines").partnership == "tas-2018:7.3"
    at.do("mara", c.AllowFreeCoups(2, "ann"))
    assert oversight_of(at, "ines").free_coups == 2
    assert all("free_coups" not in text(at.view(viewer)) for viewer in ("", "ann", "dan"))


@clause("act-2015:14.5(a)")
@pytest.mark.parametrize(("drawn", "tenths"), [(0, 10), (41, 10), (42, 9), (415, 1), (416, 0)])
def test_a_shoe_is_seen_only_as_full_as_it_looks(drawn: int, tenths: int) -> None:
    at = ready("act-2015")
    assert at.table.shoe is not None
    table = replace(at.table, shoe=replace(at.table.shoe, drawn=drawn))
    seen = view(table, Viewer()).shoe
    assert seen is not None
    assert seen.tenths == tenths


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_which_chips_are_taken_and_paid_and_in_which_order(viewer: str) -> None:
    at = ready("tas-2018", "ann", "bob")
    at.bet("1 b 100, 2 p 200").deal("9c Kd Kh 7s")
    at.do("dan", c.DeclareResult())
    seen = at.view(viewer).play
    assert seen is not None
    assert seen.wagers == ()
    assert [(one.box, one.on, one.cents, one.outcome, one.won_cents) for one in seen.settled] == [
        (1, Bet.BANKER, 10_000, Outcome.LOSES, 0),
        (2, Bet.PLAYER, 20_000, Outcome.WINS, 20_000),
    ]


def test_a_player_can_do_again_what_they_last_did_at_their_box() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.coup("1 b 100, 1 t 25, 2 p 200", "9c Kd Kh 7s")
    own = at.view("ann").own
    assert own is not None
    assert own.last == {Bet.BANKER: 10_000, Bet.TIE: 2500}
    assert own.last_net_cents == -12_500
    other = at.view("bob").own
    assert other is not None
    assert other.last_net_cents == 20_000


@pytest.mark.parametrize("doc", ["tas-2018", "tas-2013"])
@pytest.mark.parametrize(
    ("cards", "pairs"),
    [
        ("Qc 7d Qh 7s 6c 2c", (Side.PLAYER, Side.BANKER)),
        ("Qc 7d 6h 7s 2c", (Side.BANKER,)),
        ("9c Kd 9h 8s", (Side.PLAYER,)),
        ("Tc 7d Qh 2s", ()),
    ],
)
@clause("tas-2018:15.6(a)", "tas-2018:15.6(b)")
def test_the_view_says_which_hands_were_a_pair_by_their_first_two_cards(
    doc: str, cards: str, pairs: tuple[Side, ...]
) -> None:
    """By rank: a ten and a queen are none. The roads have it as soon as a result is declared."""
    at = ready(doc).bet("1 p 50")
    at.deal(cards)
    in_play = at.view().play
    assert in_play is not None
    assert in_play.pairs == pairs
    assert beads(at.view()) == ()
    at.do("dan", c.DeclareResult())
    declared = beads(at.view())
    assert [bead.pairs for bead in declared] == [pairs]
    at.do("dan", c.EndCoup())
    assert at.view().past[0].pairs == pairs
    assert beads(at.view()) == declared
