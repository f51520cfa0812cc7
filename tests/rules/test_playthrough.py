"""Whole shoes on paper: golden playthroughs, dealt shoes, and what a writer may not claim.

`pytest --update` writes the golden files anew; review the difference.
"""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import (
    ShoeText,
    format_drawn,
    format_shoe,
    format_wager,
    parse_coup,
    parse_drawn,
    parse_shoe,
)
from puntobanco.rules.paper.playthrough import Paper, PlayedCoup, deal_shoe, play_coup, play_shoe
from puntobanco.rules.settle import Outcome
from puntobanco.rules.shoe import Last, Shoe, draw, full_set, new_shoe, shuffled
from puntobanco.words import money
from tests.kit.clauses import clause, tas
from tests.kit.places import PLAYTHROUGHS


def told(played: PlayedCoup) -> str:
    """A played coup as text: what a reviewer would want to see change."""
    head = f"{played.number} {played.kind}: {played.outcome}"
    lines = [head if played.last is Last.NO else f"{head} (last: {played.last})"]
    for ruling in played.rulings:
        lines.append(f"  {ruling.found}: {ruling.verdict}, then {ruling.next_coup}")
        lines.append(f"    by {' '.join(ruling.clauses) or 'no clause'}")
        if ruling.carried:
            lines.append(f"    carried {format_drawn(ruling.carried)}")
        if ruling.discarded:
            lines.append(f"    discarded {format_drawn(ruling.discarded)}")
    for number, ruling in played.late:
        cited = " ".join(ruling.clauses)
        lines.append(f"  error found in coup {number}: {ruling.verdict} by {cited}")
    lines += [
        f"    {format_wager(back.wager)}: to owner {money(back.to_owner_cents)}"
        for back in played.reversals
    ]
    for one in played.settlement.lines:
        warned = ", warned" if one.warn else ""
        lines.append(
            f"  {format_wager(one.wager)}: {one.outcome}{warned}, won {money(one.won_cents)},"
            f" returned {money(one.returned_cents)} by {' '.join(one.clauses)}"
        )
    return "\n".join(lines)


@pytest.mark.parametrize("file", sorted(PLAYTHROUGHS.glob("*.shoe")), ids=lambda file: file.stem)
def test_golden_playthrough(file: Path, request: pytest.FixtureRequest) -> None:
    text = "\n".join(told(played) for played in play_shoe(parse_shoe(file.read_text()))) + "\n"
    golden = file.with_suffix(".txt")
    if request.config.getoption("--update"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_there_is_a_golden_shoe_for_every_rule_set() -> None:
    seen = {parse_shoe(file.read_text()).notice.ruleset for file in PLAYTHROUGHS.glob("*.shoe")}
    assert seen == set(RULESETS)


def shoe(document: str, *coups: str, **choices: object) -> ShoeText:
    notice = replace(sample_notice(document), **choices)
    return ShoeText(notice, tuple(parse_coup(line) for line in coups))


def results(text: ShoeText) -> list[PlayedCoup]:
    """Play a shoe; where its rule set burns and nothing is said, one ace and one card more."""
    forgotten = any("burn-forgotten" in coup.found for coup in text.coups)
    if text.notice.burn and not text.burned and not forgotten:
        text = replace(text, burned=parse_drawn("As ??"))
    return list(play_shoe(text))


@clause(*tas("9.4", "5.4"), "act-2015:5.7", "act-2015:5.3")
@pytest.mark.parametrize("document", RULESETS)
@pytest.mark.parametrize("seed", range(20))
def test_a_dealt_shoe_ends_where_its_rule_set_says(document: str, seed: int) -> None:
    notice = sample_notice(document)
    order = shuffled(full_set(notice.decks), random.Random(seed).randrange)
    text = deal_shoe(order, notice)
    assert parse_shoe(format_shoe(text)) == text
    played = results(text)
    drawn = len(text.burned) + sum(len(coup.drawn) for coup in text.coups)
    left = notice.decks * 52 - drawn
    last = played[-1]
    match document:
        case "tas-2018" | "tas-2013":
            assert last.last is Last.YES
            assert left + len(text.coups[-1].drawn) >= 7  # the last coup began at or before it
            assert left < 7
        case "act-2015":
            tied = text.coups[-2].marker_at is not None
            assert (text.coups[-1].marker_at is not None) or (tied and played[-2].result == "tie")
        case _:
            assert left < 6
    seen = [one.card for coup in text.coups for one in coup.drawn]
    assert seen == list(order[len(text.burned) : drawn])


@clause("act-2015:5.4(a)", "act-2015:5.4(b)", "act-2015:5.5")
@pytest.mark.parametrize(("way", "burned"), [("unseen", 1), ("exposed", 1 + 9)])
def test_burned_cards_are_in_no_coup(way: str, burned: int) -> None:
    order = sorted(full_set(8), key=lambda card: card != "9h")
    text = deal_shoe(order, replace(sample_notice("act-2015"), burn=way))
    assert len(text.burned) == burned
    assert text.burned[0].card == (Card("9h") if way == "exposed" else None)
    assert text.coups[0].drawn[0].card == order[burned]


@clause(*tas("14.1"))
@pytest.mark.parametrize("document", ["tas-2018", "tas-2013"])
def test_the_error_card_begins_a_non_betting_coup_played_to_its_end(document: str) -> None:
    first, second, third = results(
        shoe(
            document,
            "1 p 100 : 6c Kd Kh 7s 4d@p",
            "^4d Kc 5h 2s = player 9-2",
            "1 p 100 : 9c Kd Kh 5s",
        )
    )
    assert first.result == "banker"
    assert second.kind is NextCoup.NON_BETTING
    assert second.coup.player == (Card("4d"), Card("5h"))
    assert third.kind is NextCoup.ORDINARY


@clause(*tas("14.1"), "act-2015:12.2")
@pytest.mark.parametrize(
    ("document", "clause_id"),
    [("tas-2018", "tas-2018:14.1"), ("tas-2013", "tas-2013:14.1"), ("act-2015", "act-2015:12.2")],
)
def test_a_non_betting_coup_takes_no_wagers(document: str, clause_id: str) -> None:
    text = shoe(document, "6c Kd Kh 7s 4d@p", "1 p 100 : Kc 5h 2s 4s")
    with pytest.raises(Refused) as refused:
        results(text)
    assert refused.value.reason is Reason.NON_BETTING_COUP
    assert refused.value.clause == clause_id


@clause("act-2015:12.3")
def test_an_unseen_card_is_named_when_it_is_dealt() -> None:
    text = shoe("act-2015", "6c Kd Kh 7s ??@-", "1 p 100 : ^9d Kc Kh 2s = player 9-2")
    assert results(text)[1].settlement.won_cents == 10000


@clause("act-2015:12.5")
def test_canberra_voids_an_earlier_round_and_lets_later_ones_stand() -> None:
    """Nobody noticed: the dealer paid the hands as laid. Then every transfer goes back."""
    text = shoe(
        "act-2015",
        "1 b 100, 2 t 10 : 6c Kd Kh 5s 4d@p = banker 0-5",
        "1 p 100 : 9c Kd Kh 5s = player 9-5 ! found-late 1",
    )
    first, second = results(text)
    assert first.result == "banker"
    assert [(number, ruling.verdict) for number, ruling in second.late] == [(1, Verdict.VOID)]
    assert [one.to_owner_cents for one in second.reversals] == [-9500, 1000]
    assert second.result == "player"


@clause("act-2015:12.5", *tas("3"), "mbs-2017:5.2")
@pytest.mark.parametrize("document", RULESETS)
@pytest.mark.parametrize("coup", ["6c Kd Kh 5s = player 6-5", "6c Kd Kh 7s 4d@p = banker 0-7"])
def test_an_error_nobody_noticed_is_paid_as_laid_and_carries_nothing(
    document: str, coup: str
) -> None:
    """A card never dealt, and a card too many; the next coup is an ordinary one."""
    _, second = results(shoe(document, f"1 p 100 : {coup}", "1 p 100 : 9c Kd Kh 5s ! found-late 1"))
    assert second.kind is NextCoup.ORDINARY
    assert bool(second.reversals) == (document == "act-2015")


@clause("mbs-2017:5.1.1", "mbs-2017:5.1.2")
def test_a_foreign_card_voids_its_round_and_leaves_earlier_results_alone() -> None:
    first, second = results(
        shoe("mbs-2017", "1 p 100 : 9c Kd Kh 5s", "1 p 100 : 2c 3c = void ! foreign-card")
    )
    assert first.result == "player"
    assert second.verdict is Verdict.VOID
    assert second.reversals == ()


@clause(*tas("14.4"))
def test_nobody_bets_into_a_card_left_face_up_by_a_void_coup() -> None:
    text = shoe("tas-2018", "2d 4d ! order-unknown ! face-up-in-shoe", "9c Kd Kh 5s")
    assert results(text)[1].kind is NextCoup.NON_BETTING


@clause(*tas("7.5"), "act-2015:3.4")
@pytest.mark.parametrize("document", ["tas-2018", "tas-2013", "act-2015"])
def test_a_warning_is_remembered_through_the_shoe(document: str) -> None:
    first, second = results(shoe(document, "1 p 20 : 9c Kd Kh 5s", "1 p 20, 2 p 20 : 9c Kd Kh 5s"))
    assert [one.outcome for one in first.settlement.lines] == [Outcome.WINS]
    assert [one.outcome for one in second.settlement.lines] == [Outcome.RETURNED, Outcome.WINS]


@clause(*tas("14.5"), "act-2015:12.6", "mbs-2017:5.5")
@pytest.mark.parametrize("document", RULESETS)
def test_a_void_coup_returns_all_and_ends_the_shoe_when_cards_ran_out(document: str) -> None:
    text = shoe(document, "1 p 100, 2 t 100 : 6c Kd = void ! insufficient-cards")
    (only,) = results(text)
    assert only.settlement.returned_cents == 20000
    with pytest.raises(Refused) as refused:
        results(replace(text, coups=text.coups * 2))
    assert refused.value.reason is Reason.SHOE_ENDED


@clause("tas-2013:3")
def test_where_the_document_is_silent_nothing_is_settled_without_a_ruling() -> None:
    (only,) = results(shoe("tas-2013", "1 p 100 : 6c Kd ! order-unknown"))
    assert only.verdict is Verdict.RULING
    assert only.settlement.held_cents == 10000
    (ruled,) = results(shoe("tas-2013", "1 p 100 : 6c Kd = void ! order-unknown"))
    assert ruled.settlement.returned_cents == 10000
    (kept,) = results(shoe("tas-2013", "1 p 100 : 9c Kd Kh 5s = player 9-5 ! order-unknown"))
    assert kept.settlement.won_cents == 10000


@clause("act-2015:12.7")
def test_a_forgotten_burn_changes_nothing() -> None:
    (only,) = results(shoe("act-2015", "9c Kd Kh 5s ! burn-forgotten"))
    assert only.result == "player"
    assert only.rulings[0].clauses == ("act-2015:12.7",)


WRONG = [
    ("6c Kd Kh 7s = player 7-6", "claims 'player 7-6', but the cards give 'banker 6-7'"),
    ("6c Kd Kh", "coup 1: not finished: banker is owed a card"),
    ("?? ?? ?? ??", "coup 1: not finished: cards are still face down"),
    ("^6c Kd Kh 7s", "coup 1: begins with these carried over: 6c; due: none"),
    ("", "coup 1: has no cards"),
    ("9c Kd Kh 5s ! insufficient-cards", "coup 1: says the cards ran out"),
    ("9c Kd Kh 5s ! found-late 1", "coup 1: finds an error in coup 1, which has not been played"),
    ("9c Kd Kh 5s ! found-late 0", "coup 1: finds an error in coup 0, which has not been played"),
]


def test_a_coup_is_made_void_only_once() -> None:
    lines = ["6c Kd Kh 5s 4d@p", "9c Kd Kh 5s ! found-late 1", "9c Kd Kh 5s ! found-late 1"]
    with pytest.raises(MalformedError, match="coup 3: finds an error in coup 1, which is void"):
        results(shoe("act-2015", *lines))


def test_a_shoe_has_one_marker_and_no_more_cards_than_it_has() -> None:
    with pytest.raises(MalformedError, match="coup 2: the marker has come out already"):
        results(shoe("act-2015", "[marker] 7c 7d Kh Ks", "[marker] 9c Kd Kh 5s"))
    paper = Paper(post(sample_notice("mbs-2017")), Shoe(416, drawn=410))
    with pytest.raises(MalformedError, match="draws 7 cards, but only 6 are left"):
        play_coup(paper, parse_coup("2c 3c 2d 3d 2h 3h 4h"))


BURNS = [
    ("act-2015", "3d ??", "the burn line has 3d ??; burned are one exposed"),
    ("act-2015", "", "the burn line has no cards"),
    ("act-2015", "?? ?? ?? ??", "the burn line has ?? ?? ?? ??"),
    ("act-2015", "3d ?? ?? 4c", "the burn line has 3d ?? ?? 4c"),
    ("act-2015", "3d@p ?? ?? ??", "the burn line has 3d@p"),
]


@pytest.mark.parametrize(("document", "burned", "says"), BURNS)
@clause("act-2015:5.4(b)", "act-2015:5.5")
def test_a_burn_must_be_the_one_the_notice_says(document: str, burned: str, says: str) -> None:
    text = replace(shoe(document, "9c Kd Kh 5s"), burned=parse_drawn(burned))
    with pytest.raises(MalformedError) as error:
        list(play_shoe(text))
    assert says in str(error.value)


def test_a_forgotten_burn_is_said_once_and_first() -> None:
    lines = ["9c Kd Kh 5s", "9c Kd Kh 5s ! burn-forgotten"]
    with pytest.raises(MalformedError, match="only a first coup without a burn line"):
        list(play_shoe(shoe("act-2015", *lines)))
    both = replace(shoe("act-2015", "9c Kd Kh 5s ! burn-forgotten"), burned=parse_drawn("As ??"))
    with pytest.raises(MalformedError, match="only a first coup without a burn line"):
        list(play_shoe(both))


def test_markers_come_out_only_where_there_are_any() -> None:
    with pytest.raises(MalformedError, match="the notice places none"):
        results(shoe("mbs-2017", "9c [marker] Kd Kh 5s"))
    with pytest.raises(Refused) as refused:
        results(shoe("act-2015", "9c [indicator] Kd Kh 5s"))
    assert refused.value.reason is Reason.INDICATOR_NOT_PROVIDED


@clause(*tas("9.4"))
def test_a_marker_seen_early_is_believed() -> None:
    text = shoe("tas-2018", "[marker] 9c Kd Kh 5s", "9c Kd Kh 5s")
    with pytest.raises(Refused) as refused:
        results(text)
    assert refused.value.clause == "tas-2018:9.4"


def test_carried_cards_are_written_and_are_the_ones_left_over() -> None:
    for second in ("4d Kc 5h 2s", "^5d Kc 5h 2s", "^4d ^4d Kc 5h"):
        with pytest.raises(MalformedError, match=r"carried over: .*; due: \^4d@p"):
            results(shoe("tas-2018", "6c Kd Kh 7s 4d@p", second))


@clause(*tas("4.1"))
def test_cards_are_counted_once_whenever_they_get_their_name() -> None:
    """Eight 4d are a shoe's; the unseen card carried over counts when it is named."""
    lines = ["6c Kd Kh 7s 4d@- ??@-", "^4d ^8d 5h 2s", *["4d 8d 5c 9s"] * 7]
    assert len(results(shoe("act-2015", *lines))) == 9
    with pytest.raises(Refused) as refused:
        results(shoe("act-2015", *lines, "8d 3d 5d 9d 2c"))
    assert refused.value.facts["card"] == "8d"
    burned = replace(shoe("act-2015", *["4c As 5c 9s"] * 8), burned=parse_drawn("As ??"))
    with pytest.raises(Refused) as refused:
        list(play_shoe(burned))
    assert refused.value.facts["card"] == "As"


@clause(*tas("7.5"))
def test_warnings_add_up() -> None:
    coup = " : 9c Kd Kh 5s"
    *_, last = results(shoe("tas-2018", f"1 p 20{coup}", f"2 p 20{coup}", f"1 p 20{coup}"))
    assert last.settlement.lines[0].outcome is Outcome.RETURNED


@clause("act-2015:5.7")
def test_a_face_up_card_does_not_cost_the_extra_round() -> None:
    text = shoe("act-2015", "7c [marker] 7d Jc Js = tie 7-7 ! face-up-in-shoe", "9c Kd Kh 5s")
    assert results(text)[1].kind is NextCoup.NON_BETTING


@clause(*tas("9.4", "14.4"))
def test_no_coup_beats_a_non_betting_one() -> None:
    """Past the marker, a face-up card and an excess card both end in no more coups."""
    text = shoe("tas-2018", "9c Kd [marker] Kh 5s 4d@p ! face-up-in-shoe", "9c Kd Kh 5s")
    with pytest.raises(Refused) as refused:
        results(text)
    assert refused.value.reason is Reason.SHOE_ENDED


@clause("act-2015:5.7")
@pytest.mark.parametrize("seed", range(5))
def test_burned_cards_have_left_the_shoe(seed: int) -> None:
    """Where nobody wrote the marker down, the count finds it, the burn included."""
    order = shuffled(full_set(8), random.Random(seed).randrange)
    text = deal_shoe(order, sample_notice("act-2015"))
    unmarked = tuple(replace(coup, marker_at=None) for coup in text.coups)
    *_, last = play_shoe(replace(text, coups=unmarked))
    assert last.last is not Last.NO
    with pytest.raises(Refused):
        list(play_shoe(replace(text, coups=(*unmarked, unmarked[0]))))


@clause("act-2015:5.7")
def test_carried_cards_count_towards_a_round_that_must_be_dealt() -> None:
    at = Shoe(416, 12, drawn=411, since_marker=7, extra_round=True)
    paper = Paper(post(sample_notice("act-2015")), at, carried=parse_drawn("4d@-"))
    assert play_coup(paper, parse_coup("^4d Kc 5h 2s")).played[-1].result == "player"


@clause(*tas("9.4"))
def test_a_marker_seen_later_than_counted_is_believed() -> None:
    """By count it lay two cards on; it came after the fourth, so no card has followed it."""
    paper = Paper(
        post(sample_notice("tas-2018")), draw(new_shoe(post(sample_notice("tas-2018"))), 407)
    )
    assert not play_coup(paper, parse_coup("9c Kd Kh 5s [marker]")).shoe.ended
    assert play_coup(paper, parse_coup("9c Kd Kh 5s")).shoe.ended == "tas-2018:9.4"


@clause(*tas("14.4", "14.1", "14.5"))
def test_the_gravest_ruling_says_what_comes_next() -> None:
    """Too few cards end the shoe, whatever lies face up in it; past the marker so does 9.4."""
    for coup in ("6c Kd ! insufficient-cards", "2d [marker] 4d ! order-unknown"):
        with pytest.raises(Refused) as refused:
            results(shoe("tas-2018", f"{coup} ! face-up-in-shoe", "9c Kd Kh 5s"))
        assert refused.value.reason is Reason.SHOE_ENDED
    with pytest.raises(Refused) as refused:
        results(shoe("tas-2018", "9c Kd Kh 5s ! face-up-in-shoe", "1 p 50 : 9c Kd Kh 5s"))
    assert refused.value.clause == "tas-2018:14.1"


def test_an_error_nobody_noticed_leaves_other_findings_alone() -> None:
    text = shoe("act-2015", "1 p 25 : 9c Kd Kh 5s ! foreign-card", "9c Kd Kh 5s ! found-late 1")
    with pytest.raises(MalformedError, match="coup 1, which is void already"):
        results(text)


@pytest.mark.parametrize("coup", ["1 bp 5 : 6c Kd@p Kh 7s", "1 p 25 : 6c", "1 p 25 : 6c ?? Kh 7s"])
def test_hands_that_anybody_would_notice_are_not_settled(coup: str) -> None:
    with pytest.raises(MalformedError, match="that is noticed at once"):
        results(shoe("act-2015", coup, "9c Kd Kh 5s ! found-late 1"))


@clause("act-2015:12.5")
def test_a_card_drawn_and_never_laid_is_an_error_too() -> None:
    text = shoe("act-2015", "1 p 25 : 6c Kd Kh 5s 4d@- = player 6-5", "9c Kd Kh 5s ! found-late 1")
    assert [one.to_owner_cents for one in results(text)[1].reversals] == [-2500]


def test_where_nothing_is_burned_a_burn_is_refused() -> None:
    for text in (
        replace(shoe("tas-2018", "9c Kd Kh 5s"), burned=parse_drawn("??")),
        shoe("tas-2018", "9c Kd Kh 5s ! burn-forgotten"),
    ):
        with pytest.raises(Refused) as refused:
            list(play_shoe(text))
        assert refused.value.reason is Reason.BURN_NOT_PROVIDED


@pytest.mark.parametrize(("line", "says"), WRONG)
def test_a_writer_may_not_claim_what_the_cards_do_not_give(line: str, says: str) -> None:
    with pytest.raises(MalformedError) as error:
        results(shoe("tas-2018", line))
    assert says in str(error.value)


def test_a_wager_that_cannot_lie_there_is_refused() -> None:
    with pytest.raises(Refused):
        results(shoe("tas-2013", "1 pp 10 : 9c Kd Kh 5s"))


@clause(*tas("4.1"))
def test_a_shoe_cannot_hold_nine_of_one_card() -> None:
    with pytest.raises(Refused) as refused:
        results(shoe("tas-2018", *["9c Kd Kh 5s"] * 9))
    assert refused.value.reason is Reason.TOO_MANY_COPIES
