"""Who may give each command of a competition, when and with whom. What is not listed is refused.

A director acts in play only while signed on to the competition [tas-2018:16.2.7]; before it and
after it in the role alone. A command with a second set of roles is a proposal until another person
of that set approves.
"""

from puntobanco.competition import commands as c
from puntobanco.competition import likely
from puntobanco.competition.likely import own_or_each
from puntobanco.competition.state import Competition, CompetitionPhase
from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import (
    CLOCK,
    DIRECTOR,
    HOUSE,
    ITSELF,
    MANAGEMENT,
    OVERSEER,
    PATRON,
    PEOPLE,
    Allowed,
    Form,
    name_of,
)
from puntobanco.table.likely import as_it_is, for_each

CASHIER = frozenset({Role.CASHIER})
CHARGE = DIRECTOR | MANAGEMENT
DESK = CASHIER | CHARGE
"""Who sees to the entries."""
P = CompetitionPhase
EVER = frozenset(P)
DRAFTING = frozenset({P.DRAFTING})
CHANGEABLE = frozenset({P.DRAFTING, P.PUBLISHED, P.ENTERING})
"""While conditions may still be published in a new version."""
ENTERING = frozenset({P.ENTERING})
SEATING = frozenset({P.CLOSED, P.CONFIRMED, P.DRAWN, P.PREPARING})
"""From the closing of the list to the start of the session that is drawn for."""
BEFORE_START = frozenset({P.ENTERING, P.CLOSED, P.DRAWN, P.PREPARING})
READY = frozenset({P.PREPARING, P.PLAY_OFF})
RUNNING = frozenset({P.RUNNING})
OVER = frozenset({P.OVER})
PLAY_OFF = frozenset({P.PLAY_OFF})
IN_PLAY = frozenset({P.DRAWN, P.PREPARING, P.RUNNING, P.OVER, P.PLAY_OFF, P.CONFIRMED})
PROCEEDING = EVER - {P.DRAFTING, P.PLACED, P.PAID, P.DONE, P.CANCELLED}
ENTERED = PROCEEDING - {P.PUBLISHED}
PLACED = frozenset({P.PLACED})
WITH_ENTRIES = EVER - {P.DRAFTING, P.PUBLISHED}

AUTHORITY: dict[type, Allowed] = {
    # conditions
    c.Draft: Allowed(CHARGE, CHANGEABLE, off_duty=True),
    c.Publish: Allowed(
        CHARGE,
        CHANGEABLE,
        CHARGE,
        likely=as_it_is(c.Publish),
        off_duty=True,
        final=True,
        form=Form.NOTHING,
    ),
    # entries
    c.OpenEntries: Allowed(
        CHARGE,
        frozenset({P.PUBLISHED}),
        likely=as_it_is(c.OpenEntries),
        off_duty=True,
        form=Form.NOTHING,
    ),
    c.Apply: Allowed(PATRON | DESK, BEFORE_START, likely=likely.likely_apply, off_duty=True),
    c.Refuse: Allowed(CHARGE, BEFORE_START, likely=own_or_each(c.Refuse), off_duty=True),
    c.Accept: Allowed(DESK, BEFORE_START, likely=own_or_each(c.Accept), off_duty=True),
    c.Endorse: Allowed(PATRON | DESK, BEFORE_START, likely=likely.likely_endorse, off_duty=True),
    c.PayEntry: Allowed(PATRON | CASHIER, BEFORE_START, likely=own_or_each(c.PayEntry)),
    c.EnterAtDesk: Allowed(CASHIER, BEFORE_START, likely=likely.likely_enter_at_desk),
    c.Withdraw: Allowed(
        PATRON | DESK, ENTERED, likely=own_or_each(c.Withdraw), off_duty=True, final=True
    ),
    c.AddReserve: Allowed(DESK, BEFORE_START, likely=own_or_each(c.AddReserve), off_duty=True),
    c.TakeReserve: Allowed(
        DIRECTOR, BEFORE_START, likely=likely.likely_take_reserve, off_duty=True, final=True
    ),
    c.CloseEntries: Allowed(
        CHARGE,
        ENTERING,
        likely=as_it_is(c.CloseEntries),
        off_duty=True,
        final=True,
        form=Form.NOTHING,
    ),
    c.AddValue: Allowed(MANAGEMENT, PROCEEDING, final=True),
    c.PayRefund: Allowed(
        CASHIER | HOUSE,
        frozenset({P.CANCELLED}),
        likely=for_each(c.PayRefund, lambda competition: competition.entries),
        given_by=PEOPLE | ITSELF,
    ),
    # the draw
    c.CommitDraw: Allowed(
        CHARGE | HOUSE,
        SEATING | CHANGEABLE - DRAFTING | OVER,
        likely=likely.likely_commit_draw,
        off_duty=True,
        given_by=PEOPLE | ITSELF,
        form=Form.NOTHING,
    ),
    c.KeepApart: Allowed(CHARGE, SEATING | CHANGEABLE - DRAFTING, off_duty=True),
    c.Draw: Allowed(DIRECTOR, SEATING, off_duty=True, final=True),
    c.KeyDraw: Allowed(DIRECTOR, SEATING, CHARGE, off_duty=True, final=True),
    c.MoveSeat: Allowed(DIRECTOR, frozenset({P.DRAWN, P.PREPARING}), off_duty=True, final=True),
    # sessions
    c.DesignateTable: Allowed(DIRECTOR, PROCEEDING, off_duty=True),
    c.ReleaseTable: Allowed(
        DIRECTOR,
        PROCEEDING,
        likely=for_each(c.ReleaseTable, lambda competition: competition.tables),
        off_duty=True,
    ),
    c.PrepareSession: Allowed(
        DIRECTOR,
        frozenset({P.DRAWN}),
        likely=as_it_is(c.PrepareSession),
        off_duty=True,
        final=True,
        form=Form.NOTHING,
    ),
    c.SetStart: Allowed(DIRECTOR, PROCEEDING, off_duty=True, final=True),
    c.StartSession: Allowed(
        DIRECTOR, READY, likely=as_it_is(c.StartSession), final=True, form=Form.NOTHING
    ),
    c.Break: Allowed(DIRECTOR, RUNNING),
    c.Resume: Allowed(DIRECTOR, RUNNING, likely=as_it_is(c.Resume), form=Form.NOTHING),
    c.GiveDirection: Allowed(DIRECTOR, IN_PLAY),
    c.LastCoup: Allowed(
        DIRECTOR, RUNNING, likely=as_it_is(c.LastCoup), final=True, form=Form.NOTHING
    ),
    c.FinishEarly: Allowed(DIRECTOR, RUNNING, final=True),
    c.StopTable: Allowed(DIRECTOR, RUNNING, likely=likely.likely_stop_table, final=True),
    c.ResumeAt: Allowed(DIRECTOR, RUNNING, likely=likely.likely_resume_at, final=True),
    # results
    c.TakeResult: Allowed(HOUSE, WITH_ENTRIES, given_by=ITSELF),
    c.ConfirmStage: Allowed(
        DIRECTOR,
        OVER,
        likely=as_it_is(c.ConfirmStage),
        off_duty=True,
        final=True,
        form=Form.NOTHING,
    ),
    c.OrderPlayOff: Allowed(DIRECTOR, OVER, final=True),
    c.SetPlayOffChips: Allowed(DIRECTOR, PLAY_OFF),
    c.NameWildCards: Allowed(DIRECTOR, OVER, off_duty=True, final=True),
    c.OpenSecondary: Allowed(
        DIRECTOR,
        frozenset({P.CONFIRMED}),
        likely=likely.likely_open_secondary,
        off_duty=True,
        final=True,
    ),
    # people and rulings
    c.Disqualify: Allowed(CHARGE, ENTERED, CHARGE, off_duty=True, final=True),
    c.Forfeit: Allowed(DIRECTOR, ENTERED, off_duty=True, final=True),
    c.Substitute: Allowed(DIRECTOR, ENTERED, off_duty=True),
    c.Rule: Allowed(CHARGE, ENTERED, off_duty=True, final=True),
    # ends
    c.ConfirmPlaces: Allowed(
        DIRECTOR,
        frozenset({P.CONFIRMED}),
        CHARGE,
        likely=as_it_is(c.ConfirmPlaces),
        off_duty=True,
        final=True,
        form=Form.NOTHING,
    ),
    c.PayPrize: Allowed(
        CASHIER | MANAGEMENT,
        PLACED,
        likely=for_each(c.PayPrize, lambda competition: competition.entries),
    ),
    c.PublishResults: Allowed(
        CHARGE,
        frozenset({P.PLACED, P.PAID}),
        likely=as_it_is(c.PublishResults),
        off_duty=True,
        form=Form.NOTHING,
    ),
    c.Cancel: Allowed(
        CHARGE,
        PROCEEDING | DRAFTING,
        CHARGE,
        likely=as_it_is(c.Cancel, ""),
        off_duty=True,
        final=True,
    ),
    # duties, disputes, proposals, clocks
    c.SignOn: Allowed(
        DIRECTOR, PROCEEDING, likely=as_it_is(c.SignOn, Role.DIRECTOR), off_duty=True
    ),
    c.SignOff: Allowed(
        DIRECTOR | HOUSE, EVER, likely=as_it_is(c.SignOff), off_duty=True, given_by=PEOPLE | ITSELF
    ),
    c.RaiseDispute: Allowed(PATRON | DESK | OVERSEER, WITH_ENTRIES, off_duty=True),
    c.DecideDispute: Allowed(
        CHARGE, WITH_ENTRIES, likely=likely.likely_decide_dispute, off_duty=True
    ),
    c.Approve: Allowed(
        CHARGE,
        EVER,
        likely=for_each(c.Approve, lambda competition: competition.proposals),
        off_duty=True,
        final=True,
    ),
    c.DropProposal: Allowed(
        CHARGE,
        EVER,
        likely=for_each(c.DropProposal, lambda competition: competition.proposals),
        off_duty=True,
        form=Form.NOTHING,
    ),
    c.RunOut: Allowed(HOUSE, RUNNING, given_by=CLOCK),
    c.HoldClocks: Allowed(HOUSE, RUNNING, given_by=CLOCK),
}
"""The entry of each command of a competition."""
RULED = CHARGE
"""Who approves a ruling by which a confirmed result changes."""


def check_entitled(competition: Competition, ask: c.CompetitionCommand, by: Actor) -> None:
    """Refuse a command that this person may not give, or not now, or not for somebody else."""
    name = name_of(type(ask))
    allowed = AUTHORITY.get(type(ask), Allowed(frozenset()))
    check_roles(competition, name, allowed, by)
    check_moment(competition, name, allowed)
    person = getattr(ask, "person", "")
    if isinstance(ask, c.SignOff) and person not in ("", by.person) and Role.HOUSE in by.roles:
        return
    if person not in ("", by.person) and by.roles <= PATRON:
        raise Refused(Reason.NOT_YOURSELF, CONDITIONS, person=person)


def check_roles(
    competition: Competition,
    name: str,
    allowed: Allowed,
    by: Actor,
    roles: frozenset[Role] | None = None,
) -> None:
    """Refuse somebody without the role, or a director who is not signed on."""
    roles = allowed.roles if roles is None else roles
    held = roles & by.roles
    if not held:
        names = ", ".join(sorted(roles)) or "nobody"
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=name, allowed=names)
    on_duty = held - DIRECTOR or by.person in competition.directors
    if not allowed.off_duty and not on_duty:
        clause = competition.director_clause
        raise Refused(Reason.DIRECTOR_NOT_SIGNED_ON, clause, command=name)


def check_moment(competition: Competition, name: str, allowed: Allowed) -> None:
    if competition.phase not in allowed.phases:
        phases = ", ".join(phase for phase in P if phase in allowed.phases)
        now = competition.phase
        raise Refused(Reason.WRONG_PHASE, CONDITIONS, command=name, phase=now, phases=phases)


def entrant_meant(ask: c.CompetitionCommand, by: Actor) -> str:
    """Whom a command is about."""
    return getattr(ask, "person", "") or by.person
