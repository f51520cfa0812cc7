"""Random commands, legal and not, against every rule set: what must hold, always holds.

`TABLE_RUNS=2500 pytest tests/table/machine` tries more.
"""

import os

from hypothesis import HealthCheck, settings

from tests.kit.table.machine import TableMachine

RUNS = int(os.environ.get("TABLE_RUNS", "80"))

TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=RUNS,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
