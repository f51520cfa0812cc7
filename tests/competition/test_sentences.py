"""Every event of a competition is told in a sentence, and every command has words."""

from typing import get_args

from puntobanco.competition.authority import AUTHORITY
from puntobanco.competition.events import CompetitionEvent, RulingMade
from puntobanco.competition.sentences import SENTENCES, tell_competition
from puntobanco.table.authority import from_outside, name_of
from puntobanco.words.competition import (
    COMPETITION_COMMANDS,
    COMPETITION_EVENTS,
    COMPETITION_GROUPS,
    COMPETITION_OWN,
)
from tests.kit.competition.cup import Cup
from tests.kit.stored import stored


def test_every_event_has_a_sentence_and_every_sentence_its_event() -> None:
    tags = {name_of(kind) for kind in get_args(CompetitionEvent)}
    assert tags <= set(SENTENCES)
    assert set(COMPETITION_EVENTS) <= tags


def test_every_command_that_people_give_has_words_and_is_in_one_group() -> None:
    given = {name_of(kind) for kind in from_outside(AUTHORITY)}
    assert set(COMPETITION_COMMANDS) == given
    assert all(said.title and said.when.endswith(".") for said in COMPETITION_COMMANDS.values())
    grouped = [name for members in COMPETITION_GROUPS.values() for name in members]
    assert sorted(grouped) == sorted(given)
    assert set(COMPETITION_OWN) <= given


def test_a_whole_competition_is_told() -> None:
    told = [tell_competition(event) for event in Cup().heats().final().log]
    assert not [said for said in told if "{" in said or "None" in said or "  " in said]
    assert "p1 pays 55.55; refunded on withdrawal up to 2026-03-07" in told
    assert "Entries are closed with 6 entrants" in told
    assert "The results of heats are confirmed; still in: p1, p2" in told
    assert told[0] == "Conditions are drafted"
    assert "mara proposes: Publish the conditions; it needs a second person" in told


def test_every_kind_of_event_that_is_stored_is_told() -> None:
    told = {name_of(type(event)): tell_competition(event) for event in stored("competition")}
    assert set(COMPETITION_EVENTS) <= set(told)
    assert not [said for said in told.values() if "{" in said or "None" in said or "  " in said]


def test_a_ruling_says_what_it_settles() -> None:
    ruled = RulingMade("prizes", "one is left", "dora", prizes_cents=(44_997, 500))
    assert tell_competition(ruled) == "dora rules about prizes: one is left; prizes: 449.97, 5"
