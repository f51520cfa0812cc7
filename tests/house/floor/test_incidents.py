"""Incidents: clause, note and photo on record; the photo can go, and the proof stays whole."""

from hashlib import sha256

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.photos import erase_photo, is_kept, photo
from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.house.floor.incidents import IncidentLog
from puntobanco.house.intents import NoteIncident
from puntobanco.journal.log import EventLog
from puntobanco.table import commands as c
from tests.kit.aggregates import jpeg
from tests.kit.aggregates import photo as small
from tests.kit.clauses import clause
from tests.kit.house.driver import KEY, Driver, house_over
from tests.kit.journal import using

NOTED = NoteIncident("partnership", "bets moved together", small(), ("ann",))
DIGEST = sha256(small()).hexdigest()


async def _table(log: EventLog) -> Driver:
    return await Driver(house_over(log)).open()


@clause("tas-2018:7.3")
def test_an_incident_is_on_record_with_clause_note_and_photo(place: str) -> None:
    async def use(log: EventLog) -> None:
        table = await _table(log)
        incidents = IncidentLog(table.house)
        assert incidents.all() == []
        await table.do("dan", NOTED, "noted-once")
        await table.do("mara", c.BeginGamingDay("tuesday"))
        await table.do("ines", c.RecordIncident("other", "a glass was spilled"))
        second, first = incidents.all()
        assert (first.by, first.kind, first.note) == ("dan", "partnership", "bets moved together")
        assert (first.people, first.clauses) == (("ann",), ("tas-2018:7.3",))
        assert (first.gaming_day, second.gaming_day) == ("monday", "tuesday")
        assert (first.photo, second.photo) == (DIGEST, "")
        assert photo(log, DIGEST) == (small(), "image/png")
        assert incidents.get("table-1", first.row) == first
        with pytest.raises(Refused) as caught:
            incidents.get("table-1", first.row - 1)
        assert caught.value.reason is Reason.NO_SUCH_INCIDENT
        rows = [row for row in log.read("table-1") if DIGEST.encode() in row.events]
        assert len(rows) == 1
        assert len(rows[0].command or b"") < 500  # the photo is not in it

    using(place, use)


def test_the_same_incident_sent_twice_is_one(place: str) -> None:
    async def use(log: EventLog) -> None:
        table = await _table(log)
        (one,) = await table.do("dan", NOTED, "noted-once")
        (again,) = await table.do("dan", NOTED, "noted-once")
        assert one.seq == again.seq
        assert len(IncidentLog(table.house).all()) == 1

    using(place, use)


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (NoteIncident("other", "", b"<svg/>"), Reason.PHOTO_UNFIT),
        (c.RecordIncident("other", "", photo=DIGEST), Reason.PHOTO_NOT_SENT),
        (NoteIncident("no-such", "", small()), Reason.INCIDENT_UNKNOWN),
        (NoteIncident("other", "", small(), coup=7), Reason.NO_SUCH_COUP),
    ],
)
def test_what_is_refused_leaves_no_photo(tmp_path: str, ask: object, reason: Reason) -> None:
    async def use(log: EventLog) -> None:
        table = await _table(log)
        with pytest.raises(Refused) as caught:
            await table.do("dan", ask)
        assert caught.value.reason is reason
        assert not is_kept(log, DIGEST)

    using(f"{tmp_path}/house.db", use)


def test_an_erased_photo_leaves_the_proof_whole(place: str) -> None:
    async def use(log: EventLog) -> None:
        table = await _table(log)
        await table.do("dan", NOTED)
        house, (one,) = table.house, IncidentLog(table.house).all()
        await house.record_root()
        assert _proof(log).fault is None
        await erase_photo(house, one.table, one.row, one.photo, "mara")
        assert not is_kept(log, DIGEST)
        assert _proof(log).fault is None
        assert IncidentLog(house).all() == [one]
        with pytest.raises(Refused) as caught:
            await erase_photo(house, one.table, one.row, one.photo, "mara")
        assert caught.value.reason is Reason.NO_SUCH_PHOTO

    using(place, use)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM photos", "recorded a photo that is gone, and nobody erased it"),
        ("UPDATE photos SET picture = ?", "has another photo beside the journal than is on record"),
        ("INSERT INTO photos VALUES ('00', ?, 0)", "keeps a photo that is not on record: 00…"),
    ],
)
def test_a_photo_that_somebody_changed_is_found(tmp_path: str, statement: str, says: str) -> None:
    async def use(log: EventLog) -> None:
        table = await _table(log)
        await table.do("dan", NOTED)
        log.ordinary(statement, *([jpeg()] if "?" in statement else []))
        fault = _proof(log).fault
        assert fault is not None
        assert fault.what == says

    using(f"{tmp_path}/house.db", use)


def _proof(log: EventLog) -> Proof:
    return prove(log, Against(key=KEY))
