"""The exports of whole competitions in a forger's hands: every hash is made anew afterwards."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import puntobanco_verifier
from puntobanco.cage.commands import CageCommand
from puntobanco.competition.commands import CompetitionCommand
from puntobanco.table.commands import TableCommand
from tests.kit.forgery.campaign import Forgery, changed, is_same
from tests.kit.forgery.export import Line, as_text, compact, rechained

verifier: Any = puntobanco_verifier
CUP = "competition-cup"
Streams = dict[str, list[Line]]
"""The rows of each stream, without heads."""
FOLLOWING = {
    "open-table": ("notice", "conditions", "session", "digest"),
    "begin-session": ("seats", "first_seat", "starts_ms"),
    "note-directors": ("people",),
    "name-substitute": ("person", "substitute"),
    "remove-player": ("person", "why", "note"),
    "continue-session": ("people", "session", "coups"),
    "pause-session": ("why", "until_ms"),
    "end-session": ("why",),
    "take-result": ("table", "version", "result"),
    "take-fee": ("person", "cents", "commission_cents"),
    "refund-fee": ("person", "cents"),
    "add-to-pot": ("cents",),
    "retain": ("cents",),
    "pay-from-pot": ("person", "cents", "added_cents"),
}
"""Commands that follow from what another stream has on record, and what of them does."""
TYPES = {
    str(kind.__struct_config__.tag): kind
    for union in (CageCommand, CompetitionCommand, TableCommand)
    for kind in get_args(union)
}


class WholeExport:
    """A competition's export, to be forged and verified."""

    def __init__(self, file: Path) -> None:
        with file.open() as text:
            self.head, *rows = map(json.loads, text)
        self.streams: Streams = {one["stream"]: [] for one in self.head["streams"]}
        for row in rows:
            self.streams[row["stream"]].append(row)
        self._others = self._checked()

    def _checked(self) -> Any:
        """Tables and cage, verified once for all forgeries of the competition's own rows."""
        together, rules = verifier.Together(CUP), verifier.read_head(compact(self.head))["rules"]
        streams = {name: verifier.stream_named(name, rules) for name in self.streams}
        for name, rows in self.streams.items():
            if name != CUP:
                lines, hold = as_text(rows), together.holds(name, streams[name])
                verifier.verify_stream(name, streams[name], lines, hold=hold)
        return together, streams["cage"], rules

    def lines(self, streams: Streams) -> list[Line]:
        """The file as the forger leaves it: numbered and linked, with heads to match."""
        made = [rechained([{"stream": name}, *rows]) for name, rows in streams.items()]
        heads = [{name: head[name] for name in ("stream", "rows", "head")} for head, *_ in made]
        rows = [row for _, *rows in made for row in rows]
        return [{**self.head, "streams": heads}, *rows]

    def is_found(self, streams: Streams) -> bool:
        """Does the verifier find fault with the whole file?"""
        try:
            verifier.verify(as_text(self.lines(streams)))
        except verifier.Fault:
            return True
        return False

    def is_found_in_cup(self, rows: list[Line]) -> bool:
        """The same where only the competition's own rows were forged, at a fraction of the time."""
        together, cage, rules = copy.deepcopy(self._others)
        stream = verifier.stream_named(CUP, rules)
        _, *linked = rechained([{"stream": CUP}, *rows])
        try:
            hold = together.holds(CUP, stream)
            verifier.verify_stream(CUP, stream, as_text(linked), hold=hold)
            together.check_end(stream, cage)
        except verifier.Fault:
            return True
        return False


def in_concert(number: int, row: Line) -> Iterator[Forgery]:
    """A command and its events changed alike, where another stream says what they must be."""
    ask, events = json.loads(row["command"])["command"], json.loads(row["events"])
    for name in FOLLOWING.get(ask["do"], ()):
        if name not in ask or (ask["do"] == "open-table" and row["actor"] != "house"):
            continue
        for where, new in changed(ask[name], f".{name}"):
            told = [{**one, name: new} if one.get(name) == ask[name] else one for one in events]
            command, what = {**ask, name: new}, f"{ask['do']}{where} in concert, row {number}"
            if not is_same(command, ask, TYPES[ask["do"]]):
                yield Forgery(what, number, told, command)
