"""The forms of secret wagers under seal: lodged, shown to the inspector, opened when they are told.

Of a form there is its commitment on record and, encrypted beside the log, salt and content at one
length for all. No answer but the player's own, no error and no preview depends on what it says.
"""

from msgspec import Struct

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.virtual_shoe import Chance
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import NONCE_BYTES, SALT_BYTES, SealError, seal, unseal
from puntobanco.rules.competition.secret import (
    CONTENT_BYTES,
    FormFault,
    SecretForm,
    content,
    examine,
    read_content,
)
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.seal import commit
from puntobanco.table import commands as c
from puntobanco.table.queries.secrets import position, secret_rules, unopened
from puntobanco.table.state import Phase, Table

SEALED_BYTES = SALT_BYTES + CONTENT_BYTES


class FormCheck(Struct, frozen=True):
    """One thing that a form is held against: whether it is so, and by which clause."""

    what: str
    holds: bool
    clause: str


class FormShown(Struct, frozen=True):
    """A form as the inspector on duty is shown it, before the result [tas-2018:16.6.7]."""

    person: str
    seat: int
    figures: str
    words: str
    on: str
    faults: tuple[FormFault, ...]
    """What is wrong with it beside the chips that lie now."""
    checks: tuple[FormCheck, ...] = ()
    """All that it was held against, in the order of the form."""


F = FormFault
CHECKED: dict[str, tuple[tuple[FormFault, ...], str]] = {
    "amount": ((F.WORDS_AND_FIGURES_DIFFER,), "form"),
    "type": ((F.TYPE_NOT_SHOWN,), "form"),
    "units": ((F.NOT_IN_UNITS,), "in_units"),
    "limits": ((F.BELOW_MINIMUM, F.ABOVE_MAXIMUM), "within_limits"),
    "chips": ((F.MORE_THAN_HELD,), "within_chips"),
    "beside": ((F.BOTH_SIDES, F.NO_WAGER_ON_BANKER_OR_PLAYER), "with_chips"),
    "allowance": ((F.NONE_LEFT, F.ABSENT), "allowed"),
}
"""What an inspector looks at, the faults by which it fails, and the rule that has its clause."""


def seal_form(form: SecretForm, chance: Chance, key: bytes) -> Sealed:
    """Seal a form under a commitment of its own."""
    salt, text = chance.some_bytes(SALT_BYTES), content(form)
    return seal(commit(salt, text), salt + text, key, chance.some_bytes(NONCE_BYTES))


def opens_form(whole: bytes, commitment: str) -> bool:
    """Say whether what lay under a seal is the form that was committed to."""
    salt, text = whole[:SALT_BYTES], whole[SALT_BYTES:]
    return len(whole) == SEALED_BYTES and commit(salt, text) == commitment


def unseal_form(person: str, commitment: str, log: EventLog, *keys: bytes) -> c.OpenedForm:
    """Open a form, and check it against its commitment; a broken seal holds the coup."""
    try:
        whole = _unsealed(commitment, log, *keys)
    except SealError as error:
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error
    return c.OpenedForm(person, whole[:SALT_BYTES].hex(), whole[SALT_BYTES:].decode())


def _unsealed(commitment: str, log: EventLog, *keys: bytes) -> bytes:
    hidden = log.sealed(commitment)
    if hidden is None:
        raise SealError("what was committed to is not here any more")
    whole = unseal(hidden, *keys)
    if not opens_form(whole, commitment):
        raise SealError("it is not what was committed to")
    return whole


def forms_to_tell(table: Table, log: EventLog, *keys: bytes) -> tuple[c.OpenedForm, ...]:
    """Open every form that is told with the result, or before the last cards of a final."""
    if table.coup is None or not table.coup.forms or table.phase is Phase.SETTLED:
        return ()
    lie = unopened(table)
    return tuple(unseal_form(who, form.commitment, log, *keys) for who, form in lie.items())


def shown_form(table: Table, person: str, log: EventLog, *keys: bytes) -> FormShown:
    """A form that waits to be examined or told, with what is wrong with it."""
    lodged = unopened(table).get(person) if table.coup is not None and table.is_contest else None
    if lodged is None:
        clause = secret_rules(table).examined if table.is_contest else CONDITIONS
        raise Refused(Reason.NO_FORM_TO_EXAMINE, clause, person=person)
    form = form_in(unseal_form(person, lodged.commitment, log, *keys))
    faults = examine(form, position(table, person))
    rules = secret_rules(table)
    checks = tuple(
        FormCheck(what, not set(wrong) & set(faults), getattr(rules, rule))
        for what, (wrong, rule) in CHECKED.items()
    )
    return FormShown(person, lodged.seat, form.figures, form.words, form.on, faults, checks)


def form_in(opened: c.OpenedForm) -> SecretForm:
    """What a player wrote."""
    try:
        return read_content(opened.content.encode())
    except MalformedError as error:  # not sealed by this house
        raise Refused(Reason.SEAL_BROKEN, CONDITIONS, why=str(error)) from error
