"""Exports without a house: what was decided, a row for each command with its envelope, chained.

A written session at a table, an evening at the cage, and a register of the people in it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage.state import Cage
from puntobanco.editions import EDITION
from puntobanco.journal.chain import FIRST, link
from puntobanco.journal.rows import Entry
from puntobanco.register import commands as register
from puntobanco.register.state import Register
from puntobanco.rules.documents.texts import ruleset_text
from puntobanco.table.actor import Actor, Role
from puntobanco.table.session import parse_session, play_session
from tests.kit.aggregates import run_cage, run_register
from tests.kit.places import PLAYTHROUGHS

FORM = "puntobanco-export-1"
SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))

Line = dict[str, Any]


def exported_session(session: Path) -> list[Line]:
    """The head of an export and a line for each row of a session."""
    steps = [step for step in play_session(parse_session(session.read_text())) if step.events]
    return exported_table([row_of(step.ask, step.said.by, step.events) for step in steps])


def exported_table(rows: Sequence[Line]) -> list[Line]:
    """The same for any table, with the texts of the rule sets it was opened by."""
    asked = [json.loads(row["command"])["command"] for row in rows]
    names = {one["notice"]["ruleset"] for one in asked if one["do"] == "open-table"}
    texts = (ruleset_text(name) for name in sorted(names))
    return exported_rows("table-1", rows, {digest: text for text, digest in texts})


def exported_rows(stream: str, rows: Iterable[Line], rulesets: dict[str, str]) -> list[Line]:
    head = {"form": FORM, "stream": stream, "rows": 0, "head": "", "rulesets": rulesets}
    return rechained([head, *({"stream": stream, **row} for row in rows)])


CASH = (cage.Pile(5_000, 30), cage.Pile(2_000, 10))
CHIPS = (cage.Pile(2_500, 40), cage.Pile(10_000, 10))


def exported_cage() -> list[Line]:
    """Accounts, chips, fills and credits, slips done and void, trays counted."""
    asked: list[tuple[str, Role, cage.CageCommand]] = [
        ("carol", Role.CASHIER, cage.OpenAccount("ann")),
        ("carol", Role.CASHIER, cage.OpenAccount("bob")),
        ("carol", Role.CASHIER, cage.OpenDrawer(CASH, (cage.Pile(10_000, 50),))),
        ("mara", Role.MANAGEMENT, cage.OpenTray("table-1", 1_000_000)),
        ("mara", Role.MANAGEMENT, cage.OpenTray("table-2", 500_000)),
        ("carol", Role.CASHIER, cage.Deposit("ann", 80_000)),
        ("carol", Role.CASHIER, cage.Deposit("bob", 50_000)),
        ("dan", Role.DEALER, cage.SellChips("ann", "table-1", 60_000)),
        ("dan", Role.DEALER, cage.SellChips("bob", "table-2", 50_000)),
        ("ines", Role.INSPECTOR, cage.RequestSlip("fill", "table-1", 200_000, CHIPS)),
        ("ines", Role.INSPECTOR, cage.RequestSlip("credit", "table-2", 100_000)),
        ("ines", Role.INSPECTOR, cage.RequestSlip("fill", "table-2", 5_000)),
        ("carol", Role.CASHIER, cage.CompleteSlip(1)),
        ("carol", Role.CASHIER, cage.CompleteSlip(2)),
        ("carol", Role.CASHIER, cage.VoidSlip(3, "asked for twice")),
        ("dan", Role.DEALER, cage.RedeemChips("ann", "table-1", 75_000)),
        ("ines", Role.INSPECTOR, cage.CountTray("table-1", 1_199_500, -15_000)),
        ("ines", Role.INSPECTOR, cage.CountTray("table-2", 350_000)),
        ("ines", Role.INSPECTOR, cage.CountTray("table-2", 200_000, 0, CHIPS)),
        ("carol", Role.CASHIER, cage.Withdraw("ann", 95_000)),
        ("carol", Role.CASHIER, cage.CloseDrawer(CASH, (cage.Pile(10_000, 40),), note="less")),
    ]
    return _exported("cage", Cage(), run_cage, asked)


def exported_register() -> list[Line]:
    """A house founded, people enrolled, roles given and taken, a text and a key."""
    text, digest = ruleset_text("tas-2018")
    manager = Role.MANAGEMENT
    asked: list[tuple[str, Role, register.RegisterCommand]] = [
        ("mara", manager, register.FoundHouse()),
        ("mara", manager, register.Enrol("dan", "staff")),
        ("mara", manager, register.Enrol("ann", "patron")),
        ("mara", manager, register.Enrol("beth", "staff", register.Bot("dealer", "table-1"))),
        ("mara", manager, register.Grant("dan", Role.DEALER)),
        ("mara", manager, register.Grant("dan", Role.INSPECTOR, "table-2")),
        ("mara", manager, register.Revoke("dan", Role.DEALER)),
        ("mara", manager, register.Disable("ann", "lost a card")),
        ("mara", manager, register.Enable("ann", "found it")),
        ("mara", manager, register.KeepRuleset("tas-2018", digest, text)),
        ("house", Role.HOUSE, register.ShowKey("ab" * 32)),
    ]
    return _exported("register", Register(), run_register, asked)


def _exported(stream: str, state: Any, run: Any, asked: Any) -> list[Line]:
    rows = []
    for second, (person, role, ask) in enumerate(asked):
        by = Actor(person, frozenset({role}), 1000 * second)
        state, events = run(state, ask, by)
        rows.append(row_of(ask, by, events))
    return exported_rows(stream, rows, {})


def row_of(ask: Struct, by: Actor, events: Iterable[Struct]) -> Line:
    """A command and what came of it, as a row before it is numbered and chained."""
    command: Line = json.loads(msgspec.json.encode(ask))
    if command["do"] == "open-table":
        command["digest"] = ruleset_text(command["notice"]["ruleset"])[1]
    clauses = dict.fromkeys(one for event in events for one in getattr(event, "clauses", ()))
    return {
        "at_ms": by.at_ms,
        "actor": by.person,
        "command": envelope(command, sorted(by.roles)),
        "clauses": " ".join(clauses),
        "events": msgspec.json.encode(list(events)).decode(),
    }


def envelope(command: Line, roles: Iterable[str], **more: Any) -> str:
    """What a row keeps of a command: the deciders' edition, by whom, and the command."""
    by = {"roles": list(roles), "register": 1}
    return compact({"edition": EDITION, "by": by, **more, "command": command})


def compact(value: object) -> str:
    return msgspec.json.encode(value).decode()


def rechained(lines: list[Line]) -> list[Line]:
    """The lines as a clever forger leaves them: numbered, every hash made anew."""
    first, *rows = lines
    previous, made = FIRST, []
    for seq, row in enumerate(rows, 1):
        command = row.get("command") or ""
        entry = Entry(
            row["stream"],
            seq,
            row["at_ms"],
            row["actor"],
            row.get("command_id") or f"c{seq}",
            command.encode(),
            tuple(row["clauses"].split()),
            row["events"].encode(),
        )
        linked = link(entry, previous)
        made.append(
            {
                **row,
                "seq": seq,
                "command_id": entry.command_id,
                "command_hash": linked.command_hash.hex(),
                "previous": previous.hex(),
                "hash": linked.hash.hex(),
            }
        )
        previous = linked.hash
    return [{**first, "rows": len(made), "head": previous.hex()}, *made]


def as_text(lines: Iterable[Line]) -> Iterator[str]:
    return (json.dumps(line) + "\n" for line in lines)


def without_commands(lines: list[Line]) -> list[Line]:
    """The same export from before commands were kept."""
    return rechained([{**line, "command": None} for line in lines])
