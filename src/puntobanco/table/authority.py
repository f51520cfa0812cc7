"""All that is known about each command: one entry each. What is not listed is not allowed.

Dealers, inspectors, casino supervisors and directors act only at the table they are signed on
to. A command with a second set of roles is a proposal until another person of that set approves.
The cage and the register have entries of the same kind.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import likely
from puntobanco.table.actor import ON_DUTY, PLAYERS, STAFF, Actor, Role
from puntobanco.table.likely import as_it_is, for_each, for_patron
from puntobanco.table.state import Phase, Table
from puntobanco.words import Step

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
OVER = frozenset({Phase.OVER})
SETTLED = frozenset({Phase.SETTLED})
OPEN = frozenset(Phase) - SHUT
WITH_SHOE = OPEN - PREPARING
ALWAYS = frozenset(Phase)


class Giver(StrEnum):
    """From where a command comes."""

    PERSON = "person"
    DEVICE = "device"
    """A card scanner or an electronic shoe, for the dealer on duty."""
    HOUSE = "house"
    """The house itself."""
    HALF = "half"
    """The house, as the other half of a command to another stream."""
    CLOCK = "clock"
    COMPETITION = "competition"
    """The house, for a competition whose table this is."""


class Form(StrEnum):
    """What a page asks of a person who is to give a command."""

    FACTS = "facts"
    """A form with the command's facts."""
    NOTHING = "nothing"
    """One press: there is nothing to be said."""
    MAYBE = "maybe"
    """One press, or a form for somebody who has more to say."""
    CARD = "card"
    """A card, keyed in two strokes."""


PEOPLE = frozenset({Giver.PERSON})
DRAWN = PEOPLE | {Giver.DEVICE}
ITSELF = frozenset({Giver.HOUSE})
OTHER_HALF = frozenset({Giver.HALF})
CLOCK = frozenset({Giver.CLOCK})
RELAYED = frozenset({Giver.COMPETITION})


class Allowed(Struct, frozen=True):
    """One command: who may give it, when, with whom, and how pages offer it."""

    roles: frozenset[Role]
    phases: frozenset[StrEnum] = ALWAYS
    """Of a table or a competition; the cage and the register have none."""
    second: frozenset[Role] = frozenset()
    """Who may approve it, a different person; empty: it takes effect at once."""
    likely: Callable[[Any, Actor], Iterable[Any]] | None = None
    """The command as it would be given now: it is offered while one of these is not refused.
    None: it is offered whenever role and phase allow it."""
    given_by: frozenset[Giver] = PEOPLE
    off_duty: bool = False
    """Given in the roles somebody has, on duty or not."""
    keyed: bool = False
    """About cards that people key: not for the house's own shoe, whose cards the house knows."""
    final: bool = False
    """It cannot be taken back: people see what will happen before they confirm it."""
    of_record: bool = False
    """About a coup on record: nothing calls for it at a closed table that has none at hand."""
    steps: tuple[Step, ...] = ()
    """The steps at which it is what comes next."""
    form: Form = Form.FACTS
    stands_for: tuple[type[c.Command], ...] = ()
    """What the house fills in and makes one of these commands."""


AUTHORITY: dict[type[c.Command], Allowed] = {
    # opening and closing
    c.OpenTable: Allowed(
        MANAGEMENT | HOUSE,
        SHUT,
        final=True,
        given_by=PEOPLE | RELAYED,
        steps=(Step.OPEN_TABLE,),
    ),
    c.BeginGamingDay: Allowed(MANAGEMENT, BETWEEN | SHUT),
    c.GiveClosingNotice: Allowed(MANAGEMENT | OVERSEER, OPEN),
    c.CloseTable: Allowed(
        MANAGEMENT | OVERSEER | HOUSE,
        BETWEEN | OVER,
        likely=likely.close_table,
        final=True,
        given_by=PEOPLE | RELAYED,
        steps=(Step.SESSION_OVER,),
    ),
    c.SignOn: Allowed(ON_DUTY, likely=likely.sign_on, off_duty=True, steps=(Step.SIGN_ON,)),
    c.SignOff: Allowed(
        ON_DUTY | HOUSE, likely=as_it_is(c.SignOff), off_duty=True, given_by=PEOPLE | ITSELF
    ),
    # people
    c.Sit: Allowed(PLAYERS | FLOOR | DIRECTOR, OPEN, likely=likely.sit),
    c.StandAt: Allowed(PATRON | FLOOR, OPEN, likely=likely.stand_at),
    c.Leave: Allowed(
        PLAYERS | FLOOR | DIRECTOR | HOUSE,
        likely=for_patron(c.Leave),
        given_by=PEOPLE | ITSELF,
    ),
    c.BuyIn: Allowed(FLOOR, likely=likely.buy_in),
    c.CashOut: Allowed(FLOOR, likely=likely.cash_out),
    c.AgreeLimits: Allowed(
        MANAGEMENT, BETWEEN | BETTING, likely=for_each(c.AgreeLimits, lambda table: table.places)
    ),
    c.Exclude: Allowed(CHARGE, OPEN, final=True),
    c.Readmit: Allowed(MANAGEMENT, likely=for_each(c.Readmit, lambda table: table.excluded, "")),
    c.RequireVacate: Allowed(
        CHARGE, BETWEEN, likely=for_each(c.RequireVacate, lambda table: table.seated)
    ),
    # the shoe
    c.CheckCards: Allowed(FLOOR, PREPARING, likely=likely.check_cards, steps=(Step.CHECK_CARDS,)),
    c.Shuffle: Allowed(FLOOR, PREPARING, likely=as_it_is(c.Shuffle), steps=(Step.SHUFFLE,)),
    c.AddWords: Allowed(PLAYERS, PREPARING, likely=as_it_is(c.AddWords, "my words")),
    c.RefuseCut: Allowed(
        FLOOR | PATRON,
        PREPARING,
        likely=likely.refuse_cut,
        steps=(Step.OFFER_CUT,),
        form=Form.NOTHING,
    ),
    c.CutCards: Allowed(
        FLOOR | PATRON,
        PREPARING,
        likely=likely.cut_cards,
        steps=(Step.OFFER_CUT, Step.STAFF_CUT),
    ),
    c.LoadShoe: Allowed(
        FLOOR,
        PREPARING,
        likely=likely.load_shoe,
        steps=(Step.LOAD_SHOE,),
        form=Form.MAYBE,
    ),
    c.BurnCards: Allowed(
        DEALER,
        READY,
        likely=likely.burn_cards,
        given_by=DRAWN,
        keyed=True,
        steps=(Step.BURN,),
    ),
    c.ChangeCards: Allowed(
        DEALER, BETWEEN, OVERSEER, likely=likely.change_cards, keyed=True, final=True
    ),
    c.EndShoe: Allowed(FLOOR | MANAGEMENT, READY, steps=(Step.END_SHOE,), form=Form.MAYBE),
    c.CheckCardsAtEnd: Allowed(
        FLOOR, PREPARING | SHUT, likely=as_it_is(c.CheckCardsAtEnd), steps=(Step.CHECK_AT_END,)
    ),
    c.OpenCommitment: Allowed(
        FLOOR | MANAGEMENT | HOUSE,
        PREPARING | SHUT,
        likely=as_it_is(c.OpenCommitment, (), ""),
        given_by=PEOPLE | ITSELF,
    ),
    # betting
    c.OpenCoup: Allowed(
        DEALER,
        READY,
        likely=as_it_is(c.OpenCoup),
        steps=(Step.OPEN_COUP, Step.OPEN_WITHOUT_BETS),
        form=Form.MAYBE,
    ),
    c.PlaceWager: Allowed(PLAYERS | FLOOR, OPEN, likely=likely.place_wager),
    c.ChangeWager: Allowed(PLAYERS | FLOOR, OPEN, likely=likely.change_wager),
    c.WithdrawWager: Allowed(PLAYERS | FLOOR, OPEN, likely=likely.withdraw_wager),
    c.LayWagers: Allowed(PLAYERS, OPEN, likely=likely.lay_wagers),
    c.ReduceWagers: Allowed(DEALER, BETTING, likely=as_it_is(c.ReduceWagers), form=Form.NOTHING),
    c.NoMoreBets: Allowed(
        DEALER,
        BETTING,
        likely=as_it_is(c.NoMoreBets),
        steps=(Step.CALL,),
        form=Form.NOTHING,
    ),
    c.CloseCoup: Allowed(
        DEALER,
        IN_COUP,
        likely=as_it_is(c.CloseCoup),
        steps=(Step.CLOSE_COUP,),
        form=Form.NOTHING,
    ),
    c.AllowFreeCoups: Allowed(
        MANAGEMENT, BETWEEN | BETTING | SETTLED, likely=likely.allow_free_coups
    ),
    c.AskNoBetCoup: Allowed(PATRON | FLOOR, BETWEEN | SETTLED, likely=for_patron(c.AskNoBetCoup)),
    c.AgreeNoBetCoup: Allowed(
        PATRON | FLOOR, BETWEEN | SETTLED, likely=for_patron(c.AgreeNoBetCoup)
    ),
    c.DirectNoBetCoup: Allowed(OVERSEER, READY, likely=as_it_is(c.DirectNoBetCoup)),
    # changes to the notice
    c.PostChange: Allowed(MANAGEMENT, OPEN, final=True),
    c.ConsentToChange: Allowed(PATRON | FLOOR, OPEN, likely=for_patron(c.ConsentToChange)),
    c.ApplyChange: Allowed(MANAGEMENT, BETWEEN, likely=as_it_is(c.ApplyChange), final=True),
    c.DropChange: Allowed(MANAGEMENT, OPEN, likely=as_it_is(c.DropChange)),
    # dealing
    c.AskFaceDown: Allowed(PATRON | FLOOR, OPEN, likely=for_patron(c.AskFaceDown)),
    c.WithdrawFaceDown: Allowed(PATRON | FLOOR, OPEN, likely=for_patron(c.WithdrawFaceDown)),
    c.AcknowledgeFaceDown: Allowed(
        MANAGEMENT | SURVEILLANCE, OPEN, likely=likely.acknowledge_face_down
    ),
    c.SetFaceDown: Allowed(FLOOR | MANAGEMENT, BETWEEN | BETTING, likely=likely.set_face_down),
    c.NameExposer: Allowed(OVERSEER, IN_COUP, likely=for_each(c.NameExposer, likely.sides)),
    c.DrawCard: Allowed(
        DEALER,
        READY | IN_COUP | SETTLED,
        likely=likely.draw_card,
        given_by=DRAWN,
        keyed=True,
        steps=(Step.TAKE_BETS, Step.CARD_FOR_PLAYER, Step.CARD_FOR_BANKER),
        form=Form.CARD,
    ),
    c.DealCarried: Allowed(
        DEALER,
        IN_COUP,
        likely=likely.deal_carried,
        given_by=DRAWN,
        keyed=True,
        steps=(Step.DEAL_CARRIED,),
    ),
    c.TurnCarried: Allowed(
        DEALER,
        READY | BETTING,
        likely=likely.turn_carried,
        given_by=DRAWN,
        keyed=True,
        form=Form.CARD,
    ),
    c.SqueezeCard: Allowed(PATRON, DEALING, given_by=ITSELF),
    c.TurnCard: Allowed(
        DEALER | PATRON,
        DEALING,
        likely=likely.turn_card,
        given_by=DRAWN,
        keyed=True,
        steps=(Step.TURN_CARDS,),
        form=Form.CARD,
    ),
    c.PassCards: Allowed(
        DEALER,
        DEALING,
        likely=for_each(c.PassCards, likely.sides),
        steps=(Step.PASS_CARDS,),
        form=Form.NOTHING,
    ),
    c.RefuseCards: Allowed(FLOOR | PATRON, DEALING, likely=for_each(c.RefuseCards, likely.sides)),
    c.SeeMarker: Allowed(
        DEALER,
        READY | IN_COUP | HELD | SETTLED,
        likely=as_it_is(c.SeeMarker),
        given_by=DRAWN,
        keyed=True,
    ),
    c.SeeIndicator: Allowed(
        DEALER, IN_COUP | READY, likely=as_it_is(c.SeeIndicator), given_by=DRAWN
    ),
    # settlement
    c.DeclareResult: Allowed(
        DEALER,
        DEALING,
        likely=as_it_is(c.DeclareResult),
        steps=(Step.DECLARE,),
        form=Form.NOTHING,
    ),
    c.EndCoup: Allowed(
        DEALER, SETTLED, likely=as_it_is(c.EndCoup), steps=(Step.CLEAR,), form=Form.NOTHING
    ),
    # irregularities, rulings and corrections
    c.ReportIrregularity: Allowed(
        FLOOR,
        SHUT | BETWEEN | IN_COUP | SETTLED,
        likely=likely.report_irregularity,
        final=True,
    ),
    c.ConfirmFinding: Allowed(
        OVERSEER | DIRECTOR,
        HELD,
        likely=as_it_is(c.ConfirmFinding, True),
        final=True,
        steps=(Step.RULE,),
    ),
    c.RuleOn: Allowed(
        OVERSEER,
        HELD,
        MANAGEMENT | DIRECTOR,
        likely=as_it_is(c.RuleOn, "stands", ""),
        final=True,
        steps=(Step.RULE,),
    ),
    c.VoidCoup: Allowed(
        OVERSEER,
        IN_COUP | HELD | SETTLED,
        MANAGEMENT | DIRECTOR,
        likely=as_it_is(c.VoidCoup, "impractical", ""),
        final=True,
    ),
    c.VoidWagers: Allowed(
        OVERSEER,
        ALWAYS,
        MANAGEMENT | DIRECTOR,
        final=True,
        of_record=True,
    ),
    c.VoidEarlier: Allowed(OVERSEER, ALWAYS, MANAGEMENT | DIRECTOR, final=True, of_record=True),
    c.CorrectCard: Allowed(FLOOR, ALWAYS, CHARGE, keyed=True, final=True, of_record=True),
    c.CorrectCoup: Allowed(FLOOR, ALWAYS, CHARGE, keyed=True, final=True, of_record=True),
    c.CorrectWager: Allowed(FLOOR, ALWAYS, CHARGE, final=True, of_record=True),
    c.CorrectBurn: Allowed(
        FLOOR, WITH_SHOE, CHARGE, likely=likely.correct_burn, keyed=True, final=True
    ),
    c.CorrectMarker: Allowed(
        FLOOR, WITH_SHOE, CHARGE, likely=as_it_is(c.CorrectMarker, ""), keyed=True, final=True
    ),
    c.CorrectFinding: Allowed(FLOOR, WITH_SHOE, CHARGE, likely=likely.correct_finding, final=True),
    c.CorrectExcess: Allowed(
        FLOOR, WITH_SHOE, CHARGE, likely=likely.correct_excess, keyed=True, final=True
    ),
    c.CorrectPayment: Allowed(
        OVERSEER, ALWAYS, MANAGEMENT | DIRECTOR, likely=likely.correct_payment, final=True
    ),
    c.TakeBack: Allowed(
        OVERSEER, ALWAYS, MANAGEMENT | DIRECTOR, likely=likely.take_back, final=True
    ),
    c.Touched: Allowed(FLOOR, OPEN),
    c.RaiseDispute: Allowed(PATRON | FLOOR),
    c.DecideDispute: Allowed(MANAGEMENT, likely=for_each(c.DecideDispute, likely.undecided, "")),
    c.RequestReview: Allowed(PATRON | FLOOR, likely=likely.request_review),
    c.RecordIncident: Allowed(STAFF, likely=for_each(c.RecordIncident, likely.incidents, "")),
    c.Approve: Allowed(
        STAFF,
        likely=for_each(c.Approve, lambda table: table.proposals),
        final=True,
        steps=(Step.APPROVE,),
    ),
    c.DropProposal: Allowed(
        STAFF,
        likely=for_each(c.DropProposal, lambda table: table.proposals),
        form=Form.NOTHING,
    ),
    # what a competition adds
    c.AllotChips: Allowed(
        OVERSEER | DIRECTOR,
        BETWEEN,
        likely=as_it_is(c.AllotChips),
        steps=(Step.ALLOT,),
        form=Form.NOTHING,
    ),
    c.AskForWager: Allowed(DEALER, BETTING, likely=likely.ask_for_wager),
    c.CloseWindow: Allowed(
        DEALER | DIRECTOR, BETTING, likely=for_each(c.CloseWindow, lambda table: table.seated)
    ),
    c.MarkAbsent: Allowed(
        FLOOR | DIRECTOR, OPEN, likely=for_each(c.MarkAbsent, lambda table: table.places)
    ),
    c.RaiseLimits: Allowed(DIRECTOR, BETWEEN, likely=as_it_is(c.RaiseLimits)),
    c.TakeSeat: Allowed(FLOOR | DIRECTOR | PATRON, OPEN, likely=likely.take_seat),
    c.NameSubstitute: Allowed(
        DIRECTOR | HOUSE,
        OPEN,
        likely=for_each(c.NameSubstitute, lambda table: table.places, "nobody"),
        given_by=PEOPLE | RELAYED,
    ),
    c.GiveDirection: Allowed(DIRECTOR, OPEN, likely=as_it_is(c.GiveDirection, "")),
    c.DrawForCoups: Allowed(
        DEALER,
        READY,
        likely=as_it_is(c.DrawForCoups, Card("Ac")),
        given_by=DRAWN,
        keyed=True,
        steps=(Step.DRAW_FOR_COUPS,),
        form=Form.CARD,
    ),
    c.CorrectChips: Allowed(
        OVERSEER | DIRECTOR,
        OPEN,
        CHARGE,
        likely=for_each(c.CorrectChips, lambda table: table.contest.drawn.values(), 0, ""),
        final=True,
    ),
    c.Reinstate: Allowed(
        DIRECTOR,
        OPEN,
        CHARGE,
        likely=for_each(c.Reinstate, lambda table: table.contest.out, ""),
        final=True,
    ),
    c.LodgeSecret: Allowed(
        PATRON | FLOOR, BETTING, likely=for_patron(c.LodgeSecret, likely.UNKNOWN), given_by=ITSELF
    ),
    c.ExamineSecret: Allowed(
        OVERSEER, BETTING, likely=likely.examine_secret, steps=(Step.EXAMINE_FORM,)
    ),
    c.AnnounceSecrets: Allowed(
        OVERSEER,
        BETTING,
        likely=as_it_is(c.AnnounceSecrets),
        steps=(Step.TELL_FORMS,),
        form=Form.NOTHING,
    ),
    c.InspectForm: Allowed(PATRON | FLOOR, OPEN, likely=likely.inspect_form),
    # what the competition tells its tables, through the house
    c.BeginSession: Allowed(HOUSE, BETWEEN, given_by=RELAYED),
    c.NoteDirectors: Allowed(HOUSE, OPEN, given_by=RELAYED),
    c.DeclareLastCoup: Allowed(HOUSE, BETWEEN | SETTLED, given_by=RELAYED),
    c.EndSession: Allowed(HOUSE, OPEN - OVER, given_by=RELAYED),
    c.ContinueSession: Allowed(HOUSE, OVER, given_by=RELAYED),
    c.PauseSession: Allowed(HOUSE, OPEN - OVER, given_by=RELAYED),
    c.ResumeSession: Allowed(HOUSE, OPEN, given_by=RELAYED),
    c.HandOverSession: Allowed(HOUSE, BETWEEN, given_by=RELAYED),
    c.TakeOverSession: Allowed(HOUSE, BETWEEN, given_by=RELAYED),
    c.RemovePlayer: Allowed(HOUSE, OPEN, given_by=RELAYED),
    # the house's clock
    c.RunOut: Allowed(HOUSE, OPEN, given_by=CLOCK),
    c.HoldClocks: Allowed(HOUSE, OPEN, given_by=CLOCK),
}


def from_outside(authority: Mapping[Any, Allowed]) -> tuple[type[Any], ...]:
    """The commands that come from outside: they have a form, a route and a place in `may`."""
    return tuple(kind for kind, allowed in authority.items() if allowed.given_by & DRAWN)


TAKING_BACK = MANAGEMENT | DIRECTOR
"""Who approves whatever takes back what a declared result has paid."""


def second_of(kind: type[c.Command]) -> frozenset[Role]:
    """Who must agree to a proposal of this kind; by any command, what was paid is taken back by
    two people.
    """
    return AUTHORITY[kind].second or TAKING_BACK


def name_of(kind: type[Struct]) -> str:
    """A command's name everywhere: in the notation, in addresses, in the record."""
    return str(kind.__struct_config__.tag)


def counting_roles(table: Table, roles: frozenset[Role]) -> frozenset[Role]:
    """The roles among these that count under this table's rule set.

    Where the document has an inspector, a casino supervisor oversees nothing, and the other way
    round; where it names neither, both may.
    """
    if table.notice is None or not roles & OVERSEER:
        return roles
    named = {duty.role for duty in table.terms.rules.staff} & OVERSEER
    return roles - (OVERSEER - named) if named else roles


def plays(table: Table, person: str) -> bool:
    """Is this person a player here: at the table, with chips at it that are worth something, or
    with a wager lying?
    """
    substitutes = table.contest.substitutes.values()
    holds = table.chips.get(person) and not table.play_cents
    if person in table.places or person in substitutes or holds:
        return True
    return table.coup is not None and any(wager.by == person for wager in table.coup.wagers)


def acting(table: Table, by: Actor) -> frozenset[Role]:
    """The roles in which a person can act at this table now."""
    if plays(table, by.person):
        return by.roles & PLAYERS  # on no side but their own
    here = counting_roles(table, by.roles)
    directs = by.person in table.contest.directors
    return frozenset(
        role
        for role in here
        if role not in ON_DUTY
        or table.on_duty(by.person, role)
        or (directs and role is Role.DIRECTOR)
    )


def is_staff(table: Table, by: Actor) -> bool:
    return bool(acting(table, by) & STAFF)


def open_to(table: Table, by: Actor) -> Iterator[type[c.Command]]:
    """The commands a person may give now, as far as role and moment say."""
    here = acting(table, by)
    for kind, allowed in AUTHORITY.items():
        roles = by.roles if allowed.off_duty else here
        if allowed.roles & roles and table.phase in allowed.phases:
            yield kind


def check_open(table: Table, kind: type[c.Command], by: Actor) -> None:
    """Refuse a kind of command that this person may not give, or not now."""
    check_allowed(table, name_of(kind), AUTHORITY[kind], by)


def check_theirs(table: Table, kind: type[c.Command], by: Actor) -> None:
    """Refuse a kind of command that is not for this person, whatever the moment."""
    allowed = AUTHORITY[kind]
    check_role(table, name_of(kind), allowed.roles, by, off_duty=allowed.off_duty)


def check_allowed(table: Table, name: str, allowed: Allowed, by: Actor) -> None:
    """Refuse what an entry does not allow this person, or not now."""
    check_role(table, name, allowed.roles, by, off_duty=allowed.off_duty)
    check_phase(table, name, allowed)


def check_authority(table: Table, ask: c.Command, by: Actor) -> Allowed:
    """Refuse a command that this person may not give, or not now."""
    allowed = AUTHORITY.get(type(ask))
    if allowed is None:
        name = name_of(type(ask))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=name, allowed="nobody")
    check_open(table, type(ask), by)
    _check_for_oneself(table, ask, by)
    return allowed


def check_listed(authority: Mapping[Any, Allowed], kind: type[Struct], by: Actor) -> None:
    """Refuse a kind of command to the cage or the register that this person may not give."""
    allowed = authority.get(kind)
    roles = allowed.roles if allowed else frozenset()
    if not roles & by.roles:
        names = ", ".join(sorted(roles)) or "nobody"
        command = name_of(kind)
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=command, allowed=names)


def check_role(
    table: Table, name: str, roles: frozenset[Role], by: Actor, *, off_duty: bool = False
) -> None:
    roles = roles if off_duty else counting_roles(table, roles)
    if not roles & by.roles:
        allowed = ", ".join(sorted(roles))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=name, allowed=allowed)
    if not off_duty and not roles & acting(table, by):
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
    if person not in ("", by.person) and not (is_staff(table, by) or Role.HOUSE in by.roles):
        raise Refused(Reason.NOT_YOURSELF, CONDITIONS, person=person)


def stands_for(table: Table, by: Actor) -> Actor:
    """Who acts: a substitute does all that the player could do, as that player, and nothing else
    [tas-2018:16.3.3, act-2015:15.11]; also when the player is out, for they may be put back.
    """
    for player, substitute in table.contest.substitutes.items():
        if substitute == by.person:
            return replace(by, person=player, roles=by.roles & PLAYERS)
    return by


def subject(ask: c.Command, by: Actor) -> str:
    """Whom the command is about."""
    person: str = getattr(ask, "person", "") or by.person
    return person
