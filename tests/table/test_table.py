"""A live table: whole coups under every rule set, in order and out of it."""

import msgspec
import pytest

from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.table import events
from puntobanco.table.events import TableEvent
from puntobanco.table.state import Phase, Table
from tests.kit.table.at import balanced, of, one, ready, rebuilt


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_coup_from_the_call_for_bets_to_the_discard_rack(ruleset: str) -> None:
    at = ready(ruleset)
    happened = at.coup("1 b 100, 2 p 200", "9c Kd 2h 3s 5h 8c")
    assert one(events.ResultDeclared, happened).result is Result.PLAYER
    assert {line.outcome for line in of(events.WagerSettled, happened)} == {"wins", "loses"}
    assert at.table.phase is Phase.READY
    assert at.table.chips == {"ann": 990_000, "bob": 1_020_000}
    assert balanced(at.table)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_table_is_rebuilt_from_its_stored_events(ruleset: str) -> None:
    at = ready(ruleset)
    at.coup("1 b 100, 2 p 200", "9c Kd 2h 3s 5h 8c")
    at.bet("2 b 100").deal("6c Kd Kh")
    stored = msgspec.json.decode(msgspec.json.encode(at.log), type=list[TableEvent])
    assert stored == at.log
    assert rebuilt(at) == at.table
    assert msgspec.json.decode(msgspec.json.encode(at.table), type=Table) == at.table
