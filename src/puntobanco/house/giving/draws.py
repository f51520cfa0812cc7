"""The seeds of draws: sealed when they are committed to, opened when lots are drawn."""

from puntobanco.competition.queries import next_draw
from puntobanco.competition.state import Competition
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.virtual_shoe import Chance
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import NONCE_BYTES, SealError, seal, unseal
from puntobanco.rules.competition.conditions import read_conditions
from puntobanco.rules.competition.draw import SEED_BYTES, draw_commitment
from puntobanco.rules.documents.ruleset import CONDITIONS


def seal_seed(
    competition: Competition, chance: Chance, key: bytes
) -> tuple[str, tuple[Sealed, ...]]:
    """Make the seed of the next draw: the commitment to it, and the seed under seal."""
    if not competition.version:
        raise Refused(Reason.NOTHING_DRAFTED, CONDITIONS)
    seed = chance.some_bytes(SEED_BYTES)
    committed = draw_commitment(seed, competition.id, *next_draw(competition))
    return committed, (seal(committed, seed, key, chance.some_bytes(NONCE_BYTES)),)


def open_seed(competition: Competition, log: EventLog, key: bytes) -> str:
    """Open the seed of the draw that is committed to; empty: none is."""
    if not competition.commitment:
        return ""
    sealed = log.sealed(competition.commitment)
    if sealed is None:
        why = "what was committed to is not here any more"
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=why)
    try:
        return unseal(sealed, key).hex()
    except SealError as error:
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error


def ruleset_of(competition: Competition) -> str:
    """The rule set that drafted conditions name; empty: they cannot be read."""
    try:
        return read_conditions(competition.draft).ruleset
    except MalformedError:
        return ""
