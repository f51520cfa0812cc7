"""Photos of incidents: kept beside the journal, by the digest that is on record, until erased."""

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.errors import Reason, Refused
from puntobanco.house.notes import PhotoErased
from puntobanco.journal.log import EventLog, Statement
from puntobanco.register.pictures import Kind, media_type
from puntobanco.rules.documents.ruleset import CONDITIONS

if TYPE_CHECKING:
    from puntobanco.house.house import House

PUT = "INSERT INTO photos VALUES (?, ?, ?) ON CONFLICT (digest) DO NOTHING"
GET = "SELECT picture FROM photos WHERE digest = ?"
ERASE = "DELETE FROM photos WHERE digest = ?"


class Photo(NamedTuple):
    picture: bytes
    kind: Kind


def put_photo(picture: bytes, now_ms: int) -> tuple[Statement, ...]:
    """What keeps a photo, in the same append as its digest."""
    return ((PUT, (sha256(picture).hexdigest(), picture, now_ms)),)


def is_kept(log: EventLog, digest: str) -> bool:
    return bool(log.ordinary("SELECT 1 FROM photos WHERE digest = ?", digest))


def photo(log: EventLog, digest: str) -> Photo:
    """A photo that has not been erased."""
    rows = log.ordinary(GET, digest)
    if not rows:
        raise Refused(Reason.NO_SUCH_PHOTO, CONDITIONS)
    picture = bytes(rows[0][0])
    return Photo(picture, media_type(picture))


async def erase_photo(house: "House", table: str, row: int, digest: str, by: str) -> None:
    """Erase a photo for good, and record that it was; the digest in the journal stays."""
    if not is_kept(house.log, digest):
        raise Refused(Reason.NO_SUCH_PHOTO, CONDITIONS)
    await house.note(PhotoErased(table, row, digest, by), ((ERASE, (digest,)),))
    house.people.wipe()


def digests_kept(log: EventLog) -> dict[str, str]:
    """The digest of every photo that is kept, by the digest under which it is."""
    return {
        row[0]: sha256(bytes(log.ordinary(GET, row[0])[0][0])).hexdigest()
        for row in log.ordinary("SELECT digest FROM photos ORDER BY digest")
    }
