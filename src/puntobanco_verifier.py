#!/usr/bin/env python3
"""Check an exported stream, or a whole competition, by itself.

    python3 puntobanco_verifier.py FILE          check it; exit with 0, or 1 and the first fault
    python3 puntobanco_verifier.py --tell FILE   and print a line for each row: who asked for what
    python3 puntobanco_verifier.py --shoe FILE   check the file of one of the house's own shoes
    python3 puntobanco_verifier.py --receipt FILE   and the way from a receipt's row to its root

FILE may also be an archive of a house: each of its streams is checked, and every root on record is
made again from all of them. What streams say of one another, codes and roles it leaves alone.
Archives that go on from one another are named together, the first one first; of one that goes on
from another, by itself, links and roots are checked, and that is said.

One file of plain Python that imports nothing of the program it checks. It follows the hash chain
and, of a table, works out from the rule set in the file and from each command what must have
happened: every card, point, result, payout, reversal, void, reduction and correction must come
out as it is on record. No chip comes from nowhere, and every commitment is opened. Of the cage it
works out accounts, trays, slips and pots; of the register who was enrolled and had which role; of
the stream `house` it checks the links. Of a competition it works out entries, draws, sessions,
places, prizes and refunds, and holds what its tables were told, what came of them, and its pot at
the cage against its own rows.

Rows from before commands were kept are checked for links, results, points, payouts, reversals,
commitments and conservation.

It does not check: whether a person was allowed to ask (their roles are told, not judged by the
register), whether a rule would have refused the command, the clauses that are cited, the times
at which clocks ran out, whether the conditions of a competition are sound, and advice to give up a
seat. Whole rows removed from the end, or a whole history made anew, show only against a hash that
was noted elsewhere.
"""

import hashlib
import json
import lzma
import os
import re
import sys
import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta  # noqa: TID251  to tell times and count days
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice

FORM, SEVERAL = "puntobanco-export-1", "puntobanco-export-2"
"""An export of one stream, and of a competition with its tables and its pot."""
ARCHIVE, COMPRESSED = "puntobanco-archive-1", b"\xfd7zXZ\x00"
"""An archive: all streams of a house up to a root, compressed; and how such a file begins."""
ARCHIVE_AFTER = "puntobanco-archive-2"
"""An archive that goes on from another."""
PIECE, MOST_LINE, MOST_MEMORY = 1 << 16, 1 << 24, 1 << 28
"""Of a compressed file: the bytes read at a time, the most of a line, and the most memory."""
RECEIPT, SHORT_RECEIPT = "puntobanco-receipt-1", "puntobanco-receipt-hash-1"
ROOTS = ("heads-recorded", "root-recorded")
EDITION = 8
"""The latest edition of the program's deciders that this verifier knows."""
FIRST = "0" * 64
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Fault(Exception):
    """The first thing found wrong."""


def must(holds, what):
    if not holds:
        raise Fault(what)


# reading JSON


def read_json(text):
    """Decode JSON in which no name stands twice and every number is one."""
    return json.loads(text, object_pairs_hook=_named_once, parse_constant=_no_number)


def _named_once(pairs):
    found = dict(pairs)
    must(len(found) == len(pairs), "has a name twice in one object")
    return found


def _no_number(text):
    raise Fault(f"has {text} for a number")


def whole(value, least=0, most=10**15):
    """Is this a whole number between these? True and 1.0 are none."""
    return type(value) is int and least <= value <= most


# the chain

FIELDS = {
    "stream": str,
    "seq": int,
    "at_ms": int,
    "actor": str,
    "command_id": str,
    "command_hash": str,
    "clauses": str,
    "events": str,
    "previous": str,
}
"""The fields of a row in the order they are hashed."""


def row_hash(row):
    """The hash of a row: of its fields, each with its length before it."""
    texts = ["puntobanco-row-1", *(str(row[name]) for name in FIELDS)]
    raw = b"".join(b"%d:%b," % (len(text), text) for text in map(str.encode, texts))
    return hashlib.sha256(raw).hexdigest()


def check_link(row, stream, seq, previous):
    must(isinstance(row, dict), "is no row")
    for name, kind in FIELDS.items():
        must(type(row.get(name)) is kind, f"has no {name} that can be read")
    must(row["stream"] == stream, "belongs to another stream")
    must(row["seq"] == seq, f"is numbered {row['seq']}: a row is missing, doubled or out of place")
    must(row["previous"] == previous, "is not linked to the row before it")
    must(row.get("hash") == row_hash(row), "was changed: its hash is not that of its contents")


# comparing what is on record with what must be

CITED = ("clauses", "next_clause")
"""Fields that say by which clause something is so."""
USUAL = {
    "last": "no",
    "next_kind": "ordinary",
    "next_coup": "ordinary",
    "breakage": [0, 1],
    "repeats": 0,
    "begun": 0,
    "bank_cents": 0,
    "utc_minutes": 0,
    "row": 0,
    "starts_ms": 0,
    "taken_cents": 0,
    "play_cents": 0,
    "follows": True,
}
"""Fields that are left out of an event when they are so; others when empty, false or null."""
NEVER_LEFT_OUT = {"agrees", "absent", "down", "order", "salt"}


def plain(value):
    """A value without citations, and without the fields of an event that are as usual."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    tagged = "is" in value or "do" in value
    return {
        name: plain(item)
        for name, item in value.items()
        if name not in CITED and not (tagged and _is_usual(name, item))
    }


def _is_usual(name, value):
    if name in USUAL:
        return value == USUAL[name]
    return name not in NEVER_LEFT_OUT and (value in (None, "", [], {}) or value is False)


def written(value):
    """A value as text: True, 1 and 1.0 are three different things."""
    return json.dumps(value, sort_keys=True)


def must_agree(found, wanted):
    """Hold an event on record against the event that must have happened."""
    found, wanted = plain(found), plain(wanted)
    if written(found) == written(wanted):
        return
    kind = wanted["is"]
    must(found.get("is") == kind, f"has {shown(found.get('is'))} where {kind} must follow")
    for name in sorted(found.keys() | wanted.keys()):
        has, due = found.get(name), wanted.get(name)
        must(
            written(has) == written(due),
            f"{kind}: {name} is {shown(has)}, and must be {shown(due)}",
        )


def shown(value):
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


def event(tag, /, **facts):
    return {"is": tag, **facts}


# what follows from a command without further thought

PLAIN = """
begin-gaming-day       gaming-day-began       gaming_day
give-closing-notice    closing-notice-given   closing_ms note utc_minutes=zone
sign-on                staff-signed-on        person=actor role at_ms=now
agree-limits           limits-agreed          person limits
readmit                patron-readmitted      person note
check-cards-at-end     cards-checked-at-end   checked_by=actor missing surplus
ask-no-bet-coup        no-bet-coup-asked      person=subject
agree-no-bet-coup      no-bet-coup-agreed     person=subject
direct-no-bet-coup     no-bet-coup-directed
post-change            change-posted          notice shown_ms=now from_ms utc_minutes=zone
consent-to-change      change-consented       person=subject
drop-change            change-dropped
ask-face-down          face-down-asked        person=subject
withdraw-face-down     face-down-withdrawn    person=subject
acknowledge-face-down  face-down-acknowledged person=actor role
squeeze-card           card-shown             position person=actor
set-face-down          face-down-set          down
name-exposer           exposer-named          side person
see-indicator          indicator-seen
correct-payment        payment-corrected      person cents coup note
touched                cards-touched          person
decide-dispute         dispute-decided        number=dispute decision decided_by=actor
request-review         review-requested       number=dispute person=subject
record-incident        incident-recorded      kind note people coup photo
drop-proposal          proposal-dropped       number=proposal person=actor
ask-for-wager          wager-asked            seat until_ms utc_minutes=zone
close-window           window-closed          seat
hold-clocks            clocks-held            for_ms
open-account           account-opened         person
sell-chips             chips-sold             person table cents
redeem-chips           chips-redeemed         person table cents
open-tray              tray-opened            table cents
complete-slip          slip-completed         number person=actor
void-slip              slip-voided            number person=actor note
refund-fee             fee-refunded           competition person cents
add-to-pot             pot-added-to           competition cents
retain                 pot-retained           competition cents
name-founder           founder-named          person at_ms=now
disable                person-disabled        person note
enable                 person-enabled         person note
erase                  erasure-agreed         person
grant                  role-granted           person role table
revoke                 role-revoked           person role table
set-look               look-set               name currency felt accent
set-logo               logo-set               png
name-table             table-named            table name felt pit
set-chips              chips-set              chips
set-two-people         two-people-set         days cash_cents
set-tempo              tempo-set              table tempo
"""
"""A command, its event, and the event's fields: as in the command unless said otherwise. The
subject is the command's `person`, or else the actor.
"""
COPIED = {line.split()[0]: line.split()[1:] for line in PLAIN.strip().splitlines()}


def copied(ask, by, zone, known_as=COPIED):
    """The one event of a command of that list."""
    kind, *fields = known_as[ask["do"]]
    known = {
        "actor": by.person,
        "subject": ask.get("person") or by.person,
        "now": by.at_ms,
        "zone": zone,
    }
    facts = {}
    for field in fields:
        name, _, source = field.partition("=")
        facts[name] = known[source] if source in known else ask.get(source or name)
    yield event(kind, **facts)


# commands: who asked for what

ROLES = {
    "dealer",
    "inspector",
    "casino supervisor",
    "management representative",
    "surveillance",
    "competition director",
    "cashier",
    "auditor",
    "patron",
    "guest",
    "house",
}


class By:
    """Who gave a command, in which roles, when, and by which edition it was decided."""

    def __init__(self, person, roles, at_ms, edition):
        self.person, self.roles, self.at_ms = person, roles, at_ms
        self.edition = edition
        self.approves = False


class Commands:
    """The envelopes of a stream's rows: each fits its hash, and none is older than the last."""

    def __init__(self):
        self.ids = set()
        self.edition = 0
        self.register = 0
        self.count = 0

    def read(self, row):
        """The envelope of a row; None in a row from before commands were kept."""
        must(row["command_id"] not in self.ids, "has the command id of an earlier row")
        self.ids.add(row["command_id"])
        text = row.get("command")
        if text is None:
            must(not self.count, "has no command, though rows before it have one")
            return None
        must(isinstance(text, str), "has a command that cannot be read")
        found = hashlib.sha256(text.encode()).hexdigest()
        must(found == row["command_hash"], "has another command than its hash says")
        envelope = read_json(text)
        self._check(envelope)
        self.count += 1
        return envelope

    def _check(self, envelope):
        known = {"edition", "by", "seen", "played", "asked", "command"}
        must(set(envelope) <= known, "has a command in an unknown form")
        edition, by = envelope["edition"], envelope["by"]
        must(whole(edition, 1), "has no edition that can be read")
        must(edition <= EDITION, f"was written by a newer program (edition {edition})")
        must(edition >= self.edition, "has an older edition than the row before it")
        known = {"roles", "register", "at", "asker", "device"}
        must(set(by) <= known, "is by somebody in an unknown form")
        must(isinstance(by.get("device", ""), str), "is by a device that cannot be read")
        roles, register = by["roles"], by["register"]
        must(roles == sorted(set(roles)) and set(roles) <= ROLES, "has roles that nobody has")
        must(whole(register), "does not say by which row of the register its roles are")
        must(register >= self.register, "goes by an older row of the register than the row before")
        seen = envelope.get("seen", {})
        must(all(whole(row) for row in seen.values()), "goes by rows of no other stream")
        self._check_played(envelope)
        self._check_asked(envelope["command"], envelope.get("asked"))
        whom = by.get("asker")
        must(not whom or whom == envelope["command"].get("person"), "was asked by somebody else")
        self.edition, self.register = edition, register

    def _check_played(self, envelope):
        """What a player with limits had lost and played, beside a wager or chips bought."""
        played = envelope.get("played")
        if played is None:
            return
        tags = ("place-wager", "change-wager", "lay-wagers", "buy-in")
        must(envelope["command"]["do"] in tags, "is held against a player's limits for nothing")
        must(
            set(played) <= {"day", "day_cents", "week_cents", "minutes"}
            and isinstance(played.get("day"), str)
            and all(isinstance(v, int) for n, v in played.items() if n != "day"),
            "says what was played in an unknown form",
        )

    def _check_asked(self, command, asked):
        """What was asked is what was done, as far as the house did not fill it in."""
        must(isinstance(command["do"], str), "has no command that can be read")
        if asked is None:
            return
        filled_in = {"do", "digest", "bank_cents", "limit_cents", "day"}
        if asked["do"] == "bet-more":
            filled_in.add("cents")
        for name in asked.keys() & command.keys() - filled_in:
            same = written(asked[name]) == written(command[name])
            must(same, f"was asked with another {name} than was done")


# a stream: events on record, held against those that must follow

IN_PASSING = {
    "vacate-advised": "end-coup",
    "betting-time-over": "run-out",
    "turn-time-over": "run-out",
    "change-due": "run-out",
    "closing-due": "run-out",
}
"""Events that move nothing and are not worked out, each with the only command it comes from."""


class Stream:
    """What a stream is about; `on_…` applies an event, `do_…` yields what a command brings about.

    Each event is applied before the next is asked for, so what follows sees what went before.
    """

    no_change = frozenset()
    """Kinds of event that change nothing that is worked out here."""
    zone = 0
    """How far a table's local time is ahead of UTC."""
    old = {}  # noqa: RUF012  by kind, how an event follows without its command
    checked = {}  # noqa: RUF012  how much was worked out

    def apply(self, told):
        kind = str(told["is"])
        if kind not in self.no_change:
            handler = getattr(self, "on_" + kind.replace("-", "_"), None)
            if handler is None:
                raise Fault(f"has an event of no known kind: {shown(kind)}")
            handler(told)

    def play(self, events, ask, by):
        """Hold the events of a row against those that must follow from its command."""
        wanted = self.follows(ask, by)
        for told in events:
            kind = told["is"]
            if kind in IN_PASSING:
                must(IN_PASSING[kind] == ask["do"], f"has {kind}, which nobody asked for")
            else:
                due = next(wanted, None)
                if due is None:
                    raise Fault(f"has {shown(kind)}, which nobody asked for")
                must_agree(told, due)
            self.apply(told)
        for due in wanted:
            raise Fault(f"lacks {due['is']}, which must follow from what was asked")

    def play_old(self, events):
        """Events of a row from before commands were kept: each by what is known without it."""
        for told in events:
            follows = self.old.get(told["is"])
            if follows:
                must_agree(told, follows(self, told))
            self.apply(told)

    def follows(self, ask, by):
        if ask["do"] in COPIED:
            return copied(ask, by, self.zone)
        follows = getattr(self, "do_" + ask["do"].replace("-", "_"), None)
        must(follows is not None, f"asks for what is not known: {shown(ask['do'])}")
        return follows(ask, by)

    def check_balance(self):
        """See that nothing came from nowhere."""


# cards and hands

RANKS, SUITS = "A23456789TJQK", "cdhs"
POINTS = {rank: min(value, 10) % 10 for value, rank in enumerate(RANKS, 1)}
DECK = [rank + suit for suit in SUITS for rank in RANKS]
PAIRS = ("player-pair", "banker-pair")
UNSHARED = {"pairs": PAIRS, "side-wagers": (*PAIRS, "tie")}
"""Wagers that belong to no place, by what a rule set lets a player wager elsewhere."""
SIDES = ("player", "banker")


def points(cards):
    return sum(POINTS[card[0]] for card in cards) % 10


def pair_of(first, second):
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect"
    return "coloured" if (first[1] in "dh") == (second[1] in "dh") else "mixed"


def as_drawn(card=None, laid=None):
    """A card as a record has it: its name, unless it lies face down, and where it was laid."""
    return {"card": card, "laid": laid, "unseen": False}


class Hands:
    """The two hands that cards make in the order they left the shoe, wherever they were laid."""

    def __init__(self, drawn, play):
        self.drawn, self.play = drawn, play
        cards = [card["card"] for card in drawn]
        self.player, self.banker, rest = cards[0:4:2], cards[1:4:2], cards[4:]
        self.hidden = False
        """A face-down card must be turned before anyone knows who is owed a card."""
        self.owed = SIDES[len(cards) % 2] if len(cards) < 4 else self._third()
        while rest and self.owed and len(cards) >= 4:
            (self.player if self.owed == "player" else self.banker).append(rest.pop(0))
            self.owed = self._third()
        self.dealt = len(self.player) + len(self.banker)
        self.excess = drawn[self.dealt :]

    def _third(self):
        """The side whose third card is next, or None."""
        self.hidden = len(self.banker) == 2 and None in (*self.player[:2], *self.banker)
        if self.hidden or len(self.banker) == 3:
            return None
        player, banker = points(self.player[:2]), points(self.banker)
        if player in self.play["naturals"] or banker in self.play["naturals"]:
            return None
        if len(self.player) == 2 and player in self.play["player_draws"]:
            return "player"
        row = self.play["banker"][banker]
        cell = row[10] if len(self.player) == 2 else self._against(row, self.player[2])
        return "banker" if cell == "D" else None

    def _against(self, row, third):
        """What Banker does against Player's third card; one face down may hide it."""
        if third is not None:
            return row[POINTS[third[0]]]
        self.hidden = len(set(row[:10])) > 1
        return None if self.hidden else row[0]

    @property
    def complete(self):
        return self.owed is None and None not in self.player and None not in self.banker

    @property
    def result(self):
        if not self.complete:
            return None
        player, banker = points(self.player), points(self.banker)
        return "tie" if player == banker else "player" if player > banker else "banker"

    def given(self, index):
        """The hand that a card went to; None: it is left over."""
        if index < 4:
            return SIDES[index % 2]
        if index >= self.dealt:
            return None
        return "player" if index == 4 and len(self.player) == 3 else "banker"

    def misplaced(self):
        """Was any card of the hands laid on the other hand?"""
        sides = ((card["laid"], self.given(index)) for index, card in enumerate(self.drawn))
        return any(laid in SIDES and side and laid != side for laid, side in sides)

    def has_error(self):
        """Were the hands as laid other than the hands of the sequence, or one a card short?"""
        laid = {side: [] for side in (*SIDES, "nowhere", None)}
        for index, card in enumerate(self.drawn):
            laid[card["laid"] or self.given(index)].append(card["card"])
        return self.owed is not None or [laid[side] for side in SIDES] != [self.player, self.banker]


# wagers


def same_wager(wager, other):
    """Are these the same player's wagers on the same option of the same box?"""
    return all(wager[name] == other[name] for name in ("by", "on", "box"))


def in_time(wager):
    return wager["cents"] - wager["late_cents"]


def moved_by(line):
    """What a settled wager brought its owner; below zero, the bank."""
    return line["won_cents"] + line["returned_cents"] - line["wager"]["cents"]


LINE = ("wager", "outcome", "stake_cents", "returned_cents", "won_cents")
"""The fields of a settled wager; then odds, breakage and whether its owner is to be warned."""


def line_of(told):
    """A settled wager as a record has it, from the event that settled it."""
    line = {name: told[name] for name in LINE}
    odds, breakage = told.get("odds"), told.get("breakage", [0, 1])
    cited = told.get("clauses", [])
    line |= {"odds": odds, "breakage": breakage, "clauses": cited}
    return {**line, "warn": told.get("warn", False)}


def settled(number, line):
    return event("wager-settled", coup=number, **line)


def even_line(wager, outcome, stake):
    """The whole wager goes back and nothing is paid: a push, a void, or not taken at all."""
    line = {"wager": wager, "outcome": outcome, "stake_cents": stake}
    line |= {"returned_cents": wager["cents"], "won_cents": 0}
    return {**line, "odds": None, "breakage": [0, 1], "warn": False}


def void_line(line):
    return even_line(line["wager"], "void", line["stake_cents"])


def won_line(wager, stake, warn, odds, notice, least=0):
    """A winner is paid in whole chips; breakage is what was paid more than the exact amount."""
    paid, per = odds
    chip = notice["chip_cents"]
    up = notice["rounding"] == "up"
    chips = -(-stake * paid // (per * chip)) if up else stake * paid // (per * chip)
    won = chips * chip or least
    line = even_line(wager, "wins", stake)
    breakage = [won * per - stake * paid, per]
    return {**line, "won_cents": won, "odds": odds, "breakage": breakage, "warn": warn}


def lost_line(wager, stake, warn):
    line = even_line(wager, "loses", stake)
    return {**line, "returned_cents": wager["cents"] - stake, "warn": warn}


# a shoe and a coup


class Shoe:
    """How many cards have left a shoe, and where the marker is."""

    def __init__(self, cards, behind):
        self.cards, self.behind, self.drawn = cards, behind, 0
        self.since = None
        """Cards drawn since the marker came out; None while it is in the shoe."""
        self.extra = self.ended = False
        """The one more round that a tie grants was granted; no further coup may begin."""

    @property
    def left(self):
        return self.cards - self.drawn

    def draw(self, count=1):
        self.since, self.drawn = self.since_after(count), self.drawn + count

    def recount(self, more):
        """Count cards out that were not keyed, or back in that never left."""
        self.drawn += more
        by_count = None if self.behind is None else self.drawn - self.cards + self.behind
        if by_count is not None and self.since in (None, by_count - more):
            self.since = by_count if by_count > 0 else None
        elif self.since is not None:
            self.since = max(0, self.since + more)

    def since_after(self, count):
        """Where the marker will be after this many more cards."""
        if self.since is not None:
            return self.since + count
        before = None if self.behind is None else self.left - self.behind
        return count - before if before is not None and count > before else None

    @property
    def marker_shows(self):
        return self.since is not None or (self.behind is not None and self.left == self.behind)


class Coup:
    """A coup in play; once it is over, its record."""

    def __init__(self, opened, carried):
        self.number, self.kind = opened["number"], opened["kind"]
        self.last, self.face_down = opened.get("last", "no"), opened.get("face_down", False)
        self.takes_wagers = self.kind in ("ordinary", "free")
        self.called, self.locked, self.warned = False, not self.takes_wagers, frozenset()
        self.carried, self.begun, self.drawn = carried, 0, []
        self.wagers, self.lines, self.announced = [], [], False
        self.named, self.refused, self.held_by = {}, [], {}
        self.found = self.found_verdict = None
        self.found_by = ""
        self.barred, self.left_over, self.next_kind = "ordinary", [], "ordinary"
        self.verdict = self.result = self.notice = None
        self.extra_round = self.reopened = False
        self.forms = {}
        """Forms of secret wagers, by player."""
        self.then = None
        """What held when its bets closed: gaming day, warnings, agreed limits, places."""

    def record(self, **otherwise):
        return {**{name: getattr(self, name) for name in RECORD}, **otherwise}

    def replace(self, record):
        for name in RECORD:
            setattr(self, name, record[name])

    def line(self, wager):
        """What was settled of a wager; one that is void may have been made again."""
        lines = [line for line in self.lines if same_wager(line["wager"], wager)]
        must(lines, "goes back to what was never settled")
        return min(lines, key=lambda line: (line["outcome"] == "void", line["wager"] != wager))

    def counting(self):
        """Forms that stand for a wager: they lie, and were not sent back."""
        if not self.takes_wagers:
            return {}
        return {who: form for who, form in self.forms.items() if form["verdict"] != "sent-back"}

    def of_chips(self):
        """The lines of wagers that were laid; forms are settled after chips."""
        secret = [form["wager"] for form in self.forms.values() if form["wager"]]
        lines = []
        for line in reversed(self.lines):
            if line["wager"] in secret:
                secret.remove(line["wager"])
            else:
                lines.insert(0, line)
        return lines

    @property
    def following(self):
        """What the next coup is: by what was found, or by the card left over, if that is graver."""
        return max(self.barred, self.next_kind, key=GRAVE.index)


RECORD = (
    "number",
    "kind",
    "notice",
    "drawn",
    "verdict",
    "result",
    "lines",
    "begun",
    "extra_round",
)
"""What is kept of a coup that is over."""
OF_A_SHOE = (
    "life",
    "opening_due",
    "last_dealt",
    "shoe",
    "carried",
    "next_kind",
    "findings",
)
"""What the end of a shoe takes away, and taking that back restores."""
UNLOADED = ("shuffled", "cut")
OF_A_TABLE = ("places", "individual", "free_coups", "no_bet", "face_down", "asked_face_down")
"""What closing takes off a table, and taking that back restores."""
GRAVE = ("ordinary", "non-betting", "none-until-reshuffle")


# what each event changes at a table


CHANGING_NOTHING = """
vacate-advised patron-readmitted cut-refused cards-changed
no-bet-coup-asked no-bet-coup-agreed change-consented face-down-acknowledged card-shown
error-noted copies-exceeded dispute-decided review-requested
window-closed betting-time-over turn-time-over change-due
closing-due clocks-held form-inspected
"""


class TableState(Stream):
    """A table as far as it takes to work everything out again."""

    no_change = frozenset(CHANGING_NOTHING.split())

    def __init__(self, rulesets):
        self.rulesets, self.rules = rulesets, None
        self.edition = 0
        """Of the row that is worked out."""
        self.notice = self.opened = self.conditions = self.session = self.posted = None
        self.is_open, self.play_chips, self.closes = False, 0, False
        self.day, self.staff, self.places = "", [], {}
        self.chips, self.bank, self.bought = {}, 0, 0
        self.warned, self.individual = set(), {}
        self.shoe, self.coup, self.coup_number = None, None, 0
        self.shoe_number = 0
        self.coups, self.past = [], {}
        """Records of this shoe, and of the shoes before it since the table opened."""
        self.next_kind, self.carried = "ordinary", []
        self.voids, self.ended_shoe, self.closed = {}, None, None
        """Wagers that were in play when a coup was voided; a shoe that was ended, as it was; and
        the table when it was closed."""
        self.free_coups, self.no_bet, self.face_down = 0, False, False
        self.asked_face_down = set()
        self.proposals, self.proposal_number, self.disputes = {}, 0, 0
        self.checked = {"results": 0, "payouts": 0, "commitments": 0}
        self.bank_before = 0
        self._new_pack()
        self._new_contest()

    def _new_pack(self):
        self.set_id, self.life, self.passed, self.touched = "", "none", False, []
        self.commitment, self.opening_due, self.burn_forgotten = "", False, False
        self.words = []
        self.cut, self.burned, self.last_dealt = 0, [], []
        self.seen = Counter()
        """Cards of this shoe that have shown their faces."""
        self.between = []
        """Cards drawn between two coups, each with the number of the coup before it."""
        self.findings = []
        """What was found and bars a coup: the coup in which or after which, what, and how."""

    @property
    def handled(self):
        """Have players handled cards of this set?"""
        return self.passed or bool(self.touched)

    def _new_contest(self):
        self.puck, self.absent, self.allotted = None, set(), False
        self.drawn_seats, self.first_drawn, self.expected = {}, None, set()
        self.starts_ms = 0
        self.late, self.missed, self.jumped, self.asked = {}, set(), set(), None
        self.substitutes, self.directed, self.order_warned = {}, set(), set()
        self.hiding = set()
        self.rides, self.before, self.shoe_before, self.counted = [], 0, 0, 0
        self.to_play, self.is_last_coup, self.over, self.paused = None, False, "", ""
        self.continued, self.out, self.indicator_out = "", {}, False
        self.gone, self.cashed = {}, Counter()
        self.directors = []
        self.secrets_left, self.secrets_used, self.shown_forms = {}, {}, (0, [])

    def check_balance(self):
        lying = sum(wager["cents"] for wager in self.coup.wagers) if self.coup else 0
        held = sum(self.chips.values()) + lying
        must(held + self.bank == self.bought, "chips come from nowhere, or are gone")

    @property
    def seated(self):
        """Who sits where, in the order they sat down."""
        return {box: person for person, (box, standing) in self.places.items() if not standing}

    def hands(self, drawn=None):
        return Hands(self.coup.drawn if drawn is None else drawn, self.rules["table_of_play"])

    def record(self, number):
        """A coup that is over."""
        found = [coup for coup in self.coups if coup.number == number]
        must(found or number in self.past, f"goes back to coup {shown(number)}, which is not there")
        return found[0] if found else self.past[number]

    # opening, closing, people

    def on_table_opened(self, told):
        self.zone, self.is_open = told.get("utc_minutes", 0), True
        self.opened, self.conditions = told["opened"], told.get("conditions")
        self.session, self.play_chips = told.get("session"), told.get("play_cents", 0)
        self.rules = self.rulesets.get(self.opened["digest"])
        must(self.rules is not None, "plays by a rule set whose text is not in the file")
        self.set_notice(told["notice"])
        self.face_down = bool(self.conditions and self.conditions["face_down"])
        self.asked_face_down = set()
        self.bank_before = self.bank
        self.on_gaming_day_began(told)
        self._new_pack()
        self._new_contest()
        self.coups, self.past, self.voids = [], {}, {}
        self.ended_shoe = self.closed = None

    def set_notice(self, notice):
        must(whole(notice["seats"], 1, 14), "has a notice of no possible table")
        must(whole(notice["decks"], 1, 10) and whole(notice["chip_cents"], 1), "has no such notice")
        self.notice = notice

    def on_gaming_day_began(self, told):
        if told["gaming_day"] != self.day:
            self.warned = set()
        self.day, self.closed = told["gaming_day"], None

    def on_closing_notice_given(self, _told):
        self.closes = True

    def on_table_closed(self, _told):
        self.is_open = self.closes = False
        self.closed = {name: getattr(self, name) for name in OF_A_TABLE}
        self.places, self.individual, self.posted = {}, {}, None
        self.proposals, self.face_down, self.no_bet, self.free_coups = {}, False, False, 0
        self.asked_face_down = set()

    def on_staff_signed_on(self, told):
        self.staff.append((told["person"], told["role"]))

    def on_staff_signed_off(self, told):
        self.staff = [duty for duty in self.staff if duty[0] != told["person"]]

    def on_patron_sat(self, told):
        self.place(told["person"], told["seat"], standing=False)

    def on_patron_stood(self, told):
        self.place(told["person"], told["box"], standing=True)

    def place(self, person, box, *, standing):
        must(standing or box not in self.seated, "seats somebody where another sits")
        self.places.pop(person, None)
        self.places[person] = (box, standing)
        self.no_bet = False

    def on_patron_left(self, told):
        person = told["person"]
        self.places.pop(person, None)
        self.individual.pop(person, None)
        if not self.chips.get(person):
            self.chips.pop(person, None)

    on_seat_vacated = on_patron_left

    def on_limits_agreed(self, told):
        self.individual.pop(told["person"], None)
        if told.get("limits"):
            self.individual[told["person"]] = told["limits"]

    def on_patron_excluded(self, told):
        self.places.pop(told["person"], None)

    def on_warning_given(self, told):
        self.warned.add(told["person"])

    def on_warning_withdrawn(self, told):
        self.warned.discard(told["person"])

    def on_change_posted(self, told):
        self.posted = told["notice"]

    def on_change_dropped(self, _told):
        self.posted = None

    def on_notice_changed(self, told):
        self.set_notice(told["notice"])
        self.posted = None

    def on_dispute_raised(self, _told):
        self.disputes += 1

    # chips

    def move(self, person, cents):
        self.chips[person] = self.chips.get(person, 0) + cents

    def spend(self, person, cents):
        must(cents <= 0 or cents <= self.chips.get(person, 0), "spends chips nobody has")
        self.move(person, -cents)

    def on_chips_bought(self, told):
        must(whole(told["cents"], 1), "buys no chips at all")
        self.move(told["person"], told["cents"])
        self.bought += told["cents"]

    def on_chips_cashed(self, told):
        must(whole(told["cents"], 1), "cashes no chips at all")
        person = told["person"]
        self.spend(person, told["cents"])
        self.bought -= told["cents"]
        if self.over:  # what was won in a session is its result, cashed or not
            self.cashed[person] += told["cents"]
        if not self.chips[person] and person not in self.places:
            del self.chips[person]

    def on_play_chips_given(self, told):
        must(self.play_chips and whole(told["cents"], 1), "gives play chips where none are played")
        self.move(told["person"], told["cents"])
        self.bought += told["cents"]

    def on_play_chips_returned(self, told):
        must(self.play_chips and whole(told["cents"], 1), "gives back what are no play chips")
        self.spend(told["person"], told["cents"])
        self.bought -= told["cents"]

    def on_chips_allotted(self, told):
        self.allotted = True
        for person in told["people"]:
            self.move(person, told["cents"])
            self.bought += told["cents"]

    def on_chips_collected(self, told):
        must(told["chips"] == self.chips, "collects other chips than were there")
        won = told.get("bank_cents", 0)
        self.bought -= sum(self.chips.values()) + won
        self.bank -= won
        self.chips = {}

    def on_absence_marked(self, told):
        (self.absent.add if told["absent"] else self.absent.discard)(told["person"])
        self.directed.discard(told["person"])
        if told.get("missed"):
            self.missed.add(told["person"])

    def on_absence_deducted(self, told):
        self.spend(told["person"], told["cents"])
        self.bank += told["cents"]

    def on_player_eliminated(self, told):
        if told.get("coup"):
            self.out[told["person"]] = (told["coup"], told["left_over_cents"])
            self.leaves_play(told)
            return
        left = self.chips.pop(told["person"], 0)
        must(left == told["left_over_cents"], "eliminates a player with other chips than they had")
        self.bought -= left
        self.places.pop(told["person"], None)

    def leaves_play(self, told):
        """Competition chips go back; money stays its owner's, out of play."""
        held = self.chips.get(told["person"], 0)
        must(held == told["left_over_cents"], "eliminates a player with other chips than they had")
        if told["kept_by"] == "operator":
            self.chips.pop(told["person"], None)
            self.bought -= held
        self.places.pop(told["person"], None)

    def on_earlier_coup_voided(self, told):
        """A coup of a session that falls does not count."""
        self.voids[told["number"]] = told.get("wagers", [])
        if self.drawn_seats and told["number"] > self.before:
            self.counted -= self.record(told["number"]).takes_wagers

    def on_player_removed(self, told):
        self.gone[told["person"]] = told["why"]
        self.expected.discard(told["person"])
        self.leaves_play(told)

    def on_session_began(self, told):
        self.allotted, self.drawn_seats = (
            True,
            {int(box): who for box, who in told["seats"].items()},
        )
        self.first_drawn, self.expected = told.get("first_seat"), set(self.drawn_seats.values())
        self.starts_ms = told.get("starts_ms", 0)
        self.before, self.shoe_before = self.coup_number, self.shoe_number
        self.places = {who: (box, False) for box, who in self.drawn_seats.items()}
        if secrets := (self.session or {}).get("secrets"):
            self.secrets_left = dict.fromkeys(self.places, secrets)
        for who in self.places if told["cents"] else ():
            self.move(who, told["cents"])
            self.bought += told["cents"]

    def on_directors_noted(self, told):
        self.directors = told["people"]

    def on_seat_taken(self, told):
        self.expected.discard(told["person"])
        if told.get("missed"):
            self.missed.add(told["person"])
            self.late.setdefault(told["person"], 0)

    def on_lateness_deducted(self, told):
        self.late[told["person"]] = told["coups"]
        self.on_absence_deducted(told)

    def on_substitute_named(self, told):
        self.substitutes.pop(told["person"], None)
        if told["substitute"]:
            self.substitutes[told["person"]] = told["substitute"]
        self.absent.discard(told["person"])
        self.directed.discard(told["person"])

    def on_direction_given(self, told):
        if told.get("person"):
            self.directed.add(told["person"])

    def on_incident_recorded(self, told):
        if told["kind"] == "chips-hidden" and self.session:
            self.hiding |= set(told["people"])
            self.directed -= set(told["people"])

    def on_order_warning_given(self, told):
        self.order_warned.add(told["person"])

    def on_last_coup_declared(self, _told):
        self.is_last_coup = True

    def on_session_ended(self, told):
        self.over, self.is_last_coup, self.paused = told["why"], False, ""

    def on_session_continued(self, told):
        self.over, self.continued, self.to_play = "", told["session"], told.get("coups", 1)
        self.places = {who: at for who, at in self.places.items() if who in told["people"]}
        self.places |= {who: (int(box), False) for box, who in told.get("seats", {}).items()}
        self.drawn_seats = {box: who for who, (box, _) in self.places.items()}
        self.out, self.gone, self.counted, self.before = {}, {}, 0, self.coup_number

    def came_to(self):
        """What the session has come to, by entrant; wagers that lie count as held."""
        held = {
            who: self.chips.get(who, 0) + self.cashed[who]
            for who in self.drawn_seats.values()
            if who not in self.out and who not in self.gone
        }
        for wager in self.coup.wagers if self.coup else ():
            if wager["by"] in held:
                held[wager["by"]] += wager["cents"]
        out = {who: coup for who, (coup, _) in self.out.items()}
        left = {who: number for who, number in self.secrets_left.items() if who in held}
        facts = {"chips": held, "out": out, "gone": self.gone, "secrets_left": left}
        facts |= {"limits": self.notice["limits"], "puck": self.puck}
        facts = {name: value for name, value in facts.items() if value not in ({}, None)}
        name = self.continued or self.session["id"]
        return {"session": name, "why": self.over, "coups": self.counted, **facts}

    def stands(self):
        """The session as it stands between two coups, whole."""
        finished = self.shoe_number - self.shoe_before - (self.shoe is not None)
        held = {who: self.chips.get(who, 0) for who in self.places}
        rides = [wager for wager in self.rides if wager["by"] in self.places]
        facts = {
            "tie_limits": self.notice["tie_limits"], "puck": self.puck,
            "first_seat": self.first_drawn, "starts_ms": self.starts_ms, "coups": self.counted,
            "dealt": self.coup_number - self.before, "shoes": max(0, finished),
            "to_play": self.to_play, "last": self.is_last_coup, "continued": self.continued,
            "expected": sorted(self.expected), "absent": sorted(self.absent),
            "directed": sorted(self.directed), "hiding": sorted(self.hiding),
            "order_warned": sorted(self.order_warned), "late": self.late,
            "substitutes": self.substitutes, "gone": self.gone,
            "out": {who: coup for who, (coup, _) in self.out.items()},
            "left_over": {who: left for who, (_, left) in self.out.items()},
            "secrets_left": self.secrets_left, "indicator_out": self.indicator_out, "rides": rides,
        }  # fmt: skip
        facts = {name: value for name, value in facts.items() if value}
        seats = {str(box): who for box, who in self.drawn_seats.items()}
        name = self.continued or self.session["id"]
        always = {"session": name, "seats": seats, "chips": held, "limits": self.notice["limits"]}
        return {**always, **facts}

    def on_session_handed_over(self, _told):
        held = {who: self.chips.pop(who, 0) for who in self.places}
        self.bought -= sum(held.values())
        self.over, self.is_last_coup, self.paused, self.places = "moved", False, "", {}
        self.expected, self.absent = set(), set()

    def on_session_taken_over(self, told):
        """Coups and shoes are counted on from where it stood."""
        stood = told["standing"]
        self.allotted = True
        self.drawn_seats = {int(box): who for box, who in stood["seats"].items()}
        self.first_drawn, self.starts_ms = stood.get("first_seat"), stood.get("starts_ms", 0)
        self.puck, self.to_play = stood.get("puck"), stood.get("to_play")
        for name in ("expected", "absent", "directed", "hiding", "order_warned"):
            setattr(self, name, set(stood.get(name, ())))
        for name in ("late", "substitutes", "gone", "secrets_left"):
            setattr(self, name, dict(stood.get(name, {})))
        left = stood.get("left_over", {})
        self.out = {who: (coup, left[who]) for who, coup in stood.get("out", {}).items()}
        self.indicator_out, self.rides = stood.get("indicator_out", False), stood.get("rides", [])
        self.before = self.coup_number - stood.get("dealt", 0)
        self.shoe_before = self.shoe_number - (self.shoe is not None) - stood.get("shoes", 0)
        self.counted, self.is_last_coup = stood.get("coups", 0), stood.get("last", False)
        self.continued = stood.get("continued", "")
        away = {*self.out, *self.gone}
        seats = self.drawn_seats.items()
        self.places = {who: (box, False) for box, who in seats if who not in away}
        for who, cents in stood["chips"].items():
            self.move(who, cents)
            self.bought += cents

    def on_session_paused(self, told):
        self.paused = told["why"]

    def on_session_resumed(self, _told):
        self.paused = ""

    def on_coups_drawn(self, told):
        self.between.append((self.coup_number, as_drawn(told["card"], None)))
        self.see_anew([], [told["card"]])
        self.shoe.draw()
        self.to_play = told["coups"]

    def on_chips_corrected(self, told):
        self.bank -= told["cents"] - told["was_cents"]
        self.chips[told["person"]] = told["cents"]

    def on_player_reinstated(self, told):
        self.out.pop(told["person"], None)
        if self.conditions["chips"] == "competition":
            self.move(told["person"], told["cents"])
            self.bought += told["cents"]
        self.places[told["person"]] = (told["seat"], False)

    def on_wager_asked(self, told):
        self.asked = told["seat"]

    def on_indicator_seen(self, _told):
        self.indicator_out = True

    def on_puck_moved(self, told):
        self.puck = told["seat"]

    def on_payment_corrected(self, told):
        self.pay(told["person"], told["cents"])

    def pay(self, person, cents):
        """Chips from the bank to a person; below zero, the other way."""
        self.move(person, cents)
        self.bank -= cents

    # wagers

    def lying(self, wager):
        """The wager of this player on this option of this box."""
        found = [lying for lying in self.coup.wagers if same_wager(lying, wager)]
        must(found, "is about a wager that does not lie")
        return found[0]

    def on_wager_placed(self, told):
        wager = told["wager"]
        must(whole(wager["cents"], 1), "lays no chips at all")
        lies = any(same_wager(lying, wager) for lying in self.coup.wagers)
        must(not lies, "lays a wager that lies already")
        self.spend(wager["by"], wager["cents"])
        self.coup.wagers.append(wager)
        if told.get("out_of_turn"):
            self.jumped.add(wager["box"])

    def on_wager_changed(self, told):
        wager, was = told["wager"], self.lying(told["wager"])
        self.spend(wager["by"], wager["cents"] - was["cents"])
        self.coup.wagers[self.coup.wagers.index(was)] = wager

    on_wager_reduced = on_wager_made_up = on_wager_changed

    def on_wager_withdrawn(self, told):
        if told["wager"]["withdrawn"]:  # too late: it still wins or loses
            self.on_wager_changed(told)
            return
        was = self.lying(told["wager"])
        must(was == told["wager"], "withdraws another wager than lies there")
        self.coup.wagers.remove(was)
        self.move(was["by"], was["cents"])

    # secret wagers

    def on_secret_lodged(self, told):
        before = self.coup.forms.get(told["person"], {"returned": 0})
        form = {"seat": told["seat"], "commitment": told["commitment"], "verdict": ""}
        form |= {"returned": before["returned"], "announced": False, "wager": None, "due": 0}
        self.coup.forms[told["person"]] = form

    def on_secret_examined(self, told):
        form = self.coup.forms[told["person"]]
        form["verdict"] = told["verdict"]
        form["returned"] += told["verdict"] == "sent-back"

    def on_secret_announced(self, told):
        person, wager = told["person"], told.get("wager")
        form = self.coup.forms[person]
        form |= {"announced": True, "wager": wager, "due": told.get("taken_cents", 0)}
        self.secrets_left[person] = self.secrets_left.get(person, 0) - 1
        self.secrets_used.setdefault(told["coup"], {})[person] = 0
        coup, people = self.shown_forms
        self.shown_forms = told["coup"], [*(people if coup == told["coup"] else []), person]
        if wager:
            self.spend(person, wager["cents"])
            self.coup.wagers.append(wager)
        self.checked["commitments"] += 1

    def on_secret_deducted(self, told):
        self.coup.forms[told["person"]]["due"] -= told["cents"]
        self.secrets_used[told["coup"]][told["person"]] += told["cents"]
        self.on_absence_deducted(told)

    def on_secret_lapsed(self, told):
        person = told["person"]
        if self.coup and self.coup.number == told["coup"]:
            self.coup.forms.pop(person, None)
        taken = self.secrets_used.get(told["coup"], {}).pop(person, None)
        if taken is not None:
            self.secrets_left[person] += 1
        self.pay(person, told.get("cents", 0))

    def on_no_more_bets_called(self, _told):
        must(not self.coup.called, "calls no more bets twice")
        self.coup.called = True

    def on_bets_locked(self, _told):
        self.coup.locked, self.coup.warned = True, frozenset(self.warned)
        self.coup.then = self.now()

    def now(self):
        """What holds for wagers whose bets close now."""
        return self.day, frozenset(self.warned), dict(self.individual), dict(self.places)

    def on_coup_not_dealt(self, told):
        coup = self.coup
        must(coup and not coup.drawn and not coup.wagers, "leaves a coup undealt that was not")
        if told.get("next_kind") == "none-until-reshuffle":
            self.shoe.ended = True
        self.coup, self.carried = None, told.get("carried", [])
        self.next_kind = told.get("next_kind", "ordinary")
        self.free_coups += coup.kind == "free"
        self.drop_proposals("void-coup", "void-wagers", "rule-on", "report-irregularity")

    def on_free_coups_allowed(self, told):
        coup, more = self.coup, told["coups"]
        if coup and not coup.locked and coup.kind == "ordinary":
            coup.kind, more = "free", more - 1
        self.free_coups += more

    def on_no_bet_coup_directed(self, _told):
        self.no_bet = True

    # the shoe

    def must_be(self, *lives):
        """Cards are checked, shuffled, cut and loaded, in this order."""
        must(self.life in lives, f"does with the cards what cannot be: they are {self.life}")

    def on_cards_checked(self, told):
        self.must_be("none", "checked", *([] if self.commitment else ["shuffled", "cut"]))
        self.life = "none" if told.get("missing") or told.get("surplus") else "checked"
        if told["set_id"] != self.set_id:
            self.passed, self.touched = False, []
        self.set_id, self.ended_shoe = told["set_id"], None

    def on_cards_shuffled(self, told):
        self.must_be("checked", *(["shuffled", "cut"] if told.get("again") else []))
        self.life, self.burned, self.burn_forgotten = "shuffled", [], False
        self.seen = Counter()
        self.between = []
        self.commitment, self.opening_due = told.get("commitment", ""), False
        self.ended_shoe, self.words = None, []

    def on_words_added(self, told):
        self.must_be("shuffled")
        must(self.commitment, "adds words to an order that nobody is bound to")
        self.words.append((told["person"], told["words"]))

    def on_cards_cut(self, told):
        self.must_be("shuffled")
        self.life, self.cut = "cut", told["depth"]

    def on_shoe_loaded(self, told):
        must(whole(told["cards"], 1, 520), "loads a shoe of no possible size")
        self.must_be("cut")
        self.shoe_number += 1
        self.life, self.shoe = "loaded", Shoe(told["cards"], told.get("behind"))
        self.past |= {coup.number: coup for coup in self.coups}
        self.coups, self.next_kind, self.carried = [], "ordinary", []
        self.findings = []

    def on_cards_burned(self, told):
        must(whole(told["face_down"], 0, 520), "burns cards nobody has")
        exposed = [told["exposed"]] if told.get("exposed") else []
        gone = exposed + [None] * told["face_down"]
        self.burned += gone
        self.seen.update(exposed)
        self.shoe.draw(len(gone))

    def on_cards_checked_at_end(self, told):
        self.ended_shoe = None
        if told.get("missing") or told.get("surplus"):
            self.life = "none"

    def on_shoe_ended(self, told):
        must(self.shoe and not self.coup, "ends a shoe where none can end")
        self.ended_shoe = {name: getattr(self, name) for name in OF_A_SHOE}
        self.life = "none" if told.get("set_retired") else "checked"
        self.opening_due, self.last_dealt = bool(self.commitment), self.seen_cards()
        self.shoe, self.carried, self.next_kind = None, [], "ordinary"
        self.findings = []
        self.drop_proposals("correct-marker", "correct-burn", "end-shoe", "close-table")
        self.drop_proposals("correct-finding", "correct-excess")

    def seen_cards(self):
        """What this shoe has given, in order, as far as anyone saw it."""
        drawn = [card for _, _, card in self.in_order()]
        return [card for card in (*self.burned, *drawn) if card]

    def in_order(self):
        """Every card after the burn as it left the shoe: coup, place (0: after it), card."""
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        places = [(number, 99, 0, card["card"]) for number, card in self.between]
        for coup in coups:
            dealt = enumerate(coup.drawn[coup.begun :], coup.begun + 1)
            places += [(coup.number, at, at, card["card"]) for at, card in dealt]
        places.sort(key=lambda place: place[:2])
        return [(number, at, card) for number, _, at, card in places]

    def unused(self):
        """Has the house committed to cards that came into no shoe before their table closed?"""
        return not self.is_open and bool(self.commitment) and self.life in UNLOADED

    def on_commitment_opened(self, told):
        self.life = "checked" if self.life in UNLOADED else self.life
        self.opening_due, self.ended_shoe = False, None
        self.checked["commitments"] += told.get("fault") != "never opened"

    def on_cards_touched(self, told):
        self.touched = [*self.touched, told["person"]]

    def on_marker_seen(self, _told):
        self.shoe.since = 0

    # a coup

    def on_face_down_asked(self, told):
        self.asked_face_down.add(told["person"])

    def on_face_down_withdrawn(self, told):
        must(told["person"] in self.asked_face_down, "takes back what nobody asked for")
        self.asked_face_down.remove(told["person"])

    on_face_down_lapsed = on_face_down_withdrawn

    def lapsed_requests(self):
        """Whoever asked to turn the cards, and has no wager as bets are locked."""
        bet = {wager["by"] for wager in self.coup.wagers} | set(self.coup.forms)
        ends = self.edition >= 4 and self.coup.takes_wagers
        for person in sorted(self.asked_face_down - bet) if ends else ():
            yield event("face-down-lapsed", person=person)

    def on_face_down_set(self, told):
        self.face_down = told["down"]
        if not told["down"]:
            self.asked_face_down = set()
        if self.coup and not self.coup.drawn:
            self.coup.face_down = told["down"]

    def on_coup_opened(self, told):
        must(self.coup is None and self.shoe, "opens a coup where none can be")
        self.coup, self.coup_number = Coup(told, self.carried), told["number"]
        self.carried, self.next_kind = [], "ordinary"
        self.missed, self.jumped, self.asked = set(), set(), None
        self.drop_proposals("report-irregularity")
        self.no_bet = self.no_bet and self.coup.kind == "non-betting"
        self.free_coups -= self.coup.kind == "free"
        self.coup.then = None if self.coup.takes_wagers else self.now()

    def on_card_drawn(self, told):
        self.coup.drawn.append(as_drawn(told.get("card"), told.get("laid")))
        self.see_anew([], [told.get("card")])
        self.shoe.draw()

    def see_anew(self, was, now):
        """Cards that were on record as seen, and those that truly were."""
        self.seen.subtract(card for card in was if card)
        self.seen.update(card for card in now if card)
        self.seen = +self.seen

    def on_excess_card_drawn(self, told):
        void = self.coup and self.coup.verdict == "void"
        middle = self.coup and self.coup.drawn and not void
        must(not middle, "draws a card between coups in the middle of one")
        card = as_drawn(told.get("card"), told.get("laid"))
        self.between.append((self.coup_number - bool(self.coup and not void), card))
        self.see_anew([], [told.get("card")])
        self.shoe.draw()

    def on_carried_dealt(self, told):
        must(self.coup.carried, "deals a card left over where there is none")
        self.coup.drawn.append(as_drawn(told.get("card")))
        self.see_anew([], [told.get("card")] if told.get("named") else [])
        self.coup.carried = self.coup.carried[1:]
        self.coup.begun += 1

    def on_carried_turned(self, told):
        """It has its name where it was drawn, too; the ruling that follows has it in line."""
        self.see_anew([], [told["card"]])
        last, where = self.last_dealt_coup(), []
        if last and last.verdict != "void":
            own = len(last.drawn) - len(self.hands(last.drawn).excess)
            where = [(last.drawn, at) for at in range(own, len(last.drawn))]
        first = last.number if last else 0
        where += [(None, at) for at, card in enumerate(self.between) if card[0] >= first]
        left, place = iter(where), None
        for card in self.standing()[1][: told["position"]]:
            fits = (
                (drawn, at)
                for drawn, at in left
                if card == (self.between[at][1] if drawn is None else drawn[at])
            )
            place = next(fits, None)
            if place is None:
                return
        drawn, at = place
        if drawn is None:
            number, card = self.between[at]
            self.between[at] = (number, {**card, "card": told["card"]})
        else:
            last.drawn = [*drawn[:at], {**drawn[at], "card": told["card"]}, *drawn[at + 1 :]]

    def on_card_turned(self, told):
        index = told["position"] - 1
        must(0 <= index < len(self.coup.drawn), "turns a card that is not there")
        self.coup.drawn[index] = {**self.coup.drawn[index], "card": told["card"]}
        self.see_anew([], [told["card"]])
        hands = self.hands()
        down = {"player": None in hands.player, "banker": None in hands.banker}
        self.coup.held_by = {
            side: person for side, person in self.coup.held_by.items() if down[side]
        }

    def on_exposer_named(self, told):
        self.coup.named[told["side"]] = told["person"]

    def on_cards_passed(self, told):
        self.coup.held_by[told["side"]] = told["person"]
        self.passed = True

    def on_cards_refused(self, told):
        self.coup.refused.append((told["side"], told["person"]))
        self.coup.held_by.pop(told["side"], None)

    def on_points_announced(self, _told):
        self.coup.announced = True

    def on_last_coup_announced(self, told):
        self.coup.last = told["last"]

    def on_result_declared(self, told):
        self.coup.verdict, self.coup.result = "stands", told["result"]
        self.checked["results"] += 1

    def on_wager_settled(self, told):
        line = line_of(told)
        wager = line["wager"]
        if self.coup and self.coup.number == told["coup"]:
            self.lying(wager)
            must(wager in self.coup.wagers, "settles another wager than lies there")
            self.coup.wagers.remove(wager)
            self.coup.lines.append(line)
            self.move(wager["by"], wager["cents"])
        self.pay(wager["by"], moved_by(line))
        self.checked["payouts"] += 1

    def on_coup_ended(self, told):
        coup = self.coup
        coup.notice, coup.extra_round = self.notice, self.shoe.extra
        if coup.drawn:
            self.shoe.ended, self.shoe.extra = self.end_of_coup(coup.result)
        if told.get("next_kind") == "none-until-reshuffle":
            self.shoe.ended = True
        self.coups.append(coup)
        self.keep_riding(coup)
        self.coup, self.carried = None, told.get("carried", [])
        self.next_kind = told.get("next_kind", "ordinary")
        self.drop_proposals("void-coup", "void-wagers", "rule-on", "report-irregularity")

    def end_of_coup(self, result):
        """Whether the shoe has ended with a coup, and whether a tie granted one more round."""
        rule, shoe = self.rules["shoe"]["last_coup"], self.shoe
        if rule["rule"] == "cards-after-marker":
            ended = (shoe.since or 0) >= rule["cards"]
        elif rule["rule"] == "cards-left":
            ended = shoe.left < self.fewest()
        else:
            ended = shoe.since is not None
            if ended and rule.get("extra_after_tie") and result == "tie" and not shoe.extra:
                return shoe.ended, True
        return shoe.ended or ended, shoe.extra

    def fewest(self):
        """How few cards may begin a coup where only the cards left decide."""
        behind = self.notice["behind_marker"] or self.rules["shoe"].get("marker", {}).get("behind")
        return max(self.rules["shoe"]["least_to_start"]["least"], behind or 0)

    # rulings and corrections

    def on_irregularity_ruled(self, told):
        coup, then = self.coup, told.get("next_coup", "ordinary")
        self.burn_forgotten = self.burn_forgotten or told["found"] == "burn-forgotten"
        if told["found"] != "cards-out-of-order" and then != "ordinary":
            self.findings.append((self.coup_number, told["found"], then))
        if coup is None:
            self.carried = self.carried + told.get("carried", [])
            self.next_kind = max(self.next_kind, then, key=GRAVE.index)
            if self.shoe and then == "none-until-reshuffle":
                self.shoe.ended = True
        elif told["found"] == "cards-out-of-order":
            coup.left_over, coup.next_kind = told.get("carried", []), then
        else:
            coup.barred = max(coup.barred, then, key=GRAVE.index)

    def on_ruling_awaited(self, told):
        self.coup.found, self.coup.found_verdict = told["found"], told["verdict"]
        self.coup.found_by = told.get("person", "")

    def on_ruling_given(self, _told):
        self.coup.found = self.coup.found_verdict = None
        self.drop_proposals("rule-on")

    def on_coup_voided(self, _told):
        coup = self.coup
        settled_then = [line["wager"] for line in coup.lines if line["outcome"] != "void"]
        self.voids[coup.number] = settled_then + coup.wagers
        self.warned -= {line["wager"]["by"] for line in coup.lines if line["warn"]} - coup.warned
        seen = coup.kind == "non-betting" and (coup.carried or not coup.drawn)
        coup.verdict, coup.result, coup.locked = "void", None, True
        coup.left_over, coup.next_kind = coup.carried, "non-betting" if seen else "ordinary"
        coup.carried, coup.held_by, coup.found, coup.found_verdict = [], {}, None, None

    def on_taken_back(self, told):
        getattr(self, "back_" + told["what"].replace("-", "_"))(told)

    def back_no_bet_coup(self, _told):
        self.no_bet, coup = False, self.coup
        if coup and coup.kind == "no-bet":
            coup.kind, coup.takes_wagers, coup.locked, coup.then = "ordinary", True, False, None

    def back_touched(self, told):
        person = told.get("person", "")
        self.touched = [who for who in self.touched if person not in ("", who)]

    def back_end_shoe(self, _told):
        for name, value in self.ended_shoe.items():
            setattr(self, name, value)
        self.ended_shoe = None

    def back_close_table(self, _told):
        on_duty = [person for person, _ in self.staff]
        for name, value in self.closed.items():
            setattr(self, name, value)
        for theirs in ("places", "individual"):
            kept = {who: own for who, own in self.closed[theirs].items() if who not in on_duty}
            setattr(self, theirs, kept)
        self.is_open, self.closed = True, None

    def back_closing_notice(self, _told):
        self.closes = False

    def back_wagers_void(self, _told):
        """Each wager is corrected by an event of its own."""

    def back_void(self, told):
        """Its cards count again; what it was void for bars no coup, unless it is of the shoe."""
        coup = self.coup
        self.voids.pop(told["coup"], None)
        if not coup or coup.number != told["coup"]:
            return
        of_shoe = ("face-up-in-shoe", "shoe-disturbed")
        self.findings = [
            found for found in self.findings if found[0] != coup.number or found[1] in of_shoe
        ]
        own = [found[2] for found in self.findings if found[0] == coup.number]
        coup.barred = max(["ordinary", *own], key=GRAVE.index)
        coup.carried, coup.announced = coup.left_over, False
        coup.left_over, coup.next_kind = [], "ordinary"
        by_call = coup.called and self.rules["wagers"]["close"].get("at") == "no-more-bets"
        coup.locked = bool(coup.drawn) or not coup.takes_wagers or by_call

    def on_transfer_reversed(self, told):
        live = self.coup and self.coup.number == told["coup"]
        coup = self.coup if live else self.record(told["coup"])
        line = coup.line(told["wager"])
        self.pay(told["wager"]["by"], told["to_owner_cents"])
        coup.lines = [void_line(kept) if kept is line else kept for kept in coup.lines]

    def on_coup_reopened(self, told):
        coup, back = self.coup, told.get("wagers", [])
        for wager in back:
            self.move(wager["by"], -wager["cents"])
        coup.wagers += back
        coup.lines = [line for line in coup.lines if line["wager"] not in back]
        coup.verdict = coup.result = None
        coup.left_over, coup.next_kind, coup.reopened = [], "ordinary", True

    def on_card_corrected(self, told):
        coup = self.coup
        self.carried = renamed(self.carried, told)
        numbers = [past.number for past in self.coups] + [coup.number if coup else 0]
        if told["coup"] in numbers and self.seen[told["was"]]:
            self.see_anew([told["was"]], [told["card"]])
        if not coup or coup.number != told["coup"]:
            if coup:
                coup.carried = renamed(coup.carried, told)
            coup = self.record(told["coup"])
        cards = with_card(coup.drawn, told)
        coup.announced, coup.drawn = self.still_said(coup, cards), cards

    def still_said(self, coup, cards):
        """From edition 8 on points are announced anew only where the first four cards change."""
        was, now = ([card["card"] for card in drawn[:4]] for drawn in (coup.drawn, cards))
        return self.edition >= 8 and coup.announced and was == now

    def on_cards_corrected(self, told):
        live = self.coup and self.coup.number == told["coup"]
        coup = self.coup if live else self.record(told["coup"])
        was, now = ([card["card"] for card in told[name]] for name in ("was", "cards"))
        if live:
            taken = len(coup.carried) if now else 0
            was = was + [card["card"] for card in coup.carried[:taken]]
            coup.announced = self.still_said(coup, told["cards"])
            coup.carried = coup.carried[taken:]
            coup.begun = min(coup.begun + taken, len(now))
            by_call = coup.called and self.rules["wagers"]["close"].get("at") == "no-more-bets"
            coup.locked = bool(now) or not coup.takes_wagers or by_call
        if live or (coup in self.coups and not told.get("shuffled")):
            self.see_anew(was, now)
            if self.shoe:
                self.shoe.recount(len(now) - len(was))
        coup.drawn = told["cards"]

    def on_shoe_recounted(self, told):
        """The count as it is told; cards that no coup before had left over are the coup's own."""
        self.shoe.drawn, self.shoe.since = told["drawn"], told.get("since_marker")
        if told.get("goes_on"):
            self.shoe.ended, self.shoe.extra = False, self.coups[-1].extra_round
        if told.get("ends"):
            self.shoe.ended = True
        number, begun, again = told.get("coup"), told.get("begun", 0), told.get("again", [])
        coup = self.coup
        if coup and coup.number == number:
            short = len(coup.drawn) == begun
            coup.begun, coup.carried = begun, (again if short else []) + coup.carried
        for past in self.coups:
            past.begun = begun if past.number == number else past.begun
        live = [*coup.carried, *coup.drawn] if coup else []
        drawn = [card for past in self.coups for card in past.drawn]
        on_record = Counter(card["card"] for card in drawn + live)
        for card in (card["card"] for card in again):
            if card and self.seen[card] < on_record[card]:
                self.seen[card] += 1

    def on_next_coup_ruled(self, told):
        coup, then = self.coup, told["next_kind"]
        if coup:
            coup.carried = told.get("carried", [])
            if "non-betting" in (then, coup.kind):
                coup.kind = "non-betting" if then == "non-betting" else "ordinary"
                coup.takes_wagers = coup.kind == "ordinary"
                coup.locked = not coup.takes_wagers
                coup.then = None if coup.takes_wagers else self.now()
            return
        self.next_kind, self.carried = then, told.get("carried", [])
        if then == "none-until-reshuffle":
            self.shoe.ended = True
        elif self.coups:
            self.ended_anew(self.coups[-1])
        else:
            self.shoe.ended = False

    def ended_anew(self, coup):
        """Whether the shoe has ended with its last coup, as that stands now."""
        self.shoe.ended, self.shoe.extra = False, coup.extra_round
        if coup.drawn:
            self.shoe.ended, self.shoe.extra = self.end_of_coup(coup.result)

    def on_wager_corrected(self, told):
        coup, wager = self.coup, told["wager"]
        if not coup or coup.number != told["coup"]:
            return
        if not coup.takes_wagers:
            coup.kind, coup.takes_wagers, coup.warned = "ordinary", True, coup.then[1]
        lay = [other for other in coup.wagers if same_wager(other, wager)]
        coup.wagers = [other for other in coup.wagers if other not in lay]
        coup.wagers += [wager] if wager["cents"] else []
        others = [line for line in coup.lines if not same_wager(line["wager"], wager)]
        coup.lines = others + told.get("void", [])
        self.move(wager["by"], sum(other["cents"] for other in lay) - wager["cents"])

    def on_burn_corrected(self, told):
        exposed = [told["exposed"]] if told.get("exposed") else []
        made = exposed + [None] * told["face_down"]
        self.see_anew(self.burned, made)
        self.shoe.recount(len(made) - len(self.burned))
        self.burned = made

    def is_to_come(self):
        """Is the next coup still without a card, opened or not?"""
        return not self.coup or (not self.coup.drawn and self.coup.verdict is None)

    def since_card(self):
        """The coup of the last card that was dealt to one, or the one that is void without."""
        if self.coup and not self.is_to_come():
            return self.coup.number
        return max((coup.number for coup in self.coups if coup.drawn), default=0)

    def in_force(self):
        """What was found since then, and bars the coup to come."""
        return [found for found in self.findings if found[0] >= self.since_card()]

    def on_finding_corrected(self, told):
        gone = [found for found in self.in_force() if found[1] == told["found"]]
        self.findings = [found for found in self.findings if found not in gone]
        if self.coup:
            left = [found[2] for found in self.findings if found[0] == self.coup.number]
            self.coup.barred = max(["ordinary", *left], key=GRAVE.index)

    def on_excess_corrected(self, told):
        number, was, now = told["coup"], told["was"], told["cards"]
        began, begins = self.dealt_on(number, now)
        live = self.coup
        if live and live.drawn and live is self.next_dealt(number):
            self.still_to_deal(live, told, began, begins)
        self.between = (
            [kept for kept in self.between if kept[0] < number]
            + [(number, card) for card in now]
            + [kept for kept in self.between if kept[0] > number]
        )
        gone, come = was + begins, now + began
        self.see_anew([card["card"] for card in gone], [card["card"] for card in come])
        self.shoe.recount(len(now) - len(was))

    def next_dealt(self, number):
        """The first coup after this number that has a card."""
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        later = [coup for coup in coups if coup.number > number and coup.drawn]
        return later[0] if later else None

    def beginning(self, cards):
        """Those of some cards in excess that begin a coup while the marker is in the shoe."""
        kept = self.notice["leftover"] == "first-of-next"
        return [
            card for card in cards if kept or self.excess_policy(card)["next"] != "by-conditions"
        ]

    def ahead(self, number, after):
        """How many cards began a coup before those that were drawn after this number."""
        earlier = [past for past in self.coups if past.number < after.number and past.drawn]
        last = earlier[-1] if earlier else None
        own = self.hands(last.drawn).excess if last and last.verdict != "void" else []
        first = last.number if last else 0
        between = [card for at, card in self.between if first <= at < number]
        return len(self.beginning([*own, *between]))

    def dealt_on(self, number, now):
        """Of the cards drawn after a coup, those with which the next began: before, and now."""
        after = self.next_dealt(number)
        if after is None:
            return [], []
        was = self.beginning([card for at, card in self.between if at == number])
        then = self.beginning(now)
        began = min(len(was), max(0, after.begun - self.ahead(number, after)))
        still = min(began, len(then))
        if len(then) > began:
            for card, dealt in zip(then[began:], after.drawn[after.begun :], strict=False):
                if card["card"] is None or card["card"] != dealt["card"]:
                    break
                still += 1
        return was[:began], then[:still]

    def still_to_deal(self, coup, told, began, begins):
        """Cards left over that the coup in play has not dealt yet, as they are known now."""
        was = self.beginning(told["was"])[len(began) :]
        then = self.beginning(told["cards"])[len(begins) :]
        at = max(0, self.ahead(told["coup"], coup) + len(began) - coup.begun)
        rest = coup.carried[at:]
        if rest and rest[: len(was)] == was:
            coup.carried = coup.carried[:at] + then + rest[len(was) :]

    def on_marker_corrected(self, _told):
        shoe = self.shoe
        shoe.since = None
        if shoe.behind is not None and shoe.left <= shoe.behind:
            shoe.behind = None
        if self.coups and not self.coup and self.next_kind != "none-until-reshuffle":
            self.ended_anew(self.coups[-1])
        if self.coup:
            self.coup.last = "no"

    def on_record_replaced(self, told):
        record = told["record"]
        coup = self.record(record["number"])
        coup.replace(record)
        if not self.coups or coup is not self.coups[-1] or self.coup:
            return
        if self.shoe and coup.drawn and self.next_kind != "none-until-reshuffle":
            self.ended_anew(coup)
        if coup.verdict == "void":
            self.carried, self.next_kind = [], "ordinary"

    def on_proposed(self, told):
        self.proposals[told["number"]] = (told["ask"], told["person"])
        self.proposal_number = told["number"]

    def on_approved(self, told):
        must(told["number"] in self.proposals, "is about a proposal that is not there")
        del self.proposals[told["number"]]

    on_proposal_dropped = on_approved

    def drop_proposals(self, *commands):
        kept = {
            key: proposal
            for key, proposal in self.proposals.items()
            if proposal[0]["do"] not in commands
        }
        self.proposals = kept


def with_card(drawn, told):
    """The cards of a coup, with the right one where another was keyed."""
    index = told["position"] - 1
    must(0 <= index < len(drawn), "corrects a card that is not there")
    return [*drawn[:index], {**drawn[index], "card": told["card"]}, *drawn[index + 1 :]]


def renamed(carried, told):
    """Cards left over, where one that was keyed wrong has its right name."""
    for index, card in enumerate(carried):
        if told.get("left_over") and card["card"] == told["was"]:
            return [*carried[:index], {**card, "card": told["card"]}, *carried[index + 1 :]]
    return carried


# what must follow from a command at a table

OVERSEERS = {"inspector", "casino supervisor"}
BY_TWO = {
    "change-cards",
    "correct-chips",
    "reinstate",
    "rule-on",
    "void-coup",
    "void-wagers",
    "void-earlier",
    "correct-card",
    "correct-coup",
    "correct-wager",
    "correct-burn",
    "correct-marker",
    "correct-finding",
    "correct-excess",
    "correct-payment",
    "take-back",
}
"""Commands that one person proposes and another approves."""


OF_COUP = {"correct-card", "correct-coup", "correct-wager", "void-wagers", "void-earlier"}
OF_COUP |= {"correct-finding", "correct-excess", "take-back"}
"""Commands that put a coup right, or one player's wagers in it, or what came after it."""
COUNTS = OF_COUP | {"correct-burn"}
"""Commands after which the count of the shoe may say something else of it."""


class Table(TableState):
    """What must follow from each command, by the rule set and the table as it is."""

    def follows(self, ask, by):
        """What needs a second person is proposed, with the transfers it would undo."""
        self.edition = by.edition
        for player, acts in self.substitutes.items():
            if acts == by.person:  # a substitute acts as the player, and from edition 8 on no more
                plays = by.edition < 8 or set(by.roles) & {"patron", "guest"}
                must(plays, "has a substitute do what no player could")
                by.person = player
        alone = not self.takes_back(ask, by) and not self.skips(ask)
        if ask["do"] not in BY_TWO and alone and not self.unplayed(ask, by):
            return self.followed(ask, by)
        would = self.followed(ask, by)
        undone = [told for told in would if told["is"] == "transfer-reversed"]
        facts = {"ask": ask, "person": by.person, "affected": undone}
        return iter([event("proposed", number=self.proposal_number + 1, **facts)])

    def followed(self, ask, by):
        """What a command brings about, and how the shoe stands after a correction."""
        shoe = self.shoe
        before = shoe and (shoe.drawn, shoe.since)
        went_on = False
        for told in self.marker_kept(ask, by):
            went_on = went_on or bool(told.get("goes_on"))
            yield told
        moved = before and self.shoe and before != (shoe.drawn, shoe.since)
        if self.edition >= 4 and ask["do"] in COUNTS and moved and not went_on:
            yield from self.by_count(ask)
        if self.edition >= 8 and ask["do"] in COUNTS and not went_on:
            yield from self.last_after_all()

    def by_count(self, ask):
        """Whether the shoe has ended, by a count that was put right after its last coup."""
        shoe, coup, dealt = self.shoe, self.coup, [past for past in self.coups if past.drawn]
        between = ask["do"] == "correct-excess"
        if not dealt or (coup and (coup.drawn or coup.verdict is not None or between)):
            return
        last = dealt[-1]
        ended = not self.marker_since(last) and self.would_end(last, last.result, 0)[0]
        facts = {"drawn": shoe.drawn, "since_marker": shoe.since}
        if ended and not shoe.ended:
            if coup:
                kind = max(coup.barred, self.standing()[0], key=GRAVE.index)
                yield from self.give_back()
                yield from self.lapsed(coup)
                kept = {"next_kind": kind, "carried": coup.carried, "shoe_over": True}
                yield event("coup-not-dealt", number=coup.number, **kept)
            yield event("shoe-recounted", ends=True, **facts)
        elif shoe.ended and not ended and not coup and self.next_kind != GRAVE[-1]:
            yield event("shoe-recounted", goes_on=True, **facts)

    def last_after_all(self):
        """A coup is not certain to be the last, which cards keyed wrong had made it."""
        coup = self.coup
        if not coup or coup.verdict is not None or coup.last == "no":
            return
        hands = self.hands()
        to_come = max(4 - len(coup.drawn) - len(coup.carried), 1 if hands.owed else 0)
        if not hands.excess and self.last_coup(to_come) == "no":
            yield event("last-coup-announced", last="no")

    def marker_kept(self, ask, by):
        """What a command brings about; a marker that came after the last coup ends no shoe."""
        dealt = [coup for coup in self.coups if coup.drawn]
        puts_right = self.edition >= 3 and ask["do"] in OF_COUP and not self.coup
        in_shoe = self.shoe and self.shoe.since is None and not self.shoe.ended
        after = puts_right and dealt and (in_shoe or self.marker_since(dealt[-1]))
        yield from super().follows(ask, by)
        if not after:
            return
        shoe, found = self.shoe, (self.shoe.ended, self.shoe.extra)
        shoe.ended, shoe.extra = False, dealt[-1].extra_round
        goes_on = found != (shoe.ended, shoe.extra) and self.marker_since(dealt[-1])
        shoe.ended, shoe.extra = found
        if goes_on:
            facts = {"drawn": shoe.drawn, "since_marker": shoe.since, "goes_on": True}
            yield event("shoe-recounted", **facts)

    def marker_since(self, coup):
        """Has the marker come out only after the last coup, by whose round the shoe ends?"""
        shoe = self.shoe
        if not shoe or shoe.since is None:
            return False
        by_round = self.rules["shoe"]["last_coup"]["rule"] == "round-of-marker"
        since = sum(number >= coup.number for number, _ in self.between)
        went_on = not shoe.ended and shoe.extra == coup.extra_round
        return by_round and went_on and shoe.since <= since

    def skips(self, ask):
        """Would the shoe end instead of the non-betting coup that is ordered?"""
        ends = ask["do"] == "end-shoe" and self.edition >= 2
        ends = ends or (ask["do"] == "close-table" and self.edition >= 4)
        if not ends or not self.shoe or (self.over and self.edition >= 4):
            return False
        goes_on = self.shoe.left >= self.rules["shoe"]["least_to_start"]["least"]
        return self.next_kind == "non-betting" and not self.shoe.ended and goes_on

    def unplayed(self, ask, by):
        """Would one of the house's own shoes end of which no coup was dealt? Two people do it."""
        ends = ask["do"] in ("end-shoe", "close-table") and "house" not in by.roles
        own = by.edition >= 7 and bool(self.commitment)
        if not ends or not own or self.over:
            return False
        if not self.shoe:
            return self.life in UNLOADED
        goes_on = self.shoe.left >= self.rules["shoe"]["least_to_start"]["least"]
        on_record = by.edition >= 8 or (goes_on and not self.shoe.ended)
        return on_record and not any(coup.drawn for coup in self.coups)

    def takes_back(self, ask, by):
        """Would a report void a coup whose result was declared? From edition 2 on two people do."""
        if ask["do"] != "report-irregularity" or by.edition < 2:
            return False
        would = [told["is"] for told in self.followed(ask, by)]
        coup = self.coup
        paid = by.edition >= 3 and coup is not None and coup.lines
        short = ask["found"] == "insufficient-cards" and bool(self.shoe)
        counted = short and by.edition >= 4 and self.suffices()
        if by.edition < 4:
            short = short and self.shoe.left < len(DECK)
        paid = counted or (paid and not short)
        declared = coup is not None and (coup.verdict == "stands" or coup.reopened or paid)
        return "earlier-coup-voided" in would or (declared and "coup-voided" in would)

    def do_approve(self, ask, by):
        number = ask["proposal"]
        must(number in self.proposals, "approves a proposal that is not there")
        proposed, person = self.proposals[number]
        must(person != by.person, "has one person propose and approve")
        yield event("approved", number=number, person=by.person)
        if proposed["do"] == "change-cards":
            pair = [person, by.person]
            yield event("cards-changed", cards=proposed["cards"], checked_by=pair)
        else:
            by.approves = True
            yield from self.followed(proposed, by)

    def suffices(self):
        """Can the coup in play be finished by the count, whatever its cards will be?"""
        coup = self.coup
        dealt = len(coup.drawn)
        third = 1 if dealt >= 4 and self.hands().owed == "banker" else 2
        return self.shoe.left + len(coup.carried) >= max(0, 4 - dealt) + third

    def do_change_cards(self, ask, by):
        yield event("cards-changed", cards=ask["cards"], checked_by=[by.person, by.person])

    # opening and closing, people

    def do_open_table(self, ask, by):
        yield from self.never_opened(by)
        digest = ask.get("digest")
        must(digest in self.rulesets, "opens by a rule set whose text is not in the file")
        document = self.rulesets[digest]["document"]
        if by.edition >= 3:
            contest, session = ask.get("conditions"), ask.get("session")
            only = self.rulesets[digest].get("competition", {}).get("only")
            must(contest or not only, "opens a tournament's table for no competition")
            must(
                (contest is None) == (session is None), "opens a competition's table for no session"
            )
        dated = document.get("dated", True)
        opened = {
            "reference": document["reference"],
            "digest": digest,
            "effective": document.get("effective", "") if dated else ask.get("effective", ""),
            "replaces": document.get("replaces", ""),
            "machines": ask.get("machines", {}),
        }
        opened |= {key: ask.get(key, "") for key in ("shoe", "shoe_approval", "backs", "hours")}
        yield event(
            "table-opened",
            notice=ask["notice"],
            gaming_day=ask["gaming_day"],
            opened=opened,
            conditions=ask.get("conditions"),
            opened_by=by.person,
            utc_minutes=ask.get("utc_minutes", 0),
            source=document.get("fingerprint", ""),
            session=ask.get("session"),
            play_cents=self.play_asked_for(ask),
        )

    def play_asked_for(self, ask):
        """Play chips that everybody is given: enough for a wager, in whole chips."""
        cents, notice = ask.get("play_cents", 0), ask["notice"]
        if cents:
            must(not ask.get("conditions"), "plays a competition for play money")
            enough = whole(cents, notice["limits"]["min_cents"])
            must(enough and not cents % notice["chip_cents"], "gives play chips of no use")
            must(not any(self.chips.values()), "opens for play money while chips are held")
        return cents

    def do_sit(self, ask, by):
        yield from self.comes(ask, by, "patron-sat", "seat")

    def do_stand_at(self, ask, by):
        yield from self.comes(ask, by, "patron-stood", "box")

    def comes(self, ask, by, kind, place):
        """Whoever comes to a table for play money has its play chips before them."""
        person = ask.get("person") or by.person
        more = self.play_chips - self.chips.get(person, 0)
        comes = person not in self.places
        yield event(kind, person=person, **{place: ask[place]})
        if comes and more > 0 and self.play_chips:
            yield event("play-chips-given", person=person, cents=more)

    def do_leave(self, ask, by):
        person = ask.get("person") or by.person
        has = self.chips.get(person, 0) if self.play_chips else 0
        if has:
            kind = "play-chips-returned" if has > 0 else "play-chips-given"
            yield event(kind, person=person, cents=abs(has))
        yield event("patron-left", person=person)

    def do_buy_in(self, ask, _by):
        must(not self.play_chips, "sells chips where play chips are given")
        yield event("chips-bought", person=ask["person"], cents=ask["cents"])

    def do_cash_out(self, ask, _by):
        must(not self.play_chips, "pays money for play chips")
        yield event("chips-cashed", person=ask["person"], cents=ask["cents"])

    def never_opened(self, by):
        if self.opening_due or (by.edition >= 7 and self.unused()):
            yield event("commitment-opened", order=[], salt="", agrees=False, fault="never opened")

    def do_close_table(self, ask, by):
        if self.shoe:
            yield from self.do_end_shoe(ask, by)
        if self.play_chips or (self.conditions and self.conditions["chips"] == "competition"):
            won = self.bank - self.bank_before if by.edition >= 2 else 0
            if self.chips or won:
                facts = {"bank_cents": won, "play": bool(self.play_chips)}
                yield event("chips-collected", chips=dict(self.chips), **facts)
        yield event("table-closed", note=ask.get("note"))

    def do_sign_off(self, ask, by):
        person = ask.get("person") or by.person
        roles = [role for holder, role in self.staff if holder == person]
        must(roles, "signs off somebody who is not on duty")
        wanted = {duty["role"] for duty in self.rules["staff"]} if self.rules else set()
        if self.rules and self.conditions:
            wanted.add("competition director")
        others = [holder for holder, role in self.staff if role == roles[0] and holder != person]
        gap = self.coup is not None and roles[0] in wanted and not others
        yield event("staff-signed-off", person=person, role=roles[0], gap=gap)

    def do_exclude(self, ask, _by):
        if self.coup and not self.coup.locked:
            yield from self.give_back(ask["person"])
        yield event("patron-excluded", person=ask["person"], note=ask["note"])

    def do_require_vacate(self, ask, _by):
        must(ask["seat"] in self.seated, "vacates a seat where nobody sits")
        facts = {"person": self.seated[ask["seat"]], "until_asked": self.edition >= 2}
        yield event("seat-vacated", seat=ask["seat"], **facts)

    def do_allow_free_coups(self, ask, by):
        by_player = self.rules["wagers"]["free_coups"].get("asked_by_player")
        asked_by = ask.get("asked_by") if by_player else by.person
        yield event("free-coups-allowed", coups=ask["coups"], asked_by=asked_by)

    def do_apply_change(self, _ask, _by):
        must(self.posted is not None, "changes the notice though no change was posted")
        new = self.posted
        fields = [name for name in new if written(new[name]) != written(self.notice.get(name))]
        yield event("notice-changed", notice=new, fields=fields)

    def do_raise_dispute(self, ask, by):
        person = ask.get("person") or by.person
        facts = {"person": person, "about": ask["about"], "coup": ask.get("coup")}
        yield event("dispute-raised", number=self.disputes + 1, **facts)

    def do_run_out(self, _ask, _by):
        yield from ()

    # the shoe

    def do_check_cards(self, ask, by):
        facts = {name: ask.get(name) for name in ("set_id", "player", "missing", "surplus")}
        decks, lot = self.notice["decks"], ask.get("prechecked_lot")
        yield event("cards-checked", decks=decks, checked_by=by.person, lot=lot, **facts)

    def do_shuffle(self, ask, by):
        yield from self.never_opened(by)
        machine = ask.get("machine", "")
        approval = self.opened["machines"][machine] if machine else ""
        facts = {"machine": machine, "approval": approval, "commitment": ask.get("commitment")}
        again = by.edition >= 4 and self.life in ("shuffled", "cut")
        committed = again and (self.commitment or ask.get("commitment"))
        must(not committed, "shuffles again what somebody is bound to")
        yield event("cards-shuffled", shuffled_by=by.person, again=again, **facts)

    def do_add_words(self, ask, by):
        seats = [seat for seat, person in self.seated.items() if person == by.person]
        must(seats, "has somebody add words who does not sit there")
        must(by.person not in dict(self.words), "has somebody add words twice")
        yield event("words-added", person=by.person, seat=seats[0], words=ask["words"])

    def do_refuse_cut(self, ask, _by):
        yield event("cut-refused", seat=ask["seat"], person=self.seated[ask["seat"]])

    def do_cut_cards(self, ask, by):
        seat = ask.get("seat")
        person = by.person if seat is None else self.seated[seat]
        yield event("cards-cut", depth=ask["depth"], person=person, seat=seat)

    def do_load_shoe(self, ask, _by):
        rules, behind = self.rules["shoe"], ask.get("behind")
        if behind is None and rules.get("marker", {}).get("exact"):
            behind = rules["marker"]["behind"]
        rear = None
        if ask.get("indicator"):  # where conditions bring it in, it lies as Tasmania has it
            may = rules.get("indicator") or (self.conditions and self.way("indicator") == "yes")
            must(may, "puts an indicator card in where there is none")
            rear = rules.get("indicator", {}).get("decks_from_rear", 2) * 52
        cards = self.notice["decks"] * 52
        facts = {"cards": cards, "behind": behind, "indicator_behind": rear}
        yield event("shoe-loaded", shoe=self.opened["shoe"], **facts)

    def do_burn_cards(self, ask, _by):
        yield event("cards-burned", face_down=ask.get("face_down", 0), exposed=ask.get("exposed"))
        yield from self.exceeded([ask.get("exposed")])

    def exceeded(self, cards):
        """Cards of which more are on record than the set holds."""
        for card in dict.fromkeys(cards):
            if card and self.seen[card] > self.notice["decks"]:
                yield event("copies-exceeded", card=card, copies=self.seen[card])

    def do_end_shoe(self, ask, _by):
        retired = self.handled and "handled_replaced" in self.rules["cards"]
        repeats = longest_repeat(self.last_dealt, self.seen_cards())
        yield event("shoe-ended", set_retired=retired, note=ask.get("note"), repeats=repeats)

    def do_open_commitment(self, ask, _by):
        must(self.opening_due or self.unused(), "opens a commitment where none is due")
        order, salt = ask["order"], ask["salt"]
        fault = self.order_fault(order, salt)
        yield event("commitment-opened", order=order, salt=salt, agrees=not fault, fault=fault)

    def order_fault(self, order, salt):
        """What is wrong with an order that is shown for a commitment; nothing if it agrees."""
        text = f"{salt} {' '.join(order)}"
        if hashlib.sha256(text.encode()).hexdigest() != self.commitment:
            return "not what was committed to"
        if Counter(order) != Counter(DECK * self.notice["decks"]):
            return "not the full set of cards"
        if self.life in UNLOADED:
            return ""
        cards = mixed(order, self.commitment, [words for _, words in self.words])
        cards = cards[self.cut :] + cards[: self.cut]
        if self.burned and self.burned[0] not in (None, cards[0]):
            return "the burned card was another"
        for at, (number, position, card) in enumerate(self.in_order(), len(self.burned)):
            if card not in (None, *cards[at : at + 1]):
                place = f"card {position} of coup" if position else "a card after coup"
                return f"{place} {number} was another"
        return ""

    # betting

    def do_open_coup(self, ask, by):
        rules, kind = self.rules["wagers"], "ordinary"
        if self.next_kind == "non-betting":
            kind = "non-betting"
        elif self.no_bet and "no_bet_coups" in rules:
            kind = "no-bet"
        elif self.free_coups and "free_coups" in rules:
            kind = "free"
        takes = kind in ("ordinary", "free")
        self.check_ready()
        last = self.last_coup(4 - len(self.carried))
        until = ask.get("until_ms") if takes else None
        facts = {"kind": kind, "last": last, "face_down": self.face_down, "until_ms": until}
        if self.conditions and by.edition >= 3:
            yield from self.before_coup()
            if self.over:
                return
        riding = self.riding() if takes else []
        yield from self.renewed()
        yield event("coup-opened", number=self.coup_number + 1, **facts)
        if self.conditions:
            laid = by.edition < 4 or self.ordered()  # before edition 4 it lay where all bet at once
            if laid and self.puck is None:
                yield event("puck-moved", seat=self.first_seat())
            riding = [wager for wager in riding if self.chips.get(wager["by"], 0) >= wager["cents"]]
            for wager in riding:
                yield event("wager-placed", wager=wager)

    def renewed(self):
        """Play chips that have run out are renewed before the next coup."""
        least = self.notice["limits"]["min_cents"]
        for person in self.places if self.play_chips else ():
            has = self.chips.get(person, 0)
            if has < least:
                yield event("play-chips-given", person=person, cents=self.play_chips - has)

    def check_ready(self):
        """The shoe goes on, everyone is on duty whom the rules want, and the burn is done."""
        must(self.shoe and not self.shoe.ended, "opens a coup from a shoe that has ended")
        self.check_staff("opens a coup")
        if self.notice["burn"] and not self.coups and not self.burn_forgotten:
            first = self.burned[0] if self.burned else None
            due = 1 + (POINTS[first[0]] or 10) if first else 1
            must(len(self.burned) >= due, "opens a coup before the cards are burned")

    def check_staff(self, does):
        wanted = {duty["role"] for duty in self.rules["staff"]}
        if self.conditions and not self.directors:
            wanted |= {"competition director"}
        missing = sorted(wanted - {role for _, role in self.staff})
        must(not missing, f"{does} without {', '.join(missing)}")

    def last_coup(self, to_come):
        """Is this coup the last of the shoe, at least this many cards being still to come?"""
        rule, since = self.rules["shoe"]["last_coup"], self.shoe.since_after(to_come)
        if rule["rule"] == "cards-after-marker":
            return "yes" if (since or 0) >= rule["cards"] else "no"
        if rule["rule"] == "cards-left":
            return "yes" if self.shoe.left - to_come < self.fewest() else "no"
        if since is None:
            return "no"
        return "unless-tie" if rule.get("extra_after_tie") and not self.shoe.extra else "yes"

    def do_place_wager(self, ask, by):
        coup, person = self.coup, ask.get("person") or by.person
        must(coup and coup.takes_wagers and coup.verdict is None, "bets where no bets are taken")
        must(person in self.places, "bets for somebody who is not at the table")
        box, standing = self.places[person]
        elsewhere = self.rules["wagers"].get("box", {}).get("elsewhere", "nothing")
        free = elsewhere == "anything" or ask["on"] in UNSHARED.get(elsewhere, ())
        own = box == ask["box"] or (free and not self.conditions)
        must(own, "bets on another box than the player's own")
        void = self.declared_void() if self.conditions else ()
        must(ask["box"] not in void, "bets again though the wager was declared void")
        wager = {"box": ask["box"], "on": ask["on"], "cents": ask["cents"], "by": person}
        wager |= {"standing": standing, "late_cents": ask["cents"] if coup.locked else 0}
        wager |= {"withdrawn": False, "reduced": False}
        called = coup.called and by.edition >= 3  # then only if a form was sent back
        early = bool(self.conditions) and not coup.locked and not called and self.is_early(wager)
        yield event("wager-placed", wager=wager, out_of_turn=early)
        warns = self.rules["competition"].get("session", {}).get("order_warning")
        if early and by.edition >= 3 and warns and person not in self.order_warned:
            yield event("order-warning-given", person=person)

    def own_wager(self, ask, by):
        """The wager a command is about, as it lies."""
        person = ask.get("person") or by.person
        must(self.coup and self.coup.verdict is None, "changes a wager where no bets are taken")
        return self.lying({"by": person, "on": ask["on"], "box": ask["box"]})

    def do_change_wager(self, ask, by):
        was, cents = self.own_wager(ask, by), ask["cents"]
        if self.coup.locked and cents < was["cents"]:
            yield event("wager-withdrawn", wager={**was, "withdrawn": True})
            return
        late = was["late_cents"] + (cents - was["cents"] if self.coup.locked else 0)
        cut_back = was["reduced"] and self.coup.locked and by.edition >= 2
        wager = {**was, "cents": cents, "reduced": cut_back, "late_cents": late}
        early = self.conditions and by.edition >= 3 and not self.coup.locked and self.rode(was)
        out = bool(early) and not self.may_alter(was["box"])
        yield event("wager-changed", wager=wager, out_of_turn=out)

    def do_withdraw_wager(self, ask, by):
        was = self.own_wager(ask, by)
        gone = {**was, "withdrawn": True} if self.coup.locked else was
        yield event("wager-withdrawn", wager=gone)

    def do_lay_wagers(self, ask, by):
        """What is taken back, changed and placed, one after another as if each were asked for."""
        must(self.coup and by.person in self.places, "lays wagers where no bets are taken")
        box, _ = self.places[by.person]
        lie = {
            wager["on"]: wager["cents"]
            for wager in self.coup.wagers
            if (wager["by"], wager["box"]) == (by.person, box)
        }
        wanted = {stake["on"]: stake["cents"] for stake in ask.get("wagers", [])}
        must(len(wanted) == len(ask.get("wagers", [])), "lays two wagers on one option")
        changed = [on for on in wanted if on in lie and wanted[on] != lie[on]]
        must(lie != wanted, "lays wagers that lie so already")
        for on in lie:
            if on not in wanted:
                yield from self.do_withdraw_wager({"box": box, "on": on}, by)
        for on in sorted(changed, key=lambda on: wanted[on] > lie[on]):
            yield from self.do_change_wager({"box": box, "on": on, "cents": wanted[on]}, by)
        for on, cents in wanted.items():
            if on not in lie:
                yield from self.do_place_wager({"box": box, "on": on, "cents": cents}, by)

    def reductions(self):
        """Wagers above the collective liability or the table differential, and what is left."""
        cuts = []
        if any(form["announced"] for form in self.coup.forms.values()):
            return cuts
        for side in SIDES:
            cuts += self.reduce_pro_rata(
                [wager for wager in self.coup.wagers if wager["on"] == side]
            )
        return cuts + self.reduce_differential()

    def reduce_pro_rata(self, laid):
        """All wagers on a hand cut to the collective liability, each down to a payable chip."""
        most, chip = self.notice["collective_liability_cents"], self.notice["chip_cents"]
        if most is None or "pro_rata" not in self.rules["limits"]:
            return []
        stakes = [in_time(wager) for wager in laid]
        if self.edition >= 2:  # what is above a wager's own maximum goes back anyhow
            stakes = [min(in_time(wager), self.limits_of(wager, self.notice)[1]) for wager in laid]
        total = sum(stakes)
        if total <= most:
            return []
        cut = [stake * most // total // chip * chip for stake in stakes]
        return list(zip(laid, cut, strict=True))

    def reduce_differential(self):
        """What must come off the heavier hand: the last placed first, each to a payable chip."""
        most, chip = self.notice["table_differential_cents"], self.notice["chip_cents"]
        on = {side: [wager for wager in self.coup.wagers if wager["on"] == side] for side in SIDES}
        gap = sum(map(in_time, on["banker"])) - sum(map(in_time, on["player"]))
        if most is None or "table_differential" not in self.rules["limits"]:
            return []
        cuts, over = [], abs(gap) - most
        for wager in reversed(on["banker" if gap > 0 else "player"]):
            if over > 0:
                left = max(0, in_time(wager) - over) // chip * chip
                cuts.append((wager, left))
                over -= in_time(wager) - left
        return cuts

    def do_reduce_wagers(self, _ask, _by):
        cuts = [(wager, left) for wager, left in self.reductions() if left < in_time(wager)]
        must(cuts, "reduces wagers where nothing is to be reduced")
        for wager, left in cuts:
            cents = left + wager["late_cents"]
            if cents:
                yield event("wager-reduced", wager={**wager, "cents": cents, "reduced": True})
            else:
                yield event("wager-withdrawn", wager=wager)

    def do_no_more_bets(self, _ask, _by):
        yield event("no-more-bets-called")
        if self.rules["wagers"]["close"]["at"] == "no-more-bets" and not self.coup.forms:
            yield from self.lock()

    def lock(self):
        over = list(dict.fromkeys(wager["on"] for wager, _ in self.reductions()))
        for wager in self.made_up() if self.conditions else []:
            if wager["on"] == "tie":  # it holds the chips that the hand wants
                yield event("wager-withdrawn", wager=wager)
            else:
                yield event("wager-made-up", wager=wager)
        wants = "free_coups" in self.rules["wagers"] and self.coup.kind == "ordinary"
        lies = self.coup.wagers or self.coup.counting()
        must(lies or not wants, "locks bets though there is no wager")
        yield event("bets-locked", unreduced=over)
        yield from self.lapsed_requests()

    def do_close_coup(self, _ask, _by):
        coup = self.coup
        must(coup and coup.takes_wagers, "closes a coup on which nobody may bet")
        must(not coup.counting(), "closes a coup though forms lie")
        if self.conditions and self.rules["competition"].get("every_coup"):
            must(not self.betting_order(), "closes a coup though a player must bet")
        facts = {"next_kind": coup.barred, "carried": coup.carried}
        yield event("coup-not-dealt", number=coup.number, **facts)

    # dealing

    def begin_dealing(self, by):
        """The first card locks the bets; from edition 2 on everyone must be there for it."""
        must(self.coup is not None, "deals where there is no coup")
        if by.edition >= 2 and not self.coup.drawn:
            self.check_staff("deals")
            looked = all(form["verdict"] for form in self.coup.counting().values())
            must(looked, "deals before every form is examined")
            must(not self.told_first() or not self.unopened(), "deals before the forms are told")
        if not self.coup.locked:
            called = self.coup.called or not self.rules["wagers"]["close"].get("call")
            must(called, "deals before no more bets was called")
            yield from self.lock()

    def do_draw_card(self, ask, by):
        coup = self.coup
        if coup is None:
            yield from self.draw_between(ask)
            return
        if self.too_early(ask):
            yield from self.draw_early(ask)
            return
        if coup.verdict == "void" and by.edition >= 4:
            yield from self.draw_between(ask)
            return
        must(not coup.carried, "draws a card before the one left over is dealt")
        must(self.shoe.left > 0, "draws from an empty shoe")
        drawn = event("card-drawn", card=ask.get("card"), laid=ask.get("laid"))
        must(ask.get("laid") or self.hands().owed, "draws a card that nobody is owed")
        if coup.verdict is not None:
            must(coup.verdict == "stands", "draws a card in a void coup")
            yield drawn
            yield from self.exceeded([ask.get("card")])
            yield ruled("cards-out-of-order", self.put_in_order(self.hands()))
            return
        face_up = coup.face_down and ask.get("card") and self.hands().owed
        yield from self.begin_dealing(by)
        yield drawn
        if face_up and by.edition >= 2:
            yield event("incident-recorded", kind="dealt-face-up")
        yield from self.exceeded([ask.get("card")])
        yield from self.after_card()

    def draw_between(self, ask):
        """A card that leaves the shoe while no coup is open is one in excess."""
        must(ask.get("laid") and self.shoe, "draws a card where there is no coup")
        must(self.shoe.left > 0, "draws from an empty shoe")
        card = as_drawn(ask.get("card"), ask["laid"])
        yield event("excess-card-drawn", card=ask.get("card"), laid=ask["laid"])
        yield from self.exceeded([ask.get("card")])
        by_round = self.rules["shoe"]["last_coup"]["rule"] == "round-of-marker"
        over = self.shoe.ended or (not by_round and self.end_of_coup(None)[0])
        ruling = self.left_over([card], over=over)
        if self.coup:  # it is void, and may have left cards of its own
            then = max(self.coup.next_kind, ruling["next_coup"], key=GRAVE.index)
            kept = self.coup.left_over + ruling.get("carried", [])
            over = then == "none-until-reshuffle"
            ruling = {**ruling, "next_coup": then, "carried": [] if over else kept}
        yield ruled("cards-out-of-order", ruling)

    def too_early(self, ask):
        """Has a card left the shoe while bets are made, that cannot be the coup's first yet?"""
        coup, call = self.coup, self.rules["wagers"]["close"].get("call")
        if not ask.get("laid") or coup.locked or coup.drawn or coup.verdict is not None:
            return False
        unnamed = ask.get("card") is None and not coup.face_down
        return unnamed or coup.carried or (call and not coup.called)

    def draw_early(self, ask):
        """It is in excess and begins this coup; once it was seen, wagers are removed first."""
        coup, card = self.coup, as_drawn(ask.get("card"), ask["laid"])
        must(self.shoe.left > 0, "draws from an empty shoe")
        yield event("excess-card-drawn", card=ask.get("card"), laid=ask["laid"])
        yield from self.exceeded([ask.get("card")])
        by_round = self.rules["shoe"]["last_coup"]["rule"] == "round-of-marker"
        over = self.shoe.ended or (not by_round and self.end_of_coup(None)[0])
        ruling = self.left_over([card], over=over)
        then = "non-betting" if ruling["next_coup"] == "non-betting" else "ordinary"
        if then == "non-betting":
            for wager in list(coup.wagers):
                yield event("wager-withdrawn", wager=wager)
            yield from self.lapsed(coup)
        carried = coup.carried + ruling.get("carried", [])
        yield event("next-coup-ruled", next_kind=then, carried=carried)

    def do_deal_carried(self, ask, by):
        must(self.coup and self.coup.carried, "deals a card left over where there is none")
        known, card = self.coup.carried[0]["card"], ask.get("card")
        must(known is None or card in (None, known), "names a card that has a name")
        yield from self.begin_dealing(by)
        named = known is None and card is not None
        yield event("carried-dealt", card=known or card, named=named)
        yield from self.exceeded([card] if named else [])
        yield from self.after_card()

    def do_turn_carried(self, ask, _by):
        kind, carried = self.standing()
        unseen = [at for at, card in enumerate(carried) if card["card"] is None]
        must(unseen, "turns a card left over where none is unseen")
        at, coup = unseen[0], self.coup
        seen = {**carried[at], "card": ask["card"]}
        then = max(kind, self.begun_by(seen), key=GRAVE.index)
        yield event("carried-turned", position=at + 1, card=ask["card"])
        yield from self.exceeded([ask["card"]])
        if coup and then == "non-betting":
            for wager in list(coup.wagers):
                yield event("wager-withdrawn", wager=wager)
            yield from self.lapsed(coup)
        cards = [*carried[:at], seen, *carried[at + 1 :]]
        yield event("next-coup-ruled", next_kind=then, carried=cards)

    def do_turn_card(self, ask, by):
        coup, index = self.coup, ask["position"] - 1
        must(coup and 0 <= index < len(coup.drawn), "turns a card that is not there")
        must(coup.drawn[index]["card"] is None, "turns a card that has a name")
        who = coup.held_by.get(self.hands().given(index), by.person)
        yield event("card-turned", position=ask["position"], card=ask["card"], person=who)
        yield from self.exceeded([ask["card"]])
        yield from self.after_card()

    def after_card(self):
        """Points after the first four cards, pairs where they are paid then, the last coup."""
        coup, hands = self.coup, self.hands()
        first = [card["card"] for card in coup.drawn[:4]]
        last = self.last_coup(1 if hands.owed else 0)
        if len(first) == 4 and None not in first and (self.edition >= 8 or not coup.announced):
            if not coup.announced:  # before edition 8 by all cards, once they were put right
                yield points_announced(self.hands(coup.drawn[:4]) if self.edition >= 8 else hands)
            if self.rules["settlement"].get("pairs_paid") == "before-third-cards":
                pairs = [wager for wager in coup.wagers if wager["on"] in PAIRS]
                for line in self.lines(hands, self.taken(pairs)):
                    yield settled(coup.number, line)
        if coup.last == "no" and last != "no" and not hands.excess:
            yield event("last-coup-announced", last=last)

    def do_see_marker(self, _ask, _by):
        coup = self.coup
        yield event("marker-seen")
        if coup and coup.verdict is not None:
            yield from self.seen_late(coup)
            return
        if self.edition >= 3 and not (coup and coup.drawn):
            yield from self.marker_discards()
        if coup:
            yield from self.after_card()

    def marker_discards(self):
        """A card that nobody saw begins no coup once the marker shows."""
        kind, carried = self.standing()
        gone = [self.excess_policy(card).get("discard_once_marker_shows") for card in carried]
        kept = [card for card, goes in zip(carried, gone, strict=True) if not goes]
        if kept != carried:
            yield event("next-coup-ruled", next_kind=kind, carried=kept)

    def seen_late(self, coup):
        """The marker came out in a coup that is settled: the last one, or cards left over go."""
        hands, last = self.hands(), self.last_coup(0)
        if hands.excess and coup.verdict == "stands":
            yield ruled("cards-out-of-order", self.put_in_order(hands))
        elif coup.last == "no" and last != "no":
            yield event("last-coup-announced", last=last)

    def holder_rule(self):
        own = self.rules["competition"].get("face_down") if self.conditions else None
        return own or self.rules["dealing"]["face_down"]

    def in_line(self, side):
        """Who may be passed a hand that lies face down, the first in line first."""
        coup = self.coup
        gone = [person for at, person in coup.refused if at == side]
        if self.holder_rule()["exposed_by"] == "as-named":
            named = coup.named.get(side)
            return [named] if named and named not in gone else []
        seats = self.betting_order() if self.conditions else sorted(self.seated)
        bets = Counter()
        for wager in coup.wagers:
            box = wager["box"]
            own = box in seats and self.seated[box] == wager["by"] and wager["by"] not in gone
            if wager["on"] == side and own:
                bets[box] += in_time(wager)
        line = sorted((-cents, seats.index(box), box) for box, cents in bets.items() if cents)
        return [self.seated[box] for _, _, box in line]

    def do_pass_cards(self, ask, _by):
        line = self.in_line(ask["side"])
        must(line or ask.get("to"), "passes cards though the dealer turns them")
        to = ask.get("to") or line[0]
        must(to in self.places, "passes cards to somebody who is not at the table")
        in_error = line[:1] != [to] or to in self.coup.held_by.values()
        yield event("cards-passed", side=ask["side"], person=to, in_error=in_error)

    def do_refuse_cards(self, ask, by):
        person, line = ask.get("person") or by.person, self.in_line(ask["side"])
        if any(person == holder for holder, _ in self.staff):
            person = line[0]
        must(line[:1] == [person], "refuses cards that are another's")
        yield event("cards-refused", side=ask["side"], person=person)

    # settlement

    def limits_of(self, wager, notice, individual=None):
        """The least and the most that a wager may be, by the notice or as agreed with a player."""
        on = wager["on"]
        if on in PAIRS:
            return notice["pairs_limits"]["min_cents"], notice["pairs_limits"]["max_cents"]
        posted = (notice["tie_limits"] if on == "tie" else None) or notice["limits"]
        own = (self.individual if individual is None else individual).get(wager["by"])
        if own is None or posted is not notice["limits"]:
            return posted["min_cents"], posted["max_cents"]
        if self.rules["limits"].get("individual", {}).get("minimum", True):
            return own["min_cents"], own["max_cents"]
        return posted["min_cents"], max(own["max_cents"], posted["max_cents"])

    def taken(self, wagers):
        """Each wager with the part of it that is at risk, and whether its owner is to be warned."""
        own = self.held(self.coup)[2] if self.edition >= 3 else None
        return [(wager, *self.at_risk(wager, individual=own)) for wager in wagers]

    def held(self, coup):
        """What held when the bets of a coup closed; what holds now, if they are open."""
        return coup.then if coup.then and coup.locked else self.now()

    def at_risk(self, wager, notice=None, warned=None, individual=None):
        least, most = self.limits_of(wager, notice or self.notice, individual)
        stake = in_time(wager)
        short = 0 < stake < least and not wager["reduced"]
        if not short or not self.rules["limits"].get("under_minimum_warning"):
            return min(stake, most), False
        if warned is None:
            warned = self.coup.warned if self.coup.takes_wagers else self.held(self.coup)[1]
        told = wager["by"] in warned
        return (0, False) if told else (stake, True)

    def lines(self, hands, taken, notice=None):
        """Every wager of a coup settled, in the order in which they are settled."""
        notice = notice or self.notice
        found = [self.settle(hands, *wager, notice) for wager in taken]
        main = [line for line in found if line["wager"]["on"] not in PAIRS]
        pairs = [line for line in found if line["wager"]["on"] in PAIRS]
        pairs.sort(key=lambda line: line["outcome"] != "loses")
        first = self.rules["settlement"].get("pairs_paid") == "before-third-cards"
        return pairs + main if first else main + pairs

    def settle(self, hands, wager, stake, warn, notice):
        """From edition 3 on a winner is paid one chip at least."""
        on, least = wager["on"], notice["chip_cents"] if self.edition >= 3 else 0
        if not stake:
            return even_line(wager, "returned", 0)
        if on in PAIRS:
            cards = hands.player if on == "player-pair" else hands.banker
            kind = pair_of(*cards[:2])
            if kind is None:
                return lost_line(wager, stake, warn)
            return won_line(wager, stake, warn, self.pair_odds(kind, notice), notice, least)
        if on == hands.result:
            return won_line(wager, stake, warn, self.odds(hands, on, notice), notice, least)
        if hands.result == "tie":
            return even_line(wager, "pushes", stake)
        return lost_line(wager, stake, warn)

    def pair_odds(self, kind, notice):
        options = self.rules["settlement"]["pairs"]
        option = next(option for option in options if option["name"] == notice["pairs"])
        return next(pays["odds"] for pays in option["pays"] if pays.get("pair") in (None, kind))

    def odds(self, hands, on, notice):
        """What the notice's method pays, by the winning point where that matters."""
        methods = self.rules["settlement"]["methods"]
        method = next(method for method in methods if method["name"] == notice["method"])
        point = points(hands.banker if on == "banker" else hands.player)
        pays = {
            pays.get("with_points"): pays["odds"] for pays in method["pays"] if pays["on"] == on
        }
        return pays.get(point) or pays[None]

    def do_declare_result(self, ask, _by):
        coup = self.coup
        must(coup and coup.verdict is None, "declares a result where none is due")
        hands = self.hands()
        must(hands.complete and not coup.carried, "declares a result though a card is owed")
        secret = self.told_forms(ask.get("forms", []))
        if hands.misplaced() or hands.excess:
            yield ruled("cards-out-of-order", self.put_in_order(hands))
        lines = self.lines(hands, self.taken(coup.wagers))
        told = [line["wager"]["by"] for line in (*coup.lines, *lines) if line["warn"]]
        yield result_declared(coup.number, hands)
        for line in lines:
            yield settled(coup.number, line)
        for form in secret:
            yield form
            for line in self.lines(hands, self.taken([form["wager"]] if form["wager"] else [])):
                told += [form["person"]] if line["warn"] else []
                yield settled(coup.number, line)
        for person, form in list(coup.forms.items()):
            if cents := min(form["due"], max(0, self.chips.get(person, 0))):
                yield event("secret-deducted", coup=coup.number, person=person, cents=cents)
        for person in dict.fromkeys(told):
            if person not in self.warned:
                yield event("warning-given", person=person)

    def withdrawn(self, coup, before, after):
        """From edition 3 on, what owners were told by a coup that tells them no longer."""
        day, warned, _, _ = self.held(coup)
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        others = [line for other in coups if other is not coup for line in other.lines]
        still = {line["wager"]["by"] for line in (*after, *others) if line["warn"]} | warned
        told = dict.fromkeys(line["wager"]["by"] for line in before if line["warn"])
        if self.edition < 3 or day != self.day:
            return []
        back = [person for person in told if person in self.warned - still]
        return [event("warning-withdrawn", person=person) for person in back]

    def do_end_coup(self, _ask, _by):
        coup = self.coup
        must(coup and coup.verdict, "ends a coup that is not settled")
        facts = {"next_kind": coup.following, "carried": coup.left_over}
        yield event("coup-ended", number=coup.number, **facts)
        if self.conditions:
            yield from self.after_coup(coup)

    # irregularities

    def put_in_order(self, hands):
        """The sequence decides the hands; what is left over goes by the rule set's policy."""
        must(not hands.hidden, "rules on cards that nobody has seen")
        if not hands.excess:
            return {"verdict": "stands"}
        return self.left_over(hands.excess, over=self.is_last(hands))

    def left_over(self, excess, *, over):
        if over:
            then = {"next_coup": "none-until-reshuffle", "discarded": excess}
            return {"verdict": "stands", **then}
        carried, discarded, barred = [], [], False
        for card in excess:
            seen, policy = card["card"] is not None, self.excess_policy(card)
            by_notice = policy["next"] == "by-conditions"
            if by_notice:
                goes_on = self.notice["leftover"] == "first-of-next"
            else:
                shows = policy.get("discard_once_marker_shows") and self.shoe.marker_shows
                goes_on = not shows
            (carried if goes_on else discarded).append(card)
            barred |= goes_on and (policy["next"] == "non-betting" or (by_notice and seen))
        then = "non-betting" if barred else "ordinary"
        facts = {"next_coup": then, "carried": carried, "discarded": discarded}
        return {"verdict": "stands", **facts}

    def excess_policy(self, card):
        """The first entry of the rule set that fits a card left over."""
        seen = card["card"] is not None
        entries = self.rules["irregularities"]["excess"]
        fits = [entry for entry in entries if entry.get("laid") in (None, card["laid"])]
        return next(entry for entry in fits if entry.get("seen") in (None, seen))

    def is_last(self, hands):
        """Does no coup follow from this shoe?"""
        if not hands.drawn:
            return self.shoe.ended
        announced = self.coup is not None and self.coup.last == "yes"
        return self.end_of_coup(hands.result)[0] or announced

    def ruling(self, found, drawn):
        """The rule set's answer to what was found in a coup with these cards."""
        hands, policy = self.hands(drawn), self.policy(found, drawn)
        if found == "face-up-in-shoe":
            must(not hands.hidden, "rules on cards that nobody has seen")
            if drawn and hands.owed:
                return {"verdict": "stands"}
            if policy["verdict"] == "ruling":
                return {"verdict": "ruling"}
            last = self.is_last(hands)
            then = "none-until-reshuffle" if last else policy.get("next", "ordinary")
            return {"verdict": "stands", "next_coup": then}
        verdict, then = policy["verdict"], policy.get("next", "ordinary")
        if len(drawn) >= 4 and not hands.owed:
            verdict = policy.get("once_dealt") or verdict
        disturbed = found == "shoe-disturbed" and self.edition >= 2
        if disturbed or (verdict != "stands" and self.end_of_coup(None)[0]):
            then = "none-until-reshuffle"
        discarded = drawn if verdict == "void" else []
        return {"verdict": verdict, "next_coup": then, "discarded": discarded}

    def policy(self, found, drawn):
        rules = self.rules["irregularities"]
        if found == "order-unknown" and len(drawn) <= 4:
            found = "initial-order-unknown"
        if found == "burn-forgotten" and "burn_forgotten" not in rules:
            return {"verdict": "stands"}
        names = {
            "initial-order-unknown": "order_unknown_in_initial_deal",
            "wrong-number-of-cards": "wrong_number",
        }
        return rules[names.get(found, found.replace("-", "_"))]

    def live_ruling(self, found):
        coup = self.coup
        if found == "face-up-in-shoe" and coup.locked and not coup.drawn and coup.verdict is None:
            return {"verdict": "stands"}
        return self.ruling(found, [] if coup.verdict == "void" else coup.drawn)

    def do_report_irregularity(self, ask, by):
        coup, found, note = self.coup, ask["found"], ask.get("note")
        if found == "burn-forgotten" and by.edition >= 2:
            if self.burned and (coup or self.coups):
                since = self.shoe.since, self.marker_was_seen()
                yield event("burn-corrected", face_down=0, note=note)
                yield from self.burn_counted(since)
            yield ruled(found, self.ruling(found, []), note)
            return
        if coup is None:
            yield from self.report_between(ask, by)
            return
        by_call = self.rules["irregularities"].get("next_begins") == "place-your-bets"
        too_late = self.is_over() and found != "wrong-number-of-cards"
        if self.edition >= 2 and found == "wrong-number-of-cards" and by_call:
            too_late = too_late or not coup.drawn
        if too_late:
            yield ruled(found, self.noted(found), note)
            return
        ruling = self.live_ruling(found)
        betting = not coup.locked and coup.verdict is None
        barred = betting and ruling.get("next_coup", "ordinary") != "ordinary"
        if ruling["verdict"] == "stands" and not barred:
            yield ruled(found, ruling, note)
        elif ruling["verdict"] == "ruling" or not self.oversees(by):
            verdict = "ruling" if ruling["verdict"] == "ruling" else "void"
            facts = {"verdict": verdict, "note": note, "person": by.person}
            yield event("ruling-awaited", found=found, **facts)
        else:
            yield ruled(found, ruled_void(ruling, by), note)
            yield from self.void(found, note)

    def noted(self, found):
        """What was found changes no result; a disturbed shoe is dealt from no more."""
        if found == "shoe-disturbed" and self.edition >= 2:
            return {"verdict": "stands", "next_coup": "none-until-reshuffle"}
        return {"verdict": "stands"}

    def is_over(self):
        """Has the coup ended with its settlement, where the rule set says that it does?"""
        settled_now = self.coup.verdict is not None and self.coup.found is None
        return settled_now and self.rules["dealing"].get("round_ends") == "settled"

    def oversees(self, by):
        """May this person make a finding: on duty as one who counts under this rule set?"""
        named = {duty["role"] for duty in self.rules["staff"]} & OVERSEERS
        counts = (named or OVERSEERS) | {"competition director"}
        on_duty = any((by.person, role) in self.staff for role in counts & set(by.roles))
        return on_duty or by.approves  # an inspector proposed it

    def report_between(self, ask, by):
        """Between two coups: the last result stands, save where it is still in time."""
        found, note = ask["found"], ask.get("note")
        by_call = self.rules["irregularities"].get("next_begins") == "place-your-bets"
        last = self.coups[-1].number if self.coups else max(self.past, default=0)
        in_time = last == self.coup_number > 0 if by.edition >= 2 else bool(self.coups)
        if found == "wrong-number-of-cards" and by_call and in_time:
            coup = self.earlier({**ask, "coup": last})
            yield ruled(found, {"verdict": "void"}, note)
            yield from self.void_record(coup, note)
            return
        ruling = self.noted(found)
        if found in ("face-up-in-shoe", "burn-forgotten"):
            ruling = self.ruling(found, [])
            if ruling["verdict"] == "ruling":
                ruling = {**ruling, "next_coup": "non-betting"}
        yield ruled(found, ruling, note)

    def do_confirm_finding(self, ask, by):
        coup, note = self.coup, ask.get("note")
        must(coup and coup.found and coup.found_verdict == "void", "confirms what nobody reported")
        must(coup.found_by != by.person, "has one person report and confirm")
        found = coup.found
        ruling = self.live_ruling(found) if ask["upheld"] else None
        yield event("ruling-given", verdict="void" if ruling else "stands", note=note)
        if ruling:
            yield ruled(found, ruled_void(ruling, by), note)
            yield from self.void(found, note)

    def do_rule_on(self, ask, _by):
        coup = self.coup
        must(coup and coup.found_verdict == "ruling", "rules on what waits for no ruling")
        found = coup.found
        yield event("ruling-given", verdict=ask["verdict"], note=ask["note"])
        if found == "shoe-disturbed" and self.edition >= 2:
            yield ruled(found, {**self.noted(found), "verdict": ask["verdict"]})
        undealt = self.edition >= 3 and not coup.drawn and coup.verdict is None
        if ask["verdict"] == "void":
            yield from self.void(found, ask["note"])
        elif found == "face-up-in-shoe":
            yield ruled(found, {"verdict": "stands", "next_coup": "non-betting"})
        elif found == "shoe-disturbed" and undealt:  # nothing is dealt from it any more
            yield from self.give_back()
            yield from self.lapsed(coup)
            facts = {"next_kind": "none-until-reshuffle", "carried": coup.carried}
            yield event("coup-not-dealt", number=coup.number, disturbed=True, **facts)

    def do_void_coup(self, ask, _by):
        must(self.coup and self.coup.verdict != "void", "voids a coup that is none, or void")
        yield from self.void(ask["cause"], ask["note"])

    def void(self, cause, note):
        """What was paid or taken goes back, and so does what lies on the layout."""
        coup = self.coup
        yield event("coup-voided", number=coup.number, cause=cause, note=note)
        yield from reversals(coup)
        yield from self.give_back()
        yield from self.lapsed(coup)

    def give_back(self, person=None):
        """Wagers on the layout go back as void: everyone's, or one player's."""
        wagers = [wager for wager in self.coup.wagers if person in (None, wager["by"])]
        for wager, stake, _ in self.taken(wagers):
            yield settled(self.coup.number, even_line(wager, "void", stake))

    def do_void_wagers(self, ask, _by):
        coup, person = self.coup, ask["person"]
        live = coup and ask.get("coup") in (None, coup.number)
        coup = coup if live else self.earlier(ask)
        lines = [line for line in coup.lines if line["wager"]["by"] == person]
        facts = {"kind": "wagers-void", "note": ask["note"], "people": [person]}
        yield event("incident-recorded", **facts)
        if not live:
            yield from self.void_theirs(coup, lines, person)
            return
        others = [line for line in coup.lines if line not in lines]
        untold = self.withdrawn(coup, lines, others)
        for line in lines:
            if line["outcome"] != "void":
                yield reversed_line(coup.number, line)
        yield from untold
        yield from self.give_back(person)
        yield from self.lapsed(coup, person)

    def void_theirs(self, coup, lines, person):
        """One player's wagers of an earlier coup go back; it stands for everybody else."""
        undone = [reversed_line(coup.number, line) for line in lines if moved_by(line)]
        forms = self.lapsed(coup, person)
        of_theirs = [line for line in lines if line["outcome"] != "void"]
        must(of_theirs or forms, "voids wagers where none stand")
        kept = [void_line(line) if line in lines else line for line in coup.lines]
        record = coup.record(lines=kept)
        untold = self.withdrawn(coup, coup.lines, kept)
        yield from undone
        yield from untold
        yield event("record-replaced", record=record)
        yield from forms

    # corrections

    def earlier(self, ask):
        """The record of an earlier coup, as it is and, where the command brings one, the same."""
        coup = self.record(ask["coup"])
        older = ask.get("older")
        same = older is None or written(plain(older)) == written(plain(coup.record()))
        must(same, "brings another record of a coup than there is")
        return coup

    def next_began(self, coup, by):
        """Has the next coup begun? For the first edition a new shoe was as good as a coup."""
        if coup not in self.coups and by.edition < 2:
            return True
        by_call = self.rules["irregularities"].get("next_begins") == "place-your-bets"
        if by_call and by.edition >= 2:
            return self.coup_number > coup.number
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        begun = any(later.number > coup.number and (later.drawn or by_call) for later in coups)
        return begun or any(number > coup.number for number in self.past)

    def do_void_earlier(self, ask, by):
        coup, position = self.earlier(ask), ask.get("position")
        must(coup.verdict != "void", "voids a coup that is void")
        if ask.get("cause", "placement") != "placement":
            yield from self.void_record(coup, ask["note"])
            return
        must(self.next_began(coup, by), "voids a coup that cannot be")
        hands = self.hands(coup.drawn)
        laid_wrong = position is not None and position <= hands.dealt
        must(laid_wrong or hands.owed, "voids a coup in which there was no error")
        yield from self.found_late(coup, coup.record(), ask["note"])

    def found_late(self, coup, record, note, was=None):
        policy = self.rules["irregularities"]["found_after_next_began"]
        if policy["verdict"] == "void":
            yield from self.void_record(coup, note, record, was)
        else:
            yield event("error-noted", number=coup.number, note=note)
            yield event("record-replaced", record=record)

    def void_record(self, coup, note, record=None, was=None):
        record = record or coup.record()
        lines = [void_line(line) for line in coup.lines]
        yield from self.not_dealt(coup, None)
        standing = self.standing_after(coup, was or coup.drawn)
        untold = self.withdrawn(coup, coup.lines, [])
        wagers = [line["wager"] for line in coup.lines if line["outcome"] != "void"]
        facts = {"wagers": wagers} if self.edition >= 4 else {}
        yield event("earlier-coup-voided", number=coup.number, note=note, **facts)
        yield from reversals(coup)
        yield event(
            "record-replaced", record={**record, "verdict": "void", "result": None, "lines": lines}
        )
        yield from self.lapsed(coup)
        yield from untold
        yield from standing

    def corrected(self, ask, drawn):
        index = ask["position"] - 1
        must(0 <= index < len(drawn) and drawn[index]["card"], "corrects a card that is not there")
        must(drawn[index]["card"] != ask["card"], "corrects a card that is right")
        facts = {name: ask[name] for name in ("coup", "position", "card", "note")}
        left_over = index >= self.hands(drawn).dealt
        return event("card-corrected", was=drawn[index]["card"], left_over=left_over, **facts)

    def do_correct_card(self, ask, by):
        if self.coup and self.coup.number == ask["coup"]:
            yield from self.correct_live(self.corrected(ask, self.coup.drawn))
            return
        coup = self.earlier(ask)
        corrected, cards = self.corrected(ask, coup.drawn), with_card(coup.drawn, ask)
        yield from self.correct_record(coup, corrected, cards, by)

    def do_correct_coup(self, ask, by):
        live = self.coup and self.coup.number == ask["coup"]
        coup = self.coup if live else self.earlier(ask)
        cards = [{**as_drawn(), **card} for card in ask["cards"]]
        facts = {"was": coup.drawn, "cards": cards, "note": ask["note"]}
        if by.edition >= 3 and coup in self.coups:
            unseen = not self.shoe and not +self.seen
            facts["shuffled"] = self.life in ("shuffled", "cut") or unseen
        must(cards != coup.drawn, "corrects cards that are right")
        corrected = event("cards-corrected", coup=coup.number, **facts)
        if live:
            yield from self.correct_live(corrected)
        else:
            yield from self.correct_record(coup, corrected, cards, by)

    def correct_record(self, coup, corrected, cards, by):
        """A coup that is over, played again from the right cards."""
        record = coup.record(drawn=self.as_it_lay(coup.drawn, cards))
        if by.edition >= 3:
            record["begun"] = min(coup.begun, len(cards))
        hands, note, before = self.hands(record["drawn"]), corrected["note"], Counter(self.seen)
        new = self.judged(coup.drawn, record["drawn"]) if by.edition >= 2 else hands
        lacks = new.has_error() and self.next_began(coup, by)
        policy = self.rules["irregularities"]["found_after_next_began"]["verdict"]
        voids = policy == "void" if lacks else hands.result is None
        alone = corrected["is"] == "card-corrected" and by.edition >= 2 and coup.verdict != "void"
        must(not (alone and voids), "voids a coup that was over by one card alone")
        drawn, following = coup.drawn, by.edition >= 2 and self.is_followed(coup)
        stands = coup.verdict != "void" and not lacks and hands.result is not None
        recounted = self.counted_anew(coup, cards) if "cards" in corrected else []
        if stands:
            yield from self.not_dealt(coup, hands.result, len(cards) - len(drawn), recounted)
        was = self.leaves(self.hands(coup.drawn)) if following else None
        yield corrected
        yield from recounted
        if coup in self.coups:
            yield from self.exceeded(self.seen - before)
        if coup.verdict == "void":
            standing = self.standing_after(coup, [])
            yield event("record-replaced", record=record)
            yield from standing
        elif lacks:
            yield from self.found_late(coup, record, note, drawn)
        elif hands.result is None:
            yield from self.void_record(coup, note, record, drawn)
        else:
            if following:
                yield from self.ruled_again(was, hands)
            yield from self.settle_anew(coup, record, hands)

    def counted_anew(self, coup, now):
        """The shoe's count, where the right cards of a coup do not say it by themselves."""
        if self.edition < 3 or not self.shoe or not (coup in self.coups or coup is self.coup):
            return []
        taken = len(coup.carried) if coup is self.coup and now else 0
        begun, was = min(coup.begun + taken, len(now)), coup.drawn
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        later = [other for other in coups if other.number > coup.number and other.drawn]
        still = self.still_begun(coup, later[0], now) if later else 0
        back = later[0].begun - still if later else 0
        more = len(now) - begun - len(was) + coup.begun + back
        before = vars(self.shoe).copy()
        self.shoe.recount(len(now) - len(was) - taken)
        by_itself = self.shoe.drawn, self.shoe.since
        vars(self.shoe).update(before)
        after = sum(len(other.drawn) - other.begun for other in later)
        after += sum(number >= coup.number for number, _ in self.between)
        since = self.since_by_list(coup, now, begun, back, after, more)
        facts = {"drawn": self.shoe.drawn + more, "since_marker": since}
        changes = []
        if begun < coup.begun:
            again = was[begun : coup.begun]
            changes.append({"coup": coup.number, "begun": begun, "again": again})
        if back:
            again = later[0].drawn[still : later[0].begun]
            changes.append({"coup": later[0].number, "begun": still, "again": again})
        if not changes and (facts["drawn"], since) != by_itself:
            changes.append({})
        return [event("shoe-recounted", **facts, **change) for change in changes]

    def still_begun(self, coup, after, now):
        """How many of the next coup's cards were carried over, by the cards of the one before."""
        between = sum(coup.number <= number < after.number for number, _ in self.between)
        own = max(0, after.begun - between)
        names = [card["card"] for card in now]
        first = [card["card"] for card in after.drawn[:own]]
        same = [at for at in range(1, own + 1) if names[-at:] == first[:at]]
        return min(own, max(len(self.hands(now).excess), *same, 0)) + after.begun - own

    def since_by_list(self, coup, now, begun, back, later, more):
        """How many cards came after the marker, by where a list of cards has them."""
        shoe, was = self.shoe, coup.drawn
        if not self.marker_was_seen():
            before = vars(shoe).copy()
            shoe.recount(more)
            since = shoe.since
            vars(shoe).update(before)
            return since
        own = shoe.since - later
        if own < 0:
            return shoe.since
        if own > 0:
            ahead = len(was) - own
            if ahead <= coup.begun:
                own = len(now) - begun
            elif now[-own:] != was[ahead:]:
                own = max(0, len(now) - ahead)
        return later + own + back

    def marker_was_seen(self):
        """Is it by sight that the marker is out, and not by the count of cards?"""
        shoe = self.shoe
        if not shoe.since or shoe.behind is None:
            return shoe.since is not None
        return shoe.since != shoe.behind - shoe.left

    def burn_counted(self, since):
        """Cards burned came before the marker that was seen; the count alone may move it."""
        if self.shoe.since != since[0] and since[1] and self.edition >= 3:
            yield event("shoe-recounted", drawn=self.shoe.drawn, since_marker=since[0])

    def as_it_lay(self, was, cards):
        """The right cards, each where it was laid under the wrong record unless it is said."""
        before, now = self.hands(was), self.hands(cards)
        drawn = list(cards)
        for at, card in enumerate(cards[: len(was)]):
            side = before.given(at)
            if card["laid"] is None and side and side != now.given(at):
                drawn[at] = {**card, "laid": side}
        return drawn

    def judged(self, was, drawn):
        """The right cards without what the record showed out of order, ruled on in time."""
        known = self.hands(was).dealt
        cards = []
        for index, card in enumerate(drawn):
            as_known = index < len(was) and card["laid"] == was[index]["laid"]
            cards.append({**card, "laid": None} if as_known else card)
        dealt = max(known, self.hands(cards).dealt)
        return self.hands(cards[:dealt] + cards[max(dealt, len(was)) :])

    def standing_after(self, coup, drawn):
        """What others than a void coup's own cards make of the next, where that would be lost."""
        if self.edition < 2 or not self.is_followed(coup):
            return []
        own = self.leaves(self.hands(drawn)) or {"next_coup": None}
        kind, carried = self.standing()
        between = carried[len(own.get("carried", [])) :]
        alone = own.get("next_coup", "ordinary") == kind and not between
        then = "ordinary" if alone else kind
        kept = self.coup or self.coups[-1] is not coup
        if (then, between) == ((kind, carried) if kept else ("ordinary", [])):
            return []
        return [event("next-coup-ruled", next_kind=then, carried=between)]

    def standing(self):
        """What the next coup is as things are, opened or not, and the cards that begin it."""
        if not self.coup:
            return self.next_kind, self.carried
        kind = self.coup.kind if self.coup.kind == "non-betting" else "ordinary"
        return kind, self.coup.carried

    def is_followed(self, coup):
        """Is this the last coup of the shoe so far, and has the next no card of its own yet?"""
        last = self.coups and self.coups[-1] is coup
        if self.edition >= 3 and coup in self.coups:
            last = not any(past.number > coup.number and past.drawn for past in self.coups)
        return bool(self.shoe and last and not (self.coup and self.coup.drawn))

    def leaves(self, hands):
        """What a coup's cards make of the next, whatever they were taken for; None: nothing."""
        if not hands.excess or hands.hidden:
            return None
        shoe, live = self.shoe, self.coup
        ended, extra, since = shoe.ended, shoe.extra, shoe.since
        if self.edition >= 3:  # whether one more round follows is among what is ruled
            dealt = [coup for coup in self.coups if coup.drawn] or self.coups
            shoe.since = None if self.marker_since(dealt[-1]) else since
            shoe.extra = dealt[-1].extra_round
        shoe.ended, self.coup = False, None
        ruling = self.put_in_order(hands)
        shoe.ended, shoe.extra, shoe.since, self.coup = ended, extra, since, live
        return ruling

    def not_dealt(self, coup, result, more=0, recounted=()):
        """The coup opened after this one is not dealt if the shoe has ended with this one."""
        live, shoe = self.coup, self.shoe
        if self.edition < 3 or not live or live.verdict or not self.is_followed(coup):
            return
        if self.coups[-1] is not coup:
            return
        stood = self.would_end(coup, coup.result, 0) == (shoe.ended, shoe.extra)
        if not stood or not self.would_end(coup, result, more, recounted)[0]:
            return
        kind = max(live.barred, self.standing()[0], key=GRAVE.index)
        yield from self.give_back()
        facts = {"next_kind": kind, "carried": live.carried, "shoe_over": True}
        yield event("coup-not-dealt", number=live.number, **facts)

    def would_end(self, coup, result, more, recounted=()):
        """Whether the shoe ended with a coup of this result, and granted one more round."""
        shoe = self.shoe
        before = vars(shoe).copy()
        shoe.recount(more)
        for told in recounted:
            shoe.drawn, shoe.since = told["drawn"], told["since_marker"]
        shoe.ended, shoe.extra = False, coup.extra_round
        found = self.end_of_coup(result)
        vars(shoe).update(before)
        return found

    def ruled_again(self, was, hands):
        """The card left over and the next coup, if they are other than they were taken for."""
        now = self.leaves(hands) or {}
        kind, carried = self.standing()
        between = carried[len(was.get("carried", [])) :] if was else carried
        by_card = was and was.get("next_coup", "ordinary") == kind and not between
        found = "ordinary" if by_card else kind
        then = max(found, now.get("next_coup", "ordinary"), key=GRAVE.index)
        cards = now.get("carried", []) + between
        if (then, cards) != (kind, carried):
            clear = then == "ordinary" or not self.coup or not self.coup.wagers
            must(clear, "lets wagers lie on a coup that takes none")
            facts = {"next_kind": then, "carried": cards}
            yield event("next-coup-ruled", **facts)

    def do_correct_wager(self, ask, _by):
        live = self.coup and self.coup.number == ask["coup"]
        coup = self.coup if live else self.earlier(ask)
        must(coup.verdict != "void", "corrects a wager of a void coup")
        key = {"by": ask["person"], "on": ask["on"], "box": ask["box"]}
        lines = [line for line in coup.lines if same_wager(line["wager"], key)]
        form = coup.forms.get(ask["person"]) if live else None
        beside = form and form["wager"] and form["wager"]["on"] == ask["on"]
        must(not beside, "corrects a wager beside a form before the coup is over")
        if ask["person"] in self.secrets_used.get(coup.number, {}):
            lines = lines[:1]  # the chips, not the form
        lying = [wager for wager in coup.wagers if same_wager(wager, key)] if live else []
        void = [line for line in lines if line["outcome"] == "void"]
        if self.edition >= 3:  # what lies is meant, not what was declared void before it
            standing = [line for line in lines if line["outcome"] != "void"]
            must(lying or standing or not void, "corrects a wager that is void")
            lines = standing[:1]
        must(all(line["outcome"] != "void" for line in lines), "corrects a wager that is void")
        was = next((wager for wager in [line["wager"] for line in lines] + lying), None)
        here = self.places.get(ask["person"], (0, False))
        then = self.held(coup)[3] if self.edition >= 3 else {}
        _, standing = then.get(ask["person"], here)
        wager = {**key, "cents": ask["cents"], "late_cents": 0, "withdrawn": False}
        cut = bool(was and was["reduced"] and self.edition >= 3)
        wager |= {"reduced": cut, "standing": was["standing"] if was else standing}
        must(was or wager["cents"], "corrects a wager that nobody made")
        facts = {"wager": wager, "was": was, "note": ask["note"], "void": void if live else []}
        corrected = event("wager-corrected", coup=coup.number, **facts)
        undone = [reversed_line(coup.number, line) for line in lines if moved_by(line)]
        kept = [line for line in coup.lines if not any(line is gone for gone in lines)]
        before = coup.lines
        if live:
            must(coup.takes_wagers or coup.drawn, "lays wagers on a coup that takes none")
            again = self.settled_now(coup, wager)
            yield from undone
            yield corrected
            for line in again:
                yield settled(coup.number, line)
            yield from self.advice(again)
            yield from self.withdrawn(coup, before, kept + again)
            return
        again = self.settled_then(coup, wager, lines)
        kind = coup.kind if coup.kind in ("ordinary", "free") else "ordinary"
        record = coup.record(lines=kept + again, kind=kind)
        yield corrected
        yield from undone
        for line in again:
            yield settled(coup.number, line)
        if self.edition >= 3:
            yield from self.advice(again)
        yield from self.withdrawn(coup, before, kept + again)
        yield event("record-replaced", record=record)

    def advice(self, lines):
        """Owners below the minimum are told, once a gaming day."""
        told = dict.fromkeys(line["wager"]["by"] for line in lines if line["warn"])
        back = [person for person in told if person not in self.warned]
        return [event("warning-given", person=person) for person in back]

    def settled_now(self, coup, wager):
        """A wager put right in the coup in play, if its kind has been settled already."""
        early = self.rules["settlement"].get("pairs_paid") == "before-third-cards"
        pairs = early and wager["on"] in PAIRS and coup.announced
        if not wager["cents"] or not (coup.verdict or pairs):
            return []
        return self.lines(self.hands(), self.taken([wager]))

    def settled_then(self, coup, wager, lines):
        """A wager put right in a coup that is over, from edition 3 on by what held in it; before,
        by what holds now, save that who was to be warned then had not been.
        """
        if not wager["cents"]:
            return []
        if self.edition >= 3:
            _, warned, own, _ = self.held(coup)
            taken = [(wager, *self.at_risk(wager, coup.notice, warned, own))]
            return self.lines(self.hands(coup.drawn), taken, coup.notice)
        warned = self.warned - {wager["by"]} if any(line["warn"] for line in lines) else self.warned
        taken = [(wager, *self.at_risk(wager, coup.notice, warned))]
        return self.lines(self.hands(coup.drawn), taken, coup.notice)

    def do_take_back(self, ask, _by):
        what, note, coup = ask["what"], ask["note"], self.coup
        if what == "void":
            must(not self.conditions, "takes back a void in a competition")
            live = coup and ask.get("coup") in (None, coup.number)
            yield from self.live_again(coup, note) if live else self.stands_again(ask)
            return
        if what == "wagers-void":
            must(not self.conditions, "takes back a void in a competition")
            yield from self.wagers_again(ask)
            return
        waits = coup and coup.kind == "no-bet" and self.is_to_come()
        told = [who for who in self.touched if ask.get("person", "") in ("", who)]
        there = {
            "no-bet-coup": self.no_bet or waits,
            "touched": told and self.life != "none",
            "end-shoe": self.ended_shoe and self.is_open,
            "closing-notice": self.closes,
            "close-table": self.closed and not self.conditions and not self.play_chips,
        }
        must(there[what], "takes back what is not there")
        person = ask.get("person", "") if what == "touched" else ""
        yield event("taken-back", what=what, note=note, person=person)
        ended = self.ended_shoe["shoe"] if what == "close-table" and self.ended_shoe else None
        least = self.rules["shoe"]["least_to_start"]["least"]
        if ended and not ended.ended and ended.left >= least:
            yield event("taken-back", what="end-shoe", note=note)

    def live_again(self, coup, note):
        """A coup in play that was void: wagers lie again, and it goes on from its cards."""
        must(coup.verdict == "void", "takes back a void that is none")
        since = [card for at, card in self.between if at == coup.number]
        must(not since, "takes back a void though cards have left the shoe since")
        wagers = self.voids.get(coup.number, [])
        yield event("taken-back", what="void", note=note, coup=coup.number)
        yield event("coup-reopened", number=coup.number, wagers=wagers)
        if coup.drawn:
            yield from self.after_card()

    def wagers_again(self, ask):
        """One player's wagers that were void, save those laid again meanwhile."""
        coup, person, note = self.coup, ask.get("person", ""), ask["note"]
        live = coup and ask.get("coup") in (None, coup.number)
        if not live:
            coup = self.earlier({**ask, "coup": ask.get("coup") or self.coup_number})
        must(coup.verdict != "void", "takes back wagers of a void coup")
        standing = [line["wager"] for line in coup.lines if line["outcome"] != "void"]
        standing += coup.wagers if live else []
        void = [line for line in coup.lines if line["outcome"] == "void"]
        meant = [line for line in void if line["wager"]["by"] == person]
        again = [
            line
            for line in meant
            if not any(same_wager(line["wager"], other) for other in standing)
        ]
        must(again, "takes back what is not there")
        wagers, kept = (
            [line["wager"] for line in again],
            [line for line in coup.lines if line not in again],
        )
        yield event("taken-back", what="wagers-void", note=note, coup=coup.number, person=person)
        settle = self.settled_now if live else lambda at, one: self.settled_then(at, one, [])
        lines = [line for wager in wagers for line in settle(coup, wager)]
        for wager in wagers:
            yield event("wager-corrected", coup=coup.number, wager=wager, was=None, note=note)
        for line in lines:
            yield settled(coup.number, line)
        yield from self.advice(lines)
        if not live:
            yield event("record-replaced", record=coup.record(lines=kept + lines))

    def stands_again(self, ask):
        """A coup that is over and was void: settled by its cards, by what held in it."""
        number = ask.get("coup") or self.coup_number
        coup = self.earlier({**ask, "coup": number})
        hands, wagers = self.hands(coup.drawn), self.voids.get(number)
        must(coup.verdict == "void", "takes back a void that is none")
        must(hands.result and wagers is not None, "lets a coup stand that lacks a card")
        _, warned, own, _ = self.held(coup)
        taken = [(wager, *self.at_risk(wager, coup.notice, warned, own)) for wager in wagers]
        lines = self.lines(hands, taken, coup.notice)
        others = [line for line in coup.lines if line["wager"] not in wagers]
        record = coup.record(verdict="stands", result=hands.result, lines=lines + others)
        yield event("taken-back", what="void", note=ask["note"], coup=number)
        for line in lines:
            yield settled(number, line)
        yield from self.advice(lines)
        yield event("record-replaced", record=record)
        own = self.leaves(hands) if self.is_followed(coup) else None
        if own:
            kind, carried = self.standing()
            then = max(kind, own.get("next_coup", "ordinary"), key=GRAVE.index)
            cards = own.get("carried", []) + carried
            if (then, cards) != (kind, carried):
                yield event("next-coup-ruled", next_kind=then, carried=cards)

    def do_correct_burn(self, ask, _by):
        before = Counter(self.seen)
        facts = {"face_down": ask.get("face_down", 0), "exposed": ask.get("exposed")}
        since = self.shoe.since, self.marker_was_seen()
        yield event("burn-corrected", note=ask["note"], **facts)
        yield from self.burn_counted(since)
        yield from self.exceeded(self.seen - before)

    def do_correct_marker(self, ask, _by):
        coup = self.coup
        must(self.shoe.since is not None, "takes back a marker that nobody saw")
        last = self.coups[-1] if self.coups and self.coups[-1].verdict != "void" else None
        between = last is not None and self.is_followed(last)
        was = self.leaves(self.hands(last.drawn)) if between else None
        yield event("marker-corrected", note=ask["note"])
        if coup is None or not coup.drawn:
            if between:
                yield from self.ruled_again(was, self.hands(last.drawn))
        elif coup.verdict is None:
            yield from self.after_card()
        elif coup.verdict == "stands" and self.hands().excess:
            yield ruled("cards-out-of-order", self.put_in_order(self.hands()))

    def do_correct_finding(self, ask, _by):
        found = ask["found"]
        must(found in ("face-up-in-shoe", "shoe-disturbed"), "takes back no such finding")
        must(found in [one[1] for one in self.in_force()], "takes back what nobody found")
        was = self.stood()
        yield event("finding-corrected", found=found, note=ask["note"])
        yield from self.stands_anew(was)

    def do_correct_excess(self, ask, _by):
        number, coup = ask["coup"], self.coup
        numbers = [past.number for past in self.coups]
        first = [*numbers, *([coup.number] if coup else []), self.coup_number + 1][0]
        keyed = [at for at, _ in self.between]
        known = [first - 1, *numbers, *keyed, *([] if coup else [self.coup_number])]
        must(number in known, "corrects cards drawn where no coup of this shoe was")
        lies = coup and not coup.drawn and coup.verdict
        must(not lies, "corrects what a void coup hands on before it has ended")
        was = [card for at, card in self.between if at == number]
        now = [as_drawn(card["card"], card["laid"] or "nowhere") for card in ask.get("cards", [])]
        must(len(now) - len(was) <= self.shoe.left, "draws from an empty shoe")
        stood, seen = self.stood(), Counter(self.seen)
        counted = self.excess_counted(number, was, now)
        open_end = self.next_dealt(number) is None
        yield event("excess-corrected", coup=number, was=was, cards=now, note=ask["note"])
        yield from counted
        yield from self.exceeded(self.seen - seen)
        follows = self.stands_anew(stood) if open_end else []
        must(was != now or follows, "corrects what is on record already")
        yield from follows

    def excess_counted(self, number, was, now):
        """The shoe's count, where the cards between two coups do not say it by themselves."""
        began, begins = self.dealt_on(number, now)
        after, back = self.next_dealt(number), len(began) - len(begins)
        shoe, more = self.shoe, len(now) - len(was)
        before = vars(shoe).copy()
        shoe.recount(more)
        by_itself = shoe.since
        vars(shoe).update(before)
        shoe.recount(more + back)
        drawn, since = shoe.drawn, shoe.since
        vars(shoe).update(before)
        if self.marker_was_seen():
            since = self.since_by_excess(number, was, now, back)
        if not back and since == by_itself:
            return []
        begun = {"coup": after.number, "begun": after.begun - back} if back else {}
        return [event("shoe-recounted", drawn=drawn, since_marker=since, **begun)]

    def since_by_excess(self, number, was, now, back):
        """How many cards came after a marker that was seen, by where a list has them."""
        coups = [*self.coups, *([self.coup] if self.coup else [])]
        later = sum(len(coup.drawn) - coup.begun for coup in coups if coup.number > number)
        later += sum(at > number for at, _ in self.between)
        behind = self.shoe.since - later
        if behind < 0:
            return self.shoe.since
        if behind and behind >= len(was):
            behind += len(now) - len(was)
        elif behind and now[-behind:] != was[-behind:]:
            behind = max(0, len(now) - len(was) + behind)
        return later + behind + back

    def stray(self):
        """The cards drawn since the last coup of which a card was dealt."""
        return [card for at, card in self.between if at >= self.since_card()]

    def stood(self):
        """What is known of the next coup before a correction: its kind, the cards that begin it,
        how many of them the coup before left over, and whether the shoe had ended.
        """
        if not self.is_to_come():
            return None
        (kind, carried), drawn = self.standing(), self.stray()
        count = len(carried)
        while count and carried[count - 1] in drawn:
            while drawn.pop() != carried[count - 1]:
                pass
            count -= 1
        left, own = iter(self.left_by_coups()), 0
        while own < len(carried) and carried[own] in left:  # each after the one before it
            own += 1
        return kind, carried, carried[: max(count, own)], self.shoe.ended

    def left_by_coups(self):
        """The cards that the coups dealt so far left to the next, by their records."""
        line, before = [], -1
        for coup in [past for past in self.coups if past.drawn]:
            line += [card for at, card in self.between if before <= at < coup.number]
            line = self.beginning(line)[coup.begun :]
            if coup.verdict != "void":
                line = self.hands(coup.drawn).excess
            before = coup.number
        return list(line)

    def last_dealt_coup(self):
        return next((past for past in reversed(self.coups) if past.drawn), None)

    def stands_anew(self, stood):
        """What the next coup is by all that is on record now, if that is something else."""
        if stood is None:
            return []
        kind, carried, own, ended = stood
        stray, shoe, last = self.stray(), self.shoe, self.last_dealt_coup()
        ended = bool(ended and last and self.would_end(last, last.result, -len(stray))[0])
        was_ended, shoe.ended = shoe.ended, False
        by_round = self.rules["shoe"]["last_coup"]["rule"] == "round-of-marker"
        over = ended or (not by_round and self.end_of_coup(None)[0])
        shoe.ended = was_ended
        rulings = [self.left_over([card], over=over) for card in stray]
        kinds = ["none-until-reshuffle"] if ended else []
        coming = self.coup.number if self.coup else self.coup_number + 1
        kinds += [found[2] for found in self.in_force() if found[0] < coming]
        kinds += [self.begun_by(card) for card in own]
        kinds += [ruling["next_coup"] for ruling in rulings]
        if self.coup:  # a coup that was opened is dealt, if it is the last
            kinds = [one for one in kinds if one != "none-until-reshuffle"]
        then = max(["ordinary", *kinds], key=GRAVE.index)
        cards = own + [card for ruling in rulings for card in ruling.get("carried", [])]
        if (then, cards) == (kind, carried):
            return []
        clear = then == "ordinary" or not self.coup or not self.coup.wagers
        must(clear, "lets wagers lie on a coup that takes none")
        return [event("next-coup-ruled", next_kind=then, carried=cards)]

    def begun_by(self, card):
        """What a card left over makes of the coup that it begins."""
        policy = self.excess_policy(card)["next"]
        barred = policy == "non-betting" or (policy == "by-conditions" and card["card"])
        return "non-betting" if barred else "ordinary"

    def settle_anew(self, coup, record, hands):
        """Every transfer goes back, and each wager is settled for the part that was at risk."""
        void = [line for line in coup.lines if line["outcome"] == "void"]
        again = [line for line in coup.lines if line["outcome"] != "void"]
        taken = [(line["wager"], line["stake_cents"], self.advised(line)) for line in again]
        told = [line["wager"] for line in again if line["warn"]]
        lines = self.lines(hands, taken, coup.notice)
        untold = self.withdrawn(coup, coup.lines, lines)
        yield from reversals(coup)
        for line in lines:
            yield settled(coup.number, line)
        anew = [line["wager"] for line in lines if line["warn"] and line["wager"] not in told]
        for person in dict.fromkeys(wager["by"] for wager in anew):
            if person not in self.warned and self.edition >= 2:
                yield event("warning-given", person=person)
        yield from untold
        yield event(
            "record-replaced", record={**record, "result": hands.result, "lines": lines + void}
        )

    def advised(self, line):
        """Is the owner told that a wager lay below the minimum? A tie left it untold."""
        warning = self.rules["limits"].get("under_minimum_warning")
        due = line["outcome"] == "pushes" and warning in line.get("clauses", [])
        return line["warn"] or (due and self.edition >= 2)

    def correct_live(self, corrected):
        """What was settled goes back on the layout, to be settled anew."""
        coup, before = self.coup, Counter(self.seen)
        recounted = []
        if "cards" in corrected:
            recounted = self.counted_anew(coup, corrected["cards"])
        if coup.verdict == "void":
            yield corrected
            yield from recounted
            yield from self.exceeded(self.seen - before)
            return
        back = [line["wager"] for line in coup.lines if line["outcome"] != "void"]
        reopened = bool(coup.lines) or coup.verdict is not None
        untold = self.withdrawn(coup, coup.lines, [])
        yield from reversals(coup)
        yield from untold
        if reopened:
            yield event("coup-reopened", number=coup.number, wagers=back)
        if corrected["is"] == "cards-corrected" and corrected["cards"] and not coup.locked:
            yield event("bets-locked")
        yield corrected
        yield from recounted
        yield from self.exceeded(self.seen - before)
        yield from self.after_card()

    # competitions

    def circuit(self, first):
        """Every seat once from this one on, in the direction in which bets are made."""
        count = self.notice["seats"]
        clockwise = self.ordered() == "clockwise"
        up = clockwise == (self.notice["numbering"] == "clockwise")
        return [(first - 1 + (turn if up else -turn)) % count + 1 for turn in range(count)]

    def at_dealers_right(self):
        return 1 if self.notice["numbering"] == "anticlockwise" else self.notice["seats"]

    def first_seat(self):
        right, drawn = self.at_dealers_right(), None
        if self.rules["competition"].get("first", "drawn") == "drawn":
            drawn = self.first_drawn or self.conditions["first_seat"]
        return next((seat for seat in self.circuit(drawn or right) if seat in self.seated), right)

    def betting_order(self):
        seated = self.seated
        order = self.circuit(self.puck or self.at_dealers_right())
        away = self.absent | self.expected | self.missed
        return [seat for seat in order if seat in seated and seated[seat] not in away]

    def is_early(self, wager):
        """Is a wager made before it is the player's turn, or after it?"""
        if self.edition >= 3:
            return not self.in_turn(wager["box"])
        if wager["on"] not in SIDES or not self.rules["competition"].get("order"):
            return False
        done = {wager["box"] for wager in self.coup.wagers if wager["on"] in SIDES}
        due = next((seat for seat in self.betting_order() if seat not in done), None)
        return due not in (None, wager["box"])

    def riding(self):
        """Wagers that a tie left lying for the next coup of a competition."""
        last = self.coups[-1] if self.coups else None
        rule = self.conditions and self.rules["competition"].get("after_tie")
        if self.edition >= 3:
            return [wager for wager in self.rides if wager["by"] in self.places] if rule else []
        if not rule or last is None or last.result != "tie":
            return []
        fresh = {"late_cents": 0, "withdrawn": False, "reduced": False}
        return [
            {**line["wager"], "cents": line["stake_cents"], **fresh}
            for line in last.lines
            if line["wager"]["on"] in SIDES and line["outcome"] == "pushes"
            if line["wager"]["by"] in self.places
        ]

    def made_up(self):
        """Wagers of a competition that are raised to the minimum before bets are locked."""
        rules, least = self.rules["competition"], self.notice["limits"]["min_cents"]
        raised = []
        if not self.coup.takes_wagers:
            return raised
        if self.edition >= 3:
            self.check_awaited()
        if not self.wants("every_coup"):
            return raised
        forms = {form["seat"]: form["announced"] for form in self.coup.counting().values()}
        for seat in [one for one in self.betting_order() if one not in self.declared_void()]:
            wagers = [wager for wager in self.coup.wagers if wager["box"] == seat]
            if self.most_lost(wagers) < least:
                short = next((wager for wager in wagers if wager["on"] in SIDES), None)
                tie = next((wager for wager in wagers if wager["on"] == "tie"), None)
                may = short and rules.get("made_up")
                if seat in forms:  # the form stands for the wager that is wanted
                    held = self.chips.get(short["by"], 0) if short else 0
                    held += tie["cents"] if tie and held < least - short["cents"] else 0
                    if forms[seat] or not may or held < least - short["cents"]:
                        continue
                must(may, f"locks bets though seat {seat} bets too little")
                if self.chips.get(short["by"], 0) < least - short["cents"] and tie:
                    raised.append(tie)
                raised.append({**short, "cents": least})
        return raised

    def most_lost(self, wagers):
        """The most that a player's wagers can lose."""
        on = Counter()
        for wager in wagers:
            on[wager["on"]] += wager["cents"]
        if self.rules["competition"].get("one_wager"):
            return max(on["player"], on["banker"])
        methods = self.rules["settlement"]["methods"]
        method = next(method for method in methods if method["name"] == self.notice["method"])
        losses = []
        for pays in method["pays"]:
            won = on[pays["on"]] * pays["odds"][0] // pays["odds"][1]
            lost = [] if pays["on"] == "tie" else {*SIDES, "tie"} - {pays["on"]}
            losses.append(sum(on[bet] for bet in lost) - won)
        return sum(on[bet] for bet in PAIRS) + max(losses)

    def after_coup(self, coup):
        """Absences are paid for, players below the minimum are out, and the puck moves on."""
        if self.edition >= 3:
            yield from self.after_coup_of_session(coup)
            return
        rules, least = self.rules["competition"], self.notice["limits"]["min_cents"]
        stands = coup.verdict == "stands"
        if stands and coup.takes_wagers and rules.get("absent"):
            bettors = {line["wager"]["by"] for line in coup.lines}
            away = [person for person in self.seated.values() if person in self.absent - bettors]
            for person in away if self.conditions["chips"] == "competition" else []:
                held = self.chips.get(person, 0)
                if held > 0:
                    yield event("absence-deducted", person=person, cents=min(least, held))
        yield from self.eliminations()
        if stands and rules.get("order") and self.puck is not None and self.seated:
            here = self.puck
            order = [*self.circuit(here)[1:], here]
            yield event("puck-moved", seat=next(seat for seat in order if seat in self.seated))

    def eliminations(self):
        if self.edition >= 3:
            yield from self.eliminated()
            return
        if not self.rules["competition"].get("eliminated"):
            return
        least = self.notice["limits"]["min_cents"]
        kept_by = "operator" if self.conditions["chips"] == "competition" else "player"
        for seat, person in self.seated.items():
            held = self.chips.get(person, 0)
            if held < least:
                facts = {"seat": seat, "left_over_cents": held, "kept_by": kept_by}
                yield event("player-eliminated", person=person, **facts)

    def do_allot_chips(self, _ask, _by):
        must(self.conditions and not self.allotted, "allots chips where none are due")
        people, cents = list(self.seated.values()), self.conditions["allotment_cents"]
        yield event("chips-allotted", cents=cents, people=people)

    def do_mark_absent(self, ask, _by):
        absent, missed = ask.get("absent", True), False
        if self.edition >= 3 and not absent:
            missed = self.has_missed(self.places[ask["person"]][0])
        yield event("absence-marked", person=ask["person"], absent=absent, missed=missed)

    def do_raise_limits(self, _ask, by):
        if by.edition >= 3:
            yield from self.limits_raised()
            return
        notice = {**self.notice, "limits": self.conditions["raised_limits"]}
        yield event("notice-changed", notice=notice, fields=["limits"])
        yield from self.eliminations()

    # sessions

    def way(self, name):
        """How one thing is done: as the conditions say, else the document, else as usual."""
        asked = (self.session or {}).get("play", {}).get(name, "")
        own = self.rules["competition"].get("play", {}).get(name)
        return asked or (own["way"] if own else USUAL_WAYS[name])

    def ordered(self):
        """The direction in which bets are made; None: all at once."""
        if self.session is None:
            return self.rules["competition"].get("order")
        return None if self.way("order") == "together" else self.way("order")

    def wants(self, name):
        """Whether the rules of this competition have one of the things a document may have."""
        if self.session is None:
            return bool(self.rules["competition"].get(name))
        return self.way(name) == HAS_IT[name]

    @property
    def is_cash(self):
        return self.conditions["chips"] == "cash"

    def have_bet(self):
        wanted = SIDES if self.rules["competition"].get("one_wager") else (*SIDES, "tie", *PAIRS)
        forms = [form for form in self.coup.forms.values() if form["verdict"] != "sent-back"]
        laid = {wager["box"] for wager in self.coup.wagers if wager["on"] in wanted}
        return laid | {form["seat"] for form in forms} | self.declared_void()

    def declared_void(self):
        """From edition 6 on whoever's wager was declared void before the cards has wagered."""
        warns = self.rules["competition"].get("session", {}).get("order_warning")
        if self.edition < 6 or self.coup.locked or not warns:
            return set()
        return {line["wager"]["box"] for line in self.coup.lines if line["outcome"] == "void"}

    def rode(self, wager):
        return self.rules["competition"].get("after_tie") and wager in self.rides

    def riding_boxes(self):
        return {wager["box"] for wager in self.rides if wager in self.coup.wagers}

    def in_turn(self, seat):
        """Everyone before has bet, nobody after has in turn, and none of them was asked."""
        order = self.betting_order()
        if not self.ordered() or seat not in order:
            return not self.ordered()
        before, after = order[: order.index(seat)], set(order[order.index(seat) + 1 :])
        moved = self.have_bet() - self.jumped - self.riding_boxes()
        waited = all(one in self.have_bet() for one in before)
        return waited and not moved & after and self.asked not in after

    def may_alter(self, seat):
        """Those before have altered what a tie left lying, or were asked and let it lie."""
        order = self.betting_order()
        if seat not in order or self.asked in order[order.index(seat) + 1 :]:
            return False
        passed = order[: order.index(self.asked)] if self.asked in order else []
        waiting = self.riding_boxes() - set(passed)
        return self.asked == seat or not waiting & set(order[: order.index(seat)])

    def keep_riding(self, coup):
        if not self.conditions:
            return
        self.counted += coup.verdict == "stands" and coup.takes_wagers
        if coup.verdict == "void":
            return
        fresh = {"late_cents": 0, "withdrawn": False, "reduced": False}
        lines = coup.of_chips() if coup.result == "tie" else []
        self.rides = [
            {**line["wager"], "cents": line["stake_cents"], **fresh}
            for line in lines
            if line["wager"]["on"] in SIDES and line["outcome"] == "pushes"
        ]

    def check_awaited(self):
        waits = (self.absent & set(self.places)) - self.directed
        free = self.wants("absent") and not self.is_cash
        must(free or not waits, "goes on though the director has to rule on who is away")

    def has_missed(self, seat):
        coup = self.coup
        if coup is None or not coup.takes_wagers or coup.verdict is not None:
            return False
        if coup.called or coup.locked:
            return True
        order = self.circuit(self.puck or self.at_dealers_right())
        after = set(order[order.index(seat) + 1 :])
        return bool(self.ordered()) and bool(after & (self.have_bet() - self.jumped | {self.asked}))

    def by_card(self):
        session = self.session or {}
        return session.get("kind") == "play-off" and not any((session.get("ends") or {}).values())

    def coups_in_all(self):
        return self.to_play or ((self.session or {}).get("ends") or {}).get("coups")

    def before_coup(self):
        must(self.allotted and not self.paused, "opens a coup that the session does not allow")
        must(not self.by_card() or self.to_play, "opens a coup before a card said how many")
        self.check_awaited()
        found = (self.hiding & set(self.places)) - self.directed
        hid = found and self.rules["competition"].get("hiding")
        must(not hid, "goes on with a player who hid chips and was not disqualified")
        for person in self.places:
            owes = self.chips.get(person, 0) < 0 and person not in self.directed
            must(not owes, "goes on though the director has to rule on chips below zero")
        if self.session:
            yield from self.puck_passed(list(self.not_seated()))
        out = list(self.eliminated())
        if out and len(out) == len(self.seated):
            yield from out
            yield self.session_ended("all-out")
            return
        yield from self.puck_passed(out)
        if self.session and self.next_kind != "non-betting":
            must(self.betting_order(), "opens a coup where nobody plays")
        most = self.coups_in_all()
        if most and not self.is_last_coup and not self.continued and self.counted + 1 >= most:
            yield event("last-coup-declared")

    def puck_passed(self, told):
        """What happened; and the puck moves on at once from a seat that it made void."""
        yield from told
        if self.puck is not None and self.puck not in self.seated:
            yield from self.puck_moves()

    def puck_moves(self):
        if self.ordered() and self.puck is not None and self.seated:
            order = [*self.circuit(self.puck)[1:], self.puck]
            yield event("puck-moved", seat=next(seat for seat in order if seat in self.seated))

    def removed(self, person, why, note="", row=0):
        facts = {"seat": self.places[person][0], "left_over_cents": self.chips.get(person, 0)}
        facts["kept_by"] = "player" if self.is_cash else "operator"
        return event("player-removed", person=person, why=why, note=note, row=row, **facts)

    def not_seated(self):
        at_once = self.is_cash or self.way("late") == "forfeit"
        for person in self.places:
            if person in self.expected and (at_once or self.late.get(person, 0) >= LATE_COUPS):
                yield self.removed(person, "not-seated" if at_once else "late")

    def eliminated(self):
        """Who can no longer make the posted minimum, all at once."""
        if not self.wants("eliminated"):
            return []
        least, number = self.notice["limits"]["min_cents"], self.coup_number - self.before
        facts = {"kept_by": "player" if self.is_cash else "operator", "coup": max(1, number)}
        out = []
        for seat, person in self.seated.items():
            held = self.chips.get(person, 0)
            if held < least and (held >= 0 or person in self.directed):
                facts |= {"seat": seat, "left_over_cents": held}
                out.append(event("player-eliminated", person=person, **facts))
        return out

    def session_ended(self, why, row=0):
        return event("session-ended", why=why, coups=self.counted, row=row)

    def after_coup_of_session(self, coup):
        if self.over:
            return
        stands = coup.verdict == "stands"
        counts = stands and coup.takes_wagers
        yield from list(self.deductions(coup)) if counts else []
        why = self.why_over(counts)
        if why:
            yield self.session_ended(why)
            return
        out = self.eliminated()
        yield from out
        if out and not self.seated:
            yield self.session_ended("all-out")
        elif stands:
            yield from self.puck_moves()
        else:
            yield from self.puck_passed([])

    def deductions(self, coup):
        least = self.notice["limits"]["min_cents"]
        bettors = {line["wager"]["by"] for line in coup.lines} | set(coup.counting())
        for person in self.seated.values() if not self.is_cash else ():
            taken = min(least, self.chips.get(person, 0))
            if person in bettors or taken <= 0:
                continue
            if person in self.expected or (person in self.missed and person in self.late):
                coups = self.late.get(person, 0) + 1
                yield event("lateness-deducted", person=person, cents=taken, coups=coups)
            elif self.wants("absent") and person in self.absent | self.missed:
                yield event("absence-deducted", person=person, cents=taken)

    def why_over(self, counts):
        most = self.coups_in_all()
        if self.continued:
            held = {self.chips.get(person, 0) for person in self.places}
            enough = counts and self.counted >= self.to_play
            return "last-coup" if enough and len(held) > 1 else None
        if counts and most and self.counted >= most:
            return "coups"
        if counts and self.is_last_coup:
            return "last-coup"
        shoes = ((self.session or {}).get("ends") or {}).get("shoes")
        if not shoes or self.shoe_number - self.shoe_before < shoes:
            return None
        few = self.shoe.left + len(self.carried) < self.fewest()
        return "shoes" if self.shoe.ended or few else None

    def limits_raised(self):
        must(self.indicator_out, "raises limits before the indicator card")
        tie = (self.session or {}).get("raised_tie")
        notice = {**self.notice, "limits": self.conditions["raised_limits"]}
        notice["tie_limits"] = tie or notice["tie_limits"]
        yield event(
            "notice-changed", notice=notice, fields=["limits", "tie_limits"][: 1 + bool(tie)]
        )
        out = self.eliminated()
        if out and len(out) == len(self.seated):
            yield self.session_ended("all-below")
        else:
            yield from self.puck_passed(out)

    def do_begin_session(self, ask, _by):
        must(self.conditions and self.session, "begins a session where there is none")
        must(not self.allotted, "begins a session twice")
        people = list(ask["seats"].values())
        must(len(set(people)) == len(people), "seats one player twice")
        cents = 0 if self.is_cash else self.conditions["allotment_cents"]
        facts = {key: ask.get(key) for key in ("first_seat", "starts_ms")}
        facts = {key: value for key, value in facts.items() if value}
        yield event("session-began", seats=ask["seats"], cents=cents, row=ask["row"], **facts)

    def do_note_directors(self, ask, _by):
        yield event("directors-noted", people=ask["people"], row=ask["row"])

    def do_take_seat(self, ask, by):
        person = ask.get("person") or by.person
        must(person in self.expected, "seats somebody who is not expected")
        seat = self.places[person][0]
        yield event("seat-taken", person=person, seat=seat, missed=self.has_missed(seat))

    def do_name_substitute(self, ask, _by):
        who = ask.get("substitute", "")
        must(not who or who not in self.places, "names a player as a substitute")
        yield event("substitute-named", person=ask["person"], substitute=who, row=ask.get("row", 0))

    def do_give_direction(self, ask, _by):
        yield event("direction-given", note=ask["note"], person=ask.get("person", ""))

    def do_declare_last_coup(self, ask, _by):
        yield event("last-coup-declared", row=ask["row"])

    def do_end_session(self, ask, _by):
        if self.coup is None:
            yield self.session_ended(ask["why"], ask["row"])
        else:
            yield event("last-coup-declared", row=ask["row"])

    def do_continue_session(self, ask, _by):
        more = ask.get("coups", 1)
        facts = {"session": ask["session"], "row": ask["row"], "coups": more if more > 1 else None}
        again = ask.get("seats", {})
        away = [who for who in ask["people"] if who not in self.places]
        fits = sorted(again.values()) == sorted(away) and set(away) <= set(self.chips)
        must(fits, "seats others again than those who sat out")
        told = event("session-continued", people=ask["people"], seats=again or None, **facts)
        yield from self.puck_passed([told])

    def do_hand_over_session(self, ask, _by):
        must(self.session and self.allotted, "hands over a session that has not begun")
        must(not self.is_cash, "hands over chips worth money")
        yield event("session-handed-over", to=ask["to"], standing=self.stands(), row=ask["row"])

    def do_take_over_session(self, ask, _by):
        stood = ask["standing"]
        mine = self.session and self.session["id"] == stood["session"]
        must(mine and not self.allotted, "takes over another session, or one it has")
        yield event("session-taken-over", standing=stood, row=ask["row"])
        wanted = {"limits": stood["limits"], "tie_limits": stood.get("tie_limits")}
        other = [name for name, limits in wanted.items() if self.notice[name] != limits]
        if other:
            changed = {**self.notice, **wanted}
            yield event("notice-changed", notice=changed, fields=other)

    def do_pause_session(self, ask, _by):
        facts = {"until_ms": ask.get("until_ms"), "utc_minutes": self.zone}
        yield event("session-paused", why=ask["why"], row=ask["row"], **facts)

    def do_resume_session(self, ask, _by):
        yield event("session-resumed", row=ask["row"])

    def do_draw_for_coups(self, ask, _by):
        must(self.by_card() and self.to_play is None, "draws for coups where no card is to say")
        yield event("coups-drawn", card=ask["card"], coups=POINTS[ask["card"][0]] or 10)

    def do_remove_player(self, ask, _by):
        lying = (
            [wager for wager in self.coup.wagers if wager["by"] == ask["person"]]
            if self.coup
            else []
        )
        must(not lying or not self.coup.locked, "removes a player whose wagers are locked")
        for wager in lying:
            yield event("wager-withdrawn", wager=wager)
        if self.coup and not self.coup.locked:
            yield from self.lapsed(self.coup, ask["person"])
        gone = self.removed(ask["person"], ask["why"], ask["note"], ask["row"])
        yield from self.puck_passed([gone])

    def do_correct_chips(self, ask, _by):
        was = self.chips.get(ask["person"], 0)
        facts = {"was_cents": was, "cents": ask["cents"], "note": ask["note"]}
        yield event("chips-corrected", person=ask["person"], **facts)

    def do_reinstate(self, ask, _by):
        must(ask["person"] in self.out, "reinstates somebody who was not eliminated")
        seat = next(box for box, who in self.drawn_seats.items() if who == ask["person"])
        facts = {"seat": seat, "cents": self.out[ask["person"]][1], "note": ask["note"]}
        yield event("player-reinstated", person=ask["person"], **facts)

    # secret wagers

    def told_first(self):
        """The last coup of the final, and an accepted form from every player?"""
        coup = self.coup
        if not (self.session or {}).get("final") or not self.is_last_coup or not coup.called:
            return False
        forms = coup.counting()
        accepted = {who for who, form in forms.items() if form["verdict"] == "accepted"}
        return bool(accepted) and accepted >= set(self.seated.values())

    def unopened(self):
        """The forms still to be told, in the order of betting."""
        order = self.circuit(self.puck or self.at_dealers_right()) if self.conditions else []
        forms = self.coup.counting().items()
        forms = [(who, form) for who, form in forms if not form["announced"]]
        return dict(sorted(forms, key=lambda one: order.index(one[1]["seat"])))

    def told_forms(self, opened):
        """Each form against its commitment, and what it counts for."""
        due, found = self.unopened(), {form["person"]: form for form in opened}
        must(len(found) == len(opened) and set(found) == set(due), "opens other forms than lie")
        told = []
        for person, lodged in due.items():
            content = found[person]["content"].encode()
            made = commitment_of(bytes.fromhex(found[person]["salt"]), content)
            must(made == lodged["commitment"], "opens another form than was lodged")
            form = read_json(content.decode())
            must(set(form) == {"figures", "words", "on"}, "opens what is not a form")
            told.append(self.told_form(person, lodged["seat"], form))
        return told

    def told_form(self, person, seat, form):
        at = self.position_of(person)
        faults, cents = form_faults(form, at), figures_cents(form["figures"])
        played, taken = 0, 0
        if NOT_SHOWN & set(faults):
            taken = at["least"]
        else:
            played = max(0, deemed_cents(form, at))
        wager = None
        if played:
            wager = {"box": seat, "on": FORM_TYPES[form["on"]], "cents": played, "by": person}
            wager |= {"standing": False, "late_cents": 0, "withdrawn": False}
            wager["reduced"] = played < cents
        facts = {**form, "wager": wager, "reasons": faults, "taken_cents": taken}
        return event("secret-announced", coup=self.coup.number, person=person, **facts)

    def position_of(self, person):
        """What a form is held against: chips and limits as they were when bets closed."""
        coup, limits = self.coup, self.notice["limits"]
        lines = [line for line in coup.lines if line["wager"]["by"] == person]
        lying = [wager for wager in coup.wagers if wager["by"] == person]
        laid = Counter()
        for wager in (*lying, *(line["wager"] for line in lines)):
            laid[wager["on"]] += wager["cents"]
        held = self.chips.get(person, 0) + sum(wager["cents"] for wager in lying)
        held -= sum(moved_by(line) for line in lines)
        tie = self.notice["tie_limits"] or limits
        return {
            "least": limits["min_cents"], "most": limits["max_cents"], "laid": laid,
            "tie_least": tie["min_cents"], "tie_most": tie["max_cents"],
            "unit": limits.get("multiple_cents") or self.notice["chip_cents"],
            "free": held - sum(laid.values()), "left": self.secrets_left.get(person, 0),
        }  # fmt: skip

    def lapsed(self, coup, person=None):
        """The forms of a coup count no more: everyone's, or one player's."""
        used = self.secrets_used.get(coup.number, {})
        lie = coup.forms if coup is self.coup else {}
        people = [who for who in dict.fromkeys((*lie, *used)) if person in (None, who)]
        back = {who: {"cents": used[who]} if used.get(who) else {} for who in people}
        return [event("secret-lapsed", coup=coup.number, person=who, **back[who]) for who in people]

    def do_lodge_secret(self, ask, by):
        person = ask.get("person") or by.person
        must(person in self.places and self.coup.takes_wagers, "lodges a form where none can be")
        seat, before = self.places[person][0], self.coup.forms.get(person)
        if before is None or before["verdict"] != "sent-back":
            timely = before is None and not self.coup.called and seat in self.betting_order()
            must(timely and self.in_turn(seat), "lodges a form out of turn")
        else:
            must(before["returned"] == 1, "lodges a form that was sent back twice")
        must(self.secrets_left.get(person, 0) > 0, "lodges a form though no secret wager is left")
        facts = {"seat": seat, "commitment": ask["commitment"]}
        yield event("secret-lodged", person=person, **facts)

    def do_examine_secret(self, ask, _by):
        form, reasons = self.coup.forms.get(ask["person"]), ask.get("reasons", [])
        must(form and not form["verdict"] and self.coup.called, "examines a form where none waits")
        back = ask["verdict"] == "sent-back"
        must(back == bool(reasons), "sends a form back without a reason, or accepts it with one")
        facts = {"verdict": ask["verdict"], "reasons": reasons}
        yield event("secret-examined", person=ask["person"], **facts)

    def do_announce_secrets(self, ask, _by):
        must(self.told_first() and self.unopened(), "tells forms that are not to be told yet")
        yield from self.told_forms(ask.get("forms", []))

    def do_inspect_form(self, ask, by):
        number, people = self.shown_forms
        coup = self.coup
        over = coup and coup.number != number and coup.drawn
        must(ask["whose"] in people and not over, "shows a form that cannot be looked at")
        yield event("form-inspected", person=ask.get("person") or by.person, whose=ask["whose"])


# the forms of secret wagers


def commitment_of(salt, content):
    """The hash that stands for a form until it is opened."""
    length = len(salt).to_bytes(8, "big")
    return hashlib.sha256(b"puntobanco-seal-1" + length + salt + content).hexdigest()


FORM_TYPES = {"p": "player", "b": "banker", "t": "tie"}
NOT_SHOWN = {"none-left", "type-not-shown", "words-and-figures-differ", "both-sides"}
"""The faults of a form for which the minimum is taken and nothing is played."""
SPELLED = """
one two three four five six seven eight nine ten
eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety
"""
UNITS, TENS = SPELLED.split()[:19], SPELLED.split()[19:]
WORTH = {word: value for value, word in enumerate(UNITS, 1)}
WORTH |= {word: 10 * value for value, word in enumerate(TENS, 2)} | {"fourty": 40, "ninty": 90}
_NINE = "|".join(UNITS[:9])
_SMALL = rf"(?:(?:{'|'.join([*TENS, 'fourty', 'ninty'])})(?: (?:{_NINE}))?|(?:{'|'.join(UNITS)}))"


def _hundreds(many):
    return rf"(?:(?:a|{many}) hundred(?: (?:and )?{_SMALL})?|a|{_SMALL})"


_LOW, _HIGH = _hundreds(f"(?:{_NINE})"), _hundreds(_SMALL)
_GREAT = [rf"(?P<{name}>{_LOW}) {name}" for name in ("million", "thousand")]
_AND = " (?:and )?"
_WHOLE = re.compile(
    rf"(?P<nothing>zero|nil|nought)|{_GREAT[0]}(?:{_AND}{_GREAT[1]})?(?:{_AND}(?P<rest>{_LOW}))?"
    rf"|(?P<thousands>{_LOW}) thousand(?:{_AND}(?P<more>{_LOW}))?|(?P<alone>{_HIGH})"
)
_FIGURES = re.compile(r"\$? ?(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d\d))?", re.ASCII)


def figures_cents(text):
    found = _FIGURES.fullmatch(text.strip())
    return int(found[1].replace(",", "")) * 100 + int(found[2] or 0) if found else None


def words_cents(text):
    """An amount in words, with or without "and"; None if it is none."""
    words = text.lower().replace("-", " ").replace(",", " ").split()
    words = words[:-1] if len(words) > 1 and words[-1] == "only" else words
    said = " ".join(words)
    cents = re.fullmatch(rf"(?:(.+) dollars? (?:and )?)?({_SMALL}) cents?", said)
    if cents:
        whole = 0 if cents[1] is None else whole_of(cents[1])
        return None if whole is None else whole * 100 + number_of(cents[2])
    whole = whole_of(re.sub(r" dollars?$", "", said))
    return None if whole is None else whole * 100


def whole_of(said):
    found = _WHOLE.fullmatch(said)
    if found is None:
        return None
    parts = {name: number_of(part) for name, part in found.groupdict().items() if part}
    worth = {"million": 10**6, "thousand": 1000, "thousands": 1000, "nothing": 0}
    return sum(value * worth.get(name, 1) for name, value in parts.items())


def number_of(said):
    """A number below ten thousand, in words that are known to be one."""
    before, hundred, after = said.partition("hundred")
    value = sum(WORTH.get(word, word == "a") for word in before.split())
    return value * 100 + number_of(after) if hundred else value


def beside_chips(form, at):
    """The most that a form may be for beside the chips that were laid."""
    most = at["most"] - at["laid"]["player"] - at["laid"]["banker"]
    return min(most, at["tie_most"] - at["laid"]["tie"]) if form["on"] == "t" else most


def form_faults(form, at):
    """All that is wrong with a form, in the order in which it is told."""
    on, cents = FORM_TYPES.get(form["on"]), figures_cents(form["figures"])
    tie = on == "tie"
    least, most = (at["tie_least"], at["tie_most"]) if tie else (at["least"], at["most"])
    hands = at["laid"]["player"] + at["laid"]["banker"]
    other = {"player": "banker", "banker": "player"}.get(on)
    shown = cents is not None
    found = {
        "none-left": at["left"] <= 0,
        "type-not-shown": on is None,
        "words-and-figures-differ": not shown or words_cents(form["words"]) != cents,
        "not-in-units": shown and cents % at["unit"] != 0,
        "below-minimum": shown and cents < least,
        "above-maximum": shown and cents > min(most, beside_chips(form, at)),
        "both-sides": other is not None and at["laid"][other] > 0,
        "no-wager-on-banker-or-player": tie and not hands,
        "more-than-held": shown and cents > at["free"],
    }
    return [name for name, holds in found.items() if holds]


def deemed_cents(form, at):
    """What is played of a form that shows its wager: cut, or raised, in this order."""
    tie, cents = form["on"] == "t", figures_cents(form["figures"])
    least, most = (at["tie_least"], at["tie_most"]) if tie else (at["least"], at["most"])
    cents = max(cents - cents % at["unit"], least)
    return min(max(0, min(cents, most, beside_chips(form, at))), at["free"])


USUAL_WAYS = {
    "order": "together", "every_coup": "no", "eliminated": "no", "absent": "ruling",
    "late": "forfeit", "face_down": "no", "level": "more-rounds",
}  # fmt: skip
"""What holds where neither document nor conditions say anything."""
HAS_IT = {"every_coup": "yes", "eliminated": "below-minimum", "absent": "minimum-deducted"}
LATE_COUPS = 3
"""Coups for which one who is late is deducted."""


def ruled_void(ruling, by):
    """From edition 2 on a rule by which this coup is void says so."""
    return {**ruling, "verdict": "void"} if by.edition >= 2 else ruling


def ruled(found, ruling, note=None):
    return event("irregularity-ruled", found=found, note=note, **ruling)


def points_announced(hands):
    player, banker = points(hands.player[:2]), points(hands.banker[:2])
    return event("points-announced", player=player, banker=banker, next=hands.owed)


def result_declared(number, hands):
    facts = {"player": points(hands.player), "banker": points(hands.banker)}
    return event("result-declared", number=number, result=hands.result, **facts)


def reversed_line(number, line):
    cents = -moved_by(line)
    return event("transfer-reversed", coup=number, wager=line["wager"], to_owner_cents=cents)


def reversals(coup):
    """What undoes everything that was settled of a coup."""
    return [reversed_line(coup.number, line) for line in coup.lines if moved_by(line)]


def longest_repeat(before, now):
    """The longest run of at least seven cards dealt as in the shoe before, or backwards."""
    return max(_repeated(before, now), _repeated(before[::-1], now))


def _repeated(before, now):
    longest, length = 0, 7
    while _runs(before, length) & _runs(now, length):
        longest, length = length, length + 1
    return longest


def _runs(cards, length):
    return {tuple(cards[at : at + length]) for at in range(len(cards) - length + 1)}


# rows from before commands were kept


def old_result(table, told):
    hands = table.hands()
    must(hands.complete, "declares a result though a card is owed")
    return result_declared(told["number"], hands)


def old_points(table, told):
    """By the initial deal, or by all cards, once they were put right."""
    initial = points_announced(table.hands(table.coup.drawn[:4]))
    return initial if told.get("next") == initial["next"] else points_announced(table.hands())


def old_settled(table, told):
    """A wager settled by the cards, and for the part of it that was at risk."""
    wager, number = told["wager"], told["coup"]
    if table.coup and table.coup.number == number:
        coup, notice = table.coup, table.notice
        stake, warn = table.at_risk(wager)
    else:
        coup = table.record(number)
        notice, line = coup.notice, coup.line(wager)
        stake, warn = line["stake_cents"], told.get("warn", False)
    if told["outcome"] == "void":
        return settled(number, even_line(wager, "void", stake))
    return settled(number, table.settle(table.hands(coup.drawn), wager, stake, warn, notice))


def old_reversed(table, told):
    live = table.coup and table.coup.number == told["coup"]
    coup = table.coup if live else table.record(told["coup"])
    return reversed_line(told["coup"], coup.line(told["wager"]))


def old_opening(table, told):
    if told.get("fault") == "never opened":
        return told
    return {**told, "agrees": not table.order_fault(told["order"], told["salt"])}


Table.old = {
    "result-declared": old_result,
    "points-announced": old_points,
    "wager-settled": old_settled,
    "transfer-reversed": old_reversed,
    "commitment-opened": old_opening,
}


# the cage and the register


def moved_on(kept, who, day, *, alone=False):
    """What one person each moved in and out on a gaming day, or on a later one; `alone`: on none
    but that.
    """
    last, moved = kept.get(who, ("", Counter()))
    return moved if last == day or (last > (day or "") and not alone) else Counter()


def unnoted(ask):
    return {name: fact for name, fact in ask.items() if name != "note"}


class ByTwo(Stream):
    """Where one person proposes and another decides: cage and register."""

    once = False
    """What waits is not proposed again."""

    def takes_two(self, ask, by):
        raise NotImplementedError

    def follows(self, ask, by):
        if not self.takes_two(ask, by):
            return super().follows(ask, by)
        list(super().follows(ask, by))
        waits = [unnoted(other) for other, _ in self.proposals.values()]
        again = by.edition >= 8 and self.once and unnoted(ask) in waits
        must(not again, "proposes what waits already")
        facts = {"number": self.proposal_number + 1, "ask": ask, "person": by.person}
        return iter([event("proposed", **facts)])

    def on_proposed(self, told):
        self.proposals[told["number"]] = told["ask"], told["person"]
        self.proposal_number = told["number"]

    def on_approved(self, told):
        must(told["number"] in self.proposals, "is about a proposal that is not there")
        del self.proposals[told["number"]]

    on_proposal_dropped = on_approved

    def do_approve(self, ask, by):
        number = ask["proposal"]
        must(number in self.proposals, "approves a proposal that is not there")
        proposed, person = self.proposals[number]
        must(person != by.person, "has one person propose and approve")
        yield event("approved", number=number, person=by.person)
        first = By(person, by.roles, by.at_ms, by.edition)
        alone = {name: fact for name, fact in proposed.items() if name != "day"}
        yield from super().follows(alone, first)


class Cage(ByTwo):
    """Money and chips: what was paid in is in an account, or stands against chips that are out."""

    def __init__(self):
        self.accounts, self.cash, self.trays = {}, 0, {}
        self.slips, self.slip, self.pots = {}, 0, Counter()
        self.drawers = {}
        self.proposals, self.proposal_number, self.asks_two = {}, 0, False
        self.alone, self.through, self.of_one_day = {}, {}, {}
        """What one person each moved on the latest gaming day, by patron and by drawer; and on the
        last one named by patron, as it was counted before edition 8."""
        self.checked = {"movements": 0}

    def check_balance(self):
        out = sum(tray["sold"] - tray["redeemed"] for tray in self.trays.values())
        held = sum(self.accounts.values()) + sum(self.pots.values())
        must(self.cash == held + out, "money comes from nowhere")

    def into_pot(self, told, cents):
        """Money into the pot of a competition, or out of it, never more than there is."""
        self.pots[told["competition"]] += cents
        must(self.pots[told["competition"]] >= 0, "spends more than a pot has")

    def tray(self, table):
        must(table in self.trays, "is about a tray nobody opened")
        return self.trays[table]

    def move(self, told, sign):
        """Money into an account, or out of it."""
        person, cents = told["person"], told["cents"]
        must(whole(cents, 1), "moves no money at all")
        must(person in self.accounts, "is about an account nobody opened")
        self.accounts[person] += sign * cents
        must(self.accounts[person] >= 0, "spends money nobody has")
        self.checked["movements"] += 1

    def on_account_opened(self, told):
        must(told["person"] not in self.accounts, "opens an account that is open")
        self.accounts[told["person"]] = 0

    def on_money_deposited(self, told):
        self.move(told, 1)
        self.move_alone(told, 1)
        self.cash += told["cents"]
        self.into_drawer(told.get("drawer"), "cash", told["cents"])

    def on_money_withdrawn(self, told):
        self.move(told, -1)
        self.move_alone(told, -1)
        self.cash -= told["cents"]
        self.into_drawer(told.get("drawer"), "cash", -told["cents"])

    def into_drawer(self, person, what, cents):
        """Cash or chips into somebody's drawer, or out of it, if they have one open."""
        if person in self.drawers:
            self.drawers[person][what] += cents

    def by_till(self, kind, ask, by):
        """Money over the counter; it is in the drawer of whoever has one open."""
        drawer = by.person if by.person in self.drawers else None
        facts = {"person": ask["person"], "cents": ask["cents"], "day": ask.get("day")}
        yield event(kind, drawer=drawer, **facts)

    def takes_two(self, ask, by):
        """More than one person moves on one gaming day takes two: for a patron, and from edition 8
        on ten times as much through a drawer and past all of them, and a day that is over does not
        come again.
        """
        if "limit_cents" not in ask:
            return False
        way = 1 if ask["do"] == "deposit" else -1
        person, day, limit = ask["person"], ask.get("day"), ask["limit_cents"]
        if by.edition < 8:
            before = moved_on(self.of_one_day, person, day, alone=True)
            return before[way] + ask["cents"] > limit
        ways = (self.alone, person), (self.through, by.person), (self.through, "")
        before, own, past = (moved_on(kept, who, day)[way] for kept, who in ways)
        many = before + ask["cents"] > limit or own + past + ask["cents"] > 10 * limit
        return many or self.asks_two

    def play(self, events, ask, by):
        """Who counts as one with the cashier is in the register alone: what they moved together is
        not counted here, and where two were asked for, two there are.
        """
        self.asks_two = by.edition >= 8 and [told["is"] for told in events] == ["proposed"]
        super().play(events, ask, by)

    def move_alone(self, told, way):
        """What two people agreed to has no day, and counts against no limit."""
        if day := told.get("day"):
            person, moved = told["person"], Counter({way: told["cents"]})
            for kept, who in ((self.alone, person), (self.through, told.get("drawer", ""))):
                latest = max(day, kept.get(who, (day,))[0])
                kept[who] = latest, moved_on(kept, who, day) + moved
            once = moved_on(self.of_one_day, person, day, alone=True)
            self.of_one_day[person] = day, once + moved

    def do_deposit(self, ask, by):
        return self.by_till("money-deposited", ask, by)

    def do_withdraw(self, ask, by):
        return self.by_till("money-withdrawn", ask, by)

    def on_chips_sold(self, told):
        self.move(told, -1)
        self.tray(told["table"])["sold"] += told["cents"]

    def on_chips_redeemed(self, told):
        self.move(told, 1)
        self.tray(told["table"])["redeemed"] += told["cents"]

    def on_fee_taken(self, told):
        cents, beside = told["cents"], told.get("commission_cents", 0)
        must(whole(cents, 0) and whole(beside, 0), "takes no fee at all")
        self.move({"person": told["person"], "cents": cents + beside}, -1)
        self.into_pot(told, cents + beside)

    def on_fee_refunded(self, told):
        self.move(told, 1)
        self.into_pot(told, -told["cents"])

    def on_paid_from_pot(self, told):
        self.move(told, 1)
        self.into_pot(told, -told["cents"])

    def on_pot_added_to(self, told):
        must(whole(told["cents"], 1), "adds nothing to a pot")
        self.into_pot(told, told["cents"])
        self.cash += told["cents"]

    def on_pot_retained(self, told):
        must(whole(told["cents"], 1), "retains nothing")
        self.into_pot(told, -told["cents"])
        self.cash -= told["cents"]

    def do_take_fee(self, ask, _by):
        facts = {name: ask[name] for name in ("competition", "person", "cents")}
        yield event("fee-taken", **facts, commission_cents=ask.get("commission_cents") or None)

    def do_pay_from_pot(self, ask, _by):
        """A prize; what the operator adds for equal shares is a line of its own."""
        pot = ask["competition"]
        if ask.get("added_cents"):
            yield event("pot-added-to", competition=pot, cents=ask["added_cents"])
        yield event("paid-from-pot", competition=pot, person=ask["person"], cents=ask["cents"])

    def on_tray_opened(self, told):
        must(told["table"] not in self.trays, "opens a tray that is open")
        must(whole(told["cents"], 1), "opens a tray with nothing in it")
        self.trays[told["table"]] = Counter(opened=told["cents"])

    def on_slip_requested(self, told):
        must(told["number"] == self.slip + 1, f"has another slip than number {self.slip + 1}")
        must(told["kind"] in ("fill", "credit") and whole(told["cents"], 1), "has no such slip")
        self.tray(told["table"])
        check_piles(told.get("chips"), told["cents"])
        self.slip = told["number"]
        self.slips[self.slip] = told

    def on_slip_completed(self, told):
        slip = self.slips.pop(told["number"], None)
        must(slip is not None, "closes a slip that is not open")
        must(slip["person"] != told["person"], "has one person at both ends of a slip")
        self.tray(slip["table"])[slip["kind"]] += slip["cents"]
        moved = -slip["cents"] if slip["kind"] == "fill" else slip["cents"]
        self.into_drawer(told["person"], "chips", moved)

    def on_slip_voided(self, told):
        must(self.slips.pop(told["number"], None), "closes a slip that is not open")

    def do_request_slip(self, ask, by):
        facts = {name: ask.get(name) for name in ("kind", "table", "cents", "chips")}
        yield event("slip-requested", number=self.slip + 1, person=by.person, **facts)

    def do_count_tray(self, ask, by):
        """What must be there: opened, filled, bought back and won, less credited and sold."""
        tray = self.tray(ask["table"])
        there = tray["opened"] + tray["fill"] - tray["credit"] - tray["sold"] + tray["redeemed"]
        facts = {name: ask.get(name) for name in ("table", "counted_cents", "chips")}
        expected = there + ask.get("bank_cents", 0)
        yield event("tray-counted", expected_cents=expected, person=by.person, **facts)

    def on_tray_counted(self, told):
        check_piles(told.get("chips"), told["counted_cents"])

    def on_drawer_opened(self, told):
        must(told["person"] not in self.drawers, "opens a drawer that is open")
        cash, chips = (check_piles(told.get(what)) for what in ("cash", "chips"))
        self.drawers[told["person"]] = Counter(cash=cash, chips=chips)

    def on_drawer_closed(self, told):
        must(self.drawers.pop(told["person"], None) is not None, "closes a drawer nobody opened")
        for what in ("cash", "chips"):
            check_piles(told.get(what))

    def do_open_drawer(self, ask, by):
        yield event("drawer-opened", person=by.person, cash=ask["cash"], chips=ask.get("chips"))

    def do_close_drawer(self, ask, by):
        """What was counted, beside what must be there; another's by management alone."""
        person = ask.get("person") or by.person
        manages = "management representative" in by.roles
        must(person == by.person or manages, "closes another's drawer")
        must(person in self.drawers, "closes a drawer nobody opened")
        drawer = self.drawers[person]
        yield event(
            "drawer-closed",
            person=person,
            counted_by=by.person,
            expected_cash_cents=drawer["cash"],
            expected_chips_cents=drawer["chips"],
            **{name: ask.get(name) for name in ("cash", "chips", "note")},
        )


def check_piles(piles, cents=None):
    """A count by denomination, each once; what it comes to, which may have to be an amount."""
    piles = piles or []
    kinds = [pile["cents"] for pile in piles]
    must(len(set(kinds)) == len(kinds), "counts one denomination twice")
    for pile in piles:
        must(whole(pile["cents"], 1) and whole(pile["count"], 1), "counts what cannot be")
    worth = sum(pile["cents"] * pile["count"] for pile in piles)
    must(not piles or cents is None or worth == cents, "has a count that is not the amount")
    return worth


class Register(ByTwo):
    """Who belongs to the house and has which roles; the texts of the rule sets."""

    no_change = frozenset(
        {"look-set", "logo-set", "table-named", "chips-set", "tempo-set", "gaming-day-set"}
        | {"preset-set", "preset-dropped", "two-people-set", "watch-set", "retention-set"}
        | {"reminder-set"}
    )

    def __init__(self):
        self.people, self.rulesets, self.keys = {}, set(), set()
        self.alike = {"house"}
        """The ids of all of them, capitals or not."""
        self.guests = set()
        self.proposals, self.proposal_number, self.has_two = {}, 0, False
        self.checked = {"people": 0}

    def on_house_founded(self, told):
        must(not self.people, "founds a house that is founded")
        self.on_person_enrolled(told)
        self.people[told["person"]]["roles"].add(("", "management representative"))

    def on_founder_named(self, told):
        """From two founders on nobody gives a role alone."""
        if told["person"] not in self.people:
            self.on_person_enrolled(told)
        member = self.people[told["person"]]
        member["enabled"] = True
        member["roles"].add(("", "management representative"))
        self.has_two = True

    once = True

    def takes_two(self, ask, _by):
        back = ask["do"] == "enable" and self.member(ask)["roles"]
        return self.has_two and (back or ask["do"] in ("grant", "set-two-people", "erase"))

    def check_new(self, person, by):
        """From edition 8 on nobody is enrolled under the id of somebody else in capitals."""
        alike = by.edition >= 8 and person.casefold() in self.alike
        must(not alike, "enrols somebody by an id that another has in other letters")

    def do_found_house(self, ask, by):
        yield event("house-founded", person=by.person)
        if ask.get("second"):
            must(ask["second"] != by.person, "is founded by one person twice")
            self.check_new(ask["second"], by)
            yield event("founder-named", person=ask["second"], at_ms=by.at_ms)

    def do_enrol(self, ask, by):
        self.check_new(ask["person"], by)
        whom = {name: ask.get(name) for name in ("person", "kind", "bot")}
        if self.has_two and ask["kind"] == "staff":
            whom |= {"by": by.person, "at_ms": by.at_ms}
        yield event("person-enrolled", **whom)

    def on_person_enrolled(self, told):
        must(told["person"] not in self.people, "enrols somebody twice")
        self.people[told["person"]] = {"enabled": True, "roles": set()}
        self.alike.add(told["person"].casefold())
        self.checked["people"] += 1

    def member(self, told):
        must(told["person"] in self.people, "is about somebody who was never enrolled")
        return self.people[told["person"]]

    def on_person_disabled(self, told):
        must(self.member(told)["enabled"], "disables somebody who is disabled")
        self.member(told)["enabled"] = False

    def on_person_enabled(self, told):
        must(not self.member(told)["enabled"], "enables somebody who is enabled")
        self.member(told)["enabled"] = True

    def on_erasure_agreed(self, told):
        must(not self.member(told)["enabled"], "erases somebody who belongs to the house")

    def do_exclude_oneself(self, ask, by):
        yield event("self-excluded", person=by.person, until_ms=by.at_ms + ask["days"] * 86_400_000)

    def on_self_excluded(self, told):
        member = self.member(told)
        must(told["until_ms"] > member.get("out_ms", 0), "shortens what somebody asked for")
        member["out_ms"] = told["until_ms"]

    def do_set_own_limits(self, ask, by):
        """What is lower holds at once, what is higher when it is asked for again a day later."""
        member, wanted, own = self.members_own(by.person), ask["limits"], by.person
        now, waits = member.get("limits", {}), member.get("asked")
        lower = {"remind_minutes": wanted.get("remind_minutes", 0)}
        for name in ("day_cents", "week_cents", "minutes"):
            both = [one[name] for one in (now, wanted) if one.get(name)]
            lower[name] = min(both, default=0)
        lower = {name: value for name, value in lower.items() if value}
        if lower == wanted:
            must(lower != now or waits, "sets limits that are so already")
            yield event("own-limits-set", person=own, limits=wanted)
            return
        if waits and waits[0] == wanted and by.at_ms < waits[1] + 7 * 86_400_000:
            must(by.at_ms >= waits[1], "raises limits within a day")
            yield event("own-limits-set", person=own, limits=wanted)
            return
        if lower != now:
            yield event("own-limits-set", person=own, limits=lower)
        at_ms = by.at_ms + 86_400_000
        yield event("own-limits-asked", person=own, limits=wanted, from_ms=at_ms)

    def members_own(self, person):
        return self.member({"person": person})

    def on_own_limits_set(self, told):
        member = self.member(told)
        member["limits"], member["asked"] = told["limits"], None

    def on_own_limits_asked(self, told):
        self.member(told)["asked"] = (told["limits"], told["from_ms"])

    def on_role_granted(self, told):
        role, roles = (told.get("table", ""), told["role"]), self.member(told)["roles"]
        must(told["role"] in ROLES - {"patron", "guest", "house"}, "grants what is no role")
        must(role not in roles, "grants a role that is held")
        roles.add(role)

    def on_role_revoked(self, told):
        role, roles = (told.get("table", ""), told["role"]), self.member(told)["roles"]
        must(role in roles, "revokes a role that is not held")
        roles.remove(role)

    def on_ruleset_kept(self, told):
        read_rules(told["digest"], told["text"])
        self.rulesets.add(told["digest"])

    def on_key_shown(self, told):
        self.keys.add(told["public"])

    def do_show_key(self, ask, by):
        """From edition 7 on another key than the first takes the word of two people."""
        if not ask.get("first"):
            must(not self.keys or by.edition < 7, "takes another key by nobody's word")
            yield event("key-shown", public=ask["public"])
            return
        words = ask["first"], ask.get("second", "")
        must(words[0] != words[1], "takes a key by the word of one person")
        oversee = {"management representative"}, {"management representative", "surveillance"}
        for person, roles in zip(words, oversee, strict=True):
            held = self.member({"person": person})
            counts = {role for table, role in held["roles"] if not table} & roles
            must(held["enabled"] and counts, "takes a key by the word of somebody else's")
        facts = {"first": words[0], "second": words[1], "rows": ask.get("rows")}
        yield event("key-shown", public=ask["public"], **facts)

    def on_guests_set(self, told):
        """The setting itself enrols the ids that guests play under."""
        must(whole(told["seats"], 0, 14), "sets seats for guests that no table has")
        must(bool(told["table"]) == bool(told["seats"]), "sets guests nowhere, or none somewhere")
        for number in range(1, told["seats"] + 1):
            person = f"guest-{number}"
            if person not in self.guests:
                self.on_person_enrolled({"person": person})
                self.guests.add(person)

    def do_set_gaming_day(self, ask, by):
        """It counts from an hour on."""
        yield event(
            "gaming-day-set", begins=ask.get("begins", "06:00"), from_ms=by.at_ms + 3_600_000
        )

    def do_set_reminder(self, ask, _by):
        yield event("reminder-set", minutes=ask.get("minutes", 60))

    def do_set_retention(self, ask, _by):
        kept = ("record_days", "photos_days", "logs_days", "recordings_days")
        yield event("retention-set", **{name: ask.get(name, 0) for name in kept})

    def do_set_time_zone(self, ask, by):
        """It counts from an hour on; what its clocks show was looked up when it was set."""
        facts = {"zone": ask["zone"], "offsets": ask["offsets"]}
        yield event("time-zone-set", **facts, from_ms=by.at_ms + 3_600_000)

    def on_time_zone_set(self, told):
        changes = [one["from_ms"] for one in told["offsets"]]
        must(changes and not changes[0], "sets clocks that show nothing in the beginning")
        must(changes == sorted(set(changes)), "sets clocks that change before they change")

    def do_set_watch(self, ask, by):
        """Amounts count from an hour on, too."""
        amounts = {name: ask.get(name, 0) for name in ("wager_cents", "win_cents", "payment_cents")}
        required = ask.get("second_factor", False)
        from_ms = by.at_ms + 3_600_000
        yield event("watch-set", second_factor=required, **amounts, from_ms=from_ms)

    def do_set_guests(self, ask, _by):
        yield event("guests-set", table=ask.get("table", ""), seats=ask.get("seats", 0))

    def do_keep_ruleset(self, ask, _by):
        if ask["digest"] not in self.rulesets:
            yield event("ruleset-kept", **{name: ask[name] for name in ("name", "digest", "text")})


class Links(Stream):
    """A stream of which the links are all there is to check."""

    def __init__(self):
        self.checked = {"links only, for rows": 0}

    def apply(self, told):
        must(isinstance(told["is"], str), "has an event of no kind")

    def play(self, events, _ask, _by):
        self.play_old(events)

    def check_balance(self):
        self.checked["links only, for rows"] += 1


# a competition: its conditions, money and places


class Terms:
    """Published conditions with the rule set they are played by; what is left out is as usual."""

    def __init__(self, text, rules):
        self.said, self.rules = tomllib.loads(text.removeprefix("\ufeff")), rules
        self.document = rules["competition"]
        self.entry, self.stages = self.said.get("entry", {}), self.said["stage"]
        self.prizes, self.secondary = self.said.get("prizes", {}), self.said.get("secondary", {})
        self.table = self.said.get("table", {})

    def of(self, part, name, usual=""):
        """What the document says of one thing."""
        return self.document.get(part, {}).get(name, usual)

    def way(self, name):
        """How one thing is done: as the conditions say, else the document, else as usual."""
        own = self.of("play", name, None)
        return self.said.get("play", {}).get(name) or (own["way"] if own else USUAL_WAYS[name])

    def stage(self, name):
        return next((stage for stage in self.stages if stage.get("name", "") == name), None)

    def seats(self, stage):
        """The fewest seats of a table that the document knows and the stage needs."""
        known = (self.rules["table"].get("seats") or {}).get("any_of", [])
        return min((number for number in known if number >= stage["seats"]), default=stage["seats"])

    def leaves_over(self):
        """Must conditions say what becomes of a card left over?"""
        excess = self.rules["irregularities"].get("excess", [])
        return any(one.get("next") == "by-conditions" for one in excess)

    def zone(self):
        return datetime.fromisoformat(self.said["start"]).tzinfo

    def day(self, at_ms):
        """The casino's date at a moment."""
        return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(self.zone()).date()

    def level(self):
        """What becomes of equals: by the document, or by the conditions where it is silent."""
        names = ("equal_at_end", "out_together", "all_out", "prize_left")
        ends = {name: self.of("ends", name, "conditions") for name in names}
        if ends["equal_at_end"] == "conditions":
            ends |= {"out_together": "share", "all_out": "new-chips"}
            ends["equal_at_end"] = self.way("level")
        return ends

    def pool(self, entries, added):
        """What is kept of so many fees, and what is left for prizes."""
        fees = self.entry.get("fee_cents", 0) * entries
        kept = int(fees * Fraction(str(self.entry.get("retained_percent", "0"))) / 100)
        commission = self.entry.get("commission_cents", 0) * entries
        inside = commission if self.entry.get("commission", "inside") == "inside" else 0
        return kept + commission, fees - kept - inside + added

    def prize_list(self, pool):
        """The prizes by place: as listed, or shares of the pool in dollars, the rest to first."""
        if self.prizes.get("list_cents"):
            return list(self.prizes["list_cents"])
        percent = [Fraction(str(each)) for each in self.prizes.get("percent", [])]
        others = [int(pool * each / 10_000) * 100 for each in percent[1:]]
        return [pool - sum(others), *others] if percent else []


def moment_ms(text):
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def limits_of(found):
    """Limits as a notice has them."""
    names = ("min_cents", "max_cents", "multiple_cents")
    return {name: found.get(name) for name in names} if found else None


def said(value):
    """A value without whatever is empty, so that two ways of saying nothing are the same."""
    if isinstance(value, dict):
        kept = {name: said(item) for name, item in value.items()}
        return {name: item for name, item in kept.items() if item not in (None, "", 0, {}, [])}
    return [said(item) for item in value] if isinstance(value, list) else value


def framed(parts):
    """Texts one after another, each after its length."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in map(str.encode, parts))


DRAW = "puntobanco-draw-1"
DRAW_APART = "puntobanco-draw-2"
MOST_ORDERS = 10_000
"""Orders that are drawn for one draw where some are kept apart."""


def people_hash(people):
    return hashlib.sha256(framed([DRAW, *sorted(people)])).hexdigest()


def ballot(seed, words, people):
    """Lots: the people in the order in which they take the places."""
    return lots_of([DRAW, seed], words, [], people)


def numbered_ballot(seed, words, people, apart, order):
    """One of the orders that are drawn where some are kept apart."""
    return lots_of([DRAW_APART, seed], words, [apart, str(order)], people)


def lots_of(head, words, more, people):
    lots = sorted(people)
    must(len(set(lots)) == len(lots), "draws lots for somebody twice")
    return shuffled_by(framed([*head, framed(words).hex(), *more, *lots]), lots)


def shuffled_by(text, lots):
    """Each in turn is picked from all that are left, by numbers that the text gives."""
    numbers, lots = numbers_of(hashlib.sha256(text).digest()), list(lots)
    for last in range(len(lots) - 1, 0, -1):
        even = 2**64 - 2**64 % (last + 1)
        at = next(number for number in numbers if number < even) % (last + 1)
        lots[last], lots[at] = lots[at], lots[last]
    return lots


SHOE = "puntobanco-shoe-1"


def mixed(order, commitment, words):
    """The order of a virtual shoe with what players added; without words as it was."""
    return shuffled_by(framed([SHOE, commitment, *words]), order) if words else order


def apart_hash(groups, salt):
    written = sorted(framed(sorted(group)).hex() for group in groups)
    return hashlib.sha256(framed([DRAW_APART, salt, *written])).hexdigest()


def are_apart(tables, groups):
    """Whether no table has two of one group."""
    group_of = {who: number for number, group in enumerate(groups) for who in group}
    found = ([group_of[who] for who in table if who in group_of] for table in tables)
    return all(len(set(there)) == len(there) for there in found)


def numbers_of(key):
    block = 0
    while True:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1


def sizes_of(players, seats):
    """As few tables as seat all, their sizes within one, the larger first."""
    count = -(-players // seats)
    each, more = divmod(players, count)
    return [each + 1] * more + [each] * (count - more)


# places


def groups_of(ended):
    """Equals, best first: by chips, then by the coup in which they went out."""
    chips = {who: cents for who, cents in ended["chips"].items() if who not in ended["gone"]}
    out = {who: coup for who, coup in ended["out"].items() if who not in ended["gone"]}
    if ended["below"] and chips:
        yield sorted(chips), "chips", True, True
    else:
        nobody = not any(chips.values())
        for cents, people in equals(chips):
            yield people, "chips", cents == 0, cents == 0 and nobody
    for place, (_, people) in enumerate(equals(out)):
        yield people, "coup", True, not chips and place == 0


def equals(worth):
    amounts = sorted(set(worth.values()), reverse=True)
    return [(amount, sorted(who for who in worth if worth[who] == amount)) for amount in amounts]


def to_come(group, ends):
    """What equals have to do for what only some of them can have."""
    _, _, empty, all_left = group
    if all_left:
        return "new-chips" if ends["all_out"] == "new-chips" else "ruling"
    if ends["equal_at_end"] == "play-off":
        return "play-off"
    return "more-rounds" if ends["equal_at_end"] == "more-rounds" and not empty else "ruling"


def place_rows(ended, settle):
    rows, first = [], 1
    for group in groups_of(ended):
        people, by = group[:2]
        facts = {"from_": first, "to": first + len(people) - 1, "people": people, "how": by}
        row = {**facts, "each_cents": 0, "added_cents": 0, "at_stake": 0}
        rows.append({**row, **settle(row, group)})
        first += len(people)
    return rows


def advanced(ended, places, ends):
    """Who is through, and who contests how many places."""
    through = []

    def settle(row, group):
        if row["to"] <= places:
            through.extend(row["people"])
        elif row["from_"] <= places:
            left = places - row["from_"] + 1
            return {"how": to_come(group, ends), "each_cents": None, "at_stake": left}
        return {}

    return place_rows(ended, settle), through


def prizes_at(row, prizes):
    return [prizes[at - 1] if at <= len(prizes) else 0 for at in range(row["from_"], row["to"] + 1)]


def awarded(ended, prizes, ends):
    """Who has which prize; equals share, or play."""

    def settle(row, group):
        theirs, (_, _, empty, all_left) = prizes_at(row, prizes), group
        shared = empty and not all_left and ends["out_together"] == "share"
        if len(set(theirs)) == 1 and not (shared and any(theirs) and len(theirs) > 1):
            return {"each_cents": theirs[0]}
        if shared:
            each, added = shares(sum(theirs), len(theirs))
            return {"how": "shared", "each_cents": each, "added_cents": added}
        stake = sum(1 for prize in theirs if prize)
        return {"how": to_come(group, ends), "each_cents": None, "at_stake": stake}

    return place_rows(ended, settle), []


def shares(cents, people):
    """Each share, up to the cent, and what the operator adds for that."""
    each = -(-cents // people)
    return each, each * people - cents


def resolved(standing, row, own, how):
    """The end of a play-off in the place of the equals who had to play it."""
    rows, through = standing
    new, more = own
    settled = [
        one if one["at_stake"] or one["how"] == "shared" else {**one, "how": how} for one in new
    ]
    ahead, at = row["from_"] - 1, rows.index(row)
    moved = [{**one, "from_": one["from_"] + ahead, "to": one["to"] + ahead} for one in settled]
    rows = [*rows[:at], *moved, *rows[at + 1 :]]
    in_it = {*through, *more}
    return rows, [who for one in rows for who in one["people"] if who in in_it]


def contested(standing):
    return [who for row in standing[0] if row["at_stake"] for who in row["people"]]


# is a session decided before it is over?


class Race:
    """Those behind at their best against those ahead at their worst, to the last coup."""

    def __init__(self, terms, limits, tie, pairs):
        methods, offered = terms.rules["settlement"], terms.rules["settlement"].get("pairs", [])
        pays = [one for method in methods["methods"] for one in method["pays"]]
        self.one_wager = bool(terms.document.get("one_wager"))
        self.least, self.unit = limits["min_cents"], limits.get("multiple_cents") or 1
        main = max((one["odds"] for one in pays if one["on"] != "tie"), key=ratio)
        on_tie = max((one["odds"] for one in pays if one["on"] == "tie"), key=ratio)
        self.main = self.stake(limits, main, self.one_wager)
        self.tie = self.stake(tie or limits, on_tie)
        paid = [one["odds"] for option in offered for one in option["pays"]]
        best = max(paid, key=ratio, default=[0, 1])
        self.pairs = [self.stake(pairs, best)] * 2 if pairs and not self.one_wager else []

    def stake(self, limits, odds, required=False):
        least = -(-limits["min_cents"] // self.unit) * self.unit
        return least, limits["max_cents"] // self.unit * self.unit, odds, required

    def most(self, held, stakes):
        """The most that wagers can come to, out of what is held."""
        held -= held % self.unit
        required = [one for one in stakes if one[3]]
        others = [one for one in stakes if not one[3]]
        found = [0]
        for count in range(len(others) + 1):
            for some in combinations(others, count):
                chosen = [*required, *some]
                enough = sum(one[1] for one in chosen) >= min(held, self.least)
                free = held - sum(one[0] for one in chosen)
                if enough and free >= 0:
                    found.append(self.worth(chosen, free))
        return max(found)

    def worth(self, chosen, free):
        total = 0
        for least, most, odds, _ in sorted(chosen, key=lambda one: ratio(one[2]), reverse=True):
            more = min(free, most - least)
            free -= more
            total += -(-(least + more) * odds[0] // odds[1])
        return total

    def up(self, held):
        """One behind after a hand has won, and after a Tie."""
        back = (*self.main[:2], [0, 1], self.main[3])
        by_hand = held + self.most(held, [self.main, *self.pairs])
        return by_hand, held + self.most(held, [back, self.tie, *self.pairs])

    def down(self, held, coups):
        """One ahead after a hand has won, and after a Tie."""
        lost = [(*one[:2], [1, 1], one[3]) for one in (self.main, self.tie, *self.pairs)]
        back = [(*self.main[:2], [0, 1], self.main[3]), *lost[2:]]
        if coups > 1:
            lost = [(0, one[1], [1, 1], False) for one in lost]
            back = [(0, one[1], one[2], False) for one in back]
        return held - self.most(held, lost), held - self.most(held, back)

    def decided(self, chips, places, coups):
        """The proof that nothing can change who is through; None: something can."""
        order = sorted(chips, key=lambda who: (-chips[who], who))
        inside = [who for who in order if chips[who] >= self.least or not coups]
        out = [who for who in order if who not in inside]
        told = [f"Out, below the minimum of {dollars(self.least)}: {', '.join(out)}."]
        told = told if out else []
        if places >= len(order):
            return [*told, "Everyone advances."]
        if len(inside) <= places:
            why = "Nobody else is left: whoever goes out now goes out later than they did."
            return [*told, why] if len(inside) == places else None
        ahead, chaser = inside[:places], inside[places]
        last, behind = chips[ahead[-1]], chips[chaser]
        told.append(
            f"Ahead: {ahead[-1]} is the last, with {dollars(last)};"
            f" {chaser} is next, with {dollars(behind)}."
        )
        if last == behind:
            return None
        if not coups:
            return [*told, "No coup is left."]
        steps = self.raced(ahead if coups == 1 else ahead[-1:], chaser, chips, coups)
        why = "Whatever they wager and whatever cards fall:"
        return [*told, why, *steps] if steps else None

    def raced(self, ahead, chaser, chips, coups):
        best, worst = [chips[chaser]], {who: [chips[who]] for who in ahead}
        for _ in range(1, coups):
            best = after([self.up(held) for held in best], max)
            worst = {
                who: after([self.down(one, coups) for one in held], min)
                for who, held in worst.items()
            }
            if any(min(held) < self.least for held in worst.values()):
                return None
        steps, closest = [], []
        for ties in range(coups + 1):
            hands = coups - ties
            found = [
                (self.up(best[hands - by])[1 - by], self.down(held[hands - by], coups)[1 - by], who)
                for by in (1, 0)
                for who, held in worst.items()
                if (hands if by else ties)
            ]
            most, left, who = max(found, key=lambda one: one[0] - one[1])
            if most >= left:
                return None
            kinds = [counted(ties, "Tie")] if ties else []
            kinds += [f"{counted(hands, 'coup')} won by a hand"] if hands else []
            ends = f"{chaser} at most {dollars(most)}, {who} at least {dollars(left)}."
            steps.append(f"With {' and '.join(kinds)}: {ends}")
            closest.append(left - most)
        if len(steps) > 12:
            return ["Closest of all:", steps[closest.index(min(closest))]]
        return steps


def after(pairs, pick):
    """What is held one coup on, by how many hands have won, in whichever order is best."""
    hand, tie = [one[0] for one in pairs], [one[1] for one in pairs]
    return [tie[0], *map(pick, tie[1:], hand), hand[-1]]


def ratio(odds):
    return odds[0] / odds[1]


def counted(number, thing):
    return f"{number} {thing}{'' if number == 1 else 's'}"


def dollars(cents):
    whole, part = divmod(abs(cents), 100)
    return f"{'-' * (cents < 0)}{whole}" + (f".{part:02}" if part else "")


# a competition

IN_IT_NO_MORE = {"refused", "withdrawn", "out", "forfeited", "disqualified"}
NO_PLACE = {"disqualified", "forfeited", "withdrawn"}
SECOND_CHANCE = "secondary"
TWO_PEOPLE = {"publish", "key-draw", "disqualify", "confirm-places", "cancel"}
"""Commands of a competition that one person proposes and another approves; rulings on results and
prizes, too."""
PHASES = [
    "drafting", "published", "entering", "closed", "drawn", "preparing", "running", "over",
    "play-off", "confirmed", "placed", "paid", "done", "cancelled",
]  # fmt: skip
BEFORE = PHASES[2:6]
PROCEEDING = PHASES[1:10]
MOMENTS = {
    "draft publish": PHASES[:3], "open-entries": ["published"], "close-entries": ["entering"],
    "apply refuse accept endorse pay-entry enter-at-desk add-reserve take-reserve": BEFORE,
    "withdraw disqualify forfeit substitute rule": PHASES[2:10],
    "add-value designate-table release-table set-start sign-on": PROCEEDING,
    "pay-refund": ["cancelled"], "commit-draw": [*PHASES[1:6], "over", "confirmed"],
    "draw key-draw": ["closed", "drawn", "preparing", "confirmed"],
    "keep-apart": [*PHASES[1:6], "confirmed"],
    "move-seat": ["drawn", "preparing"], "prepare-session": ["drawn"],
    "start-session": ["preparing", "play-off"],
    "break resume last-coup finish-early stop-table resume-at run-out hold-clocks": ["running"],
    "give-direction": PHASES[4:10], "take-result raise-dispute decide-dispute": PHASES[2:],
    "confirm-stage order-play-off name-wild-cards": ["over"],
    "set-play-off-chips": ["play-off"], "open-secondary confirm-places": ["confirmed"],
    "pay-prize": ["placed"], "publish-results": ["placed", "paid"], "cancel": PHASES[:10],
    "sign-off approve drop-proposal": PHASES,
}  # fmt: skip
MOMENT = {name: phases for names, phases in MOMENTS.items() for name in names.split()}
"""The phases in which each command may be given."""
SIMPLE = """
accept               application-accepted  person
add-reserve          reserve-added         person
add-value            value-added           cents what
designate-table      table-designated      table
release-table        table-released        table
set-start            start-set             stage start_ms note at_ms=now
break                break-called          minutes at_ms=now
resume               play-resumed          at_ms=now
give-direction       pace-directed         note
stop-table           table-stopped         table note
resume-at            table-resumed         table at
set-play-off-chips   play-off-chips-set    cents
disqualify           entry-disqualified    person note
forfeit              entry-forfeited       person why
substitute           substitute-accepted   person substitute
refuse               application-refused   person note
open-entries         entries-opened
publish-results      results-published
sign-on              staff-signed-on       person=actor role at_ms=now
decide-dispute       dispute-decided       number=dispute decision decided_by=actor
drop-proposal        proposal-dropped      number=proposal person=actor
hold-clocks          clocks-held           for_ms
"""
OF_COMPETITION = {line.split()[0]: line.split()[1:] for line in SIMPLE.strip().splitlines()}
ALLOWED = {
    "accept": "applied refused", "refuse": "applied reserve", "add-reserve": "applied",
    "endorse": "accepted endorsed paid reserve", "pay-entry": "endorsed",
    "withdraw": "applied accepted endorsed paid reserve seated through secondary",
    "take-reserve": "reserve",
}  # fmt: skip
"""What somebody's entry must have come to for a command."""


class CompetitionState(Stream):
    """A competition as far as it takes to work everything out again."""

    no_change = frozenset({"pace-directed"})

    def __init__(self, rulesets):
        self.rulesets, self.id, self.phase, self.draft = rulesets, "", "drafting", ""
        self.versions, self.version, self.terms = {}, 0, None
        self.directors, self.entries, self.reserves = set(), {}, []
        self.starts, self.tables, self.commitment = {}, [], ""
        self.sessions, self.session = {}, ""
        self.break_until, self.break_since = None, 0
        self.confirmed, self.into, self.wild = [], "", []
        self.prizes, self.money, self.published = [], Counter(), False
        self.proposals, self.proposal_number, self.disputes = {}, 0, {}
        self.stood_in, self.latest = {}, {}
        self.apart, self.apart_salt = [], ""
        self.checked = {"lots": 0, "session results": 0, "places": 0}

    # what is read off it

    @property
    def now(self):
        return self.sessions[self.session]

    @property
    def pot(self):
        taken = self.money["fees"] + self.money["commission"] + self.money["added"]
        return taken - self.money["refunded"] - self.money["retained"] - self.money["paid"]

    def check_balance(self):
        must(self.pot >= 0, "spends more than the pot has")
        must(self.phase != "done" or not self.pot, "is done, and its pot is not empty")

    @property
    def stages_done(self):
        return sum(stage != SECOND_CHANCE for stage in self.confirmed)

    @property
    def in_secondary(self):
        return bool(self.into) and SECOND_CHANCE not in self.confirmed

    @property
    def stage(self):
        number = self.stages_done - self.in_secondary
        return self.terms.stages[min(number, len(self.terms.stages) - 1)]

    @property
    def stage_name(self):
        return SECOND_CHANCE if self.in_secondary else self.stage.get("name", "")

    @property
    def is_final(self):
        return not self.in_secondary and self.stages_done >= len(self.terms.stages) - 1

    def next_draw(self):
        if self.phase == "over":
            return f"{self.stage_name} wild cards", 1
        session = self.sessions.get(self.stage_name)
        return self.stage_name, 1 + (session["draws"] if session else 0)

    def drawn_for(self):
        """Those for whom seats are drawn: all who are in the session that comes next."""
        first = not self.confirmed
        wanted = "secondary" if self.in_secondary else "paid" if first else "through"
        return sorted(
            who
            for who, one in self.entries.items()
            if (one["status"] == wanted and (not first or one["version"] == self.version))
            or (one["status"] == "seated" and one["stage"] == self.stage_name)
        )

    def start_ms(self, stage):
        if stage in self.starts:
            return self.starts[stage]
        if told := (self.terms.stage(stage) or {}).get("start"):
            return moment_ms(told)
        first = stage == self.terms.stages[0].get("name", "")
        return moment_ms(self.terms.said["start"]) if first else 0

    def deadline(self):
        """The last day for a refund by the start that holds now; empty: none."""
        days = self.terms.entry.get("refund_days", self.terms.of("entry", "refund_days", None))
        if days is None:
            return ""
        day = self.terms.day(self.start_ms(self.terms.stages[0].get("name", "")))
        try:
            return (day - timedelta(days=days)).isoformat()
        except OverflowError:
            return day.min.isoformat()

    def pool(self):
        return self.terms.pool(self.money["entries"], self.money["added"])

    def prize_list(self):
        return self.prizes or self.terms.prize_list(self.pool()[1])

    def number_advancing(self, stage, tables):
        found = self.terms.stage(stage)
        if found is None:
            each, rest = divmod(self.terms.secondary.get("winners", 0), max(1, tables))
            return None if rest else each
        by = found.get("advance", 0)
        return by.get(str(tables)) if isinstance(by, dict) else by

    def ended(self, result):
        """A result as places are worked out from it: whoever is gone takes none."""
        chips, out = result.get("chips", {}), result.get("out", {})
        gone = {who for who in (*chips, *out) if self.entries[who]["status"] in NO_PLACE}
        gone |= set(result.get("gone", {}))
        return {"chips": chips, "out": out, "gone": gone, "below": result["why"] == "all-below"}

    def standing(self, stage, table):
        """How a table stands at the end of a stage, after whatever was played off."""
        session, ends, prizes = self.sessions[stage], self.terms.level(), self.prize_list()
        if table not in session["results"]:
            return None
        final = stage == self.terms.stages[-1].get("name", "")
        base = self.ended(session["results"][table])
        places = self.number_advancing(stage, len(session["seats"])) or 0
        found = awarded(base, prizes, ends) if final else advanced(base, places, ends)
        for played in self.sessions.values():
            if played["stage"] != stage or played["of"] != table:
                continue
            came_to = self.ended_of(played)
            who = {*came_to["chips"], *came_to["out"]} - came_to["gone"] if came_to else set()
            row = next((r for r in found[0] if r["at_stake"] and set(r["people"]) == who), None)
            if came_to is None or row is None:
                continue
            own = (
                awarded(came_to, prizes_at(row, prizes), ends)
                if final
                else advanced(came_to, row["at_stake"], ends)
            )
            found = resolved(found, row, own, "ruling" if played["order"] else row["how"])
        return found

    def ended_of(self, played):
        if played["order"]:
            ranked = {who: len(played["order"]) - at for at, who in enumerate(played["order"])}
            return {"chips": ranked, "out": {}, "gone": set(), "below": False}
        result = next(iter(played["results"].values()), None)
        return self.ended(result) if result else None

    def all_in(self):
        """How every table of the stage stands; all results must be in."""
        session = self.sessions.get(self.stage_name)
        found = {table: self.standing(self.stage_name, table) for table in session["seats"]}
        must(None not in found.values(), "goes on before every result is in")
        return found

    def clock(self):
        """When the session's time is over; None: no time runs."""
        session = self.sessions.get(self.session)
        stands = self.phase != "running" or self.break_until is not None
        return None if session is None or stands or session["time_over"] else session["ends_ms"]

    # conditions and entries, as events leave them

    def on_conditions_drafted(self, told):
        self.id, self.draft = self.id or told["competition"], told["text"]

    def on_conditions_published(self, told):
        must(told["digest"] in self.rulesets, "is played by a rule set that is not in the file")
        self.version = told["version"]
        self.terms = Terms(told["text"], self.rulesets[told["digest"]])
        self.versions[self.version] = told["digest"]
        self.phase = "published" if self.phase == "drafting" else self.phase

    def on_entries_opened(self, _told):
        self.phase = "entering"

    def entrant(self, told):
        must(told["person"] in self.entries, "is about somebody who has not entered")
        return self.entries[told["person"]]

    def on_application_received(self, told):
        was = self.entries.get(told["person"])
        kept = was["earlier"] + was["fee"] + was["beside"] - was["refunded"] if was else 0
        fresh = {"status": "applied", "number": told.get("number", 1), "earlier": kept}
        numbers = ("version", "fee", "beside", "refunded", "owed", "seat", "prize", "prize_added")
        texts = ("until", "table", "stage", "why", "substitute")
        fresh |= dict.fromkeys(numbers, 0) | dict.fromkeys(texts, "")
        self.entries[told["person"]] = {**fresh, "paid_out": False}

    def on_application_refused(self, told):
        self.no_reserve(told)
        self.entrant(told).update(status="refused", why=told.get("note", ""))

    def on_application_accepted(self, told):
        self.entrant(told)["status"] = "accepted"

    def on_conditions_endorsed(self, told):
        one = self.entrant(told)
        one["version"] = told["version"]
        one["status"] = "endorsed" if one["status"] == "accepted" else one["status"]

    def on_entry_paid(self, told):
        one, beside = self.entrant(told), told.get("commission_cents", 0)
        must(whole(told["fee_cents"]) and whole(beside), "pays no fee that there is")
        one.update(fee=told["fee_cents"], beside=beside, until=told.get("refund_until", ""))
        one["status"] = "seated" if one["status"] == "seated" else "paid"
        self.money.update(entries=1, fees=told["fee_cents"], commission=beside)

    def on_entry_withdrawn(self, told):
        refund, one = told.get("refund_cents", 0), self.entrant(told)
        self.no_reserve(told)
        self.no_seat(one, told["person"])
        one.update(status="withdrawn", refunded=refund)
        if refund:
            self.money.update(entries=-1, refunded=refund)

    def no_reserve(self, told):
        self.reserves = [who for who in self.reserves if who != told["person"]]

    def no_seat(self, one, person):
        """Before play the seat of somebody who is gone is free; of a play-off, too."""
        session = self.sessions.get(self.session)
        if not one["table"]:
            return
        for table, seats in session["seats"].items() if session["started"] is None else ():
            kept = {seat: who for seat, who in seats.items() if who != person}
            session["seats"][table] = kept
        one.update(table="", seat=0)

    def on_reserve_added(self, told):
        self.reserves.append(told["person"])
        self.entrant(told)["status"] = "reserve"

    def on_reserve_taken(self, told):
        """The seat, not the entry, changes hands."""
        self.no_reserve(told)
        one, table = self.entrant(told), told.get("table")
        if not table:
            one["status"] = "endorsed"
            return
        self.now["seats"][table][str(told["seat"])] = told["person"]
        one.update(status="seated", table=table, seat=told["seat"], stage=self.now["stage"])

    def on_entries_closed(self, _told):
        self.phase = "closed"

    def on_value_added(self, told):
        must(whole(told["cents"]), "adds what is no amount")
        self.money["added"] += told["cents"]

    def on_refund_paid(self, told):
        one = self.entrant(told)
        one.update(owed=0, refunded=one["refunded"] + told["cents"])
        self.money["refunded"] += told["cents"]

    def removed(self, told, status, why):
        self.no_reserve(told)
        one, session = self.entrant(told), self.sessions.get(self.session)
        if not session or session["started"] is None:
            self.no_seat(one, told["person"])
        one.update(status=status, why=why)
        if self.phase == "play-off" and sum(map(len, self.now["seats"].values())) < 2:
            self.session, self.phase = self.now["stage"], "over"  # nobody is left to play against

    def on_entry_disqualified(self, told):
        self.removed(told, "disqualified", told["note"])

    def on_entry_forfeited(self, told):
        self.removed(told, "forfeited", told["why"])

    def on_substitute_accepted(self, told):
        if told["substitute"]:
            self.stood_in[told["substitute"]] = told["person"]
        self.entrant(told)["substitute"] = told["substitute"]

    def on_staff_signed_on(self, told):
        self.directors.add(told["person"])

    def on_staff_signed_off(self, told):
        self.directors.discard(told["person"])

    # draws, sessions and results

    def on_draw_committed(self, told):
        self.commitment = told["commitment"]

    def new_session(self, name, stage, **facts):
        usual = {
            "kind": "session", "seats": {}, "first": {}, "draws": 0, "started": None,
            "ends_ms": None, "last": False, "time_over": False, "stopped": {}, "moved": {},
            "finished": set(), "results": {}, "versions": {}, "amended": {}, "of": "",
            "people": [], "places_left": 0, "coups": 0, "chips": 0, "order": [],
        }  # fmt: skip
        self.sessions[name] = {"id": name, "stage": stage, **usual, **facts}

    def on_apart_list_kept(self, told):
        self.apart, self.apart_salt = told["groups"], told["salt"]

    def on_seats_drawn(self, told):
        name, waiting = told["session"], "through"
        if name == SECOND_CHANCE:
            waiting = "secondary"
        for one in self.entries.values():
            if one["status"] == "seated" and one["stage"] == name:
                one.update(status=waiting if self.confirmed else "paid", table="", seat=0)
        seats = {table: dict(sat) for table, sat in told["seats"].items()}
        for table, sat in seats.items():
            for seat, who in sat.items():
                facts = {"table": table, "seat": int(seat), "stage": name, "status": "seated"}
                self.entrant({"person": who}).update(facts)
        self.new_session(name, name, seats=seats, first=told.get("first", {}), draws=told["draw"])
        self.session, self.commitment, self.phase = name, "", "drawn"

    def on_seat_moved(self, told):
        one, seats = self.entrant(told), self.now["seats"]
        here, other = (one["table"], str(one["seat"])), told.get("swapped")
        if one["table"]:
            del seats[here[0]][here[1]]
        if other:
            seats[here[0]][here[1]] = other
            self.entries[other].update(table=one["table"], seat=one["seat"])
        seats[told["table"]][str(told["seat"])] = told["person"]
        one.update(status="seated", table=told["table"], seat=told["seat"], stage=self.now["stage"])

    def on_table_designated(self, told):
        must(told["table"] not in self.tables, "designates a table twice")
        self.tables.append(told["table"])

    def on_table_released(self, told):
        must(told["table"] in self.tables, "releases a table that was not designated")
        self.tables.remove(told["table"])

    def on_session_prepared(self, _told):
        self.phase = "preparing"

    def on_start_set(self, told):
        self.starts[told["stage"]] = told["start_ms"]

    def on_session_started(self, told):
        self.phase, self.break_until = "running", None
        self.sessions[told["session"]].update(started=told["at_ms"], ends_ms=told.get("ends_ms"))

    def on_break_called(self, told):
        self.break_until = told["at_ms"] + told["minutes"] * 60_000
        self.break_since = told["at_ms"]

    def on_play_resumed(self, told):
        if self.now["ends_ms"] is not None:
            self.now["ends_ms"] += told["at_ms"] - self.break_since
        self.break_until, self.break_since = None, 0

    def on_last_coup_called(self, told):
        self.sessions[told["session"]]["last"] = True

    def on_session_time_over(self, told):
        self.sessions[told["session"]]["time_over"] = True

    def on_clocks_held(self, told):
        if self.break_until is not None:
            self.break_until += told["for_ms"]
        elif self.now["ends_ms"] is not None:
            self.now["ends_ms"] += told["for_ms"]

    def on_table_finished_early(self, told):
        self.now["finished"].add(told["table"])

    def on_table_stopped(self, told):
        self.now["stopped"][told["table"]] = told["note"]

    def on_table_resumed(self, told):
        must(told["table"] in self.now["stopped"], "resumes a table that was not stopped")
        del self.now["stopped"][told["table"]]
        self.now["moved"].pop(told["table"], None)
        if told["at"] != told["table"]:
            self.now["moved"][told["table"]] = told["at"]

    def on_result_taken(self, told):
        session, table = self.sessions[told["session"]], told["table"]
        session["results"][table] = told["result"]
        session["versions"][table] = told["version"]
        self.latest[told["session"], table] = told["result"]
        every = bool(session["seats"]) and set(session["seats"]) <= set(session["results"])
        if told["session"] == self.session and self.phase == "running" and every:
            self.phase, self.break_until = "over", None
        self.checked["session results"] += 1

    def on_result_amended(self, told):
        session, table = self.sessions[told["session"]], told["table"]
        session["amended"][table] = told["result"]
        session["versions"][table] = told["version"]
        self.latest[told["session"], table] = told["result"]

    def on_stage_confirmed(self, told):
        for status in ("through", "out"):
            for who in told[status]:
                self.entries[who]["status"] = status
        self.confirmed.append(told["stage"])
        self.wild, self.commitment, self.phase = [], "", "confirmed"

    def on_play_off_ordered(self, told):
        """Where they sat before they stay; at another table they sit from seat 1 on."""
        here = self.sessions[self.stage_name]["seats"].get(told["table"], {})
        seats = {str(seat): who for seat, who in enumerate(told["people"], 1)}
        if told["table"] == told["of"]:
            seats = {seat: who for seat, who in here.items() if who in told["people"]}
        facts = {name: told[name] for name in ("kind", "of", "people", "places_left")}
        facts |= {"seats": {told["table"]: seats}, "coups": told.get("coups", 0)}
        on = self.sessions[self.stage_name]["moved"].get(told["table"], told["table"])
        if told["kind"] == "more-rounds" and on != told["table"]:
            facts["moved"] = {told["table"]: on}
        self.new_session(told["session"], self.stage_name, **facts)
        self.session, self.phase = told["session"], "play-off"

    def on_play_off_chips_set(self, told):
        self.now["chips"] = told["cents"]

    def on_wild_cards_named(self, told):
        self.wild = told["people"]
        self.commitment = "" if told.get("seed") else self.commitment

    def on_secondary_opened(self, told):
        for who in told["eligible"]:
            self.entries[who]["status"] = "secondary"
        self.into, self.phase = told["into"], "closed"

    # rulings, proposals and ends

    def on_ruling_made(self, told):
        about = told["about"]
        if about == "result":
            self.result_ruled(told)
        elif about == "places":
            number = 1 + sum(bool(session["order"]) for session in self.sessions.values())
            facts = {"of": told["table"], "people": told["order"], "order": told["order"]}
            self.new_session(f"{told['session']} ruling {number}", told["session"], **facts)
        elif about == "prizes":
            self.prizes = told["prizes_cents"]
        elif about == "session":
            self.sessions[told["session"]]["finished"].add(told["table"])

    def result_ruled(self, told):
        """A result that counts opens its stage again, unless the next session has begun."""
        session, table = self.sessions[told["session"]], told["table"]
        del session["amended"][table]
        session["results"][table] = told.get("result") or session["results"][table]
        last = self.confirmed and self.confirmed[-1] == session["stage"]
        if not told.get("result") or not last or self.phase != "confirmed":
            return
        for one in self.entries.values():
            if one["stage"] == session["stage"] and one["status"] in ("through", "out"):
                one["status"] = "seated"
        self.confirmed.pop()
        self.phase = "over"

    def on_proposed(self, told):
        self.proposals[told["number"]] = told["ask"], told["person"]
        self.proposal_number = told["number"]

    def on_approved(self, told):
        self.proposals.pop(told["number"], None)

    on_proposal_dropped = on_approved

    def on_dispute_raised(self, told):
        self.disputes[told["number"]] = ""

    def on_dispute_decided(self, told):
        must(self.disputes.get(told["number"]) == "", "decides a dispute that is not open")
        self.disputes[told["number"]] = told["decision"]

    def on_places_confirmed(self, told):
        self.money["retained"] += told.get("retained_cents", 0)
        for row in told["places"]:
            for who in row["people"]:
                prize, added = told["prizes"].get(who, 0), told.get("added", {}).get(who, 0)
                self.entries[who].update(status="placed", prize=prize, prize_added=added)
        self.phase = "placed"
        self.paid_up()
        self.checked["places"] += len(told["places"])

    def paid_up(self):
        due = any(one["prize"] and not one["paid_out"] for one in self.entries.values())
        if not due and self.phase in ("placed", "paid"):
            self.phase = "done" if self.published else "paid"

    def on_prize_paid(self, told):
        self.entrant(told)["paid_out"] = True
        self.money.update(paid=told["cents"], added=told.get("added_cents", 0))
        self.paid_up()

    def on_results_published(self, _told):
        must(not self.published, "publishes its results twice")
        self.published = True
        self.paid_up()

    def on_competition_cancelled(self, told):
        for who, cents in told["refunds"].items():
            self.entries[who]["owed"] = cents
        self.money["retained"] += told.get("retained_cents", 0)
        self.phase, self.proposals = "cancelled", {}


class Competition(CompetitionState):
    """What must follow from each command, by the conditions and the competition as it is."""

    def follows(self, ask, by):
        self.check_moment(ask)
        if not self.takes_two(ask):
            return self.followed(ask, by)
        list(self.followed(ask, by))
        facts = {"number": self.proposal_number + 1, "ask": ask, "person": by.person}
        return iter([event("proposed", **facts)])

    def check_moment(self, ask):
        phases = MOMENT.get(ask["do"])
        must(phases is not None, f"asks for what is not known: {shown(ask['do'])}")
        must(self.phase in phases, f"asks for {ask['do']} while it is {self.phase}")

    def takes_two(self, ask):
        ruled = ask["do"] == "rule" and ask["about"] in ("result", "prizes")
        return ruled or ask["do"] in TWO_PEOPLE

    def followed(self, ask, by):
        person = ask.get("person") or by.person
        if ask["do"] in ALLOWED:
            status = self.entrant({"person": person})["status"]
            must(status in ALLOWED[ask["do"]].split(), f"asks for {ask['do']} by one {status}")
        if ask["do"] in ("disqualify", "forfeit", "substitute"):
            must(self.entrant(ask)["status"] not in IN_IT_NO_MORE, "is about one who is not in it")
        own = getattr(self, "do_" + ask["do"].replace("-", "_"), None)
        return own(ask, by) if own else copied(ask, by, 0, OF_COMPETITION)

    def do_approve(self, ask, by):
        number = ask["proposal"]
        must(number in self.proposals, "approves a proposal that is not there")
        proposed, person = self.proposals[number]
        must(person != by.person, "has one person propose and approve")
        self.check_moment(proposed)
        yield event("approved", number=number, person=by.person)
        yield from self.followed(proposed, by)

    def do_drop_proposal(self, ask, by):
        must(ask["proposal"] in self.proposals, "drops a proposal that is not there")
        yield event("proposal-dropped", number=ask["proposal"], person=by.person)

    # conditions and entries

    def do_draft(self, ask, _by):
        name = ask.get("competition", "")
        must(not self.id or name == self.id, "drafts the conditions of another competition")
        yield event("conditions-drafted", competition=name, text=ask["text"])

    def do_publish(self, ask, _by):
        digest = ask.get("digest")
        must(digest in self.rulesets, "is played by a rule set that is not in the file")
        name = tomllib.loads(self.draft.removeprefix("\ufeff"))["ruleset"]
        must(self.rulesets[digest]["id"] == name, "is played by another rule set than it says")
        facts = {"version": self.version + 1, "text": self.draft, "digest": digest}
        hashed = hashlib.sha256(self.draft.encode()).hexdigest()
        yield event("conditions-published", hash=hashed, **facts)

    def do_sign_off(self, ask, by):
        person = ask.get("person") or by.person
        must(person in self.directors, "signs off somebody who is not on duty")
        gap = self.phase == "running" and self.directors == {person}
        facts = {"person": person, "role": "competition director"}
        yield event("staff-signed-off", gap=gap, **facts)

    def do_apply(self, ask, by):
        person = ask.get("person") or by.person
        until = self.terms.entry.get("until", "start")
        first = self.terms.stages[0].get("name", "")
        last = self.start_ms(first) if until == "start" else moment_ms(until)
        late = by.at_ms > last or (self.phase != "entering" and until == "start")
        must(not late, "takes an entry after entries are closed")
        was, number = self.entries.get(person), 1
        if was:
            again = was["status"] in IN_IT_NO_MORE - {"refused", "disqualified"}
            never = was["status"] == "withdrawn" and not was["fee"] + was["beside"]
            number = was["number"] + (not never)
            most = 1 + self.terms.entry.get("re_entries", 0)
            must(again and number <= most, "takes an entry from one who has entered")
        yield event("application-received", person=person, number=number if number > 1 else None)

    def check_room(self):
        there = sum(
            one["status"] in ("accepted", "endorsed", "paid", "seated")
            for one in self.entries.values()
        )
        must(there < self.terms.entry.get("max", 0), "takes more entries than there may be")

    def do_accept(self, ask, _by):
        self.check_room()
        yield event("application-accepted", person=ask["person"])

    def do_endorse(self, ask, by):
        person = ask.get("person") or by.person
        fresh = self.entries[person]["version"] != self.version
        must(fresh and ask["version"] == self.version, "endorses another version than holds")
        yield event("conditions-endorsed", person=person, version=self.version)

    def payment(self, person):
        entry = self.terms.entry
        beside = entry.get("commission_cents", 0) if entry.get("commission") == "beside" else 0
        facts = {"fee_cents": entry.get("fee_cents", 0), "commission_cents": beside or None}
        return event("entry-paid", person=person, refund_until=self.deadline(), **facts)

    def do_pay_entry(self, ask, by):
        yield self.payment(ask.get("person") or by.person)

    def do_enter_at_desk(self, ask, by):
        """Whatever an entry lacks, in its order; the room is looked at before anything happens."""
        person, one = ask["person"], self.entries.get(ask["person"])
        status = one["status"] if one else ""
        if status not in ("applied", "accepted", "endorsed"):
            yield from self.do_apply(ask, by)
        if status not in ("accepted", "endorsed"):
            yield from self.do_accept(ask, by)
        must(ask["version"] == self.version, "endorses another version than holds")
        if status != "endorsed" or one["version"] != self.version:
            yield event("conditions-endorsed", person=person, version=self.version)
        yield self.payment(person)

    def do_withdraw(self, ask, by):
        person = ask.get("person") or by.person
        one = self.entries[person]
        plays = self.phase in ("running", "play-off") and one["table"]
        must(not plays, "withdraws somebody who is in play")
        paid = one["fee"] + one["beside"]
        if not paid:
            yield event("entry-withdrawn", person=person)
            return
        last = max(one["until"], self.deadline())
        back = paid if last and self.terms.day(by.at_ms).isoformat() <= last else None
        yield event("entry-withdrawn", person=person, refund_cents=back, deadline=last)

    def do_take_reserve(self, ask, _by):
        person, gone = ask["person"], ask.get("instead_of")
        now = self.entries[person]["version"] == self.version and not self.confirmed
        must(now, "takes a reserve who has not endorsed, or too late")
        if not gone:
            self.check_room()
            yield event("reserve-taken", person=person)
        else:
            was = dict(self.entrant({"person": gone}))
            must(was["status"] in ("paid", "seated"), "gives away the seat of one who has none")
            if was["table"] and len(self.now["seats"]) > 1:
                there = {*self.now["seats"][was["table"]].values()} - {gone} | {person}
                must(are_apart([there], self.apart), "seats people together who are kept apart")
            yield event("entry-forfeited", person=gone, why="not seated")
            facts = {"instead_of": gone, "table": was["table"], "seat": was["seat"] or None}
            yield event("reserve-taken", person=person, **facts)
        yield self.payment(person)

    def do_close_entries(self, _ask, by):
        people = sorted(
            who
            for who, one in self.entries.items()
            if one["status"] == "paid" and one["version"] == self.version
        )
        must(len(people) >= self.terms.entry.get("min", 0), "closes its list with too few")
        listed = self.called(people, by)
        yield event("entries-closed", people=people, hash=people_hash(listed.values()))

    def do_pay_refund(self, ask, _by):
        owed = self.entrant(ask)["owed"]
        must(owed, "refunds what is not owed")
        yield event("refund-paid", person=ask["person"], cents=owed)

    # the draw

    def do_commit_draw(self, ask, _by):
        session, draw = self.next_draw()
        late = self.phase == "closed" and draw == 1 and not self.in_secondary
        must(not self.commitment and not late, "commits to a draw twice, or too late")
        yield event("draw-committed", commitment=ask["commitment"], session=session, draw=draw)

    def called(self, people, by):
        """As what people are listed for lots: their ids, since edition 8 numbers of entries."""
        numbers = {who: number for number, who in enumerate(self.entries, 1)}
        return {who: f"entry-{numbers[who]:04}" if by.edition >= 8 else who for who in people}

    def do_keep_apart(self, ask, by):
        held = self.terms.said.get("apart", {})
        must(held.get("who"), "keeps people apart whom no conditions do")
        groups = sorted(sorted(group) for group in ask["groups"])
        people = [person for group in groups for person in group]
        once = len(set(people)) == len(people) and set(people) <= set(self.entries)
        must(once, "keeps somebody apart twice, or one who has not entered")
        sized = all(2 <= len(group) <= held.get("most", 0) for group in groups)
        must(sized, "keeps more apart than the conditions do")
        salt = ask.get("salt", "")
        called = self.called(people, by)
        listed = [[called[person] for person in group] for group in groups]
        digest = apart_hash(listed, salt) if groups else ""
        yield event("apart-list-kept", groups=groups, salt=salt, hash=digest)

    def apart_print(self, by):
        """The fingerprint of the list as it is drawn with, if it is kept."""
        called = self.called([who for group in self.apart for who in group], by)
        listed = [[called[who] for who in group] for group in self.apart]
        return apart_hash(listed, self.apart_salt) if listed else ""

    def lots(self, seed, words, listed, sizes, print_):
        """The lots, and which order they are where some are kept apart; 0: nobody is."""
        drawn = [[listed[who] for who in group if who in listed] for group in self.apart]
        groups = [group for group in drawn if len(group) > 1] if len(sizes) > 1 else []
        people = [*listed.values()]
        if not groups:
            return 0, ballot(seed, words, people)
        must(max(map(len, groups)) <= len(sizes), "keeps more apart than there are tables")
        for order in range(1, MOST_ORDERS + 1):
            lots = numbered_ballot(seed, words, people, print_, order)
            ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
            seated = [lots[end - size : end] for end, size in zip(ends, sizes)]
            if are_apart(seated, groups):
                return order, lots
        raise Fault("draws lots though no order keeps people apart")

    def check_seed(self, ask):
        session, draw = self.next_draw()
        about = framed([DRAW, self.id, session, str(draw)])
        made = commitment_of(bytes.fromhex(ask["seed"]), about)
        must(made == self.commitment, "draws with another seed than it committed to")
        must(any(one["words"].strip() for one in ask["words"]), "draws without a witness")
        return [one["words"] for one in ask["words"]]

    def check_tables(self, people, tables):
        least = 1 if self.confirmed else self.terms.entry.get("min", 0)
        must(len(people) >= least, "draws for too few")
        if self.is_final:
            must(tables == 1, "plays its final at several tables")
        else:
            known = self.number_advancing(self.stage_name, tables) is not None
            must(known, "draws for a number of tables from which nobody knows who advances")

    def do_draw(self, ask, by):
        people = self.drawn_for()
        sizes = sizes_of(len(people), self.stage["seats"]) if people else []
        must(len(sizes) <= len(self.tables), "draws for more tables than were designated")
        self.check_tables(people, len(sizes))
        words, seed = self.check_seed(ask), ask["seed"]
        listed, print_ = self.called(people, by), self.apart_print(by)
        order, drawn = self.lots(seed, words, listed, sizes, print_)
        whose = {lot: who for who, lot in listed.items()}
        lots, seats = iter(drawn), {}
        for table, size in zip(self.tables, sizes):
            seats[table] = {str(seat): whose[next(lots)] for seat in range(1, size + 1)}
        first = {}
        for table, sat in seats.items() if self.draws_first() else ():
            sitting = [listed[who] for who in sat.values()]
            who = whose[ballot(seed, [*words, "first", table], sitting)[0]]
            first[table] = next(int(seat) for seat, sits in sat.items() if sits == who)
        session, draw = self.next_draw()
        self.checked["lots"] += len(people)
        facts = {"seats": seats, "first": first, "words": ask["words"], "seed": seed}
        if order:
            facts |= {"order": order, "apart": print_}
        yield event("seats-drawn", session=session, draw=draw, **facts)

    def draws_first(self):
        return self.terms.document.get("first", "drawn") == "drawn"

    def do_key_draw(self, ask, _by):
        people = self.drawn_for()
        keyed = [who for sat in ask["tables"].values() for who in sat.values()]
        must(len(set(keyed)) == len(keyed), "seats somebody twice")
        everyone = set(keyed) <= set(people) if self.in_secondary else set(keyed) == set(people)
        must(everyone, "seats others than those who are in it")
        must(set(ask["tables"]) <= set(self.tables), "seats people where none was designated")
        fit = all(0 < len(sat) <= self.stage["seats"] for sat in ask["tables"].values())
        must(fit, "seats more at a table than may sit there, or none")
        self.check_apart([list(sat.values()) for sat in ask["tables"].values()])
        self.check_tables(people, len(ask["tables"]))
        session, draw = self.next_draw()
        first = ask.get("first", {}) if self.draws_first() else {}
        yield event("seats-drawn", session=session, draw=draw, seats=ask["tables"], first=first)

    def check_apart(self, tables):
        """At one table nobody is kept apart."""
        apart = len(tables) == 1 or are_apart(tables, self.apart)
        must(apart, "seats people together who are kept apart")

    def do_move_seat(self, ask, _by):
        facts = {name: ask[name] for name in ("person", "table", "seat", "note")}
        must(not self.terms.of("conduct", "ballot_only", False), "moves one who was drawn by lot")
        must(ask["person"] in self.drawn_for(), "moves one who is not in it")
        must(ask["table"] in self.now["seats"], "moves somebody to a table that is not played at")
        sitting = self.now["seats"][ask["table"]].get(str(ask["seat"]), "")
        changed = {ask["person"]: sitting, sitting: ask["person"]}
        after = {
            table: {changed.get(who, who) for who in sat.values()} - {""}
            for table, sat in self.now["seats"].items()
        }
        after[ask["table"]].add(ask["person"])
        self.check_apart(list(after.values()))
        yield event("seat-moved", swapped=sitting, **facts)

    # sessions

    def do_prepare_session(self, _ask, _by):
        yield event("session-prepared", session=self.session)

    def do_start_session(self, _ask, by):
        session = self.now
        ready = session["kind"] != "play-off" or session["chips"]
        must(ready, "starts a play-off without chips")
        must(all(session["seats"].values()), "starts a session at an empty table")
        own = session["kind"] == "session"
        stage = self.terms.stage(session["id"])
        told = (stage or {}).get("start") or (by.edition >= 6 and session["id"] in self.starts)
        must(not told or by.at_ms >= self.start_ms(session["id"]), "starts before the time told")
        minutes = self.stage.get("ends", {}).get("minutes") if own else None
        ends_ms = by.at_ms + minutes * 60_000 if minutes else None
        yield event("session-started", session=session["id"], at_ms=by.at_ms, ends_ms=ends_ms)

    def do_break(self, ask, by):
        must(self.break_until is None, "calls a break in a break")
        yield event("break-called", minutes=ask["minutes"], at_ms=by.at_ms)

    def do_resume(self, _ask, by):
        must(self.break_until is not None, "goes on though there is no break")
        yield event("play-resumed", at_ms=by.at_ms)

    def do_last_coup(self, _ask, _by):
        must(not self.now["last"], "calls the last coup twice")
        yield event("last-coup-called", session=self.session)

    def do_run_out(self, _ask, by):
        ends = self.clock()
        must(ends is not None and by.at_ms >= ends, "has its time over before it is")
        yield event("session-time-over", session=self.session)

    def do_finish_early(self, ask, by):
        table, standing = ask["table"], ask.get("standing")
        session = self.now
        over = table in session["finished"] or table in session["results"]
        must(table in session["seats"] and not over, "finishes a table that is not in play")
        must(standing and standing["session"] == session["id"], "finishes another session")
        proof = self.decided(standing, by.edition)
        must(proof is not None, "finishes early though it is not decided")
        must(ask.get("proof", proof) == proof, "finishes early with another proof than there is")
        yield event("table-finished-early", table=table, proof=proof)

    def decided(self, standing, edition):
        """The proof that what a table reports decides who is through; None: it does not."""
        session, chips, stage = self.now, standing.get("chips", {}), self.stage
        lines, left = self.lines(session, len(chips), edition), len(chips)
        known = bool(lines) or (self.is_final and (edition >= 8 or session["kind"] == "session"))
        if known and all(left <= line for line in lines):
            return [f"{left} still in play, and what each of them has is certain"]
        rounds = session["kind"] == "more-rounds"
        coups = session["coups"] if rounds else stage.get("ends", {}).get("coups")
        if session["kind"] == "play-off" or not coups:
            coups = standing["coups"] + 1 if session["last"] else 0
        if not coups:
            return None
        limits = standing.get("limits") or stage["limits"]
        tie = stage.get("tie_limits") or self.terms.table.get("tie_limits")
        race, proof = Race(self.terms, limits, tie, stage.get("pairs_limits")), []
        for line in lines:
            found = race.decided(chips, line, max(0, coups - standing["coups"]))
            if found is None:
                return None
            proof += found
        return proof or None

    def lines(self, session, players, edition):
        """The ranks after which it matters on which side of them somebody is; up to edition 7 of
        those who were level in a final only how many prizes they had among them.
        """
        own = session["kind"] == "session"
        if not own and (edition < 8 or not self.is_final):
            return [session["places_left"]]
        if not self.is_final:
            number = self.number_advancing(session["stage"], len(session["seats"]))
            return [number] if number else []
        prizes = self.prize_list() if own else self.prizes_played_for(session)
        if prizes is None:
            return [session["places_left"]]
        prizes = [*[*prizes, 0][:players], 0]
        ranks = range(1, len(prizes))
        return [rank for rank in ranks if prizes[rank - 1] != prizes[rank] and rank < players]

    def prizes_played_for(self, session):
        """The prizes among those who were level at the end of a final; None: they are no more."""
        found, prizes = self.standing(session["stage"], session["of"]), self.prize_list()
        level = [row for row in found[0] if row["at_stake"]] if found else []
        whose = [row for row in level if set(row["people"]) & set(session["people"])]
        return prizes_at(whose[0], prizes) if whose else None

    # results

    def do_take_result(self, ask, _by):
        session = self.sessions.get(ask["result"]["session"])
        must(session and session["started"] is not None, "takes the result of another session")
        moved = {at: drawn for drawn, at in session["moved"].items()}
        table, result = moved.get(ask["table"], ask["table"]), ask["result"]
        must(table in session["seats"], "takes a result of a table that was not played at")
        named = [*result.get("chips", {}), *result.get("out", {})]
        seated = set(session["seats"][table].values())
        same = {*named, *result.get("gone", {})} == seated and len(set(named)) == len(named)
        must(same, "takes a result of others than sat there")
        newer = ask["version"] == session["versions"].get(table, 0) + 1
        must(newer, "takes a result that is not the next version")
        facts = {"session": session["id"], "table": table, "version": ask["version"]}
        if session["stage"] in self.confirmed:
            yield event("result-amended", **facts, result=result)
            return
        gone = [
            (who, why)
            for who, why in result.get("gone", {}).items()
            if self.entries[who]["status"] not in IN_IT_NO_MORE
        ]
        yield event("result-taken", **facts, result=result)
        for who, why in gone:
            yield event("entry-forfeited", person=who, why=why)

    def do_confirm_stage(self, _ask, _by):
        found = self.all_in()
        for standing in found.values():
            must(not contested(standing), "confirms a stage in which somebody is level")
        wild = {who for who in self.wild if self.entries[who]["status"] not in IN_IT_NO_MORE}
        through = {who for standing in found.values() for who in standing[1]} | wild
        in_it = {
            who
            for who, one in self.entries.items()
            if one["status"] == "seated" and one["stage"] == self.stage_name
        }
        if self.is_final:
            through = in_it
        elif not self.in_secondary:
            must(self.wild or not self.stage.get("wild"), "confirms a stage without its wild cards")
        facts = {"through": sorted(through & in_it), "out": sorted(in_it - through)}
        yield event("stage-confirmed", stage=self.stage_name, **facts)

    def level(self, people):
        """The equals of these names, and the table at which they are level."""
        for table, standing in self.all_in().items():
            for row in standing[0]:
                if row["at_stake"] and set(row["people"]) == set(people):
                    return table, row
        raise Fault("parts people who are not level")

    def do_order_play_off(self, ask, _by):
        of, row = self.level(ask["people"])
        must(row["how"] != "ruling", "plays off what is to be ruled on")
        kind = "more-rounds" if row["how"] == "more-rounds" else "play-off"
        must(ask["table"] in self.tables, "plays off at a table that was not designated")
        coups = ask.get("coups", 0)
        as_due = ask["table"] == of and coups if kind == "more-rounds" else not coups
        must(as_due, "plays on elsewhere, or for another number of coups than is due")
        stage = self.stage_name
        number = 1 + sum(
            one["stage"] == stage and one["kind"] == kind for one in self.sessions.values()
        )
        facts = {"kind": kind, "of": of, "table": ask["table"], "people": row["people"]}
        name = f"{stage} {kind.replace('-', ' ')} {number}"
        facts |= {"places_left": row["at_stake"], "coups": coups or None}
        yield event("play-off-ordered", session=name, **facts)

    def do_set_play_off_chips(self, ask, _by):
        must(self.now["kind"] == "play-off", "gives chips to those who play on with their own")
        fits = ask["cents"] % self.terms.table.get("chip_cents", 1) == 0
        enough = ask["cents"] >= self.stage["limits"]["min_cents"]
        must(fits and enough, "gives chips that cannot be wagered")
        yield event("play-off-chips-set", cents=ask["cents"])

    def do_name_wild_cards(self, ask, by):
        number, chips = self.stage.get("wild", 0), {}
        must(number and not self.in_secondary and not self.wild, "names wild cards there are not")
        for table, standing in self.all_in().items():
            must(not contested(standing), "names wild cards while somebody is level")
            held = self.sessions[self.stage_name]["results"][table].get("chips", {})
            placed = {who for row in standing[0] for who in row["people"]}
            chips |= {who: held.get(who, 0) for who in placed - set(standing[1])}
        ended = {"chips": chips, "out": {}, "gone": set(), "below": False}
        rows, through = advanced(ended, number, dict.fromkeys(("equal_at_end", "all_out"), ""))
        level = contested((rows, through))
        if not level:
            yield event("wild-cards-named", people=through)
            return
        words = self.check_seed(ask)
        whose = {lot: who for who, lot in self.called(level, by).items()}
        drawn = [whose[lot] for lot in ballot(ask["seed"], words, whose)][: number - len(through)]
        facts = {"words": ask["words"], "seed": ask["seed"]}
        yield event("wild-cards-named", people=[*through, *drawn], **facts)

    def do_open_secondary(self, ask, _by):
        asked = self.terms.secondary
        due = (
            asked.get("winners", 0) and not self.into and ask["into"] == asked.get("into", "final")
        )
        must(due and self.stage.get("name") == ask["into"], "opens a second chance there is not")
        second = ("out", "forfeited")
        eligible = sorted(who for who, one in self.entries.items() if one["status"] in second)
        must(len(eligible) >= asked["winners"], "opens a second chance for too few")
        yield event("secondary-opened", into=ask["into"], eligible=eligible)

    # rulings and ends

    def do_substitute(self, ask, _by):
        acts, person = ask.get("substitute", ""), ask["person"]
        entered = self.entries.get(acts, {"status": "refused"})["status"]
        free = entered in ("refused", "withdrawn") and self.stood_in.get(acts, person) == person
        must(not acts or free, "has somebody sit for one who is in it, or sat for another")
        yield event("substitute-accepted", person=person, substitute=acts)

    def do_rule(self, ask, by):
        about, facts = ask["about"], {}
        if about == "result":
            found = [one for one in self.sessions.values() if ask["table"] in one["amended"]]
            must(found, "rules on a result that has not changed")
            kept = found[0]["amended"][ask["table"]] if ask.get("follows", True) else None
            facts = {"session": found[0]["id"], "table": ask["table"], "result": kept}
        elif about == "places":
            table, _ = self.level(ask["order"])
            facts = {"session": self.stage_name, "table": table, "order": ask["order"]}
        elif about == "prizes":
            facts = {"prizes_cents": ask["prizes_cents"]}
        elif about == "session":
            must(ask["table"] in self.now["seats"], "rules on a table that is not played at")
            facts = {"session": self.session, "table": ask["table"]}
        yield event("ruling-made", about=about, note=ask["note"], person=by.person, **facts)

    def do_raise_dispute(self, ask, by):
        person = ask.get("person") or by.person
        facts = {"person": person, "about": ask["about"], "coup": ask.get("coup")}
        yield event("dispute-raised", number=len(self.disputes) + 1, **facts)

    def do_confirm_places(self, _ask, _by):
        must(self.stages_done >= len(self.terms.stages), "gives places before the final is over")
        last = self.terms.stages[-1].get("name", "")
        standing = self.standing(last, next(iter(self.sessions[last]["seats"])))
        must(not contested(standing), "gives places while somebody is level")
        amended = any(session["amended"] for session in self.sessions.values())
        must(not amended, "gives places while a result awaits a ruling")
        places = self.given_over(standing[0])
        prizes = {
            who: row["each_cents"] for row in places for who in row["people"] if row["each_cents"]
        }
        added = {row["people"][0]: row["added_cents"] for row in places if row["added_cents"]}
        kept, pool = self.pool()
        short = pool - (sum(prizes.values()) - sum(added.values()))
        must(short >= 0, "gives more prizes than there is money")
        all_of_it = self.terms.of("prizes", "returned", "conditions") != "conditions"
        must(not short or not all_of_it, "does not return the pool")
        facts = {"pool_cents": pool or None, "retained_cents": kept + short or None}
        yield event("places-confirmed", places=places, prizes=prizes, added=added, **facts)

    def given_over(self, rows):
        """Prizes without a player go to the last placed, where all of them must be paid."""
        over = sum(self.prize_list()[sum(len(row["people"]) for row in rows) :])
        last = rows[-1] if rows else {"each_cents": None}
        whole_pool = self.terms.level()["prize_left"] == "last-placed"
        if not over or not whole_pool or last["each_cents"] is None:
            return rows
        total = last["each_cents"] * len(last["people"]) - last["added_cents"] + over
        each, added = shares(total, len(last["people"]))
        return [*rows[:-1], {**last, "each_cents": each, "added_cents": added}]

    def do_pay_prize(self, ask, _by):
        one = self.entrant(ask)
        must(one["prize"] and not one["paid_out"], "pays a prize that is not due")
        facts = {"cents": one["prize"], "added_cents": one["prize_added"] or None}
        yield event("prize-paid", person=ask["person"], **facts)

    def do_cancel(self, ask, _by):
        refunds = {}
        for who, one in sorted(self.entries.items()):
            gone = one["status"] == "disqualified" and self.terms.of("entry", "disqualified")
            kept = 0 if gone else one["fee"] + one["beside"] - one["refunded"]
            if kept + one["earlier"]:
                refunds[who] = kept + one["earlier"]
        rest = self.pot - sum(refunds.values())
        facts = {"refunds": refunds, "retained_cents": rest or None}
        yield event("competition-cancelled", note=ask["note"], **facts)


# a competition held against its tables and its pot

IN_TWO = ("take-fee", "refund-fee", "add-to-pot", "retain", "pay-from-pot")


NOTICE = {
    "layout": "", "pairs": "", "chip_cents": 1, "rounding": "up", "behind_marker": None,
    "collective_liability_cents": None, "table_differential_cents": None, "burn": "",
    "leftover": "", "numbering": "anticlockwise", "common_pairs_box": False,
    "table_approval": "", "pairs_approval": "", "decks": 0, "method": "",
}  # fmt: skip
"""What stands on a notice of which the conditions say nothing."""


class Together:
    """What tables and cage have on record of a competition, for its own rows to agree with."""

    def __init__(self, name):
        self.name, self.id = name, name.removeprefix("competition-")
        self.asked, self.results, self.standings, self.closed = {}, {}, {}, []
        self.ends = Counter()
        self.pots, self.halves, self.chips, self.sold = {}, {}, {}, {}
        self.handed = set()

    def holds(self, name, stream):
        """The function that takes up the rows of one stream, or holds them against the others."""
        if name == self.name:
            return lambda row, envelope, events: self.competition_row(
                stream, row, envelope["command"], events
            )
        if name == "cage":
            return lambda row, envelope, _: self.cage_row(row, envelope["command"], envelope["by"])
        return lambda row, envelope, events: self.table_row(
            name, stream, row, envelope["command"], events
        )

    # tables and cage, before the competition

    def table_row(self, name, table, row, ask, events):
        """Note what the house told a table for the competition, and what its session came to."""
        mine = (table.conditions or {}).get("competition") == self.id and table.session
        self.ends[name] = row["seq"]
        for told in events if ask["do"] in ("buy-in", "cash-out") else ():
            if told["is"] in ("chips-bought", "chips-cashed") and mine and table.is_cash:
                sign = 1 if told["is"] == "chips-bought" else -1
                self.chips[name, row["command_id"]] = told["person"], sign * told["cents"]
        if not mine:
            return
        gone = [told for told in events if told["is"] == "session-handed-over"]
        self.handed |= {(told["to"], written(told["standing"])) for told in gone}
        found = self.results.setdefault(name, [(0, None)])
        if ask["do"] == "close-table":
            self.closed.append((name, found[-1][1]))
        if ask.get("row"):
            terms = (table.conditions, table.session, table.notice, table.opened["digest"])
            where = f"{name} row {row['seq']}"
            self.asked.setdefault(ask["row"], []).append((name, where, ask, terms))
        if table.allotted:
            standing = table.came_to()
            self.standings.setdefault(name, set()).add(written(standing))
            over = table.is_open and table.over and table.coup is None
            result = standing if over and table.over != "moved" else None
            if result != found[-1][1]:
                found.append((row["seq"], result))
        elif found[-1][1]:
            found.append((row["seq"], None))

    def cage_row(self, row, ask, by):
        """Note what moved in the competition's pot, and chips that were paid for at its tables."""
        if ask["do"] in IN_TWO and ask["competition"] == self.id:
            must(by.get("at") == self.name, "moves money of a competition that did not ask for it")
            self.pots[row["command_id"]] = row["at_ms"], row["actor"], ask
        if ask["do"] in ("sell-chips", "redeem-chips"):
            sign = 1 if ask["do"] == "sell-chips" else -1
            self.sold[ask["table"], row["command_id"]] = ask["person"], sign * ask["cents"]

    # the competition

    def competition_row(self, now, row, ask, events):
        """Hold a row of the competition, just worked out, against what the others noted."""
        for told in events:
            half = half_of(self.id, told)
            if half:
                self.halves[row["command_id"]] = row["at_ms"], row["actor"], half
                break
        if ask["do"] == "take-result":
            self.check_result(ask)
        if ask["do"] == "finish-early":
            at = now.now["moved"].get(ask["table"], ask["table"])
            stood = written(ask["standing"]) in self.standings.get(at, ())
            must(stood, "finishes a table that never stood so")
        for name, where, told, terms in self.asked.pop(row["seq"], ()):
            try:
                self.check_told(now, name, told, terms)
            except Fault as fault:
                raise Fault(f"{where}: {fault}") from fault

    def check_result(self, ask):
        before = [one for seq, one in self.results.get(ask["table"], ()) if seq <= ask["row"]]
        there = before and ask["row"] <= self.ends[ask["table"]]
        must(there, "takes a result of a row that is not in the file")
        same = written(before[-1]) == written(ask["result"])
        must(same, f"takes another result than {ask['table']} has in row {ask['row']}")

    def check_told(self, now, name, ask, terms):
        """What the house told a table must follow from the competition as it was then."""
        session, do = now.now, ask["do"]
        moved = {at: drawn for drawn, at in session["moved"].items()}
        drawn = moved.get(name, name)
        if do == "note-directors":
            must(ask["people"] == sorted(now.directors), "notes other directors than there are")
        elif do == "begin-session":
            begun = drawn in session["seats"] and session["started"] is not None
            must(begun, "begins what has not started")
            must(ask["seats"] == session["seats"][drawn], "seats others than were drawn")
            first = ask.get("first_seat") == session["first"].get(drawn)
            on_time = ask.get("starts_ms", 0) == session["started"]
            must(first and on_time, "begins with another seat, or at another time")
            self.check_terms(now, session, drawn, terms)
        elif do in ("hand-over-session", "take-over-session"):
            self.check_moved(now, name, drawn, ask, terms)
        elif do == "continue-session":
            there = [who for sat in session["seats"].values() for who in sat.values()]
            left = [who for who in session["people"] if who in there]
            asked = (ask["session"], ask.get("coups", 1))
            as_due = asked == (session["id"], max(1, session["coups"]))
            as_due = as_due and ask["people"] in (left, session["people"])  # the latter formerly
            sat = session["seats"][drawn]
            as_due = as_due and all(sat.get(at) == who for at, who in ask.get("seats", {}).items())
            must(as_due, "plays on otherwise than was ordered")
        elif do == "name-substitute":
            acts = now.entries[ask["person"]]["substitute"]
            must(ask.get("substitute", "") == acts, "names another substitute than was accepted")
        elif do == "remove-player":
            one = now.entries[ask["person"]]
            gone = one["status"] in IN_IT_NO_MORE - {"out"}
            why = "disqualified" if one["status"] == "disqualified" else "forfeited"
            must(gone and (ask["why"], ask["note"]) == (why, one["why"]), "removes one who is in")
        elif do in ("pause-session", "resume-session"):
            stopped = session["stopped"].get(drawn, "")
            why = stopped or ("a break" if now.break_until is not None else "")
            until = None if stopped else now.break_until
            as_due = (ask.get("why", ""), ask.get("until_ms")) == (why, until)
            must(as_due, "pauses or goes on otherwise than the competition")
        elif do == "end-session":
            ends = {"ruling": now.phase == "cancelled", "time": session["time_over"]}
            ends["decided"] = drawn in session["finished"]
            must(ends[ask["why"]], "ends a session that goes on")
        elif do == "declare-last-coup":
            must(session["last"], "declares a last coup that nobody called")

    def check_moved(self, now, name, drawn, ask, terms):
        """A session goes on at the table that the director named, as it stood."""
        session = now.now
        if ask["do"] == "hand-over-session":
            must(ask["to"] in session["moved"].values(), "hands over what goes on where it is")
            return
        must(name in session["moved"].values(), "takes over what goes on elsewhere")
        sat = set(ask["standing"]["seats"].values()) <= set(session["seats"][drawn].values())
        must(sat, "takes over the session of others than were drawn")
        stood = (name, written(ask["standing"])) in self.handed
        must(stood, "takes over a session otherwise than it was handed over")
        self.check_terms(now, session, drawn, terms, raised=True)

    def check_terms(self, now, session, drawn, terms, raised=False):
        """A table is opened with what the conditions have for this session."""
        conditions, told, notice, digest = terms
        of, own = now.terms, session["kind"] == "session"
        stage = of.stage(session["stage"]) or now.stage
        due = {"competition": now.id, "chips": of.said.get("chips", "competition")}
        due["allotment_cents"] = session["chips"] or stage["allotment_cents"]
        due["first_seat"] = session["first"].get(drawn)
        due["raised_limits"] = limits_of(stage.get("raised")) if own else None
        due["face_down"] = of.way("face_down") == "yes"
        must(said(conditions) == said(due), "is opened with other conditions than were published")
        by_card = of.of("ends", "coups_by_card")
        rounds = {} if by_card else {"coups": session["coups"] or 1}
        final = session["stage"] == of.stages[-1].get("name", "")
        wanted = {
            "id": session["id"], "ends": stage.get("ends", {}) if own else rounds,
            "kind": session["kind"], "secrets": stage.get("secrets", 0) if own else 0,
            "wager_seconds": stage.get("wager_seconds", 0), "final": own and final,
            "raised_tie": limits_of(stage.get("raised_tie")) if own else None,
            "play": {"puck_after_non_betting": True, **of.said.get("play", {})},
        }  # fmt: skip
        play = {"puck_after_non_betting": True, **told.get("play", {})}
        told = {"kind": "session", **told, "play": play}
        must(said(told) == said(wanted), "is opened for another session than was published")
        must(digest == now.versions[now.version], "is opened by another rule set")
        had = ("limits", "tie_limits") if raised else ()  # a session taken over has those it had
        self.check_notice(now, session, stage, notice, had)

    def check_notice(self, now, session, stage, notice, had=()):
        """The sign at the table: what the conditions say of all tables, and of this stage."""
        of, first = now.terms, now.sessions.get(session["stage"])
        result = first["results"].get(session["of"]) if first and session["of"] else None
        due = {**NOTICE, **of.table, "ruleset": of.said["ruleset"], "seats": of.seats(stage)}
        due["leftover"] = due["leftover"] or ("discard" if of.leaves_over() else "")
        for name in ("tie_limits", "pairs_limits"):
            due[name] = limits_of(stage.get(name) or of.table.get(name))
        due["limits"] = limits_of((result or {}).get("limits") or stage["limits"])
        for name, value in due.items():
            if name not in ("shoe_approval", "backs", "effective", *had):
                same = written(notice.get(name)) == written(value)
                must(same, f"has another {name} on its notice than was published")

    def check_end(self, now, cage):
        """Nothing is left over on either side."""
        for told in self.asked.values():
            raise Fault(f"{told[0][1]}: goes by a row that the competition has not")
        for command in sorted({*self.pots, *self.halves}):
            here, there = self.halves.get(command), self.pots.get(command)
            same = said(here and [*here]) == said(there and [*there])
            must(same, f"the cage moved other money by {shown(command)} than the competition says")
        must([*self.pots] == [*self.halves], "the cage moved its money in another order")
        must(now.pot == cage.pots[self.id], "the pot has other money than the competition says")
        for key, moved in self.chips.items():
            same = self.sold.get(key) == moved
            must(same, f"{key[0]} has other chips by {shown(key[1])} than were paid for")
        for name, result in self.closed if now.phase != "cancelled" else ():
            session = now.sessions[result["session"]] if result else {"moved": {}}
            drawn = {at: one for one, at in session["moved"].items()}.get(name, name)
            if result:  # told last, or come back to what counts
                known = now.latest.get((session["id"], drawn)), session["results"].get(drawn)
                taken = written(result) in map(written, known)
                must(taken, f"the last result of {name} was not taken")


def half_of(name, told):
    """The cage's half of what a competition put on record; None: no money moves."""
    kind, facts = told["is"], {"competition": name}
    if kind == "entry-paid":
        beside = told.get("commission_cents", 0)
        facts |= {"do": "take-fee", "person": told["person"], "cents": told["fee_cents"]}
        return {**facts, "commission_cents": beside} if told["fee_cents"] + beside else None
    if kind in ("entry-withdrawn", "refund-paid"):
        cents = told.get("refund_cents", 0) if kind == "entry-withdrawn" else told["cents"]
        facts |= {"do": "refund-fee", "person": told["person"], "cents": cents}
        return facts if cents else None
    if kind == "value-added":
        facts |= {"do": "add-to-pot", "cents": told["cents"]}
        return facts if told["cents"] else None
    if kind in ("places-confirmed", "competition-cancelled"):
        cents = told.get("retained_cents", 0)
        return {**facts, "do": "retain", "cents": cents} if cents else None
    if kind == "prize-paid":
        facts |= {"do": "pay-from-pot", "person": told["person"], "cents": told["cents"]}
        return {**facts, "added_cents": told.get("added_cents", 0)}
    return None


# a whole export


@lru_cache(maxsize=16)
def read_rules(digest, text):
    """The values of a rule set, from the very text whose digest is on record."""
    found = hashlib.sha256(text.encode()).hexdigest()
    must(found == digest, "a rule set is not the text it claims to be")
    return tomllib.loads(text)


def read_head(line):
    """The first line of an export, with the texts of its rule sets read."""
    try:
        head = read_json(line)
        must(head.get("form") in (FORM, SEVERAL, ARCHIVE, ARCHIVE_AFTER), "this is not an export")
        head["rules"] = {name: read_rules(name, text) for name, text in head["rulesets"].items()}
        head["stream"] = str(head.get("stream", "house"))
    except Fault:
        raise
    except Exception as error:  # whatever it holds: a fault, never a traceback
        raise Fault("this is not an export") from error
    return head


def stream_named(name, rules):
    """What a stream is about."""
    if name.startswith("table-"):
        return Table(rules)
    if name.startswith("competition-"):
        return Competition(rules)
    return {"cage": Cage, "register": Register}.get(name, Links)()


def verify(lines, tell=None, before=None):
    """Check every line of an export; what was checked, or a Fault with the row's number.

    `tell` is called with each row that was found sound, and its envelope; `before` is where the
    archives ended that come before this one.
    """
    head = read_head(next(lines, ""))
    if head["form"] == SEVERAL:
        return verify_together(head, lines, tell)
    if head["form"] in (ARCHIVE, ARCHIVE_AFTER):
        return verify_archive(head, lines, tell, before)
    must(before is None, "this is no archive")
    found = verify_stream(head["stream"], stream_named(head["stream"], head["rules"]), lines, tell)
    rows, last = found["rows"], found["head"]
    must(rows == head.get("rows"), f"the file ends after row {rows} of {shown(head.get('rows'))}")
    must(last == head.get("head"), "the file does not end with the row it says it ends with")
    return found


def verify_stream(name, stream, lines, tell=None, hold=None, read=read_json, after=None):
    """Check every row of a stream; `hold` holds each against the other streams of a file, and
    `after` is where the rows before ended.
    """
    commands, seq, previous = after or (Commands(), 0, FIRST)
    for line in lines:
        try:
            row = read(line)
            check_link(row, name, seq + 1, previous)
            envelope, events = commands.read(row), read_json(row["events"])
            must(isinstance(events, list), "has no events that can be read")
            if envelope is None:
                stream.play_old(events)
            else:
                by = By(row["actor"], envelope["by"]["roles"], row["at_ms"], envelope["edition"])
                stream.play(events, envelope["command"], by)
            stream.check_balance()
            if hold and envelope:
                hold(row, envelope, events)
        except Fault as fault:
            raise Fault(f"row {seq + 1}: {fault}") from fault
        except Exception as error:  # whatever it holds: a fault, never a traceback
            raise Fault(f"row {seq + 1}: cannot be read ({type(error).__name__})") from error
        seq, previous = row["seq"], row["hash"]
        if tell:
            tell(row, envelope)
    return {"rows": seq, "commands": commands.count, **stream.checked, "head": previous}


def verify_together(head, lines, tell):
    """Check a competition: its tables and the cage first, then its own rows against them."""
    name, parts = head["stream"], streams_of(head)
    together, streams, counts = Together(name), {}, Counter()
    for one, rows, last in parts:
        streams[one] = stream = stream_named(one, head["rules"])
        some = (line for line in islice(lines, rows))
        named = tell and (lambda row, envelope: tell(in_stream(row), envelope))
        try:
            found = verify_stream(one, stream, some, named, together.holds(one, stream))
            must(found["rows"] == rows, f"ends after row {found['rows']} of {rows}")
            must(found.pop("head") == last, "does not end with the row it says it ends with")
        except Fault as fault:
            raise Fault(f"{one}: {fault}") from fault
        counts.update(found)
    must(next(lines, None) is None, "the file goes on after the last row it speaks of")
    together.check_end(streams[name], streams["cage"])
    counts["streams"] = len(parts)
    return {**counts, "head": parts[-1][2]}


# an archive: every stream of a house up to a root


class Archived:
    """Where archives ended: each stream as its rows left it, and the roots."""

    def __init__(self):
        self.root, self.rules, self.streams = "", {}, {}
        self.roots = Roots()


EAST = timedelta(hours=14)
"""When it is another day there, a gaming day before it is over somewhere."""


def verify_archive(head, lines, tell, before=None):
    """Check each stream by itself, and make every root on record again from all of them."""
    counts, parts = Counter(), parts_of(head)
    alone = before is None and head["form"] == ARCHIVE_AFTER
    was = before or Archived()
    if alone:
        was.root = head.get("after")
        was.roots.begin_after(was.root, {name: after for name, after, _, _, _ in parts if after})
    must((head.get("after") or "") == was.root, "it does not go on from the archive before it")
    must(bool(was.root) == (head["form"] == ARCHIVE_AFTER), "this is not an archive")
    was.rules.update(head["rules"])
    for name, after, link, rows, last in parts:
        due = Links() if alone else stream_named(name, was.rules)
        stream, *ended = was.streams.get(name) or (due, Commands(), 0, FIRST)
        if alone:
            ended = [Commands(), after, link]
        some = (line for line in islice(lines, rows - after))
        named = tell and (lambda row, envelope: tell(in_stream(row), envelope))
        try:
            must(ended[1:] == [after, link], "does not go on where the archive before it ended")
            read = was.roots.reading(name, after, link)
            found = verify_stream(name, stream, some, named, read=read, after=ended)
            must(found["rows"] == rows, f"ends after row {found['rows']} of {rows}")
            must(found.pop("head") == last, "does not end with the row it says it ends with")
        except Fault as fault:
            raise Fault(f"{name}: {fault}") from fault
        was.streams[name] = (stream, ended[0], rows, last)
        counts.update(found)
        counts["rows"] -= after if alone else 0
    must(next(lines, None) is None, "the file goes on after the last row it speaks of")
    must(set(was.streams) == {part[0] for part in parts}, "it leaves a stream out")
    was.roots.check()
    must(was.roots.last == (head.get("row"), head.get("root")), "it does not end with its root")
    must(parts[0][3] == head["row"], "it goes on after its root")
    day = EPOCH + timedelta(milliseconds=was.roots.at_ms) + EAST
    over = day.date().isoformat() > (head.get("until") or "")
    must(over, "its root is from before the day was over that it says is whole")
    was.root = head["root"]
    return {**counts, "streams": len(parts), "roots": len(was.roots.events), "head": head["root"]}


def parts_of(head):
    """The streams of an archive, each with the row before its first and the hash of that, and with
    its last row and the hash of that: the house's own first.
    """
    try:
        parts = [
            (one["stream"], one.get("after", 0), one.get("before", FIRST), one["rows"], one["head"])
            for one in head["streams"]
        ]
        names = [one[0] for one in parts]
        due = names[0] == "house" and len(set(names)) == len(names)
        due = due and all(whole(one[1]) and whole(one[3]) and one[1] <= one[3] for one in parts)
        due = due and bool(parts[0][1]) == (head["form"] == ARCHIVE_AFTER)
        must(due and all(len(bytes.fromhex(one[2])) == 32 for one in parts), "this is no archive")
    except Fault:
        raise
    except Exception as error:  # whatever it holds: a fault, never a traceback
        raise Fault("this is not an archive") from error
    return parts


class Roots:
    """The roots that a house recorded, made again from the rows of all its streams."""

    def __init__(self):
        self.events, self.wanted, self.at_ms = [], {"house": set()}, 0
        self.at, self.trees = {}, {}
        self.begins, self.before = {}, ""

    def begin_after(self, root, ends):
        """Take it that a root was recorded when streams had these ends."""
        self.begins, self.before = {**ends, "house": ends["house"] - 1}, root

    @property
    def last(self):
        return (self.events[-1][0], self.events[-1][1]["root"]) if self.events else None

    def reading(self, name, after=0, link=FIRST):
        """Reads rows of a stream, puts back what follows, and notes what roots are made of."""
        previous, leaves = link, []
        if after:
            self.at[name, after] = link
        if after and name == "house":  # the row of a root is under the next one
            leaves.append(hashlib.sha256(b"\0" + bytes.fromhex(link)).digest())

        def covered(seq):
            self.trees[name, seq] = tree(leaves)
            leaves.clear()

        def read(line):
            nonlocal previous
            row = read_json(line)
            hashed = row.get("command", row["events"])
            row["command_hash"] = hashlib.sha256(hashed.encode()).hexdigest()
            row["previous"], previous = previous, row["hash"]
            if name == "house" and self._note(row) and row["seq"] > 1:
                covered(row["seq"] - 1)
            self.at[name, row["seq"]] = previous
            leaves.append(hashlib.sha256(b"\0" + bytes.fromhex(previous)).digest())
            if row["seq"] in self.wanted.get(name, ()):
                covered(row["seq"])
            elif name != "house":
                del self.at[name, row["seq"]]  # no root names it
            return row

        return read

    def _note(self, row):
        """Note the roots that a row of the house records; is one of them over its own rows, too?"""
        told = [one for one in read_json(row["events"]) if one["is"] in ROOTS]
        for one in told:
            self.events.append((row["seq"], one))
            self.at_ms = row["at_ms"]
            for stream, seq in one["heads"].items():
                self.wanted.setdefault(stream, set()).add(seq)
        return any(one["is"] == "root-recorded" for one in told)

    def check(self):
        try:
            self._check()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Fault("has a root that cannot be read") from error

    def _check(self):
        ends, before = dict(self.begins), self.before
        for seq, told in self.events:
            earlier, named = dict(ends), dict(told["heads"])
            if told["is"] == "root-recorded" and seq > 1:
                named["house"] = seq - 1
            for stream, end in named.items():
                must(
                    (stream, end) in self.at, f"{stream} row {end} is gone: house row {seq} had it"
                )
                must(end >= ends.get(stream, 0), f"house row {seq} records less of {stream}")
            ends |= named
            grown = [(one, ends[one]) for one in sorted(ends) if earlier.get(one) != ends[one]]
            same = self._made(told, ends, before, grown) == told["root"]
            must(same, f"house row {seq} recorded another root than its streams have")
            before = told["root"]

    def _made(self, told, ends, before, grown):
        """A root again, in the form in which it was recorded."""
        old = told["is"] == "heads-recorded"
        named = [(one, ends[one]) for one in sorted(ends) if not old or one != "house"]
        heads = [text for one, end in named for text in (one, str(end), self.at[one, end])]
        if old:
            return digest_of("puntobanco-root-1", *heads)
        kept = told["credentials"], told["sealed"]
        if not told.get("tree"):
            must(not told.get("before"), "a root is chained and has no tree")
            return digest_of("puntobanco-root-2", *kept, *heads)
        must(told.get("before", "") == before, "a root does not follow the one before it")
        over = tree([self.trees[one] for one in grown]).hex()
        summed = digest_of("puntobanco-heads-1", *heads)
        return digest_of("puntobanco-root-3", before, over, *kept, summed)


def tree(leaves):
    """The tree of RFC 6962 over leaves that are hashed already."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + tree(leaves[:half]) + tree(leaves[half:])).digest()


def digest_of(*texts):
    """The SHA-256 of texts, each with its length before it."""
    raw = b"".join(b"%d:%b," % (len(text), text) for text in map(str.encode, texts))
    return hashlib.sha256(raw).hexdigest()


def streams_of(head):
    """The streams of a file with their rows and heads: tables, the cage, and the competition."""
    try:
        parts = [(one["stream"], one["rows"], one["head"]) for one in head["streams"]]
        *tables, cage, own = [one for one, _, _ in parts]
        known = all(one.startswith("table-") for one in tables) and len(set(tables)) == len(tables)
        due = known and cage == "cage" and own == head["stream"] and own.startswith("competition-")
        must(due and all(whole(rows) for _, rows, _ in parts), "this is not an export")
    except Fault:
        raise
    except Exception as error:  # whatever it holds: a fault, never a traceback
        raise Fault("this is not an export") from error
    return parts


def in_stream(row):
    """A row that tells of which stream it is."""
    return {**row, "seq": f"{row['stream']} {row['seq']}"}


# telling who asked for what


def told_row(row, envelope):
    """A row in one line: its number, its time, who, in which roles, asked for what."""
    when = EPOCH + timedelta(milliseconds=row["at_ms"])
    start = f"{row['seq']} {when:%Y-%m-%d %H:%M:%S}Z {shown(row['actor'])[1:-1]}"
    if envelope is None:
        kinds = [str(told["is"]) for told in json.loads(row["events"])]
        return f"{start}: no command on record; {', '.join(kinds)}"
    roles = ", ".join(envelope["by"]["roles"]) or "no role"
    asker = envelope["by"].get("asker")
    whom = f" for {shown(asker)[1:-1]}" if asker else ""
    asked = f" (asked: {told_ask(envelope['asked'])})" if "asked" in envelope else ""
    return f"{start} ({roles}){whom}: {told_ask(envelope['command'])}{asked}"


def told_ask(ask):
    facts = [f"{name}={shown(value)}" for name, value in ask.items() if name != "do"]
    return " ".join([ask["do"], *facts])


def print_row(row, envelope):
    try:
        print(told_row(row, envelope))
    except OverflowError as error:
        raise Fault(f"row {row['seq']}: has a time that no calendar knows") from error


# one shoe of the house's own, by its file


def check_shoe(shoe):
    """Work out again what a shoe had to deal: bound to first, then the words, then the cut."""
    must(shoe["format"] == SHOE, "is not the file of a shoe")
    order, salt = shoe["order"], shoe["salt"]
    must(order, "has no order: the house never showed it")
    made = hashlib.sha256(f"{salt} {' '.join(order)}".encode()).hexdigest()
    must(made == shoe["commitment"], "opens another order than was committed to")
    must(Counter(order) == Counter(DECK * (len(order) // 52)), "has not the full set of cards")
    cards = mixed(order, shoe["commitment"], shoe["words"])
    cards = cards[shoe["cut"] :] + cards[: shoe["cut"]]
    must(len(shoe["dealt"]) <= len(cards), "dealt more cards than there are")
    for at, (seen, card) in enumerate(zip(shoe["dealt"], cards, strict=False), 1):
        must(seen in (None, card), f"dealt {seen} as card {at}, and {card} was due")
    return {"cards dealt": len(shoe["dealt"]), "words": len(shoe["words"])}


def verify_shoe(file):
    try:
        return check_shoe(json.load(file)) | {"head": "as it was committed to"}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Fault(f"is not the file of a shoe: {error}") from error


# a receipt: one row, and the way from it to a root


def check_receipt(receipt):
    """See that a receipt's hash is that of its row, and that the way from there leads to its root;
    a short one has no row, and only the way is followed.

    The house's signature is not checked: Python's standard library cannot.
    """
    must(receipt["form"] in (RECEIPT, SHORT_RECEIPT), "is no receipt")
    if receipt["form"] == RECEIPT:
        check_link(receipt, receipt["stream"], receipt["seq"], receipt["previous"])
    way = receipt.get("inclusion")
    must(way, "carries no proof that it is under a root: it is asked for with --proof")
    top = hashlib.sha256(b"\0" + bytes.fromhex(receipt["hash"])).digest()
    for side, beside in way["way"]:
        must(side in ("left", "right"), "has a way with neither left nor right")
        other = bytes.fromhex(beside)
        below = other + top if side == "left" else top + other
        top = hashlib.sha256(b"\1" + below).digest()
    kept = way["credentials"], way["sealed"]
    root = digest_of("puntobanco-root-3", way["before"], top.hex(), *kept, way["heads"])
    must(root == way["root"], "is not under the root that it names")
    row = f"row {receipt['seq']} of {receipt['stream']}"
    under = f"under the root of house row {way['house_row']}, its signature not checked;"
    return {row: under, "head": root}


def verify_receipt(file):
    try:
        return check_receipt(json.load(file))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Fault(f"is not a receipt: {error}") from error


def lines_in(name):
    """The lines of a file of text; an archive is uncompressed as it is read, in bounded memory."""
    with open(name, "rb") as file:
        is_packed = file.read(len(COMPRESSED)) == COMPRESSED
        file.seek(0)
        if not is_packed:
            yield from map(bytes.decode, file)
            return
        unpack, rest = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY), b""
        while not unpack.eof:
            more = file.read(PIECE) if unpack.needs_input else b""
            if unpack.needs_input and not more:
                raise EOFError("it ends too soon")
            *lines, rest = (rest + unpack.decompress(more, PIECE)).split(b"\n")
            yield from map(bytes.decode, lines)
            must(len(rest) <= MOST_LINE, "it has a line that is longer than any row")
        must(not rest + unpack.unused_data + file.read(1), "it goes on after its last line")


def verify_files(names, tell):
    """Check a file, or archives that go on from one another."""
    before, found = Archived() if len(names) > 1 else None, {}
    for name in names:
        try:
            found = verify(lines_in(name), tell, before)
        except (Fault, lzma.LZMAError, EOFError) as fault:
            where = f"{name}: " if before else ""
            damaged = "" if isinstance(fault, Fault) else "the archive is cut off or damaged: "
            raise Fault(f"{where}{damaged}{fault}") from fault
    return found


ONE = {"--shoe": verify_shoe, "--receipt": verify_receipt}
"""What is checked by itself: the file of a shoe, or a receipt."""


def main(arguments):
    of_one = ONE.get(arguments[0]) if arguments else None
    tell = print_row if arguments[:1] == ["--tell"] else None
    files = arguments[1:] if tell or of_one else arguments
    if not files or (of_one and len(files) > 1):
        print(__doc__)
        return 2
    try:
        if of_one:
            with open(files[0], encoding="utf-8") as file:
                found = of_one(file)
        else:
            found = verify_files(files, tell)
    except Fault as fault:
        print(f"FAULT: {fault}")
        return 1
    except BrokenPipeError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        print(f"cannot read {', '.join(files)}: {error}")
        return 2
    print(", ".join(f"{count} {name}" for name, count in found.items() if name != "head"))
    print(f"sound; {'' if of_one else 'head '}{found['head']}")
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of what is told has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
