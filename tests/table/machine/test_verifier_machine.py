"""Random evenings under every rule set: what the table decides, the stand-alone verifier works out.

The two share no code, so this holds each of them against the other.
"""

import os
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

import puntobanco_verifier as verifier
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.decide import decide, run
from puntobanco.table.events import TableEvent
from puntobanco.table.state import Table
from tests.kit.forgery.export import Line, as_text, exported_table, row_of, without_commands
from tests.kit.table.machine import TableMachine
from tests.kit.table.verified import opening_row

RUNS = int(os.environ.get("TABLE_RUNS", "40"))

KEPT_COMMANDS = (
    "cards-corrected",
    "shoe-recounted",
    "wager-corrected",
    "next-coup-ruled",
    "excess-card-drawn",
)
"""Events that came after rows kept their commands: no row without one has them."""


class VerifiedTable(TableMachine):
    """Every command that was accepted becomes a row, and the rows are verified at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Line] = []
        self.patches = (
            patch("tests.kit.table.at.run", self.run_on_record),
            patch("tests.kit.table.machine.decide", self.decide_on_record),
        )
        for one in self.patches:
            one.start()

    def run_on_record(
        self, table: Table, ask: c.TableCommand, by: Actor
    ) -> tuple[Table, list[TableEvent]]:
        table, events = run(table, ask, by)
        self.rows.append(opening_row(row_of(ask, by, events), ask))
        return table, events

    def decide_on_record(self, table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
        events = decide(table, ask, by)
        self.rows.append(opening_row(row_of(ask, by, events), ask))
        return events

    def teardown(self) -> None:
        for one in self.patches:
            one.stop()
        if not self.rows:
            return
        lines = exported_table(self.rows)
        old = not any(tag in str(line.get("events")) for line in lines for tag in KEPT_COMMANDS)
        for export in (lines, without_commands(lines)) if old else (lines,):
            try:
                verifier.verify(as_text(export))  # type: ignore[no-untyped-call]
            except verifier.Fault as fault:
                pytest.fail(f"{fault}\n{export[int(str(fault).split()[1][:-1])]}")


TestVerifiedTable = VerifiedTable.TestCase
TestVerifiedTable.settings = settings(
    max_examples=RUNS,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
