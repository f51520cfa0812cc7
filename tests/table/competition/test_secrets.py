"""Secret wagers at a table: forms by their commitments, told with the result and settled apart."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.competition.secret import FormFault, SecretForm
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.decide import decide, foresee
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.face_down import in_line
from puntobanco.table.result import result
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, balanced, of, one
from tests.kit.table.secrets import FORM, Forms
from tests.kit.table.sessions import MIN, WAYS, begun
from tests.kit.table.verified import sound

PLAYER_WINS, BANKER_WINS, TIE = "9c Kd Kh 7s", "Kc 9d Kh Ks", "9c 9d Kh Ks"


def betting(ruleset: str = "tas-2018", **terms: object) -> tuple[At, Forms]:
    """Ann, Bob and Cy may each make two secret wagers; bets are open, and Ann is first."""
    at = begun(ruleset, **{"secrets": 2, **terms})  # type: ignore[arg-type]
    at.do("dan", c.OpenCoup())
    return at, Forms(at)


def others_bet(at: At, *people: str) -> None:
    for seat, person in at.table.seated.items():
        if person in (people or ("bob", "cy")):
            at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))


def played(at: At, forms: Forms, *people: str, cards: str = BANKER_WINS) -> list[events.TableEvent]:
    """Called, accepted, dealt and declared."""
    at.do("dan", c.NoMoreBets())
    forms.accept(*people)
    at.deal(cards)
    return forms.declare()


@clause(*tas("16.2.2(i)", "16.6.1"))
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013"])
def test_a_player_makes_as_many_as_the_conditions_allow(ruleset: str) -> None:
    at, forms = betting(ruleset, secrets=1)
    lodged = one(events.SecretLodged, forms.lodge("ann"))
    assert (lodged.person, lodged.seat) == ("ann", 1)
    others_bet(at)
    played(at, forms, "ann")
    at.do("dan", c.EndCoup())
    assert at.table.contest.secrets_left == {"ann": 0, "bob": 1, "cy": 1}
    at.do("dan", c.OpenCoup())
    others_bet(at)
    at.refuse("dan", forms.sealing("ann"), Reason.NO_SECRETS_LEFT, twin(ruleset, "16.6.1"))
    assert sound(at)


@clause(*tas("16.6.1"))
def test_where_conditions_have_none_no_form_is_taken() -> None:
    at, forms = betting(secrets=0)
    at.refuse("dan", forms.sealing("ann"), Reason.NO_SECRETS_LEFT, "tas-2018:16.6.1")


@clause(*tas("16.6.2"))
def test_a_form_comes_in_turn_and_before_the_call() -> None:
    at, forms = betting()
    at.refuse("dan", forms.sealing("bob"), Reason.FORM_OUT_OF_TURN, "tas-2018:16.6.2")
    forms.lodge("ann")
    at.refuse("dan", forms.sealing("ann"), Reason.FORM_LIES, "tas-2018:16.6.2")
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    at.refuse("dan", forms.sealing("cy"), Reason.FORM_TOO_LATE, "tas-2018:16.6.2")


@clause(*tas("16.6.1"))
def test_nobody_who_is_away_hands_in_a_form() -> None:
    at, forms = betting()
    at.do("dan", c.MarkAbsent("ann"))
    at.refuse("dan", forms.sealing("ann"), Reason.FORM_OF_ABSENT, "tas-2018:16.6.1")


@clause(*tas("16.6.2"))
def test_whose_time_is_over_lays_chips() -> None:
    at, forms = betting()
    at.do("dan", c.AskForWager(1, at.at_ms + 2000))
    at.later(1).do("dan", c.CloseWindow(1))
    at.refuse("dan", forms.sealing("ann"), Reason.MINIMUM_ONLY)


@clause(*tas("16.6.2"))
def test_a_form_stands_for_the_wager_on_every_coup_and_for_the_turn() -> None:
    at, forms = betting()
    for person in ("ann", "bob", "cy"):
        forms.lodge(person)
    at.do("dan", c.NoMoreBets())
    forms.accept("ann", "bob", "cy")
    at.deal(BANKER_WINS)
    told = of(events.SecretAnnounced, forms.declare())
    assert [form.person for form in told] == ["ann", "bob", "cy"]
    assert sound(at)


@clause(*tas("16.6.3"))
def test_chips_and_form_together_stay_within_the_maximum_and_are_paid_apart() -> None:
    at, forms = betting()
    at.table = replace(at.table, chips={**at.table.chips, "ann": 300_000}, bought_cents=500_000)
    at.do("dan", c.PlaceWager(1, Bet.BANKER, 160_500, "ann"))
    forms.lodge("ann", SecretForm("500", "five hundred", "b"))
    others_bet(at)
    done = played(at, forms, "ann")
    told = one(events.SecretAnnounced, done)
    assert told.wager is not None
    assert (told.wager.cents, told.wager.reduced) == (39_500, True)
    assert told.reasons == (FormFault.ABOVE_MAXIMUM,)
    assert told.clauses == ("tas-2018:16.6.8", "tas-2018:16.6.3")
    lines = [line for line in of(events.WagerSettled, done) if line.wager.by == "ann"]
    assert [(line.stake_cents, line.won_cents) for line in lines] == [
        (160_500, 152_500),  # each up to the unit
        (39_500, 38_000),
    ]
    assert not of(events.WarningGiven, done)
    assert balanced(at.table)


@clause(*tas("16.6.3", "16.6.10(d)"))
def test_a_form_on_the_other_hand_than_the_chips_is_not_played() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, MIN, "ann"))  # never refused for the form
    others_bet(at)
    done = played(at, forms, "ann")
    told, taken = one(events.SecretAnnounced, done), one(events.SecretDeducted, done)
    assert (told.wager, told.reasons) == (None, (FormFault.BOTH_SIDES,))
    assert (taken.cents, taken.clauses) == (MIN, ("tas-2018:16.6.10(d)",))
    assert at.table.chips["ann"] == 100_000 - 2 * MIN
    assert sound(at)


FOUND_LATE = [
    ("5", "five", MIN, "16.6.10(a)", "16.6.4(a)"),
    ("9000", "nine thousand", 100_000, "16.6.10(b)", "16.6.4(a)"),
    ("1500", "fifteen hundred", 100_000, "16.6.10(c)", "16.6.4(b)"),
    ("123", "one hundred and twenty three", 12_000, "16.4.6", "16.6.10(lead)"),
]


@clause(*tas("16.6.4(a)", "16.6.4(b)", "16.6.10(lead)", "16.6.10(a)", "16.6.10(b)", "16.6.10(c)"))
@pytest.mark.parametrize(("figures", "words", "cents", "clause", "also"), FOUND_LATE)
def test_what_is_found_after_the_coup_is_put_right(
    figures: str, words: str, cents: int, clause: str, also: str
) -> None:
    at, forms = betting()
    forms.lodge("ann", SecretForm(figures, words, "b"))
    others_bet(at)
    told = one(events.SecretAnnounced, played(at, forms, "ann"))
    assert told.wager is not None
    assert told.wager.cents == cents
    assert f"tas-2018:{clause}" in told.clauses
    assert also
    assert sound(at)


@clause(*tas("16.6.10(d)"))
@pytest.mark.parametrize(
    "form", [SecretForm("500", "fifty", "b"), SecretForm("500", "five hundred", "?")]
)
def test_a_form_that_does_not_show_its_wager_costs_the_minimum_after_settlement(
    form: SecretForm,
) -> None:
    at, forms = betting()
    forms.lodge("ann", form)
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 95_000, "ann"))
    others_bet(at)
    done = played(at, forms, "ann")
    assert one(events.SecretDeducted, done).cents == 5000  # all that was left
    assert at.table.chips["ann"] == 0
    assert at.table.contest.secrets_left["ann"] == 1
    assert sound(at)


@clause(*tas("16.6.5"))
def test_on_a_tie_it_is_used_up_and_does_not_ride() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("dan", c.PlaceWager(1, Bet.BANKER, 50_000, "ann"))  # the same again, in chips
    others_bet(at)
    played(at, forms, "ann", cards=TIE)
    assert at.table.chips["ann"] == 100_000
    assert at.table.contest.secrets_left["ann"] == 1
    at.do("dan", c.EndCoup())
    riding = one(events.WagerPlaced, [e for e in at.do("dan", c.OpenCoup()) if _of(e, "ann")])
    assert riding.wager.cents == 50_000
    assert sound(at)


def _of(event: events.TableEvent, person: str) -> bool:
    return isinstance(event, events.WagerPlaced) and event.wager.by == person


@clause(*tas("16.6.6"))
def test_a_marker_shows_and_nothing_else() -> None:
    at, forms = betting()
    lodged = one(events.SecretLodged, forms.lodge("ann"))
    assert lodged.clauses == ("tas-2018:16.6.2", "tas-2018:16.6.6")
    public = view(at.table, Viewer())
    assert [box.form for box in public.boxes[:3]] == [True, False, False]
    shown = msgspec.json.encode(public).decode()
    assert lodged.commitment not in shown
    assert at.table.chips["ann"] == 100_000


@clause(*tas("16.6.7"))
def test_no_card_before_every_form_is_examined() -> None:
    at, forms = betting()
    forms.lodge("ann")
    others_bet(at)
    accepted = c.ExamineSecret("ann", "accepted")
    at.refuse("ines", accepted, Reason.EXAMINED_AFTER_CALL, "tas-2018:16.6.7")
    at.do("dan", c.NoMoreBets())
    assert next_step(at.table).step == "examine-form"
    at.refuse("dan", c.DrawCard(), Reason.FORMS_UNEXAMINED, "tas-2018:16.6.7")
    at.refuse("dan", accepted, Reason.NOT_YOUR_ROLE)
    at.refuse("ines", c.ExamineSecret("ann", "sent-back"), Reason.VERDICT_WANTS_REASONS)
    at.do("ines", accepted)
    at.refuse("ines", accepted, Reason.NO_FORM_TO_EXAMINE)
    at.deal(BANKER_WINS)
    assert forms.declare()


@clause(*tas("16.6.7"))
def test_a_form_sent_back_is_corrected_once_or_chips_are_laid_the_minimum_only() -> None:
    at, forms = betting()
    forms.lodge("ann", SecretForm("5000", "five thousand", "b"))
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    back = c.ExamineSecret("ann", "sent-back", (FormFault.ABOVE_MAXIMUM,))
    at.do("ines", back)
    at.refuse("dan", c.DrawCard(), Reason.MUST_WAGER)
    forms.lodge("ann", SecretForm("4000", "four thousand", "b"))
    at.do("ines", back)
    at.refuse("dan", forms.sealing("ann"), Reason.FORM_SENT_BACK_TWICE, "tas-2018:16.6.7")
    at.refuse("dan", c.PlaceWager(1, Bet.BANKER, 2 * MIN, "ann"), Reason.MINIMUM_ONLY)
    at.refuse("dan", c.PlaceWager(2, Bet.TIE, MIN, "bob"), Reason.BETS_CLOSED)
    laid = one(events.WagerPlaced, at.do("dan", c.PlaceWager(1, Bet.BANKER, MIN, "ann")))
    assert not laid.out_of_turn
    at.deal(BANKER_WINS)
    assert not of(events.SecretAnnounced, forms.declare())
    assert at.table.contest.secrets_left["ann"] == 2
    assert sound(at)


@clause(*tas("16.6.7"))
def test_a_tie_wager_gives_way_when_a_form_is_sent_back() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("dan", c.PlaceWager(1, Bet.TIE, 95_000, "ann"))
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    at.do("ines", c.ExamineSecret("ann", "sent-back", (FormFault.MORE_THAN_HELD,)))
    at.do("dan", c.WithdrawWager(1, Bet.TIE, "ann"))
    at.do("dan", c.PlaceWager(1, Bet.BANKER, MIN, "ann"))
    at.deal(BANKER_WINS)
    assert forms.declare()
    assert sound(at)


@clause(*tas("16.6.8"))
def test_the_result_tells_exactly_the_forms_that_lie_and_no_others() -> None:
    at, forms = betting()
    forms.lodge("ann")
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    forms.accept("ann")
    at.deal(BANKER_WINS)
    (opened,) = forms.opened()
    at.refuse("dan", c.DeclareResult(), Reason.FORMS_NOT_OPENED, "tas-2018:16.6.8")
    other = replace(opened, content=opened.content.replace("500", "600"))
    at.refuse("dan", c.DeclareResult((other,)), Reason.FORM_NOT_AS_LODGED, "tas-2018:16.6.8")
    at.refuse("dan", c.DeclareResult((opened, opened)), Reason.FORMS_NOT_OPENED)
    told = one(events.SecretAnnounced, forms.declare())
    assert (told.figures, told.words, told.on) == ("500", "five hundred", "b")
    assert at.table.chips["ann"] == 100_000 + 47_500
    assert sound(at)


@clause(*tas("16.6.8"))
def test_what_is_foreseen_of_a_result_opens_no_form() -> None:
    seen = []
    for form in (FORM, SecretForm("500", "five hundred", "p")):
        at, forms = betting()
        forms.lodge("ann", form)
        others_bet(at)
        at.do("dan", c.NoMoreBets())
        forms.accept("ann")
        at.deal(BANKER_WINS)
        seen.append(foresee(at.table, c.DeclareResult(), at.by("dan")))
        assert seen[-1] == foresee(at.table, c.DeclareResult(forms.opened()), at.by("dan"))
    assert seen[0] == seen[1]
    assert not of(events.SecretAnnounced, seen[0])


@clause(*tas("16.6.9"))
def test_another_players_form_is_looked_at_until_the_next_first_card() -> None:
    at, forms = betting()
    forms.lodge("ann")
    others_bet(at)
    at.refuse("bob", c.InspectForm("ann"), Reason.NO_FORM_TO_SHOW, "tas-2018:16.6.9")
    played(at, forms, "ann")
    looked = one(events.FormInspected, at.do("bob", c.InspectForm("ann")))
    assert (looked.person, looked.whose, looked.clauses) == ("bob", "ann", ("tas-2018:16.6.9",))
    at.refuse("bob", c.InspectForm("cy"), Reason.NO_FORM_TO_SHOW)
    at.do("dan", c.EndCoup())
    at.do("cy", c.InspectForm("ann"))
    assert view(at.table, Viewer()).forms[0].figures == "500"
    at.do("dan", c.OpenCoup())
    for seat, person in ((2, "bob"), (3, "cy"), (1, "ann")):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))
    at.do("dan", c.InspectForm("ann", "bob"))
    at.deal("9c")
    at.refuse("bob", c.InspectForm("ann"), Reason.NO_FORM_TO_SHOW)
    assert view(at.table, Viewer()).forms == ()
    assert sound(at)


def last_of_final() -> tuple[At, Forms]:
    at, forms = betting(ends=SessionEnds(coups=1), final=True)
    assert at.table.contest.last
    return at, forms


@clause(*tas("16.6.11(lead)", "16.6.11(a)", "16.6.11(b)", "16.6.11(c)"))
def test_in_the_last_coup_of_the_final_all_forms_are_told_before_the_cards() -> None:
    at, forms = last_of_final()
    forms.lodge("ann", SecretForm("300", "three hundred", "p"))
    forms.lodge("bob", SecretForm("250", "two hundred and fifty", "p"))
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, MIN, "bob"))
    forms.lodge("cy", SecretForm("400", "four thousand", "b"))
    at.do("dan", c.NoMoreBets())
    at.refuse("ines", c.AnnounceSecrets(), Reason.TOLD_WITH_THE_RESULT)
    forms.accept("ann", "bob", "cy")
    assert next_step(at.table).step == "tell-forms"
    at.refuse("dan", c.DrawCard(), Reason.FORMS_TOLD_FIRST, "tas-2018:16.6.11(lead)")
    assert in_line(at.table, Side.PLAYER) == ("bob",)  # by chips alone until they are told
    assert foresee(at.table, c.AnnounceSecrets(), at.by("ines")) == []
    told = at.do("ines", c.AnnounceSecrets(forms.opened()))
    clauses = of(events.SecretAnnounced, told)[0].clauses
    assert clauses == tuple(f"tas-2018:16.6.11({part})" for part in ("lead", "a", "b"))
    assert [wager.cents for wager in at.table.coup.wagers] == [MIN, 30_000, 25_000]  # type: ignore[union-attr]
    assert in_line(at.table, Side.PLAYER) == ("bob", "ann")  # 350 against 300
    at.refuse("ines", c.AnnounceSecrets(), Reason.SECRETS_ANNOUNCED)
    at.deal(PLAYER_WINS)
    done = forms.declare()
    assert one(events.SecretDeducted, done).person == "cy"
    at.do("dan", c.EndCoup())
    final = result(at.table)
    assert final is not None
    assert final.chips == {"ann": 130_000, "bob": 135_000, "cy": 90_000}
    assert final.secrets_left == {"ann": 1, "bob": 1, "cy": 1}
    assert sound(at)


@clause(*tas("16.6.11(lead)", "16.6.8"))
def test_unless_everyone_makes_one_they_are_told_with_the_result() -> None:
    at, forms = last_of_final()
    forms.lodge("ann")
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    forms.accept("ann")
    at.refuse("ines", c.AnnounceSecrets(forms.opened()), Reason.TOLD_WITH_THE_RESULT)
    at.deal(BANKER_WINS)
    assert one(events.SecretAnnounced, forms.declare()).person == "ann"


@clause(*tas("16.6.8"))
def test_a_void_coup_gives_back_the_allowance_and_tells_nothing() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("ines", c.VoidCoup("impractical", "a fire alarm"))
    done = at.approve("mara")
    assert one(events.SecretLapsed, done).person == "ann"
    assert not of(events.SecretAnnounced, done)
    assert at.table.contest.secrets_left["ann"] == 2
    at.do("dan", c.EndCoup())
    at.refuse("bob", c.InspectForm("ann"), Reason.NO_FORM_TO_SHOW)
    assert sound(at)


@clause(*tas("16.6.10(d)"))
def test_a_coup_voided_after_its_result_gives_back_what_was_taken() -> None:
    for later in (False, True):
        at, forms = betting()
        forms.lodge("ann", SecretForm("500", "fifty", "b"))
        at.do("dan", c.PlaceWager(1, Bet.BANKER, MIN, "ann"))
        others_bet(at)
        played(at, forms, "ann", cards=PLAYER_WINS)
        assert at.table.chips["ann"] == 100_000 - 2 * MIN
        if later:
            at.do("dan", c.EndCoup())
            at.do("ines", c.VoidEarlier(1, "marked cards", cause="fraud"))
        else:
            at.do("ines", c.VoidCoup("fraud", "marked cards"))
        at.approve("mara")
        assert at.table.chips["ann"] == 100_000
        assert at.table.contest.secrets_left["ann"] == 2
        assert sound(at)


@clause(*tas("16.6.8"))
def test_cards_put_right_settle_chips_and_form_again() -> None:
    for later in (False, True):
        at, forms = betting()
        forms.lodge("ann")
        at.do("dan", c.PlaceWager(1, Bet.BANKER, 50_000, "ann"))  # the very same in chips
        others_bet(at)
        played(at, forms, "ann", cards=PLAYER_WINS)
        assert at.table.chips["ann"] == 0
        if later:
            at.do("dan", c.EndCoup())
            assert at.table.contest.out == {"ann": 1}
        at.do("dan", c.CorrectCard(1, 1, Card("6c"), "keyed wrong"))
        at.approve("ines")
        if not later:
            forms.declare()
        assert balanced(at.table)
        assert at.table.chips["ann"] == 100_000 + 2 * 47_500
        assert sound(at)


@clause(*tas("16.6.3"))
def test_a_form_beside_chips_is_put_right_once_the_coup_is_over() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("dan", c.PlaceWager(1, Bet.BANKER, MIN, "ann"))
    others_bet(at)
    played(at, forms, "ann")
    right = c.CorrectWager(1, "ann", 1, Bet.BANKER, 2 * MIN, "counted wrong")
    at.refuse("ines", right, Reason.FORM_ON_THE_SAME)
    at.do("dan", c.EndCoup())
    at.do("ines", right)
    at.approve("mara")
    assert at.table.chips["ann"] == 100_000 + 19_000 + 47_500
    assert sound(at)


@clause(*tas("16.6.8"))
def test_who_is_removed_takes_the_form_along() -> None:
    at, forms = betting()
    forms.lodge("ann")
    gone = c.RemovePlayer("ann", "disqualified", "partners", 9)
    assert one(events.SecretLapsed, decide(at.table, gone, at.by("house"))).person == "ann"
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    forms.accept("ann")
    at.deal("9c")
    at.refuse("house", gone, Reason.STILL_HAS_WAGERS)


@clause("mbs-2017:0.front")
def test_where_a_document_has_none_conditions_bring_them_in() -> None:
    at, forms = betting("mbs-2017", play=WAYS)
    forms.lodge("ann")
    others_bet(at)
    at.do("dan", c.NoMoreBets())
    assert not at.table.coup.locked  # type: ignore[union-attr]  # the form comes first
    overseer = "ines"
    at.do(overseer, c.ExamineSecret("ann", "accepted"))
    at.deal(BANKER_WINS)
    assert one(events.SecretAnnounced, forms.declare()).clauses == ("conditions",)
    assert sound(at)


@clause(*tas("16.6.3"))
def test_chips_below_the_minimum_beside_a_form_are_made_up() -> None:
    at, forms = betting()
    forms.lodge("ann")
    at.do("dan", c.PlaceWager(1, Bet.BANKER, 5000, "ann"))
    others_bet(at)
    done = played(at, forms, "ann")
    assert one(events.WagerMadeUp, at.log).wager.cents == MIN
    assert len([line for line in of(events.WagerSettled, done) if line.wager.by == "ann"]) == 2
    assert sound(at)
