"""A dispute's dossier: one file with all that a review needs."""

from pathlib import Path

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.lookback.dossier import Dossier, dossier
from puntobanco.house.lookback.replay import Replays
from puntobanco.house.system import CHANCE
from puntobanco.house.written_session import SessionTime, write_session
from puntobanco.journal.log import EventLog
from puntobanco.journal.receipt import receipt_fault
from puntobanco.table.session import parse_session
from tests.kit.clauses import clause
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS

SESSION = parse_session((PLAYTHROUGHS / "canberra-2015.session").read_text())


@clause("act-2015:14.4")
def test_a_dispute_comes_with_its_coup_wagers_rulings_and_receipts(tmp_path: Path) -> None:
    found: list[Dossier] = []

    async def use(log: EventLog) -> None:
        time = SessionTime()
        house = House(log, time.clock, CHANCE, bytes(32))
        await write_session(SESSION, house, time)
        found.append(dossier(house, Replays(log), "table-1", 1))
        with pytest.raises(Refused) as caught:
            dossier(house, Replays(log), "table-1", 99)
        assert caught.value.reason is Reason.NO_SUCH_DISPUTE

    using(str(tmp_path / "house.db"), use)
    (one,) = found
    assert (one.person, one.coup) == ("bob", 10)
    assert [line.says.split(" ")[0] for line in one.course] == ["Dispute", "Dispute", "bob"]
    assert any("bob" in line.says for line in one.wagers)
    assert any("Coup 10 opens" in line.says for line in one.events)
    rows = {line.row for line in (*one.course, *one.events)}
    assert {receipt.seq for receipt in one.receipts} == rows
    assert not any(map(receipt_fault, one.receipts))
