"""Checks of rows from programs that kept no command, as far as they are possible.

A result is declared again, with the forms of secret wagers that it tells, and must bring about the
same events; no chip or cent may come from nowhere, and slips must be numbered without a gap.
"""

from collections.abc import Iterable
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.events import CageEvent, SlipCompleted, SlipRequested
from puntobanco.cage.state import Cage
from puntobanco.errors import Refused
from puntobanco.journal.rows import Row
from puntobanco.register import events as register_events
from puntobanco.register.state import Register
from puntobanco.rules.competition.secret import SecretForm, content
from puntobanco.rules.documents.texts import by_digest
from puntobanco.rules.seal import SALT_BYTES, commit
from puntobanco.table.actor import Actor
from puntobanco.table.commands import DeclareResult, OpenedForm
from puntobanco.table.decide.settling import declare_result
from puntobanco.table.events import (
    ChipsCashed,
    ResultDeclared,
    SecretAnnounced,
    TableEvent,
    TableOpened,
    WagerChanged,
    WagerPlaced,
)
from puntobanco.table.state import Table


def register_fault(
    _before: Register, _row: Row, events: list[register_events.RegisterEvent]
) -> str:
    for event in events:
        if isinstance(event, register_events.RulesetKept):
            digest = sha256(event.text.encode()).hexdigest()
            if digest != event.digest:
                return "keeps a rule set under a digest that is not its text's"
    return ""


def cage_fault(cage: Cage, _row: Row, events: list[CageEvent]) -> str:
    """Find money that is spent but was never paid in, or a gap in the numbers of slips."""
    for event in events:
        if isinstance(event, SlipRequested) and event.number != cage.slip_number + 1:
            return f"has slip {event.number} after slip {cage.slip_number}"
        if isinstance(event, SlipCompleted) and cage.slips[event.number].person == event.person:
            return "has a slip asked for and completed by one person"
        cage = cage_evolve.evolve(cage, event)
    if any(cents < 0 for cents in cage.accounts.values()):
        return "spends money nobody has"
    return "" if cage.balances else "money comes from nowhere, or is gone"


def table_fault(table: Table, row: Row, events: list[TableEvent], after: Table) -> str:
    for event in events:
        if isinstance(event, TableOpened) and not _text_is_known(event):
            return (
                f"opens by a text of {event.notice.ruleset[:40]} that is neither in the register"
                " nor in this program, or cannot be read"
            )
    if any(isinstance(event, ResultDeclared) for event in events):
        actor = Actor(row.actor, frozenset(), row.at_ms)
        try:
            due = declare_result(*_with_forms(table, events), actor)
        except Refused as refused:
            return f"declares a result that the rules refuse: {refused.reason}"
        if due != events:
            return _difference(due, events)
    if any(after.chips.get(person, 0) < 0 for person in _spenders(events)):
        return "spends chips nobody has"
    return "" if balances(after) else "chips come from nowhere, or are gone"


def _with_forms(table: Table, events: Iterable[TableEvent]) -> tuple[Table, DeclareResult]:
    """The declaration that opens the forms it tells, at a table to which they were lodged.

    The salts are in the command alone: without it nobody can say whether these are the forms that
    were committed to, only that all else follows from them [tas-2018:16.6.8].
    """
    opened = tuple(
        OpenedForm(told.person, NO_SALT.hex(), _content(told).decode())
        for told in events
        if isinstance(told, SecretAnnounced)
    )
    coup = table.coup
    if coup is None:
        return table, DeclareResult(opened)
    as_told = {
        form.person: replace(
            coup.forms[form.person], commitment=commit(NO_SALT, form.content.encode())
        )
        for form in opened
        if form.person in coup.forms
    }
    coup = replace(coup, forms={**coup.forms, **as_told})
    return replace(table, coup=coup), DeclareResult(opened)


def _content(told: SecretAnnounced) -> bytes:
    return content(SecretForm(told.figures, told.words, told.on))


NO_SALT = bytes(SALT_BYTES)


def _text_is_known(event: TableOpened) -> bool:
    rules = by_digest(event.opened.digest)
    return rules is not None and rules.id == event.notice.ruleset


def _spenders(events: Iterable[TableEvent]) -> set[str]:
    """The people who laid down or cashed chips; only a reversal may leave anyone owing."""
    laid = {event.wager.by for event in events if isinstance(event, WagerPlaced | WagerChanged)}
    return laid | {event.person for event in events if isinstance(event, ChipsCashed)}


def _difference(due: Iterable[object], stored: Iterable[object]) -> str:
    for want, have in zip(due, stored, strict=False):
        if want != have:
            return f"has {_said(have)}; the rules give {_said(want)}"
    return "settles more or fewer wagers than lay on the layout"


def _said(event: object) -> str:
    return msgspec.json.encode(event).decode()


def balances(table: Table) -> bool:
    """Say whether chips held, chips on the layout and the bank's gain add up to chips bought."""
    held = sum(table.chips.values()) + table.layout_cents
    return held + table.bank_cents == table.bought_cents
