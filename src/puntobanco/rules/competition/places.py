"""Places at the end of a session: who ranks where, who is through, and what equals do about it.

Players are ranked by their chips [tas-2018:16.8.2, act-2015:15.20]; behind them those who went out,
the later the better, for nobody who plays on can be behind one who does not. Whoever is gone
(disqualified, forfeited) has no place, and those behind move up. Equality that changes nothing is
not played off; the same function reads the end of a play-off, with what there was to play for.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.competition_rules import EndRules


class How(StrEnum):
    """What settles a place, or is still to settle it."""

    CHIPS = "chips"
    COUP = "coup"
    """The coup of elimination: the later, the better."""
    SHARED = "shared"
    PLAY_OFF = "play-off"
    NEW_CHIPS = "new-chips"
    """A play-off of players who have nothing left to play with."""
    MORE_ROUNDS = "more-rounds"
    RULING = "ruling"
    """The document is silent, or leaves it to the conditions: a person decides."""


class PlaceRow(Brief, frozen=True):
    """One group of equals, and the places that are theirs together."""

    from_: int
    to: int
    people: tuple[str, ...]
    how: How
    each_cents: int | None
    """What each of them wins; None while it is to be played for."""
    added_cents: int
    """What the operator adds so that equal shares come to whole cents."""
    clauses: tuple[str, ...]
    at_stake: int = 0
    """How many places, or prizes, they still contest."""


class Standing(Brief, frozen=True):
    """The end of a session."""

    places: tuple[PlaceRow, ...]
    """A row for every group of equals, best first, prize or not."""
    through: tuple[str, ...]
    """Those who advance, by rank and then by name."""

    @property
    def contested(self) -> tuple[str, ...]:
        """Those who must still be separated, by rank and then by name."""
        return tuple(person for row in self.places if row.at_stake for person in row.people)

    @property
    def places_left(self) -> int:
        """How many advancing places, or prizes, those contest."""
        return sum(row.at_stake for row in self.places)


class Ended(Brief, frozen=True):
    """What one table's session, or a play-off, came to."""

    chips: Mapping[str, int]
    """The chips of those who were never out, in cents."""
    out: Mapping[str, int] = {}
    """The coup in which each of the others was eliminated."""
    gone: frozenset[str] = frozenset()
    """Those who take no place, wherever else they are named."""
    all_below: bool = False
    """The session is over because nobody can make the minimum: chips no longer count
    [tas-2018:16.8.3]."""


class _Group(Brief, frozen=True):
    """Equals, before anything is said of what they get."""

    people: tuple[str, ...]
    by: How
    empty: bool = False
    """They have nothing that could be played on with."""
    all_left: bool = False
    """All who remained are in it, and none of them can go on."""


def advance(ended: Ended, places: int, rules: EndRules) -> Standing:
    """Say who is through, and who contests how many places [tas-2018:16.8.1-16.8.3].

    An advancing place is no prize: equals at the line play for it, even those eliminated in the
    same coup.

    >>> from puntobanco.rules.documents.texts import load_ruleset
    >>> ends = load_ruleset("tas-2018").competition.ends
    >>> standing = advance(Ended({"A": 900, "B": 400, "C": 400, "D": 400}), 3, ends)
    >>> standing.through, standing.contested, standing.places_left
    (('A',), ('B', 'C', 'D'), 2)
    """
    rows, through = list[PlaceRow](), list[str]()
    for first, group in _ranked(ended):
        row = _row(first, group, rules)
        if row.to <= places:
            through += group.people
        elif first <= places:
            how, clauses = _to_come(group, rules)
            row = replace(
                row, how=how, each_cents=None, clauses=clauses, at_stake=places - first + 1
            )
        rows.append(row)
    return Standing(tuple(rows), tuple(through))


def award(ended: Ended, prizes: Sequence[int], rules: EndRules) -> Standing:
    """Say who has which prize; equals share or play, as the document says.

    Players out in the same coup share their prizes [tas-2018:16.8.4, act-2015:15.23]; equal chips
    are played off [tas-2018:16.8.3] or played on with [act-2015:15.22]. Shares are rounded up to
    the cent, and the operator adds the difference. Prizes without a player stay over.

    >>> from puntobanco.rules.documents.texts import load_ruleset
    >>> ends = load_ruleset("tas-2018").competition.ends
    >>> out = {"B": 20, "C": 20, "D": 20}
    >>> [row.each_cents for row in award(Ended({"A": 900}, out), (500, 300, 200), ends).places]
    [500, 167]
    """
    return Standing(
        tuple(
            _awarded(_row(first, group, rules), group, prizes, rules)
            for first, group in _ranked(ended)
        ),
        (),
    )


def row_prizes(row: PlaceRow, prizes: Sequence[int]) -> tuple[int, ...]:
    """The prizes of a row's places: what its people have together, or play off for."""
    return tuple(prizes[place - 1] if place <= len(prizes) else 0 for place in _places(row))


def resolve(before: Standing, played: Standing) -> Standing:
    """Put the end of a play-off in the place of the equals who had to play it.

    `played` is the end of the play-off by `advance`, with the places at stake, or by `award`, with
    `row_prizes` their row. Whoever is still equal plays again. One who was disqualified meanwhile
    has no place: rank the session again without them first.
    """
    who = {person for row in played.places for person in row.people}
    rows, found = list[PlaceRow](), False
    for row in before.places:
        if not (row.at_stake and set(row.people) == who):
            rows.append(row)
            continue
        found, ahead = True, row.from_ - 1
        rows += [replace(new, from_=new.from_ + ahead, to=new.to + ahead) for new in played.places]
    if not found:
        raise MalformedError("those who played are not those who had to")
    through = {*before.through, *played.through}
    by_rank = (person for row in rows for person in row.people)
    return Standing(tuple(rows), tuple(person for person in by_rank if person in through))


def prizes_over(standing: Standing, prizes: Sequence[int]) -> int:
    """Cents of the prizes for which there is no player."""
    return sum(prizes[sum(len(row.people) for row in standing.places) :])


def give_prizes_over(standing: Standing, prizes: Sequence[int], rules: EndRules) -> Standing:
    """Where the whole pool must be paid out, give what is over to the last placed
    [act-2015:15.21]; elsewhere the conditions decide, and it stays over.
    """
    over = prizes_over(standing, prizes)
    if rules.prize_left != "last-placed" or not over or not standing.places:
        return standing
    row = standing.places[-1]
    if row.each_cents is None:
        return standing
    total = row.each_cents * len(row.people) - row.added_cents + over
    each, added = shares(total, len(row.people))
    clauses = (*row.clauses, rules.prize_left_clause)
    last = replace(row, each_cents=each, added_cents=added, clauses=clauses)
    return replace(standing, places=(*standing.places[:-1], last))


def shares(cents: int, people: int) -> tuple[int, int]:
    """Divide prizes equally: each share, up to the cent, and what the operator adds for that.

    >>> shares(1000, 3)
    (334, 2)
    """
    each = -(-cents // people)
    return each, each * people - cents


def play_off_coups(card: Card) -> int:
    """How many coups are played off: the face value of a card, ace 1, pictures 10 as a ten has
    [tas-2018:16.8.3].

    >>> [play_off_coups(Card(card)) for card in ("Ac", "9d", "Th", "Ks")]
    [1, 9, 10, 10]
    """
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card.rank) or int(card.rank)


def wild_cards(chips: Mapping[str, int], places: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Rank players of different tables by chips alone, where the conditions have wild cards: those
    who are through, and the equals among whom lots are drawn for what is left.

    >>> wild_cards({"A": 900, "B": 400, "C": 400}, 2)
    (('A',), ('B', 'C'))
    """
    standing = advance(Ended(chips), places, EndRules())
    return standing.through, standing.contested


def ends_under(rules: EndRules, level: Literal["play-off", "more-rounds"]) -> EndRules:
    """How sessions end where the document leaves it to conditions, which say what equals do:
    those out together share, and if nobody is left they play with new chips.
    """
    if rules.equal_at_end != "conditions":
        return rules
    return replace(rules, equal_at_end=level, out_together="share", all_out="new-chips")


def _ranked(ended: Ended) -> Iterator[tuple[int, _Group]]:
    """Every group of equals with its first place, best first."""
    first = 1
    for group in _groups(ended):
        yield first, group
        first += len(group.people)


def _groups(ended: Ended) -> Iterator[_Group]:
    if both := sorted(ended.chips.keys() & ended.out.keys()):
        raise MalformedError(f"{both[0]} cannot hold chips and be out")
    chips = {who: cents for who, cents in ended.chips.items() if who not in ended.gone}
    out = {who: coup for who, coup in ended.out.items() if who not in ended.gone}
    nobody_holds = not any(chips.values())
    if ended.all_below and chips:
        yield _Group(tuple(sorted(chips)), How.CHIPS, empty=True, all_left=True)
    else:
        for cents, people in _equals(chips):
            empty = cents == 0
            yield _Group(people, How.CHIPS, empty, empty and nobody_holds)
    for place, (_, people) in enumerate(_equals(out)):
        yield _Group(people, How.COUP, empty=True, all_left=not chips and place == 0)


def _equals(worth: Mapping[str, int]) -> list[tuple[int, tuple[str, ...]]]:
    """People by what they are worth, most first, and then by name."""
    order = sorted(worth, key=lambda who: (-worth[who], who))
    return [(amount, tuple(people)) for amount, people in groupby(order, worth.__getitem__)]


def _row(first: int, group: _Group, rules: EndRules) -> PlaceRow:
    last = first + len(group.people) - 1
    return PlaceRow(first, last, group.people, group.by, 0, 0, (rules.ranked,))


def _places(row: PlaceRow) -> range:
    return range(row.from_, row.to + 1)


def _awarded(row: PlaceRow, group: _Group, prizes: Sequence[int], rules: EndRules) -> PlaceRow:
    theirs = row_prizes(row, prizes)
    shared = group.empty and not group.all_left and rules.out_together == "share"
    if len(set(theirs)) == 1 and not (shared and any(theirs) and len(theirs) > 1):
        return replace(row, each_cents=theirs[0])
    if shared:
        each, added = shares(sum(theirs), len(theirs))
        by = (rules.out_clause,)
        return replace(row, how=How.SHARED, each_cents=each, added_cents=added, clauses=by)
    how, clauses = _to_come(group, rules)
    at_stake = sum(1 for prize in theirs if prize)
    return replace(row, how=how, each_cents=None, clauses=clauses, at_stake=at_stake)


def _to_come(group: _Group, rules: EndRules) -> tuple[How, tuple[str, ...]]:
    """What equals have to do for what only some of them can have."""
    if group.all_left:
        how = How.NEW_CHIPS if rules.all_out == "new-chips" else How.RULING
        if how is How.NEW_CHIPS and group.by is How.CHIPS:  # never out: the session was over
            return how, (rules.equal_clause,)
        return how, (rules.all_out_clause,)
    if rules.equal_at_end == "play-off":
        return How.PLAY_OFF, (rules.equal_clause,)
    if rules.equal_at_end == "more-rounds" and not group.empty:
        return How.MORE_ROUNDS, (rules.equal_clause,)
    return How.RULING, (rules.ranked,)
