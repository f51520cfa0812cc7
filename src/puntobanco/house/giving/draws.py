"""The seeds of draws: sealed when they are committed to, opened when lots are drawn."""

import msgspec
from msgspec import Struct

from puntobanco.competition.queries import next_draw
from puntobanco.competition.state import Competition
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.virtual_shoe import Chance
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import NONCE_BYTES, SealError, seal, unseal
from puntobanco.rules.competition.conditions import read_conditions
from puntobanco.rules.competition.draw import SEED_BYTES, draw_commitment
from puntobanco.rules.documents.ruleset import CONDITIONS


class SealedSeed(Struct, frozen=True, forbid_unknown_fields=True):
    """A seed as it lies under seal, with the one draw that it is for."""

    seed: str
    competition: str
    session: str
    draw: int

    @property
    def commitment(self) -> str:
        seed = bytes.fromhex(self.seed)
        return draw_commitment(seed, self.competition, self.session, self.draw)


def seal_seed(
    competition: Competition, chance: Chance, key: bytes
) -> tuple[str, tuple[Sealed, ...]]:
    """Make the seed of the next draw: the commitment to it, and the seed under seal; nothing before
    conditions are published, when nobody may commit to one.
    """
    if not competition.version:
        return "", ()
    session, draw = next_draw(competition)
    seed = chance.some_bytes(SEED_BYTES)
    held = SealedSeed(seed.hex(), competition.id, session, draw)
    content = msgspec.json.encode(held)
    return held.commitment, (seal(held.commitment, content, key, chance.some_bytes(NONCE_BYTES)),)


def open_seed(competition: Competition, log: EventLog, *keys: bytes) -> str:
    """Open the seed of the draw that is committed to; empty: none is."""
    if not competition.commitment:
        return ""
    sealed = log.sealed(competition.commitment)
    if sealed is None:
        why = "what was committed to is not here any more"
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=why)
    try:
        return msgspec.json.decode(unseal(sealed, *keys), type=SealedSeed).seed
    except (SealError, msgspec.DecodeError) as error:
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error


def ruleset_of(competition: Competition) -> str:
    """The rule set that drafted conditions name; empty: they cannot be read."""
    try:
        return read_conditions(competition.draft).ruleset
    except MalformedError:
        return ""
