"""Anybody reads by which keys the house has signed, and when."""

from pathlib import Path

from puntobanco.house.loop import Running
from puntobanco.journal.receipt import public_key
from puntobanco.register.commands import ShowKey
from puntobanco.table.actor import Role
from tests.kit.house.driver import KEY
from tests.kit.office import Office, asked

OTHER = "cd" * 32


def test_a_stranger_reads_the_keys_on_record_and_not_by_whose_word(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        await office.enrol("sue", Role.SURVEILLANCE)
        assert "No key is on record yet" in (await office.get("/keys")).text
        await Running(house).start()
        (first,) = (await office.get("/api/keys")).json()
        assert (first["public"], first["until_ms"]) == (public_key(KEY), None)
        ask = ShowKey(OTHER, "mara", "sue", {"house": 1})
        await house.give("register", ask, "house", "another")
        newest, before = (await office.get("/api/keys")).json()
        assert newest["fingerprint"] == "cdcd cdcd cdcd cdcd"
        assert (newest["until_ms"], before["until_ms"]) == (None, newest["since_ms"])
        page = (await office.get("/keys")).text
        assert page.index(OTHER) < page.index(public_key(KEY))
        assert "In use" in page
        assert "mara" not in page

    asked(tmp_path / "house.db", use)
