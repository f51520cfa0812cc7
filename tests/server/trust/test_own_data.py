"""All that a house has of a person is theirs to have, and nothing of anybody else's."""

from pathlib import Path

import msgspec

from puntobanco.house.access.own_data import OwnWager, PersonData
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.past_coup import PastCoups
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import Office, asked

START_MS = 1_700_000_000_000


def bots_at_play(where: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, start_ms=START_MS)
        await let_bots_play(bots, list(bots.house.tables.values()), 4)
        await bots.house.shut()

    using(str(where), use)


def test_everybody_gets_all_of_theirs_and_nobody_anything_else(tmp_path: Path) -> None:
    bots_at_play(tmp_path / "house.db")

    async def use(office: Office) -> None:
        house = office.house
        players = [who for who, one in house.register.state.people.items() if one.kind == "patron"]
        for person in players:
            mine = await office.get("/api/me/data", person)
            data = msgspec.json.decode(mine.content, type=PersonData)
            played = {(coup.table, coup.coup): coup.wagers for coup in data.coups}
            assert played == wagers_on_record(house.log, sorted(house.tables), person)
            assert data.account_cents == house.cage.state.accounts.get(person)
            assert sum(line.cents for line in data.ledger) == (data.account_cents or 0)
            others = {f'"{other}"' for other in players if other != person}
            assert not [other for other in others if other in mine.text]
            assert (await office.get(f"/api/people/{person}/data", "mara")).content == mine.content
        for whose in ("mara", "nobody"):  # to a patron they are the same
            refused = await office.get(f"/api/people/{whose}/data", players[0])
            assert refused.json()["reason"] == "not_your_role"
        nobody = await office.get("/api/people/nobody/data", "mara")
        assert nobody.json()["reason"] == "not_enrolled"

    asked(tmp_path / "house.db", use)


def wagers_on_record(log: EventLog, tables: list[str], person: str) -> dict[object, object]:
    """The same from every row of the journal, without the figures that are kept beside it."""
    found: dict[object, object] = {}
    for table in tables:
        past = PastCoups()
        for row in log.read(table, 0):
            past.read(row)
        for coup in past.coups.values():
            lines = [line for line in coup.lines.values() if line.wager.by == person]
            if coup.over and lines:
                found[table, coup.number] = tuple(
                    OwnWager(
                        line.wager.box,
                        line.wager.on,
                        line.wager.cents,
                        line.outcome,
                        line.returned_cents,
                        line.won_cents,
                        line.odds,
                        line.stake_cents - line.won_cents if line.odds == (19, 20) else 0,
                    )
                    for line in lines
                )
    return found


def test_what_was_erased_is_gone_and_the_proof_stays_whole(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        named = {"name": "Ann Example", "contact": "ann@example.org"}
        assert (await office.post("/house/people/ann/name", "mara", named)).status_code == 303
        assert "Ann Example" in (await office.get("/api/me/data", "ann")).text
        await house.give("register", register.Disable("ann", "asked to"), "mara", "away")
        await office.post("/house/people/ann/erase", "mara", {"sure": "ann"})
        left = (await office.get("/api/people/ann/data", "mara")).text
        assert "Example" not in left
        assert "example.org" not in left
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)
