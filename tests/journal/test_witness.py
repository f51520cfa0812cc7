"""A witness: each root extends the last; what a house shows later is held against what was seen.

A campaign of forgeries: rows changed, put in, cut and forked, the whole house restored from an old
copy; links, roots and, with the house's key, codes come out. Only the witness tells.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from msgspec.structs import replace

import puntobanco_verifier as verifier
from puntobanco.errors import DamagedError, UnusableError
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.receipt import SHORT_FORM
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, verify
from puntobanco.journal.witness.following import SeenSoFar, extended, taken_up
from puntobanco.journal.witness.shown import ShownRoot, inclusion, newest_root, roots_since
from puntobanco.journal.witness.testimony import Witnessed, house_fault, read_testimony, sign
from tests.kit.forgery.house import Kept, kept_house
from tests.kit.forgery.rows import Rows, log_of, remade, rows_of
from tests.kit.house.driver import KEY
from tests.kit.journal import using
from tests.kit.program import refused, run

OWN = b"w" * 32
TOKEN = "read-only"  # noqa: S105


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return kept_house(tmp_path_factory.mktemp("witnessed"))


async def _rows(log: EventLog) -> Rows:
    return rows_of(log)


@pytest.fixture(scope="module")
def rows(kept: Kept) -> Rows:
    return using(str(kept.file), _rows)


def kept_by_witness(file: Path, roots: tuple[ShownRoot, ...], key: bytes = OWN) -> Path:
    lines = [msgspec.json.encode(sign(shown, 5, key)) for shown in roots]
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return file


@pytest.fixture(scope="module")
def testimony(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> Witnessed:
    file = tmp_path_factory.mktemp("witness") / "kept"
    return read_testimony(kept_by_witness(file, roots_since(log_of(rows), 1)))


# forgeries


def changed(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], replace(rows[at], at_ms=rows[at].at_ms + 1), *rows[at + 1 :]]


def removed(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], *rows[at + 1 :]]


def put_in(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], replace(rows[at], command_id="forged"), *rows[at:]]


def cut(rows: list[Row], at: int) -> list[Row]:
    return rows[:at]


def forked(rows: list[Row], at: int) -> list[Row]:
    """Another evening from there on, as long as the first."""
    return [*rows[:at], *(replace(row, actor="zed") for row in rows[at:])]


FORGERIES: tuple[Callable[[list[Row], int], list[Row]], ...] = (
    changed,
    removed,
    put_in,
    cut,
    forked,
)


def with_codes(rows: Rows) -> Rows:
    """Whoever has the house's key puts its code on every row."""
    mac = RowMac(KEY)
    return {name: [replace(row, mac=mac.sign(row.hash)) for row in rows[name]] for name in rows}


@pytest.mark.parametrize("with_key", [False, True])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_every_forgery_of_a_row_that_was_seen_is_named(
    rows: Rows, testimony: Witnessed, forgery: Any, with_key: bool
) -> None:
    assert house_fault(log_of(rows), testimony) is None
    for stream in testimony.seen.heads:
        end = testimony.seen.heads[stream].seq
        for at in {0, end // 2, end - 1}:
            forged = remade({**rows, stream: forgery(rows[stream], at)})
            log = log_of(with_codes(forged) if with_key else forged)
            if with_key and stream != HOUSE and forgery is not cut:
                assert verify(log, mac=RowMac(KEY)).fault is None, "links, roots, codes come out"
            fault = house_fault(log, testimony)
            assert fault is not None, (stream, at)
            if stream != HOUSE:  # roots made anew change the house's own rows as well
                assert fault.stream in {stream, HOUSE}
            if fault.stream == stream:
                assert fault.seq <= at + 1


def test_rows_that_nobody_saw_yet_are_not_the_witness_s_to_judge(
    rows: Rows, testimony: Witnessed
) -> None:
    table = rows["table-1"]
    assert len(table) > testimony.seen.heads["table-1"].seq
    late = {**rows, "table-1": changed(table, len(table) - 1)}
    assert house_fault(log_of(remade(late)), testimony) is None


def test_an_old_copy_is_told_by_stream_and_row(kept: Kept, testimony: Witnessed) -> None:
    """Every code and root in it is genuine: only somebody who saw more can tell."""
    earlier = using(str(kept.earlier), _rows)
    assert verify(log_of(earlier), mac=RowMac(KEY)).fault is None
    fault = house_fault(log_of(earlier), testimony)
    assert fault is not None
    assert fault.stream == "cage"
    assert "is gone: the witness saw row" in str(fault)


# following


def asking(rows: Rows) -> Callable[[int], tuple[ShownRoot, ...]]:
    log = log_of(rows)
    newest = newest_root(log)
    assert newest is not None
    return lambda row: roots_since(log, row) if row else (newest,)


def test_a_witness_begins_anywhere_and_follows_every_root(kept: Kept, rows: Rows) -> None:
    earlier = using(str(kept.earlier), _rows)
    seen = SeenSoFar()
    for house in (earlier, rows):
        for taken in taken_up(seen, asking(house)):
            assert not isinstance(taken, Fault), taken
            seen = taken[1]
    newest = newest_root(log_of(rows))
    assert newest is not None
    assert seen.root == newest.root
    assert list(taken_up(seen, asking(rows))) == []


def test_a_house_that_goes_back_or_another_way_is_told_at_once(kept: Kept, rows: Rows) -> None:
    (taken,) = taken_up(SeenSoFar(), asking(rows))
    assert not isinstance(taken, Fault)
    (fault,) = taken_up(taken[1], asking(using(str(kept.earlier), _rows)))
    assert isinstance(fault, Fault)
    assert (fault.stream, "ends at row" in fault.what) == ("cage", True)
    for stream in ("table-1", "register"):
        (fault,) = taken_up(taken[1], asking(remade({**rows, stream: changed(rows[stream], 1)})))
        assert isinstance(fault, Fault)


@pytest.mark.parametrize("field", ["root", "before", "tree", "credentials", "sealed"])
def test_a_root_that_is_not_made_of_what_is_shown_is_refused(rows: Rows, field: str) -> None:
    first, second = roots_since(log_of(rows), 1)[:2]
    seen = extended(SeenSoFar(), first)
    assert isinstance(seen, SeenSoFar)
    assert isinstance(extended(seen, second), SeenSoFar)
    assert isinstance(extended(seen, replace(second, **{field: "ab" * 32})), Fault)
    stream, (seq, _) = next(iter(second.heads.items()))
    heads = {**second.heads, stream: (seq, "cd" * 32)}
    assert isinstance(extended(seen, replace(second, heads=heads)), Fault)
    assert isinstance(extended(seen, replace(second, row=first.row)), Fault)


def test_a_witness_s_file_that_was_changed_is_refused(rows: Rows, tmp_path: Path) -> None:
    roots = roots_since(log_of(rows), 1)
    whole = kept_by_witness(tmp_path / "kept", roots).read_bytes().splitlines(keepends=True)
    for forged in (
        [*whole[:1], *whole[2:]],
        [whole[0].replace(b"-witness-1", b"-witness-2"), *whole[1:]],
        [whole[0].replace(b'"seen_ms":5', b'"seen_ms":6'), *whole[1:]],
        [*whole[:1], msgspec.json.encode(sign(roots[1], 5, b"x" * 32))],
        [whole[0].replace(roots[0].root.encode(), b"ab" * 32), *whole[1:]],
    ):
        (tmp_path / "forged").write_bytes(b"".join(forged))
        with pytest.raises(DamagedError, match="is not what the witness signed"):
            read_testimony(tmp_path / "forged")
    (tmp_path / "forged").write_bytes(b"")
    said = refused("verify", str(tmp_path / "house.db"), "--witness", str(tmp_path / "forged"))
    assert "has kept no root to hold" in said
    (tmp_path / "forged").write_text("nonsense")
    with pytest.raises(UnusableError, match="not what a witness keeps"):
        read_testimony(tmp_path / "forged")


# proofs of single rows


def test_every_row_under_a_root_can_be_proven_to_be(rows: Rows, testimony: Witnessed) -> None:
    log, roots = log_of(rows), {line.shown.root for line in testimony.lines}
    for stream, head in testimony.seen.heads.items():
        for row in rows[stream][: head.seq]:
            proof = inclusion(log, row)
            assert proof.root in roots
            assert proof.leads_to(row.hash) == proof.root
            assert proof.leads_to(b"another row's hash") != proof.root
    with pytest.raises(UnusableError, match="no root covers this row yet"):
        inclusion(log, rows["table-1"][-1])


# the program


@contextmanager
def served(file: Path) -> Iterator[str]:
    """The roots of a house over HTTP, to whoever has the token."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            good = self.headers["Authorization"] == f"Bearer {TOKEN}"
            self.send_response(200 if good else 403)
            self.end_headers()
            since = int(parse_qs(urlsplit(self.path).query)["since"][0])
            if good:
                shown = asking(using(str(file), _rows))(since)
                self.wfile.write(msgspec.json.encode(shown))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_the_program_follows_signs_and_keeps(kept: Kept, tmp_path: Path) -> None:
    house, to = tmp_path / "house.db", tmp_path / "seen"
    look = ("witness", "--once", "--to", str(to), "--token", TOKEN, "--of")
    shutil.copy(kept.earlier, house)
    with served(house) as address:
        assert "it wants a token" in refused("witness", "--once", "--to", str(to), "--of", address)
        run(*look, address)
        first = run("witness", "--to", str(to))
        assert first.splitlines()[0] == run(*look, address).splitlines()[-1]
        shutil.copy(kept.file, house)
        run(*look, address)
        row = first.split()[2].rstrip(":")
        assert run("witness", "--to", str(to), "--at", row) == first
        assert run("witness", "--to", str(to)) != first
        shutil.copy(kept.earlier, house)
        assert "FAULT: cage row" in run(*look, address, code=1, out=True)
    assert "not reached" not in refused(*look, "http://127.0.0.1:9")
    held = ("--witness", str(to))
    assert "as the witness saw it: " in run("verify", str(kept.file), *held, "--links")
    said = run("verify", str(kept.earlier), *held, "--links", code=1, out=True)
    assert said.startswith("FAULT: cage row ")
    _exports_and_receipts(kept, tmp_path, held)


def _exports_and_receipts(kept: Kept, folder: Path, held: tuple[str, str]) -> None:
    """An export is held against its stream's rows, a receipt against the root it leads to."""
    key, exported, receipt = folder / "key", folder / "table-1.jsonl", folder / "receipt.json"
    key.write_text(KEY.hex())
    run("export", "table-1", "--house", str(kept.file), "--to", str(exported))
    assert "table-1: as the witness saw it to row " in run("verify", str(exported), *held)
    given = ("receipt", "register", "1", "--house", str(kept.file), "--key", str(key))
    receipt.write_text(run(*given))
    public = json.loads(receipt.read_text())["key"]
    named = ("--key", public)
    assert "no proof" in run("verify", str(receipt), *named, *held, code=1, out=True)
    receipt.write_text(run(*given, "--proof"))
    assert "sound" in run("verify", str(receipt), *named)
    assert "never saw" in run("verify", str(receipt), *named, *held, code=1, out=True)
    late = str(read_testimony(Path(held[1])).seen.heads["table-1"].seq)
    receipt.write_text(run("receipt", "table-1", late, *given[3:], "--proof"))
    assert "sound" in run("verify", str(receipt), *named, *held)
    _stands_alone(receipt)
    _in_short(receipt, folder / "short.json", (*named, *held))
    receipt.write_text(receipt.read_text().replace('"left"', '"right"', 1))
    assert "not under the root" in run("verify", str(receipt), *named, code=1, out=True)
    assert "not under the root" in _alone(receipt)


def _in_short(receipt: Path, short: Path, held: tuple[str, ...]) -> None:
    """Without its row, as somebody has it who is paid together with others."""
    facts = json.loads(receipt.read_text())
    kept = ("stream", "seq", "at_ms", "hash", "key", "signature", "inclusion")
    facts = {"form": SHORT_FORM} | {name: facts[name] for name in kept}
    short.write_text(json.dumps(facts))
    assert "sound" in run("verify", str(short), *held)
    assert _alone(short) == ""
    short.write_text(json.dumps(facts | {"hash": "7" * 64}))
    assert "not under the root" in _alone(short)
    del facts["inclusion"]
    short.write_text(json.dumps(facts))
    assert "no proof" in run("verify", str(short), *held, code=1, out=True)
    assert "no proof" in _alone(short)


def _alone(receipt: Path) -> str:
    """What the stand-alone verifier finds wrong with a receipt."""
    with receipt.open(encoding="utf-8") as file:
        try:
            verifier.verify_receipt(file)  # type: ignore[no-untyped-call]
        except verifier.Fault as fault:
            return str(fault)
    return ""


def _stands_alone(receipt: Path) -> None:
    """It leads to its root with nothing but the standard library; nothing in it can be changed."""
    assert _alone(receipt) == ""
    whole = receipt.read_text()
    facts = json.loads(whole)
    digits = "7" * 64
    changed: list[dict[str, Any]] = [
        facts | {"at_ms": facts["at_ms"] + 1},
        facts | {"hash": digits},
        facts | {"inclusion": None},
        facts | {"form": "puntobanco-receipt-2"},
        facts | {"inclusion": facts["inclusion"] | {"way": facts["inclusion"]["way"][1:]}},
        *(
            facts | {"inclusion": facts["inclusion"] | {name: digits}}
            for name in ("root", "before", "credentials", "sealed", "heads")
        ),
    ]
    for forged in changed:
        receipt.write_text(json.dumps(forged))
        assert _alone(receipt)
    receipt.write_text(whole)


def test_two_witnesses_of_a_house_that_forked_read_different_roots(
    rows: Rows, tmp_path: Path
) -> None:
    """It shows each of them a history of its own, whole in itself: neither finds a fault alone.
    Up to where the two part they read the same digits to each other, and others from there on.
    """
    table = rows["table-1"]
    other = with_codes(remade({**rows, "table-1": forked(table, len(table) // 2)}))
    shown = [roots_since(log_of(one), 1) for one in (rows, other)]
    files = [kept_by_witness(tmp_path / str(at), each) for at, each in enumerate(shown)]
    assert [house_fault(log_of(one), read_testimony(file))
            for one, file in zip((rows, other), files, strict=True)] == [None, None]  # fmt: skip
    told = [
        {
            root.row: run("witness", "--to", str(file), "--at", str(root.row)).splitlines()[0]
            for root in each
        }
        for each, file in zip(shown, files, strict=True)
    ]
    assert told[0].keys() == told[1].keys()
    same = [told[0][row] == told[1][row] for row in sorted(told[0])]
    assert not same[-1]
    assert same == sorted(same, reverse=True), "once they part, they never agree again"
    later = [run("witness", "--to", str(file)) for file in files]
    assert later[0].splitlines()[0] != later[1].splitlines()[0]
    fault = house_fault(log_of(other), read_testimony(files[0]))
    assert fault is not None
    assert fault.stream in {"table-1", HOUSE}
