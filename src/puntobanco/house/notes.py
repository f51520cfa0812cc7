"""What the house puts on record of itself, in its own stream; tags are permanent.

Roots are defined in the journal, which checks them.
"""

from msgspec import Struct

from puntobanco.journal.chain import HeadsRecorded, RootRecorded


class ClockJumped(Struct, frozen=True, tag="clock-jumped", tag_field="is"):
    """The wall clock was moved; the house's time was not."""

    by_ms: int


class SignInFailed(Struct, frozen=True, tag="sign-in-failed", tag_field="is"):
    """Somebody gave a wrong secret; from the third time on it is an alarm."""

    person: str
    address: str
    failures: int
    locked: bool = False


class SignInUnlocked(Struct, frozen=True, tag="sign-in-unlocked", tag_field="is"):
    person: str
    by: str


class CredentialIssued(
    Struct, frozen=True, omit_defaults=True, tag="credential-issued", tag_field="is"
):
    """A fresh password, PIN or card; never what it is."""

    person: str
    kind: str
    by: str
    mac: str = ""
    """A digest of it under the house's key; absent in rows of older programs."""
    was: str = ""
    """The digest of the one it replaces."""


class PersonErased(Struct, frozen=True, omit_defaults=True, tag="person-erased", tag_field="is"):
    person: str
    by: str
    was: tuple[str, ...] = ()
    """The digests of the credentials that went with the name."""


class DeviceIssued(Struct, frozen=True, tag="device-issued", tag_field="is"):
    table: str
    scope: str
    by: str


class DeviceEnded(Struct, frozen=True, tag="device-ended", tag_field="is"):
    table: str
    scope: str
    by: str


class FaultFound(Struct, frozen=True, tag="fault-found", tag_field="is"):
    """Something went wrong that should not; the house's log has the rest."""

    what: str
    where: str


class HouseRestored(Struct, frozen=True, tag="house-restored", tag_field="is"):
    """A backup was brought back: what came after the root it goes on from is given up."""

    root: str
    """The last root in the backup."""
    instead_of: str = ""
    """The last root that was noted beside the key, if it is another."""


Note = (
    HeadsRecorded | RootRecorded | ClockJumped | SignInFailed | SignInUnlocked | CredentialIssued
    | PersonErased | DeviceIssued | DeviceEnded | FaultFound | HouseRestored
)  # fmt: skip
