"""One coup of a script at one table: its own commands, each given by whom the rules name."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from puntobanco.errors import MalformedError
from puntobanco.house.competitions.script import EVERY_BOX, FormWritten, ScriptLine
from puntobanco.house.intents import LodgeForm
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Side
from puntobanco.rules.paper.notation import CoupText
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import counting_roles
from puntobanco.table.next_step import next_step, with_roles
from puntobanco.table.queries.competition import SIDES, betting_order, riding_boxes
from puntobanco.table.queries.face_down import face_down_position
from puntobanco.table.state import Phase, Table
from puntobanco.words import Step

if TYPE_CHECKING:
    from puntobanco.house.competitions.playing import Player

DEALERS = (Role.DEALER,)
STAFF = (Role.DEALER, Role.INSPECTOR, Role.CASINO_SUPERVISOR)
MOST_STEPS = 40
"""The most steps from one coup to the next: a whole change of shoe is fewer."""
ACE = Card("Ac")
AS_WRITTEN = "as written"
"""The note of whatever a script's findings bring about."""


async def prepare_table(player: "Player", at: str) -> None:
    """Staff sign on, and a shoe is made ready, until the next coup can be opened."""
    await _sign_on(player, at)
    for _ in range(MOST_STEPS):
        table = player.table(at)
        step = next_step(table)
        make = READY_BY.get(step.step)
        if make is None:
            return
        ask = make(player, table, step.facts)
        indicator = isinstance(ask, c.LoadShoe) and ask.indicator
        await player.give(at, ask, _giver(table, step.step, but=DEALERS * indicator))


async def _sign_on(player: "Player", at: str) -> None:
    for person, roles in player.script.people.items():
        table = player.table(at)
        wanted = counting_roles(table, frozenset(STAFF)) & roles
        if wanted and not any(table.roles_of(person)):
            await player.give(at, c.SignOn(min(wanted)), person)


def _giver(table: Table, step: Step, but: tuple[Role, ...] = ()) -> str:
    """Somebody on duty whose the step is; the dealer first."""
    whose = [role for role in with_roles(table, next_step(table)).roles if role not in but]
    for role in (Role.DEALER, *whose):
        for duty in table.staff:
            if duty.role is role and role in whose:
                return duty.person
    raise MalformedError(
        f"the step {step} is for one of these, and none is among the people: " + ", ".join(whose)
    )


def _check_cards(_player: "Player", table: Table, _facts: dict[str, Any]) -> c.TableCommand:
    """Where nothing but a player's check will do, the first at the table makes it
    [tas-2013:5.1].
    """
    name, rule = f"set {table.shoe_number + 1}", table.terms.rules.cards.players_check
    if rule is None or rule.unless_prechecked:
        return c.CheckCards(name, "checked before")
    return c.CheckCards(name, player=next(iter(table.places), ""))


def _cut(_player: "Player", _table: Table, facts: dict[str, Any]) -> c.TableCommand:
    return c.CutCards(100, facts.get("seat"))


def _load(_player: "Player", table: Table, _facts: dict[str, Any]) -> c.TableCommand:
    """Where limits are to rise, an inspector puts the indicator card in [tas-2018:16.5.1]."""
    conditions = table.conditions
    rises = conditions is not None and conditions.raised_limits is not None
    return c.LoadShoe(indicator=rises)


def _burn(_player: "Player", table: Table, _facts: dict[str, Any]) -> c.TableCommand:
    exposed = table.terms.notice.burn == "exposed" and not table.pack.burned
    return c.BurnCards(ACE, 1) if exposed else c.BurnCards(face_down=table.burn_due)


READY_BY: dict[Step, Callable[["Player", Table, dict[str, Any]], c.TableCommand]] = {
    Step.CHECK_CARDS: _check_cards,
    Step.SHUFFLE: lambda _player, _table, _facts: c.Shuffle(),
    Step.OFFER_CUT: _cut,
    Step.STAFF_CUT: _cut,
    Step.LOAD_SHOE: _load,
    Step.BURN: _burn,
    Step.END_SHOE: lambda _player, _table, _facts: c.EndShoe(),
    Step.CHECK_AT_END: lambda _player, _table, _facts: c.CheckCardsAtEnd(),
}


async def play_written_coup(player: "Player", at: str, line: ScriptLine) -> None:
    """From the call for bets to the discard rack."""
    await prepare_table(player, at)
    wanted = _wagers(player.table(at), line.wagers)
    await _arrive(player, at, {wager.box for wager in wanted})
    dealer = _dealer(player, at)
    if player.table(at).coup is None:  # a line that was refused may have left it open
        await player.give(at, c.OpenCoup(), dealer)
    await _bet(player, at, wanted, dealer)
    table = player.table(at)
    called = table.coup is not None and table.coup.called  # by a line of its own
    if table.phase is Phase.BETTING and not called:  # nobody bets on a coup without wagers
        await player.give(at, c.NoMoreBets(), dealer)
    await examine_forms(player, at)
    await _deal(player, at, line.dealt, dealer)
    await _find(player, at, line)
    table = player.table(at)
    if table.coup is not None and table.coup.verdict is None:
        await player.give(at, c.DeclareResult(), dealer)
    _check_result(player.table(at), line.result)
    await player.give(at, c.EndCoup(), dealer)


def _dealer(player: "Player", at: str) -> str:
    for duty in player.table(at).staff:
        if duty.role is Role.DEALER:
            return duty.person
    raise MalformedError("no dealer is on duty at this table")


async def examine_forms(player: "Player", at: str) -> None:
    """After the call the inspector accepts every form that is right, and sends others back; in a
    final's last coup they are told before the cards [tas-2018:16.6.7, 16.6.11].
    """
    for _ in range(MOST_STEPS):
        table = player.table(at)
        step = next_step(table)
        if step.step is Step.TELL_FORMS:
            await player.give(at, c.AnnounceSecrets(), _giver(table, step.step))
        elif step.step is Step.EXAMINE_FORM:
            who, person = _giver(table, step.step), str(step.facts["person"])
            faults = (await player.house.form(at, person, who)).faults
            verdict: Literal["accepted", "sent-back"] = "sent-back" if faults else "accepted"
            await player.give(at, c.ExamineSecret(person, verdict, faults), who)
        else:
            return


def _wagers(table: Table, written: tuple[Wager | FormWritten, ...]) -> list[Wager | FormWritten]:
    """What is written for everyone is wagered by each who is there or expected."""
    away = table.contest.absent
    everyone = [box for box, who in sorted(table.seated.items()) if who not in away]
    return [
        replace(wager, box=box)
        for wager in written
        for box in (everyone if wager.box == EVERY_BOX else [wager.box])
    ]


async def _arrive(player: "Player", at: str, boxes: set[int]) -> None:
    """Whoever wagers has taken their seat, with the allotment bought where chips are money."""
    for box in sorted(boxes):
        table = player.table(at)
        person = table.seated.get(box)
        if person not in table.contest.expected or person is None:
            continue
        conditions = table.conditions
        assert conditions is not None
        if conditions.chips == "cash" and not table.chips.get(person):
            await player.give(at, c.BuyIn(conditions.allotment_cents, person), _dealer(player, at))
        await player.give(at, c.TakeSeat(person), _dealer(player, at))


async def cash_what_is_left(player: "Player", at: str) -> None:
    """A table is opened for a session when nobody holds chips of another [tas-2018:16.4.2]."""
    if at not in player.house.tables:
        return
    table = player.table(at)
    over = not table.is_open or table.phase is Phase.OVER
    live = table.conditions is not None and table.conditions.chips == "cash"
    if over and live and table.session is not None:
        for person, cents in table.chips.items():
            if cents > 0:  # whoever owes some has none to cash
                await player.give(at, c.CashOut(cents, person), player.who(Role.DEALER))


async def _bet(player: "Player", at: str, wanted: list[Wager | FormWritten], dealer: str) -> None:
    """Everyone in the order of betting; wagers that a Tie left lying are altered, or lie."""
    order = list(betting_order(player.table(at)))
    rides = bool(riding_boxes(player.table(at)))
    for box in [*order, *(wager.box for wager in wanted if wager.box not in order)]:
        for wager in [one for one in wanted if one.box == box]:
            if rides and box in order:
                await _ask(player, at, box, dealer)
            await _lay(player, at, wager, dealer)
        wanted = [one for one in wanted if one.box != box]


async def _ask(player: "Player", at: str, box: int, dealer: str) -> None:
    table = player.table(at)
    if table.contest.asked != box:
        await player.give(at, c.AskForWager(box), dealer)


async def _lay(player: "Player", at: str, wager: Wager | FormWritten, dealer: str) -> None:
    """Lay a wager; one that lies there from a Tie [tas-2018:16.5.8], or from a line that was
    refused later on, is altered, or stays.
    """
    table = player.table(at)
    person = table.seated.get(wager.box, "")
    if isinstance(wager, FormWritten):
        form = LodgeForm(wager.figures, wager.words, wager.on, person)
        await player.give(at, form, dealer)
        return
    lying = [one for one in (table.coup.wagers if table.coup else ()) if person == one.by]
    same = next((one for one in lying if one.on is wager.on), None)
    if same is not None:
        if same.cents != wager.cents:
            change = c.ChangeWager(wager.box, wager.on, wager.cents, person)
            await player.give(at, change, dealer)
        return
    if wager.on in SIDES and wager.box in riding_boxes(table):
        for other in (one for one in lying if one.on in SIDES):
            await player.give(at, c.WithdrawWager(other.box, other.on, person), dealer)
    await player.give(at, c.PlaceWager(wager.box, wager.on, wager.cents, person), dealer)


async def _deal(player: "Player", at: str, dealt: CoupText, dealer: str) -> None:
    """Cards as they left the shoe, with the marker and the indicator card between them; where
    they are dealt face down, they are passed and turned. What the coup before left over is first.
    """
    faces: dict[int, Card | None] = {}
    cards, carried = list(dealt.drawn), list(dealt.carried)
    for _ in range(MOST_STEPS):
        table = player.table(at)
        coup, step = table.coup, next_step(table)
        if coup is None:
            return
        side = Side(str(step.facts["side"])) if "side" in step.facts else None
        match step.step:
            case Step.DEAL_CARRIED:
                await player.give(at, _carried(coup.carried[0], carried), dealer)
            case Step.PASS_CARDS if side is not None:
                await player.give(at, c.PassCards(side), dealer)
            case Step.TURN_CARDS if side is not None:
                position = face_down_position(table, side)
                card = faces.get(position)
                if card is None:
                    raise MalformedError(f"card {position} of the coup was never named")
                await player.give(at, c.TurnCard(card, position), dealer)
            case _ if cards:
                await _see_markers(player, at, dealt, len(dealt.drawn) - len(cards), dealer)
                drawn = cards.pop(0)
                faces[len(coup.drawn) + 1] = drawn.card
                down = coup.face_down and step.step in (Step.CARD_FOR_PLAYER, Step.CARD_FOR_BANKER)
                shown = None if down else drawn.card
                await player.give(at, c.DrawCard(shown, drawn.laid), dealer)
            case _:
                await _see_markers(player, at, dealt, len(dealt.drawn), dealer)
                return


def _carried(lies: Drawn, written: list[Drawn]) -> c.TableCommand:
    """The card that the coup before left over: as it lies, or named now if nobody had seen it."""
    named = written.pop(0).card if written else None
    if lies.card is not None and named not in (None, lies.card):
        raise MalformedError(f"{lies.card} is left over from the coup before, not {named}")
    return c.DealCarried(named if lies.card is None else None)


async def _see_markers(
    player: "Player", at: str, dealt: CoupText, before: int, dealer: str
) -> None:
    if dealt.marker_at == before:
        await player.give(at, c.SeeMarker(), dealer)
    if dealt.indicator_at == before:
        await player.give(at, c.SeeIndicator(), dealer)


async def _find(player: "Player", at: str, line: ScriptLine) -> None:
    """What went wrong, as the inspector finds it; where the document leaves it to people, they
    rule what is written as the result.
    """
    inspector = player.who(Role.INSPECTOR) if line.dealt.found or line.dealt.late else ""
    for number in line.dealt.late:
        await player.give(at, c.VoidEarlier(number, AS_WRITTEN), inspector)
        await _approve(player, at)
    for found in line.dealt.found:
        await player.give(at, c.ReportIrregularity(found, AS_WRITTEN), inspector)
        if next_step(player.table(at)).step is Step.RULE:
            verdict: Literal["stands", "void"] = "void" if line.result == "void" else "stands"
            await player.give(at, c.RuleOn(verdict, AS_WRITTEN), inspector)
            await _approve(player, at)


async def _approve(player: "Player", at: str) -> None:
    """The director agrees, where two people are wanted."""
    number = player.table(at).proposal_number
    if number in player.table(at).proposals:
        await player.give(at, c.Approve(number), player.who(Role.DIRECTOR))


def _check_result(table: Table, wanted: str) -> None:
    coup = table.coup
    if not wanted or coup is None:
        return
    came, hands = coup.result.value if coup.result else "void", coup.hands(table.terms)
    if " " in wanted and coup.result:
        came = f"{came} {hands.player_points}-{hands.banker_points}"
    if came != wanted:
        raise MalformedError(f"the result is {came}, not {wanted}")
