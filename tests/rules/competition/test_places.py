"""Places: ranking, lines, equals and shares."""

from itertools import pairwise
from random import Random

import msgspec
import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.places import (
    Ended,
    Standing,
    advance,
    award,
    ends_under,
    give_prizes_over,
    play_off_coups,
    prizes_over,
    resolve,
    row_prizes,
    wild_cards,
)
from puntobanco.rules.documents.competition_rules import EndRules
from puntobanco.rules.documents.texts import load_ruleset
from tests.kit.clauses import clause, tas
from tests.rules.competition import plain

ENDS = {
    name: load_ruleset(name).competition.ends
    for name in ("tas-2018", "tas-2013", "act-2015", "mbs-2017")
}
WAYS = {"tas-2018": plain.TAS, "tas-2013": plain.TAS, "act-2015": plain.ACT, "mbs-2017": plain.MBS}
TAS, ACT, MBS = ENDS["tas-2018"], ENDS["act-2015"], ENDS["mbs-2017"]


def told(standing: Standing) -> list[str]:
    """Each row on one line: places, people, how, what each has."""
    return [
        f"{row.from_}-{row.to} {' '.join(row.people)} {row.how} {row.each_cents}"
        for row in standing.places
    ]


ADVANCING = [
    # rules, chips, out, places: how the group at the line is settled, through, contested, left
    ("one clear winner", TAS, "A 9 B 4", "", 1, "", "A", "", 0),
    ("equality that changes nothing", TAS, "A 9 B 9", "", 2, "", "A B", "", 0),
    ("3 equal for 2 places", TAS, "A 9 B 4 C 4 D 4", "", 3, "play-off", "A", "B C D", 2),
    ("equal in Canberra", ACT, "A 9 B 4 C 4", "", 2, "more-rounds", "A", "B C", 1),
    ("equal in Singapore", MBS, "A 9 B 4 C 4", "", 2, "ruling", "A", "B C", 1),
    ("out later is better", TAS, "A 9", "B 8 C 9", 2, "", "A C", "", 0),
    ("out together at the line", TAS, "A 9", "B 8 C 8", 2, "play-off", "A", "B C", 1),
    ("the same in Canberra", ACT, "A 9", "B 8 C 8", 2, "ruling", "A", "B C", 1),
    ("all out at once", TAS, "", "B 8 C 8 D 3", 1, "new-chips", "", "B C", 1),
    ("all out at once in Canberra", ACT, "", "B 8 C 8", 1, "ruling", "", "B C", 1),
    ("the last one out alone", TAS, "", "B 9 C 8", 1, "", "B", "", 0),
    ("level at zero for a place", TAS, "A 9 B 0 C 0", "", 2, "play-off", "A", "B C", 1),
    ("level at zero in Canberra", ACT, "A 9 B 0 C 0", "", 2, "ruling", "A", "B C", 1),
    ("all at zero", TAS, "A 0 B 0", "C 3", 1, "new-chips", "", "A B", 1),
    ("fewer players than places", TAS, "A 9", "B 3", 4, "", "A B", "", 0),
    ("nobody", TAS, "", "", 2, "", "", "", 0),
]


def pairs(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


@clause(*tas("16.8.2", "16.8.3", "16.8.5", "16.1-play-off"), "act-2015:15.20", "act-2015:15.22")
@pytest.mark.parametrize(
    ("rules", "chips", "out", "places", "how", "through", "contested", "left"),
    [pytest.param(*row[1:], id=row[0]) for row in ADVANCING],
)
def test_who_is_through_and_who_plays_for_what_is_left(  # noqa: PLR0917  a row of the table
    rules: EndRules,
    chips: str,
    out: str,
    places: int,
    how: str,
    through: str,
    contested: str,
    left: int,
) -> None:
    """[tas-2018:16.8.2], [tas-2018:16.8.3], [act-2015:15.22]"""
    standing = advance(Ended(pairs(chips), pairs(out)), places, rules)
    assert standing.through == tuple(through.split())
    assert standing.contested == tuple(contested.split())
    assert standing.places_left == left
    assert [row.how for row in standing.places if row.each_cents is None] == how.split()


AWARDED = [
    (
        "plainly",
        TAS,
        "A 9 B 4",
        "C 20",
        (50, 30, 20),
        ["1-1 A chips 50", "2-2 B chips 30", "3-3 C coup 20"],
    ),
    (
        "out together share",
        TAS,
        "A 9 B 4",
        "C 20 D 20",
        (50, 30, 21),
        ["1-1 A chips 50", "2-2 B chips 30", "3-4 C D shared 11"],
    ),
    ("and in Canberra", ACT, "A 9", "C 20 D 20", (50, 31), ["1-1 A chips 50", "2-3 C D shared 16"]),
    (
        "and in Singapore",
        MBS,
        "A 9",
        "C 20 D 20",
        (50, 31),
        ["1-1 A chips 50", "2-3 C D ruling None"],
    ),
    (
        "equal chips",
        TAS,
        "A 9 B 9 C 1",
        "",
        (50, 30, 20),
        ["1-2 A B play-off None", "3-3 C chips 20"],
    ),
    ("equal chips in Canberra", ACT, "A 9 B 9", "", (50, 30), ["1-2 A B more-rounds None"]),
    ("equal over equal prizes", TAS, "A 9 B 9", "", (40, 40), ["1-2 A B chips 40"]),
    (
        "out together over equal prizes",
        TAS,
        "A 9",
        "B 3 C 3",
        (40, 10, 10),
        ["1-1 A chips 40", "2-3 B C shared 10"],
    ),
    (
        "equal without a prize",
        TAS,
        "A 9 B 4 C 4",
        "D 3 E 3",
        (50,),
        ["1-1 A chips 50", "2-3 B C chips 0", "4-5 D E coup 0"],
    ),
    (
        "level at zero share",
        TAS,
        "A 9 B 0 C 0",
        "",
        (50, 30),
        ["1-1 A chips 50", "2-3 B C shared 15"],
    ),
    ("all at zero", TAS, "A 0 B 0", "", (50, 30), ["1-2 A B new-chips None"]),
    ("all out at once", TAS, "", "A 7 B 7", (50, 30), ["1-2 A B new-chips None"]),
    ("all out at once in Canberra", ACT, "", "A 7 B 7", (50, 30), ["1-2 A B ruling None"]),
    ("prizes stay over", TAS, "A 9", "", (50, 30), ["1-1 A chips 50"]),
    ("nobody", TAS, "", "", (50,), []),
]


@clause(*tas("16.8.4", "16.8.5"), "act-2015:15.23")
@pytest.mark.parametrize(
    ("rules", "chips", "out", "prizes", "rows"),
    [pytest.param(*row[1:], id=row[0]) for row in AWARDED],
)
def test_prizes(
    rules: EndRules, chips: str, out: str, prizes: tuple[int, ...], rows: list[str]
) -> None:
    """[tas-2018:16.8.4], [tas-2018:16.8.5], [act-2015:15.23]"""
    assert told(award(Ended(pairs(chips), pairs(out)), prizes, rules)) == rows


@clause(*tas("16.8.4"))
def test_shares_go_up_to_the_cent_and_the_operator_adds_the_rest() -> None:
    """[tas-2018:16.8.4]"""
    row = award(Ended({"A": 9}, {"B": 1, "C": 1, "D": 1}), (500, 300, 200), TAS).places[1]
    assert (row.each_cents, row.added_cents, row.clauses) == (167, 1, ("tas-2018:16.8.4",))


def test_whoever_is_gone_has_no_place_and_those_behind_move_up() -> None:
    ended = Ended({"A": 9, "B": 5}, {"C": 3}, frozenset({"A"}))
    assert told(award(ended, (50, 30), TAS)) == ["1-1 B chips 50", "2-2 C coup 30"]


@clause(*tas("16.8.3"))
def test_all_below_a_raised_minimum_play_off_whatever_they_hold() -> None:
    """[tas-2018:16.8.3]"""
    ended = Ended({"A": 90, "B": 50}, {"C": 3}, all_below=True)
    assert told(award(ended, (50, 30), TAS)) == ["1-2 A B new-chips None", "3-3 C coup 0"]
    assert advance(ended, 1, TAS).contested == ("A", "B")
    assert advance(Ended({"A": 90}, {"C": 3}, all_below=True), 1, TAS).through == ("A",)


@clause(*tas("16.8.3", "16.8.5"), "act-2015:15.22")
def test_a_play_off_is_read_by_the_same_function() -> None:
    """[tas-2018:16.8.3], [act-2015:15.22]: until a result is there."""
    before = advance(Ended({"A": 9, "B": 4, "C": 4, "D": 4}), 3, TAS)
    again = resolve(before, advance(Ended({"C": 7, "B": 5, "D": 5}), before.places_left, TAS))
    assert (again.through, again.contested, again.places_left) == (("A", "C"), ("B", "D"), 1)
    out = resolve(again, advance(Ended({}, {"B": 2, "D": 2}), 1, TAS))
    assert [row.how for row in out.places][-1] == "new-chips"
    done = resolve(out, advance(Ended({"D": 2, "B": 1}), 1, TAS))
    assert (done.through, done.contested, done.places_left) == (("A", "C", "D"), (), 0)
    assert [(row.from_, row.to) for row in done.places] == [(1, 1), (2, 2), (3, 3), (4, 4)]


@clause(*tas("16.8.3"))
def test_a_play_off_for_prizes_gives_the_prizes_of_their_places() -> None:
    """[tas-2018:16.8.3]"""
    prizes = (50, 30, 20, 10)
    before = award(Ended({"A": 9, "B": 4, "C": 4, "D": 1}), prizes, TAS)
    theirs = row_prizes(before.places[1], prizes)
    assert theirs == (30, 20)
    assert told(resolve(before, award(Ended({"C": 2, "B": 1}), theirs, TAS))) == [
        "1-1 A chips 50",
        "2-2 C chips 30",
        "3-3 B chips 20",
        "4-4 D chips 10",
    ]
    with pytest.raises(MalformedError, match="not those who had to"):
        resolve(before, award(Ended({"A": 2, "B": 1}), theirs, TAS))


@clause(*tas("16.8.3"))
def test_a_card_says_how_many_coups_are_played_off() -> None:
    """[tas-2018:16.8.3]: an ace one, pictures ten."""
    found = [play_off_coups(Card(f"{rank}h")) for rank in "A23456789TJQK"]
    assert found == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_prizes_without_a_player_go_to_the_last_placed_only_where_the_pool_must_be_paid_out() -> (
    None
):
    prizes = (50, 30, 21)
    standing = award(Ended({"A": 9}, {"B": 3}), prizes, ACT)
    assert prizes_over(standing, prizes) == 21
    assert told(give_prizes_over(standing, prizes, ACT))[-1] == "2-2 B coup 51"
    assert give_prizes_over(standing, prizes, TAS) == standing
    shared = award(Ended({}, {"A": 4, "B": 3, "C": 3}), (50, 30, 20, 5), ACT)
    last = give_prizes_over(shared, (50, 30, 20, 5), ACT).places[-1]
    assert (last.each_cents, last.added_cents) == (28, 1)


def test_wild_cards_go_by_chips_over_all_tables_and_equals_draw_lots() -> None:
    assert wild_cards({"A": 9, "B": 5, "C": 5, "D": 1}, 2) == (("A",), ("B", "C"))
    assert wild_cards({"A": 9, "B": 5}, 2) == (("A", "B"), ())


def test_nobody_both_holds_chips_and_is_out() -> None:
    with pytest.raises(MalformedError, match="A cannot hold chips and be out"):
        award(Ended({"A": 9}, {"A": 3}), (), TAS)


def random_end(random: Random) -> tuple[dict[str, int], dict[str, int], set[str]]:
    people = [f"p{number}" for number in range(random.randint(0, 9))]
    random.shuffle(people)
    cut = random.randint(0, len(people))
    top = random.choice((0, 2, 6))
    chips = {who: random.randint(0, top) * 100 for who in people[:cut]}
    out = {who: random.randint(1, 4) for who in people[cut:]}
    return chips, out, {who for who in people if random.random() < 0.1}


def test_a_plain_re_implementation_agrees_on_ten_thousand_ends() -> None:
    random = Random(16)
    for _ in range(10_000):
        chips, out, gone = random_end(random)
        name = random.choice(tuple(ENDS))
        ended = Ended(chips, out, frozenset(gone))
        if random.random() < 0.5:
            places = random.randint(1, 6)
            standing = advance(ended, places, ENDS[name])
            expected = plain.places(chips, out, gone, WAYS[name], advance=places)
        else:
            prizes = sorted(
                (random.randint(0, 5) * 37 for _ in range(random.randint(0, 6))), reverse=True
            )
            standing = award(ended, prizes, ENDS[name])
            expected = plain.places(chips, out, gone, WAYS[name], prizes=prizes)
            paid = sum(
                (row.each_cents or 0) * len(row.people) - row.added_cents for row in standing.places
            )
            over = prizes_over(standing, prizes)
            to_come = [
                cents
                for row in standing.places
                if row.at_stake
                for cents in row_prizes(row, prizes)
            ]
            assert paid + over + sum(to_come) == sum(prizes)
        rows = [
            (row.from_, row.to, list(row.people), str(row.how), row.each_cents, row.added_cents)
            for row in standing.places
        ]
        found = (rows, list(standing.through), list(standing.contested), standing.places_left)
        assert found == expected, (chips, out, gone, name)
        assert all(before.to + 1 == after.from_ for before, after in pairwise(standing.places))


@clause(*tas("16.8.2", "16.8.3", "16.8.4", "16.8.5", "16.3.5", "16.6.10(lead)"))
def test_the_edition_of_2013_ends_sessions_and_deems_forms_by_the_same_clauses() -> None:
    """[tas-2013:15.8.3], [tas-2013:15.6.10(d)]: one number lower, all through."""
    newer, older = load_ruleset("tas-2018").competition, load_ruleset("tas-2013").competition
    for new, old in ((newer.ends, older.ends), (newer.secret, older.secret)):
        values = msgspec.to_builtins(new)
        renumbered = {
            name: value.replace("tas-2018:16.", "tas-2013:15.") for name, value in values.items()
        }
        assert renumbered == msgspec.to_builtins(old)


def test_conditions_say_what_equals_do_where_the_document_is_silent() -> None:
    assert ends_under(TAS, "more-rounds") == TAS
    ours = ends_under(MBS, "play-off")
    found = award(Ended({"A": 9, "B": 9}, {"C": 4, "D": 4}), (50, 30, 21), ours)
    assert told(found) == ["1-2 A B play-off None", "3-4 C D shared 11"]
    assert {clause_id for row in found.places for clause_id in row.clauses} == {"conditions"}
