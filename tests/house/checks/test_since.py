"""`verify --since ROOT`: links from the beginning, rows decided from a root on, and said so."""

import re
from pathlib import Path

import pytest

from puntobanco.house.checks.proof import Against, Proof, prove
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE, Covered, covered_at, recorded
from tests.kit.forgery.house import Forger, Kept, kept_house
from tests.kit.house.driver import KEY
from tests.kit.journal import using
from tests.kit.program import called


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return kept_house(tmp_path_factory.mktemp("since"))


@pytest.fixture
def kept(made: Kept, tmp_path: Path) -> Kept:
    return made.copied(tmp_path / "kept")


def root_of(kept: Kept, number: int) -> Covered:
    """What one of the roots on record covers."""

    async def use(log: EventLog) -> Covered:
        covered = covered_at(log, recorded(log)[number].event.root)
        assert covered is not None
        return covered

    return using(str(kept.file), use)


def proof_since(kept: Kept, root: str, key: bytes | None = None) -> Proof:
    async def use(log: EventLog) -> Proof:
        return prove(log, Against(key=key, since=root))

    return using(str(kept.file), use)


def settled(forger: Forger, after: int = 0) -> int:
    return forger.find("table-1", "wager-settled", after)


def overpay(forger: Forger, at: int) -> None:
    won = re.compile(rb'"won_cents":\d+')
    events = won.sub(b'"won_cents":999500', forger.rows["table-1"][at].events)
    forger.edit("table-1", at, events=events)


@pytest.mark.parametrize("number", [0, 1, -1])
def test_rows_under_the_root_are_taken_and_all_after_it_decided(kept: Kept, number: int) -> None:
    root = root_of(kept, number)
    whole, part = proof_since(kept, ""), proof_since(kept, root.root, KEY)
    before = sum(end for stream, end in root.ends.items() if stream != HOUSE)
    assert (whole.fault, whole.since, whole.taken) == (None, 0, 0)
    assert (part.fault, part.since, part.taken) == (None, root.row, before)
    assert part.decided == whole.decided - before
    assert (part.rows, part.root, part.signed) == (whole.rows, whole.root, whole.signed)


def test_a_row_after_the_root_is_decided_again(kept: Kept) -> None:
    root, forger = root_of(kept, 0), Forger(kept)
    at = settled(forger, root.ends["table-1"])
    overpay(forger, at)
    forger.write()
    proof = proof_since(kept, str(root.row))  # its digest is another now, and its row the same
    assert proof.fault is not None
    assert (proof.fault.stream, proof.fault.seq) == ("table-1", at + 1)


def test_a_row_before_the_root_is_not_and_that_is_said_but_every_link_is_followed(
    kept: Kept,
) -> None:
    root, forger = root_of(kept, -1), Forger(kept)
    at = settled(forger)
    assert at < root.ends["table-1"]
    overpay(forger, at)
    forger.write(anew=False)
    broken = proof_since(kept, root.root)
    assert broken.fault is not None  # a hash left as it was is found wherever it is
    assert (broken.fault.stream, broken.fault.seq) == ("table-1", at + 1)
    forger.write()
    assert proof_since(kept, "").fault is not None  # decided again, it is found
    coded = proof_since(kept, str(root.row), KEY)
    assert coded.fault is not None  # and by its code, whatever is decided
    assert "code" in coded.fault.what
    noted = proof_since(kept, root.root)
    assert noted.fault is not None  # and by the root as it was noted
    assert "no such root" in noted.fault.what
    figures = proof_since(kept, str(root.row))
    assert figures.fault is not None  # and by the figures that are kept of all rows
    assert "has figures that its rows do not give" in figures.fault.what
    forger.sql("DELETE FROM figures_at")
    blind = proof_since(kept, str(root.row))  # nothing but the house's own word
    assert (blind.fault, blind.taken > at) == (None, True)
    done = called("verify", str(kept.file), "--since", str(root.row))
    assert done.code == 0
    assert f"not decided again: {blind.taken:,} rows, up to the root" in done.stdout
    assert root.root not in done.stdout


@pytest.mark.parametrize("root", ["7" * 64, "999", "not a root", "0", "5555 6666 7777 8888 9999"])
def test_a_root_that_is_not_on_record_is_a_fault(kept: Kept, root: str) -> None:
    done = called("verify", str(kept.file), "--since", root)
    assert (done.code, "FAULT: house: has no such root on record" in done.stdout) == (1, True)


def test_a_root_is_named_by_its_digest_its_row_or_what_a_witness_prints(kept: Kept) -> None:
    root = root_of(kept, 1)
    short = " ".join(root.root[at : at + 4] for at in range(0, 20, 4))
    for said in (root.root, root.root.upper(), str(root.row), short):
        assert proof_since(kept, said).since == root.row


def test_it_belongs_to_a_house_that_is_decided_again(kept: Kept) -> None:
    assert called("verify", str(kept.file), "--since", "1", "--links").code == 2
    assert called("verify", "docs/table-1.jsonl", "--since", "1").code == 2
