"""Ends: places, prizes that return the pool, views, and what always holds."""

from contextlib import suppress
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.authority import AUTHORITY
from puntobanco.competition.decide import ROOMS, look_forward
from puntobanco.competition.evolve import APPLY
from puntobanco.competition.path import MissingLine, step_ahead
from puntobanco.competition.queries import (
    pool_cents,
    prize_list,
    promised_pool_cents,
    promised_prizes,
    went_on,
)
from puntobanco.competition.state import Competition, CompetitionPhase
from puntobanco.competition.view import view
from puntobanco.errors import Reason, Refused
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import name_of
from tests.kit.clauses import clause
from tests.kit.competition.cup import SEED, WORDS, Cup, cup_text
from tests.kit.places import ROOT


def by(person: str, *roles: Role) -> Actor:
    return Actor(person, frozenset(roles), 0)


@clause("tas-2018:16.2.1", "tas-2018:16.2.2(g)", "tas-2018:16.2.2(h)")
def test_the_balance_of_the_fees_is_paid_as_prizes() -> None:
    """[tas-2018:16.2.1] Up to a tenth is retained, the rest is the prize pool."""
    cup = Cup().heats()
    early = cup.refused("dora", c.ConfirmPlaces())
    assert early == (Reason.FINAL_NOT_CONFIRMED, "tas-2018:16.8.2")
    cup.final()
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert (placed.pool_cents, placed.retained_cents) == (29_997, 3_333)
    assert placed.prizes == {"p1": 18_097, "p2": 11_900}
    assert cup.refused("carol", c.PayPrize("p3"))[0] is Reason.NO_PRIZE_DUE
    cup.do("carol", c.PayPrize("p1"))
    assert cup.refused("carol", c.PayPrize("p1"))[0] is Reason.NO_PRIZE_DUE
    cup.do("dora", c.PublishResults())
    assert cup.refused("dora", c.PublishResults())[0] is Reason.RESULTS_PUBLISHED
    cup.do("carol", c.PayPrize("p2"))
    assert cup.state.phase is CompetitionPhase.DONE
    assert cup.state.money.pot_cents == 0


@clause("tas-2018:16.8.4")
def test_prizes_of_players_out_in_one_coup_are_shared_to_the_cent() -> None:
    """[tas-2018:16.8.4] The odd cent is the operator's addition."""
    text = cup_text(advance="{ 1 = 3, 2 = 2 }").replace(
        "percent = [60, 40]", "list_cents = [20000, 6000, 3997]"
    )
    cup = Cup(text).entered().designate("table-1").drawn().started()
    cup.result("table-1", {f"p{i}": 1_000_000 - i for i in range(1, 7)})
    cup.do("dora", c.ConfirmStage())
    cup.drawn().started()
    cup.result("table-1", {"p1": 900_000}, out={"p2": 20, "p3": 20})
    cup.do("dora", c.ConfirmStage())
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert placed.prizes == {"p1": 20_000, "p2": 4_999, "p3": 4_999}
    assert placed.added == {"p2": 1}
    for person in placed.prizes:
        cup.do("carol", c.PayPrize(person))
    assert cup.state.money.pot_cents == 0
    shown = view(cup.state, cup.by("mara")).pool
    assert shown
    assert shown.pool_cents == 29_997  # the odd cent is no part of it


@clause("tas-2018:16.2.1", "act-2015:15.21", "tas-2018:16.2(lead)")
def test_prizes_that_do_not_return_the_pool_are_refused() -> None:
    """[tas-2018:16.2.1] A list below the pool needs a ruling by two; above it, added value."""
    text = cup_text().replace("percent = [60, 40]", "list_cents = [100, 50]")
    cup = Cup(text).heats().final()
    assert cup.refused("dora", c.ConfirmPlaces()) == (
        Reason.POOL_NOT_RETURNED,
        "tas-2018:16.2.1",
    )
    cup.two(c.Rule("prizes", "all of it", prizes_cents=(20_000, 10_000)))
    assert cup.refused("dora", c.ConfirmPlaces()) == (
        Reason.POOL_TOO_SMALL,
        "tas-2018:16.2(lead)",
    )
    cup.do("mara", c.AddValue(3, "three cents"))
    cup.do("mara", c.AddValue(0, "a trophy"))
    assert cup.refused("mara", c.AddValue(0))[0] is Reason.NOTHING_ADDED
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert placed.prizes == {"p1": 20_000, "p2": 10_000}
    assert cup.refused("mara", c.Cancel("too late"))[0] is Reason.WRONG_PHASE


@clause("act-2015:15.21", "act-2015:15.23", "act-2015:15.24")
def test_canberra_returns_all_of_the_pool() -> None:
    """[act-2015:15.21] The commission beside the fee is the operator's, the fees are prizes."""
    cup = Cup(cup_text("act-2015")).entered(4).designate("table-1").drawn().started()
    cup.result("table-1", {"p1": 900, "p2": 800}, out={"p3": 5, "p4": 5})
    cup.do("dora", c.ConfirmStage())
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert (placed.prizes, placed.retained_cents) == ({"p1": 20_000}, 2_000)
    assert "act-2015:15.21" in placed.clauses


def test_everyone_sees_what_is_theirs() -> None:
    cup = Cup().heats()
    public = view(cup.state, by("passer-by"))
    assert (public.entries, public.money, public.proposals, public.draft) == ({}, None, {}, "")
    assert public.text == cup.text
    assert public.sessions[0].through == ("entry-0001", "entry-0002"), "ids are for staff"
    own = view(cup.state, by("p3", Role.PATRON))
    assert own.own == cup.state.entries["p3"]
    assert own.entries == {}
    dealer = view(cup.state, by("dan", Role.DEALER))
    assert set(dealer.entries) == set(cup.state.entries)
    assert dealer.money is None
    director = view(cup.state, by("dora", Role.DIRECTOR))
    assert director.pool is not None
    assert director.pool.pool_cents == 29_997
    assert director.sessions[0].through == ("p1", "p2")
    level = Cup().entered().designate("table-1").drawn().started()
    level.result("table-1", {f"p{i}": 500_000 for i in range(1, 7)})
    assert view(level.state, by("p1", Role.PATRON)).sessions[0].contested == ()
    assert len(view(level.state, by("dora", Role.DIRECTOR)).sessions[0].contested) == 6
    assert view(Competition(), by("mara", Role.MANAGEMENT)).version == 0


def test_what_is_not_listed_is_refused() -> None:
    """Every command has an entry and a decider, every event an effect."""
    proposals = {c.Approve, c.DropProposal}
    assert set(AUTHORITY) == set(get_args(c.CompetitionCommand))
    assert set(ROOMS) | proposals == set(AUTHORITY)
    assert set(APPLY) == set(get_args(e.CompetitionEvent))
    cup = Cup().entered()
    for kind in (c.Draw(WORDS, SEED.hex()), c.CloseEntries(), c.Cancel("x"), c.PayPrize("p1")):
        assert cup.refused("p1", kind)[0] is Reason.NOT_YOUR_ROLE


def test_a_proposal_shows_what_it_would_bring() -> None:
    cup = Cup().entered()
    (cancelled,) = look_forward(cup.state, c.Cancel("flood"), cup.by("dora"))
    assert isinstance(cancelled, e.CompetitionCancelled)
    assert sum(cancelled.refunds.values()) == 6 * 5555


@clause("tas-2018:16.2(lead)", "tas-2018:16.2.4")
def test_of_a_competition_that_does_not_proceed_there_is_no_pool_left() -> None:
    """[tas-2018:16.2.4] Not even where a fee was kept, or the operator had added something."""
    cup = Cup().entered()
    cup.do("mara", c.AddValue(10_000, "a gift"))
    cup.two(c.Disqualify("p1", "marked a card"))
    before = view(cup.state, cup.by("mara")).pool
    assert before
    assert (before.pool_cents, before.prizes_cents) == (39_997, (24_097, 15_900))
    cup.two(c.Cancel("flood"))
    assert view(cup.state, cup.by("mara")).pool is None
    assert (pool_cents(cup.state), prize_list(cup.state)) == (0, ())


PEOPLE = st.sampled_from(["p1", "p2", "p3", "p8", "p9"])
ASKS = st.one_of(
    st.tuples(st.just(""), st.builds(c.Apply)),
    st.tuples(st.just("carol"), st.builds(c.Accept, PEOPLE)),
    st.tuples(st.just("mara"), st.builds(c.Refuse, PEOPLE)),
    st.tuples(st.just(""), st.just(c.Endorse(1))),
    st.tuples(st.just(""), st.builds(c.PayEntry)),
    st.tuples(st.just(""), st.builds(c.Withdraw)),
    st.tuples(st.just("carol"), st.builds(c.AddReserve, PEOPLE)),
    st.tuples(st.just("dora"), st.builds(c.TakeReserve, PEOPLE, PEOPLE)),
    st.tuples(st.just("dora"), st.builds(c.Forfeit, PEOPLE, st.just("gone"))),
    st.tuples(st.just("mara"), st.builds(c.AddValue, st.integers(0, 100), st.just("x"))),
    st.tuples(st.just("dora"), st.just(c.CloseEntries())),
    st.tuples(st.just("dora"), st.just(c.Draw(WORDS, SEED.hex()))),
)


@given(st.lists(st.tuples(PEOPLE, ASKS), max_size=30), st.integers(0, 20))
def test_entries_money_is_the_pot_and_nobody_is_in_and_out(
    asked: list[tuple[str, tuple[str, c.CompetitionCommand]]], days: int
) -> None:
    """Whatever is asked: what entries paid and did not get back is in the pot, nobody sits twice
    or sits while out, and the stored events give the same state.
    """
    cup = Cup().entering().enter("p1", "p2", "p3", "p4", "p5", "p6", "p7")
    cup.designate("table-1", "table-2")
    for number, (patron, (staff, ask)) in enumerate(asked):
        with suppress(Refused):
            cup.do(staff or patron, ask)
        if number == days:
            cup.at_ms += 86_400_000 * days
    money, entries = cup.state.money, cup.state.entries
    kept = sum(x.paid_cents - x.refunded_cents + x.earlier_cents for x in entries.values())
    assert money.pot_cents == kept + money.added_cents
    sat = [
        person
        for session in cup.state.sessions.values()
        for seats in session.seats.values()
        for person in seats.values()
    ]
    assert len(sat) == len(set(sat))
    assert all(entries[person].is_in for person in sat)
    assert cup.reread() == cup.state


def test_the_page_on_competitions_has_every_command() -> None:
    """Its table of who may do what is the one that decides."""
    page = (ROOT / "docs/competition.md").read_text()
    for kind, allowed in AUTHORITY.items():
        who = ", ".join(sorted(allowed.roles))
        second = ", ".join(sorted(allowed.second))
        when = ", ".join(phase for phase in CompetitionPhase if phase in allowed.phases)
        row = f"| `{name_of(kind)}` | {who} | {when} | {second} |"
        assert row in page


def test_what_the_operator_promised_is_waited_for_before_places_are_confirmed() -> None:
    """The conditions say what is added to the pool; nothing else would tell that it was not."""
    cup = Cup(cup_text(prizes="added_cents = 50000")).heats().final()

    def told() -> MissingLine:
        ahead = step_ahead(cup.state)
        assert ahead is not None
        assert ahead.command == "confirm-places"
        return next(line for line in ahead.lines if line.what == "added")

    assert (told().met, told().command, told().facts) == (False, "add-value", {"cents": 50_000})
    everybody_is_told = promised_pool_cents(cup.state)
    assert everybody_is_told == pool_cents(cup.state) + 50_000
    assert sum(promised_prizes(cup.state)) == everybody_is_told > sum(prize_list(cup.state))
    cup.do("mara", c.AddValue(20_000, "half of it"))
    assert promised_pool_cents(cup.state) == everybody_is_told
    assert (told().met, told().facts) == (False, {"cents": 30_000})
    cup.do("mara", c.AddValue(30_000, "the rest"))
    assert (told().met, told().facts) == (True, {"cents": 50_000})
    assert promised_pool_cents(cup.state) == pool_cents(cup.state) == everybody_is_told


def test_a_confirmed_stage_stays_as_it_was_when_somebody_goes_later() -> None:
    """Nobody is said to have gone on who did not; a prize without a player is not returned."""
    cup = Cup(cup_text()).heats().final()
    cup.two(c.Disqualify("p2", "spoke to the dealer"))
    assert went_on(cup.state, "heats") == {"p1", "p2"}
    (heats,) = (one for one in view(cup.state, cup.by("mara")).sessions if one.id == "heats")
    assert set(heats.through) == {"p1", "p2"}
    ahead = step_ahead(cup.state)
    assert ahead is not None
    assert [line.met for line in ahead.lines if line.what == "returned"] == [False]
    assert cup.refused("dora", c.ConfirmPlaces())[0] is Reason.POOL_NOT_RETURNED
