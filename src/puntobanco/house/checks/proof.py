"""A whole house verified: links, roots, codes, rows decided again, seals and credentials."""

from collections.abc import Callable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.editions import CHANGES, Change
from puntobanco.errors import DamagedError
from puntobanco.house.checks.audit import audit
from puntobanco.house.checks.beside import beside_fault, photos_fault
from puntobanco.house.roots import NotedRoot, noted_fault
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import NONE
from puntobanco.journal.shown_keys import codes_of, fingerprint, key_fault
from puntobanco.journal.verify import HOUSE, REGISTER, Covered, covered_at, verify
from puntobanco.journal.witness.testimony import Witnessed, house_fault

Progress = Callable[[int], object] | None


class Proof(Struct, frozen=True):
    """The figures of a verification, and the first fault if there is one."""

    rows: int
    streams: int
    root: str
    """The last root on record, to note down and check against later; else that of all heads."""
    recorded: bool
    """Whether that root is on record."""
    after_root: int
    """The number of rows that no root covers yet."""
    signed: int
    """The number of rows that carry a code of the house's key."""
    former: int
    """The number of those that are of a former key, and could not be checked."""
    fingerprint: str
    """Of the house's key, as the register knows it; empty if it does not."""
    key: bool
    """Whether codes, seals and credentials were checked, which takes the house's key."""
    links_only: bool = False
    decided: int = 0
    without: int = 0
    """Rows of older programs, which kept no command, checked as far as possible."""
    otherwise: int = 0
    """Rows of an earlier edition that are decided differently now, by a change that is named."""
    since: int = 0
    """The house's row of the root from which on rows were decided; 0: all of them were."""
    taken: int = 0
    """Rows up to that root, which were not decided again."""
    fault: Fault | None = None


class Against(Struct, frozen=True):
    """The outside evidence that a house is held against."""

    noted: bytes | None = None
    """A root that somebody wrote down earlier."""
    beside_key: NotedRoot | None = None
    """The last root that the house kept beside its key."""
    key: bytes | None = None
    older: tuple[bytes, ...] = ()
    """Keys that the house had before."""
    testimony: Witnessed | None = None
    """What a witness saw of the house."""
    alone: bool = False
    """What is proved is an archive: what stands beside the log of a house is not in it."""
    since: str = ""
    """The root after which rows are decided again: its number, digest or short form."""


def under(keys: tuple[bytes, ...]) -> Against:
    """Nothing but the house's keys, if there are any: the one in use, then those of before."""
    return Against(key=keys[0], older=keys[1:]) if keys else Against()


def prove(
    log: EventLog,
    against: Against = Against(),  # noqa: B008  it cannot be changed
    linked: Progress = None,
    decided: Progress = None,
    *,
    links_only: bool = False,
    workers: int = 1,
    changes: tuple[Change, ...] = CHANGES,
) -> Proof:
    """Check a house as it is at this moment; it may be in use."""
    keys = (against.key, *against.older) if against.key else ()
    mac = codes_of(log, against.key, *against.older) if against.key else None
    links = verify(log, against.noted, linked, mac)
    noted = against.beside_key
    seen = against.testimony
    fault = (
        _another_key(log, against.key)
        or links.fault
        or (noted_fault(log, noted) if noted else None)
        or (house_fault(log, seen, whole=not against.alone) if seen else None)
    )
    proof = Proof(
        rows=links.rows,
        streams=links.streams,
        root=links.root.hex(),
        recorded=links.recorded,
        after_root=links.after_root,
        signed=links.signed,
        former=links.former,
        fingerprint=_fingerprint(log),
        key=against.key is not None,
        links_only=links_only,
        fault=fault,
    )
    if fault or links_only:
        return proof
    covered = covered_at(log, against.since) if against.since else Covered()
    if covered is None:
        said = f"has no such root on record to begin from: {against.since}"
        return replace(proof, fault=Fault(HOUSE, 0, said))
    again = audit(log, decided, workers, changes, covered.ends)
    beside = (
        None
        if again.fault or against.alone
        else (
            beside_fault(log, again.commitments, keys, mac.former if mac else NONE)
            or photos_fault(log, again.photos)
        )
    )
    return replace(
        proof,
        since=covered.row,
        taken=again.taken,
        decided=again.decided,
        without=again.without,
        otherwise=again.otherwise,
        fault=again.fault or beside,
    )


def _another_key(log: EventLog, key: bytes | None) -> Fault | None:
    """That a key is not the house's; what cannot be read is found by its link."""
    if key is None:
        return None
    with suppress(DamagedError):
        if wrong := key_fault(log, key):
            return Fault(REGISTER, 0, wrong)
    return None


def _fingerprint(log: EventLog) -> str:
    with suppress(DamagedError):
        return fingerprint(log)
    return ""
