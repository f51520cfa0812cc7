"""Who may give which command, and when. What is not listed here is not allowed.

Dealers, inspectors, casino supervisors and directors act only at the table they are signed on
to. A command with a second set of roles is a proposal until another person of that set approves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import ON_DUTY, STAFF, Actor, Role
from puntobanco.table.state import Phase, Table

DEALER = frozenset({Role.DEALER})
OVERSEER = frozenset({Role.INSPECTOR, Role.CASINO_SUPERVISOR})
"""Answers for the conduct of the game: the Tasmanian inspector, Canberra's casino supervisor."""
MANAGEMENT = frozenset({Role.MANAGEMENT})
DIRECTOR = frozenset({Role.DIRECTOR})
SURVEILLANCE = frozenset({Role.SURVEILLANCE})
PATRON = frozenset({Role.PATRON})
HOUSE = frozenset({Role.HOUSE})
FLOOR = DEALER | OVERSEER
CHARGE = OVERSEER | MANAGEMENT | DIRECTOR

SHUT = frozenset({Phase.SHUT})
PREPARING = frozenset({Phase.PREPARING})
READY = frozenset({Phase.READY})
BETWEEN = PREPARING | READY
IN_COUP = frozenset({Phase.BETTING, Phase.DEALING})
DEALING = frozenset({Phase.DEALING})
BETTING = frozenset({Phase.BETTING})
HELD = frozenset({Phase.HELD})
SETTLED = frozenset({Phase.SETTLED})
OPEN = frozenset(Phase) - SHUT
ALWAYS = frozenset(Phase)


SIGNING = (c.SignOn, c.SignOff)
"""Given in the roles one has, for nobody is on duty yet."""


class Allowed(NamedTuple):
    roles: frozenset[Role]
    phases: frozenset[Phase]
    second: frozenset[Role] = frozenset()
    """Who may approve it, a different person; empty: it takes effect at once."""


AUTHORITY: dict[type[c.Command], Allowed] = {
    # opening and closing
    c.OpenTable: Allowed(MANAGEMENT, SHUT),
    c.BeginGamingDay: Allowed(MANAGEMENT, BETWEEN | SHUT),
    c.GiveClosingNotice: Allowed(MANAGEMENT | OVERSEER, OPEN),
    c.CloseTable: Allowed(MANAGEMENT | OVERSEER, BETWEEN),
    c.SignOn: Allowed(ON_DUTY, ALWAYS),
    c.SignOff: Allowed(ON_DUTY | HOUSE, ALWAYS),
    # people
    c.Sit: Allowed(PATRON | FLOOR | DIRECTOR, OPEN),
    c.StandAt: Allowed(PATRON | FLOOR, OPEN),
    c.Leave: Allowed(PATRON | FLOOR | DIRECTOR, ALWAYS),
    c.BuyIn: Allowed(FLOOR, OPEN),
    c.CashOut: Allowed(FLOOR, ALWAYS),
    c.AgreeLimits: Allowed(MANAGEMENT, BETWEEN),
    c.Exclude: Allowed(CHARGE, OPEN),
    c.Readmit: Allowed(MANAGEMENT, ALWAYS),
    c.RequireVacate: Allowed(CHARGE, BETWEEN),
    # the shoe
    c.CheckCards: Allowed(FLOOR, PREPARING),
    c.Shuffle: Allowed(FLOOR, PREPARING),
    c.RefuseCut: Allowed(FLOOR | PATRON, PREPARING),
    c.CutCards: Allowed(FLOOR | PATRON, PREPARING),
    c.LoadShoe: Allowed(FLOOR, PREPARING),
    c.BurnCards: Allowed(DEALER, READY),
    c.ChangeCards: Allowed(DEALER, BETWEEN, OVERSEER),
    c.EndShoe: Allowed(FLOOR | MANAGEMENT, READY),
    c.CheckCardsAtEnd: Allowed(FLOOR, PREPARING | SHUT),
    c.OpenCommitment: Allowed(FLOOR | MANAGEMENT, PREPARING | SHUT),
    # betting
    c.OpenCoup: Allowed(DEALER, READY),
    c.PlaceWager: Allowed(PATRON | FLOOR, OPEN),
    c.ChangeWager: Allowed(PATRON | FLOOR, OPEN),
    c.WithdrawWager: Allowed(PATRON | FLOOR, OPEN),
    c.ReduceWagers: Allowed(DEALER, BETTING),
    c.CallNoMoreBets: Allowed(DEALER, BETTING),
    c.AllowFreeCoups: Allowed(MANAGEMENT, BETWEEN | BETTING | SETTLED),
    c.AskNoBetCoup: Allowed(PATRON | FLOOR, BETWEEN | SETTLED),
    c.AgreeNoBetCoup: Allowed(PATRON | FLOOR, BETWEEN | SETTLED),
    c.DirectNoBetCoup: Allowed(OVERSEER, READY),
    # changes to the notice
    c.PostChange: Allowed(MANAGEMENT, OPEN),
    c.ConsentToChange: Allowed(PATRON | FLOOR, OPEN),
    c.ApplyChange: Allowed(MANAGEMENT, BETWEEN),
    c.DropChange: Allowed(MANAGEMENT, OPEN),
    # dealing
    c.AskFaceDown: Allowed(PATRON | FLOOR, OPEN),
    c.AcknowledgeFaceDown: Allowed(MANAGEMENT | SURVEILLANCE, OPEN),
    c.SetFaceDown: Allowed(FLOOR | MANAGEMENT, BETWEEN),
    c.NameExposer: Allowed(OVERSEER, IN_COUP),
    c.DrawCard: Allowed(DEALER, READY | IN_COUP | SETTLED),
    c.DealCarried: Allowed(DEALER, IN_COUP),
    c.TurnCard: Allowed(DEALER | PATRON, DEALING),
    c.PassCards: Allowed(DEALER, DEALING),
    c.RefuseCards: Allowed(FLOOR | PATRON, DEALING),
    c.SeeMarker: Allowed(DEALER, IN_COUP | READY),
    c.SeeIndicator: Allowed(DEALER, IN_COUP | READY),
    # settlement
    c.DeclareResult: Allowed(DEALER, DEALING),
    c.EndCoup: Allowed(DEALER, SETTLED),
    # irregularities, rulings and corrections
    c.ReportIrregularity: Allowed(FLOOR, READY | IN_COUP | SETTLED),
    c.ConfirmFinding: Allowed(OVERSEER | DIRECTOR, HELD),
    c.RuleOn: Allowed(OVERSEER, HELD, MANAGEMENT | DIRECTOR),
    c.VoidCoup: Allowed(OVERSEER, IN_COUP | HELD | SETTLED, MANAGEMENT | DIRECTOR),
    c.VoidWagers: Allowed(OVERSEER, IN_COUP | HELD | SETTLED, MANAGEMENT | DIRECTOR),
    c.VoidEarlier: Allowed(OVERSEER, OPEN, MANAGEMENT | DIRECTOR),
    c.CorrectCard: Allowed(FLOOR, OPEN, CHARGE),
    c.CorrectPayment: Allowed(OVERSEER, OPEN, MANAGEMENT | DIRECTOR),
    c.Touched: Allowed(FLOOR, OPEN),
    c.RaiseDispute: Allowed(PATRON | FLOOR, ALWAYS),
    c.DecideDispute: Allowed(MANAGEMENT, ALWAYS),
    c.RequestReview: Allowed(PATRON | FLOOR, ALWAYS),
    c.RecordIncident: Allowed(STAFF, ALWAYS),
    c.Approve: Allowed(STAFF, ALWAYS),
    c.DropProposal: Allowed(STAFF, ALWAYS),
    # what a competition adds
    c.AllotChips: Allowed(OVERSEER | DIRECTOR, BETWEEN),
    c.AskForWager: Allowed(DEALER, BETTING),
    c.CloseWindow: Allowed(DEALER | DIRECTOR, BETTING),
    c.MarkAbsent: Allowed(FLOOR | DIRECTOR, OPEN),
    c.RaiseLimits: Allowed(DIRECTOR, BETWEEN),
    # the house's clock
    c.RunOut: Allowed(HOUSE, OPEN),
    c.HoldClocks: Allowed(HOUSE, OPEN),
}


def counting(table: Table, roles: frozenset[Role]) -> frozenset[Role]:
    """The roles among these that count under this table's rule set.

    Where the document has an inspector, a casino supervisor oversees nothing, and the other way
    round; where it names neither, both may.
    """
    if table.notice is None:
        return roles
    named = {duty.role for duty in table.terms.rules.staff} & OVERSEER
    return roles - (OVERSEER - named) if named else roles


def plays(table: Table, person: str) -> bool:
    """Is this person a player here: at the table, with chips at it, or with a wager lying?"""
    lying = table.coup is not None and any(one.by == person for one in table.coup.wagers)
    return person in table.places or bool(table.chips.get(person)) or lying


def acting(table: Table, by: Actor) -> frozenset[Role]:
    """The roles in which a person can act at this table now."""
    if plays(table, by.person):
        return by.roles & PATRON  # on no side but their own
    here = counting(table, by.roles)
    return frozenset(role for role in here if role not in ON_DUTY or table.on_duty(by.person, role))


def is_staff(table: Table, by: Actor) -> bool:
    return bool(acting(table, by) & STAFF)


def open_to(table: Table, by: Actor) -> Iterator[type[c.Command]]:
    """The commands a person may give now, as far as role and moment say."""
    here = acting(table, by)
    for kind, allowed in AUTHORITY.items():
        roles = counting(table, allowed.roles)
        if roles & (by.roles if kind in SIGNING else here) and table.phase in allowed.phases:
            yield kind


def check_open(table: Table, kind: type[c.Command], by: Actor) -> None:
    """Refuse a kind of command that this person may not give, or not now."""
    allowed, name = AUTHORITY[kind], str(kind.__struct_config__.tag)
    check_role(table, name, allowed.roles, by, signing=kind in SIGNING)
    check_phase(table, name, allowed)


def check_authority(table: Table, ask: c.Command, by: Actor) -> Allowed:
    """Refuse a command that this person may not give, or not now."""
    allowed = AUTHORITY.get(type(ask))
    name = str(ask.__struct_config__.tag)
    if allowed is None:
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=name, allowed="nobody")
    check_open(table, type(ask), by)
    _check_for_oneself(table, ask, by)
    return allowed


def check_role(
    table: Table, name: str, roles: frozenset[Role], by: Actor, *, signing: bool = False
) -> None:
    roles = roles if signing else counting(table, roles)
    if not roles & by.roles:
        allowed = ", ".join(sorted(roles))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=name, allowed=allowed)
    if not signing and not roles & acting(table, by):
        if plays(table, by.person):
            bank = table.terms.rules.table.bank
            raise Refused(Reason.BANK_IS_THE_OPERATORS, bank, person=by.person)
        held = ", ".join(sorted(roles & by.roles))
        raise Refused(Reason.NOT_ON_DUTY, CONDITIONS, command=name, roles=held)


def check_phase(table: Table, name: str, allowed: Allowed) -> None:
    if table.phase not in allowed.phases:
        phases = ", ".join(phase for phase in Phase if phase in allowed.phases)
        raise Refused(
            Reason.WRONG_MOMENT, CONDITIONS, command=name, phase=table.phase, phases=phases
        )


def _check_for_oneself(table: Table, ask: c.Command, by: Actor) -> None:
    """A patron acts for nobody else; staff may act for a patron."""
    person = getattr(ask, "person", "")
    if isinstance(ask, c.SignOff) and person not in ("", by.person):
        if Role.HOUSE not in by.roles:
            raise Refused(Reason.NOT_YOURSELF, CONDITIONS, person=person)
        return
    if person not in ("", by.person) and not is_staff(table, by):
        raise Refused(Reason.NOT_YOURSELF, CONDITIONS, person=person)


def subject(ask: c.Command, by: Actor) -> str:
    """Whom the command is about."""
    person: str = getattr(ask, "person", "") or by.person
    return person
