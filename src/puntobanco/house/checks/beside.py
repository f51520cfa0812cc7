"""Sealed values, credentials and photos, which stand beside the log, held against what it says."""

from collections.abc import Mapping

import msgspec

from puntobanco.house.access.credentials_digest import KeptDigest, credentials_in
from puntobanco.house.access.photos import digests_kept
from puntobanco.house.giving.draws import SealedSeed
from puntobanco.house.giving.forms import opens_form
from puntobanco.house.roots import credentials_after
from puntobanco.house.virtual_shoe import Order
from puntobanco.journal.chain import Fault
from puntobanco.journal.erasable_tables import PHOTOS_SINCE
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.mac import NONE
from puntobanco.journal.rows import facts_in
from puntobanco.journal.seal import SealError, unseal
from puntobanco.journal.shown_keys import shown_keys
from puntobanco.journal.verify import HOUSE, RootRecorded, roots_in
from puntobanco.rules.shoe import commitment

Commitments = Mapping[str, tuple[str, int]]
"""The stream and row of every commitment, or digest of a photo, on record."""


def beside_fault(
    log: EventLog,
    commitments: Commitments,
    keys: tuple[bytes, ...],
    former: Mapping[str, int] = NONE,
) -> Fault | None:
    """Find the first sealed value or credential that is not as the log says.

    Without the key, seals are only checked to be there, and credentials not at all; so are those of
    the time before the house took it, up to the `former` rows, unless every key is here.
    """
    there = {sealed.commitment for sealed in log.all_sealed()}
    for made, (stream, seq) in commitments.items():
        if made not in there:
            return Fault(stream, seq, "committed to a shoe whose order is not there any more")
    for made in sorted(there - commitments.keys()):
        return Fault(HOUSE, 0, f"keeps a sealed value that nobody committed to: {made[:16]}…")
    if not keys:
        return None
    all_here = len(shown_keys(log)) <= len(keys)
    for made, (stream, seq) in commitments.items():
        if seq <= former.get(stream, 0) and not all_here:
            continue
        sealed = log.sealed(made)
        if sealed is None or not _opens(sealed, keys):
            return Fault(stream, seq, "committed to a shoe whose order was changed under its seal")
    return _credentials_fault(log, KeptDigest(keys[0]), former.get(HOUSE, 0))


def photos_fault(log: EventLog, on_record: Commitments) -> Fault | None:
    """Find a photo that is not the one on record, or that is gone and was never erased."""
    if log.schema() < PHOTOS_SINCE:
        return None
    kept = digests_kept(log)
    for digest, found in kept.items():
        stream, seq = on_record.get(digest, (HOUSE, 0))
        if not seq:
            return Fault(HOUSE, 0, f"keeps a photo that is not on record: {digest[:16]}…")
        if found != digest:
            return Fault(stream, seq, "has another photo beside the journal than is on record")
    missing = {digest: at for digest, at in on_record.items() if digest not in kept}
    erased = _erased(log) if missing else frozenset()
    for digest, (stream, seq) in missing.items():
        if digest not in erased:
            return Fault(stream, seq, "recorded a photo that is gone, and nobody erased it")
    return None


def _erased(log: EventLog) -> frozenset[str]:
    return frozenset(
        event["digest"]
        for row in log.read(HOUSE)
        for event in facts_in(row)
        if event.get("is") == "photo-erased"
    )


def _opens(sealed: Sealed, keys: tuple[bytes, ...]) -> bool:
    """Say whether what lies under a seal is the order, seed or form that was committed to."""
    try:
        whole = unseal(sealed, *keys)
        if opens_form(whole, sealed.commitment):
            return True
        held = msgspec.json.decode(whole)
        if "seed" in held:
            return msgspec.convert(held, SealedSeed).commitment == sealed.commitment
        order = msgspec.convert(held, Order)
    except (SealError, msgspec.DecodeError, TypeError, ValueError):
        return False
    return commitment(order.cards, order.salt) == sealed.commitment


def _credentials_fault(log: EventLog, kept: KeptDigest, after: int) -> Fault | None:
    """Find a root after a row whose credentials are not those of the last one and the changes
    since.
    """
    total: str | None = None
    issued: dict[tuple[str, str], tuple[int, str]] = {}
    for row in log.read(HOUSE, after):
        if total is not None:
            total = credentials_after(total, row)
        for event in facts_in(row):
            if event.get("is") == "credential-issued":
                issued[event["person"], event["kind"]] = row.seq, event.get("mac", "")
            elif event.get("is") == "person-erased":
                gone = [owner for owner in issued if owner[0] == event["person"]]
                for owner in gone:
                    del issued[owner]
        for root in roots_in(row):
            if isinstance(root.event, RootRecorded):
                if total not in (None, root.event.credentials):
                    return Fault(HOUSE, row.seq, "has other credentials than were issued")
                total = root.event.credentials
    return _tables_fault(log, kept, total, issued)


def _tables_fault(
    log: EventLog,
    kept: KeptDigest,
    total: str | None,
    issued: Mapping[tuple[str, str], tuple[int, str]],
) -> Fault | None:
    """Find a credential in the erasable tables that is not the one issued."""
    held = credentials_in(log)
    for person, kind, secret, set_ms in held:
        seq, digest = issued.get((person, kind), (0, ""))
        if digest and digest != kept.credential(person, kind, secret, set_ms):
            return Fault(HOUSE, seq, f"issued another {kind} to {person} than is there")
    if total not in (None, kept.credentials(held)):
        return Fault(HOUSE, 0, "has other credentials beside the journal than are on record")
    return None
