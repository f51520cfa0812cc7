"""Notes: the events that the house records in its own stream; their tags are permanent.

Roots are defined in the journal, which checks them.
"""

from typing import Any

from msgspec import Struct

from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE, HeadsRecorded, RootRecorded


class ClockJumped(Struct, frozen=True, omit_defaults=True, tag="clock-jumped", tag_field="is"):
    """The clock was moved; the house's time was not."""

    by_ms: int
    off_ms: int = 0
    """How far the clock is ahead of the house's time now; rows of older programs do not say it."""


class ClockFollowed(Struct, frozen=True, omit_defaults=True, tag="clock-followed", tag_field="is"):
    """The house's time came so much closer to the clock, or to that of another process."""

    by_ms: int
    off_ms: int = 0
    """How far the clock is ahead of the house's time now."""


class WritingBegan(Struct, frozen=True, tag="writing-began", tag_field="is"):
    """A newer program than any before has begun to write here; older ones write nothing more."""

    edition: int
    schema: int
    version: str


class SignInFailed(Struct, frozen=True, tag="sign-in-failed", tag_field="is"):
    """Somebody gave a wrong secret; from the third time on it is an alarm."""

    person: str
    address: str
    failures: int
    locked: bool = False


class SignInUnlocked(Struct, frozen=True, tag="sign-in-unlocked", tag_field="is"):
    person: str
    by: str


class AddressSlowed(Struct, frozen=True, tag="address-slowed", tag_field="is"):
    """So many sign-ins failed from one address that it must wait, whatever names it tries."""

    address: str
    within_ms: int


class PaceExceeded(Struct, frozen=True, omit_defaults=True, tag="pace-exceeded", tag_field="is"):
    """More commands came from a person or a device than the house takes; they were refused."""

    person: str
    device: str = ""


class RightsTried(Struct, frozen=True, tag="rights-tried", tag_field="is"):
    """Somebody tried again and again what they have no right to; they were refused."""

    person: str
    where: str
    """The last address they tried."""


class EventReviewed(Struct, frozen=True, tag="event-reviewed", tag_field="is"):
    """Somebody looked into a row that management must see."""

    stream: str
    row: int
    by: str
    note: str


class ReminderKnown(Struct, frozen=True, tag="reminder-known", tag_field="is"):
    """A player was told how long they have played, and said that they know."""

    person: str
    day: str
    """The gaming day."""
    minutes: int
    """Played on it until then."""


class AccessReviewed(Struct, frozen=True, tag="access-reviewed", tag_field="is"):
    """Somebody looked through who may do what, and signs for it."""

    row: int
    """The last row of the register that they had before them."""
    by: str
    note: str


class SecondFactorReset(Struct, frozen=True, tag="second-factor-reset", tag_field="is"):
    """Somebody lost their second factor, and signs in without one until they have another."""

    person: str
    by: str


class LowDisk(Struct, frozen=True, tag="low-disk", tag_field="is"):
    """Little room is left where the house keeps its records; without any it stops."""

    free: int
    """Megabytes."""


class RootUnnoted(Struct, frozen=True, tag="root-unnoted", tag_field="is"):
    """There was no room to note roots beside the key; they are on record, and noted again now."""

    row: int
    """The row of the house's own stream that records the first of them."""


class StationEnrolled(Struct, frozen=True, tag="station-enrolled", tag_field="is"):
    """A browser that the house knows: strangers' guesses shut nobody out who signs in there."""

    station: str
    by: str


class StationEnded(Struct, frozen=True, tag="station-ended", tag_field="is"):
    station: str
    by: str


class FormSeen(Struct, frozen=True, tag="form-seen", tag_field="is"):
    """An inspector was shown the form of a secret wager; what is on it is not recorded."""

    table: str
    coup: int
    person: str
    by: str


class CredentialIssued(
    Struct, frozen=True, omit_defaults=True, tag="credential-issued", tag_field="is"
):
    """A fresh password, PIN or card was issued; the secret itself is never recorded."""

    person: str
    kind: str
    by: str
    mac: str = ""
    """The credential's digest under the house's key; absent in rows of older programs."""
    was: str = ""
    """The digest of the credential that it replaces."""
    used: bool = False
    """Not issued: it is good for nothing any more. It was on a slip, which has been used, or a code
    for recovery, or a second factor that was taken away, or a passkey that was copied."""


class PersonErased(Struct, frozen=True, omit_defaults=True, tag="person-erased", tag_field="is"):
    person: str
    by: str
    was: tuple[str, ...] = ()
    """The digests of the credentials that were erased with the name."""


class PhotoErased(Struct, frozen=True, tag="photo-erased", tag_field="is"):
    """The photo of an incident is gone for good; that it was there stays on record."""

    table: str
    row: int
    """The row of the table that has its digest."""
    digest: str
    by: str


class DeviceIssued(Struct, frozen=True, tag="device-issued", tag_field="is"):
    table: str
    scope: str
    by: str


class DeviceEnded(Struct, frozen=True, tag="device-ended", tag_field="is"):
    table: str
    scope: str
    by: str


class FaultFound(Struct, frozen=True, tag="fault-found", tag_field="is"):
    """The program failed where it should not; the server's log has the details."""

    what: str
    where: str


class ProgramChecked(
    Struct, frozen=True, omit_defaults=True, tag="program-checked", tag_field="is"
):
    """The program's files are those of its wheel, or of a checkout that has no list."""

    version: str
    files: int
    digest: str
    listed: bool = True


class ProgramDiffers(Struct, frozen=True, tag="program-differs", tag_field="is"):
    """Files of the program are not those that it was installed with."""

    version: str
    digest: str
    names: tuple[str, ...]
    """The first of them."""
    count: int


class GeneratorChecked(Struct, frozen=True, tag="generator-checked", tag_field="is"):
    """What the house drew passed both tests of SP 800-90B, since the note before; in bytes."""

    tested: int
    longest: int
    """Equal bytes in a row at most."""
    repetition: int
    """As many would have been too many."""
    most: int
    """Of one window at most, bytes equal to its first."""
    proportion: int


class GeneratorFailed(Struct, frozen=True, tag="generator-failed", tag_field="is"):
    """The generator failed a test: nothing for play is drawn from it until it is tested again."""

    test: str
    found: int
    cutoff: int


class GeneratorCleared(Struct, frozen=True, tag="generator-cleared", tag_field="is"):
    """Somebody who oversees the house had the generator tested again, and it passed."""

    by: str
    tested: int
    """Bytes."""


class HouseRestored(Struct, frozen=True, tag="house-restored", tag_field="is"):
    """A backup was restored: all rows after the root that it goes on from are given up."""

    root: str
    """The last root in the backup."""
    instead_of: str = ""
    """The last root that was noted beside the key, if it is another."""


Note = (
    HeadsRecorded | RootRecorded | ClockJumped | ClockFollowed | SignInFailed | SignInUnlocked
    | CredentialIssued | PersonErased | PhotoErased | DeviceIssued | DeviceEnded | FaultFound
    | HouseRestored | AddressSlowed | StationEnrolled | StationEnded | PaceExceeded | RightsTried
    | EventReviewed | AccessReviewed | SecondFactorReset | LowDisk | RootUnnoted
    | ProgramChecked | ProgramDiffers | WritingBegan
    | GeneratorChecked | GeneratorFailed | GeneratorCleared | ReminderKnown
)  # fmt: skip


def last_note(log: EventLog, begins: bytes) -> dict[str, Any]:
    """The house's last note that begins so, looked for from the end in steps that grow."""
    end, back = log.head(HOUSE).seq, 256
    while True:
        after = max(0, end - back)
        if found := list(log.find(HOUSE, after, begins)):
            return facts_in(found[-1])[0]
        if not after:
            return {}
        back *= 8
