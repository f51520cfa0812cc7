"""The journal: one suite on both databases."""

import asyncio
import multiprocessing
import sqlite3
from contextlib import aclosing
from pathlib import Path

import psycopg
import pytest

from puntobanco.errors import UnusableError
from puntobanco.journal import postgres, sqlite
from puntobanco.journal.chain import FIRST, Head, check_chain, hash_of, root
from puntobanco.journal.log import (
    Append,
    ConflictError,
    EventLog,
    ReusedError,
    Sealed,
)
from puntobanco.journal.postgres.rights import prepare_for
from tests.kit.journal import EVENTS, entry, one, opened, using
from tests.kit.postgres import new_database, url


def test_what_is_appended_is_read_back_and_chained(place: str) -> None:
    async def use(log: EventLog) -> None:
        for seq in (1, 2, 3):
            (row,) = await log.append(one("table-1", seq))
            assert (row.seq, row.events, row.clauses) == (seq, EVENTS, "tas-2018:9.2")
        rows = list(log.read("table-1"))
        assert [row.seq for row in rows] == [1, 2, 3]
        assert rows[0].previous == FIRST
        assert check_chain(rows, "table-1") is None
        assert log.head("table-1").hash == rows[-1].hash == hash_of(rows[-1])
        assert list(log.read("table-1", after=2)) == rows[2:]
        assert log.head("table-2").seq == 0

    using(place, use)


def test_a_journal_opened_again_goes_on_where_it_was(place: str) -> None:
    using(place, lambda log: log.append(one("t", 1)))
    using(place, lambda log: log.append(one("t", 2)))

    async def check(log: EventLog) -> None:
        assert check_chain(log.read("t"), "t") is None
        assert log.head("t").seq == 2

    using(place, check)


@pytest.mark.parametrize("seq", [1, 3, 9])
def test_a_version_that_is_not_the_next_is_a_conflict(place: str, seq: int) -> None:
    async def use(log: EventLog) -> None:
        await log.append(one("t", 1))
        with pytest.raises(ConflictError) as conflict:
            await log.append(one("t", seq, command_id="other"))
        assert conflict.value.head == 1
        assert log.head("t").seq == 1

    using(place, use)


def test_the_same_command_again_gets_the_first_outcome(place: str) -> None:
    async def use(log: EventLog) -> None:
        first = await log.append(one("t", 1))
        await log.append(one("t", 2))
        again = await log.append(one("t", 3, command_id="c1", at_ms=9999, events=b"[]"))
        assert again == first
        assert log.head("t").seq == 2

    using(place, use)


@pytest.mark.parametrize("facts", [{"actor": "eve"}, {"command": b"other"}])
def test_any_other_reuse_of_a_command_id_is_refused(place: str, facts: dict[str, object]) -> None:
    async def use(log: EventLog) -> None:
        await log.append(one("t", 1))
        with pytest.raises(ReusedError):
            await log.append(one("t", 2, command_id="c1", **facts))
        await log.append(one("other", 1, command_id="c1"))

    using(place, use)


def test_an_append_that_spans_streams_goes_in_whole_or_not_at_all(place: str) -> None:
    async def use(log: EventLog) -> None:
        both = Append((entry("cage", 1), entry("table", 1)))
        rows = await log.append(both)
        assert [row.stream for row in rows] == ["cage", "table"]
        assert await log.append(both) == rows
        late = Append((entry("cage", 2, command_id="x"), entry("table", 9, command_id="x")))
        with pytest.raises(ConflictError):
            await log.append(late)
        assert log.head("cage").seq == 1
        twice = Append((entry("cage", 2, command_id="y"), entry("cage", 3, command_id="z")))
        assert [row.seq for row in await log.append(twice)] == [2, 3]

    using(place, use)


def test_many_at_once_are_all_stored_in_order(place: str) -> None:
    async def use(log: EventLog) -> None:
        async def producer(stream: str) -> None:
            for seq in range(1, 31):
                await log.append(one(stream, seq))

        await asyncio.gather(*(producer(f"s{number}") for number in range(40)))
        assert log.streams() == tuple(sorted(f"s{number}" for number in range(40)))
        for stream in log.streams():
            assert check_chain(log.read(stream), stream) is None
            assert log.head(stream).seq == 30

    using(place, use)


def test_of_many_racing_for_one_version_exactly_one_wins(place: str) -> None:
    async def use(log: EventLog) -> None:
        racing = [log.append(one("t", 1, command_id=f"c{number}")) for number in range(20)]
        outcomes = await asyncio.gather(*racing, return_exceptions=True)
        assert sum(isinstance(outcome, tuple) for outcome in outcomes) == 1
        assert sum(isinstance(outcome, ConflictError) for outcome in outcomes) == 19
        assert log.head("t").seq == 1

    using(place, use)


def test_a_conflict_in_a_batch_does_not_hurt_the_others(place: str) -> None:
    async def use(log: EventLog) -> None:
        asked = [one("a", 1), one("b", 7), one("c", 1), one("a", 2), one("a", 2, command_id="x")]
        outcomes = await asyncio.gather(*map(log.append, asked), return_exceptions=True)
        kinds = [type(outcome).__name__ for outcome in outcomes]
        assert kinds == ["tuple", "ConflictError", "tuple", "tuple", "ConflictError"]
        assert check_chain(log.read("a"), "a") is None

    using(place, use)


def test_whoever_goes_away_before_the_answer_has_appended_all_the_same(place: str) -> None:
    async def use(log: EventLog) -> None:
        task = asyncio.ensure_future(log.append(one("t", 1)))
        await asyncio.sleep(0)
        task.cancel()
        await log.append(one("other", 1))
        assert log.head("t").seq == 1

    using(place, use)


def test_what_was_asked_just_before_closing_is_stored_and_answered(place: str) -> None:
    async def main() -> None:
        log = await opened(place)
        asked = [asyncio.ensure_future(log.append(one(f"t{number}", 1))) for number in range(3)]
        await asyncio.sleep(0)
        await log.close()
        assert all(len(rows) == 1 for rows in await asyncio.gather(*asked))

    asyncio.run(main())


def test_long_streams_are_read_without_holding_them(place: str) -> None:
    async def use(log: EventLog) -> None:
        entries = tuple(entry("t", seq) for seq in range(1, 2502))
        await log.append(Append(entries))
        assert [row.seq for row in log.read("t")] == list(range(1, 2502))
        assert check_chain(log.read("t"), "t") is None

    using(place, use)


def test_sealed_values_are_kept_beside_the_log(place: str) -> None:
    sealed = Sealed("ab" * 32, b"nonce", b"secret")

    async def use(log: EventLog) -> None:
        await log.append(Append((entry("t", 1),), (sealed,)))
        assert log.sealed(sealed.commitment) == sealed
        assert log.sealed("cd" * 32) is None

    using(place, use)


def test_a_root_over_all_heads_tells_a_cut_off_tail_and_a_lost_stream() -> None:
    heads = {"a": Head(2, b"x" * 32), "b": Head(1, b"y" * 32)}
    assert root(heads) == root(dict(reversed(heads.items())))
    assert root(heads) != root({**heads, "a": Head(1, b"z" * 32)})
    assert root(heads) != root({"a": heads["a"]})


# two processes


def _write_until(where: str, name: str, most: int) -> None:
    """Append to one stream beside others, deciding again whenever someone else was first."""

    async def main() -> None:
        log = await opened(where)

        async def writer(number: int) -> None:
            for turn in range(most):
                while True:
                    seq = log.head("shared").seq + 1
                    try:
                        await log.append(one("shared", seq, command_id=f"{name}{number}-{turn}"))
                    except ConflictError:
                        continue
                    break

        await asyncio.gather(*(writer(number) for number in range(16)))
        await log.close()

    asyncio.run(main())


def test_thirty_two_writers_in_two_processes_lose_and_double_nothing(place: str) -> None:
    using(place, lambda log: log.append(one("other", 1)))
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_write_until, args=(place, name, 5)) for name in "ab"]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=120)
        assert process.exitcode == 0

    async def check(log: EventLog) -> None:
        rows = list(log.read("shared"))
        assert check_chain(rows, "shared") is None
        wanted = {f"{n}{w}-{turn}" for n in "ab" for w in range(16) for turn in range(5)}
        assert {row.command_id for row in rows} == wanted
        assert len(rows) == len(wanted)

    using(place, check)


def test_a_change_is_told_to_other_processes(pg: str) -> None:
    where = new_database(pg)

    async def main() -> tuple[str, int]:
        here = await postgres.open_log(where)
        there = await postgres.open_log(where)
        async with aclosing(there.changes()) as changes:
            assert await anext(changes) == ("", 0)
            heard = asyncio.ensure_future(anext(changes))
            while not heard.done():
                await here.append(one("table-7", here.head("table-7").seq + 1))
                await asyncio.sleep(0.05)
        await here.close()
        await there.close()
        return await heard

    stream, seq = asyncio.run(main())
    assert stream == "table-7"
    assert seq >= 1


# what cannot be opened, and what cannot be done


def test_rows_cannot_be_changed_or_deleted(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    using(where, lambda log: log.append(one("t", 1)))
    db = sqlite3.connect(where)
    for change in ("UPDATE rows SET actor = 'eve'", "DELETE FROM rows"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(change)
    db.close()


def test_a_house_runs_as_a_role_that_can_only_add(pg: str) -> None:
    owner = new_database(pg)
    house = url(pg, owner.partition("?")[0].rpartition("/")[2], "writer")
    with psycopg.connect(owner, autocommit=True) as db:
        db.execute("CREATE ROLE writer LOGIN")
        assert "prepare --house URL --for writer" in refused(house)  # makes no tables
        assert not asyncio.run(prepare_for(owner, "writer"))
        using(house, lambda log: log.append(one("t", 1)))
        assert not using(house, _warning)
        assert "the role tester owns rows" in using(owner, _warning)
        with psycopg.connect(house) as writer:
            for change in ("UPDATE rows SET actor = 'eve'", "DELETE FROM sealed", "TRUNCATE rows"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    writer.execute(change)
                writer.rollback()
            writer.execute("DELETE FROM people")
        db.execute("GRANT DELETE ON rows TO PUBLIC")
        assert "writer may change or delete in rows" in using(house, _warning)
        db.execute("REVOKE UPDATE ON credentials FROM writer")
        assert "lacks UPDATE on credentials" in refused(house)
        assert not asyncio.run(prepare_for(owner, "writer"))  # mends both
        assert not using(house, _warning)
        with pytest.raises(UnusableError, match='role "nobody" does not exist'):
            asyncio.run(prepare_for(owner, "nobody"))


async def _warning(log: EventLog) -> str:
    return log.warning


def refused(where: str, *, create: bool = True) -> str:
    with pytest.raises(UnusableError) as error:
        asyncio.run(opened(where, create=create))
    said = str(error.value)
    assert "\n" not in said
    return said


def test_another_programs_database_is_not_touched(place: str, pg: str) -> None:
    del pg
    make = "CREATE TABLE theirs (x integer)"
    if place.startswith("postgresql:"):
        with psycopg.connect(place, autocommit=True) as db:
            db.execute(make)
    else:
        other = sqlite3.connect(place)
        other.execute(make)
        other.close()
    before = b"" if place.startswith("postgresql:") else Path(place).read_bytes()
    assert "another program's database" in refused(place)
    if before:
        assert Path(place).read_bytes() == before


def test_a_newer_schema_is_left_alone(place: str) -> None:
    using(place, lambda log: log.append(one("t", 1)))
    if place.startswith("postgresql:"):
        with psycopg.connect(place, autocommit=True) as db:
            db.execute("UPDATE puntobanco SET schema = 99")
    else:
        other = sqlite3.connect(place)
        other.execute("PRAGMA user_version = 99")
        other.close()
    assert "written by a newer puntobanco (schema 99" in refused(place)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary\n" * 100)
    assert "this is not a journal" in refused(str(file))
    assert file.read_text() == "dear diary\n" * 100


def test_a_missing_folder_a_missing_journal_and_a_dead_server_are_said(tmp_path: Path) -> None:
    assert "no such folder" in refused(str(tmp_path / "nowhere" / "house.db"))
    assert "there is no journal here" in refused(str(tmp_path / "house.db"), create=False)
    assert not (tmp_path / "house.db").exists()
    (tmp_path / "empty.db").touch()
    assert "there is no journal here" in refused(str(tmp_path / "empty.db"), create=False)
    assert (tmp_path / "empty.db").read_bytes() == b""
    assert "cannot be reached" in refused(f"postgresql:///x?host={tmp_path}")


def test_a_locked_file_is_said(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    using(str(where), lambda log: log.append(one("t", 1)))
    other = sqlite3.connect(where, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("INSERT INTO sealed VALUES ('x', 'y', 'z')")

    def impatient(path: str) -> sqlite3.Connection:
        return sqlite3.connect(path, timeout=0.1, isolation_level=None)

    with pytest.raises(UnusableError, match="another program holds it"):
        sqlite.open_log(where, impatient)
    other.close()
