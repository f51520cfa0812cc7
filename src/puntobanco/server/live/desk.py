"""The dealer's instrument: whose card it is, what to say, and the one thing to do now.

It is made of the view and of what this person can do at the table, so that nothing stands on it
that would be refused, and nothing that is somebody else's to do.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.irregularities import Verdict
from puntobanco.server.commands.offered import NextAct, StepTold
from puntobanco.server.rendering import say, saying
from puntobanco.table.actor import Role
from puntobanco.table.authority import Form, name_of
from puntobanco.table.view import Play, View
from puntobanco.words import Step, told_result, waited_for
from puntobanco.words.commands import COMMANDS
from puntobanco.words.desk.dealer import DESK

Can = Callable[..., bool]
"""Can this person give a command now, with these facts?"""
SPACE = "Space"
CARD_FOR = {Step.CARD_FOR_PLAYER: Side.PLAYER, Step.CARD_FOR_BANKER: Side.BANKER}
MAKING = (
    Step.CHECK_AT_END, Step.CHECK_CARDS, Step.SHUFFLE, Step.OFFER_CUT, Step.STAFF_CUT,
    Step.LOAD_SHOE, Step.BURN,
)  # fmt: skip
"""The steps by which a shoe is made ready, in their order."""
SILENT = ("approve", "drop-proposal", "examine-secret")
"""Acts of a step that have a place of their own."""


DEALS = "do/deal"
CORRECTS = ("correct-", "void-")
"""How commands are called that change a coup which has a result."""


class Press(Struct, frozen=True):
    """Something that one key or one touch does."""

    label: str
    at: str
    """Below the table's address, such as `do/end-coup`."""
    fields: dict[str, object] = {}
    key: str = ""
    """The key that does it, printed where it works."""
    opens: bool = False
    """It opens a form; otherwise it is done at once."""
    asks: tuple[str, ...] = ()
    """What stands in fields of its own beside it, by name."""


class Keyed(Struct, frozen=True):
    """A card that is keyed, rank and then suit, or touched on the pad."""

    at: str
    label: str
    fields: dict[str, object] = {}


class Desk(Struct, frozen=True):
    """All that the instrument shows besides cards, wagers and payouts."""

    phase: str
    head: str
    clause: str
    says: str = ""
    """What the dealer announces; empty where there is nothing to say."""
    side: Side | None = None
    """The hand that the next card is for."""
    work: str = "pad"
    """What the middle shows: `pad`, `paying`, `making`, `held`, `order`, `roads`."""
    first: Press | None = None
    keyed: Keyed | None = None
    seconds: tuple[Press, ...] = ()
    yours: bool = True
    """False: somebody else is waited for."""
    then: str = ""
    """What comes next, for whoever waits."""
    rest: str = ""
    """Why there is nothing to do now, where there is not."""


def desk_of(seen: View, told: StepTold, can: Can, named: Callable[[str], str] = str) -> Desk:
    """The instrument as one person has it now."""
    step = seen.next.step if seen.next else Step.OPEN_TABLE
    clause = seen.next.clause if seen.next else ""
    if not seen.on_duty and seen.duties:
        return _off_duty(seen, told, clause)
    if _is_turn(seen) and told.yours:
        return _turn(seen, can, named)
    if asked := puts_right(seen):
        return _waits_for_approval(seen, told, step, asked)
    first, keyed = _what_to_do(seen, told, step, can)
    presses = tuple(_others(seen, told, step, can, first))
    return Desk(
        _phase(seen, step),
        _head(seen, told, step),
        clause,
        saying(seen) if told.yours and not _is_held_up(told, step) else "",
        _side(seen, told, step),
        _work(seen, step, keyed),
        first,
        keyed,
        presses,
        told.yours,
        "" if told.yours else DESK.get(f"desk.then.{step}", ""),
        say("desk.no-wager")
        if told.yours and step is Step.TAKE_BETS
        else told.why or say("desk.nothing"),
    )


def _off_duty(seen: View, told: StepTold, clause: str) -> Desk:
    """Whoever has not signed on does that first; what happens at the table they see already."""
    roles = sorted(seen.duties, key=lambda role: role is not Role.DEALER)
    presses = [
        Press(say("desk.sign-on", role=role), "do/sign-on", {"role": role.value}) for role in roles
    ]
    first = Press(presses[0].label, presses[0].at, presses[0].fields, SPACE)
    head = say("desk.off-duty")
    step = seen.next.step if seen.next else Step.OPEN_TABLE
    return Desk(
        _phase(seen, step), head, clause, "", None, _work(seen, step, None), first, None,
        tuple(presses[1:]), told.yours,
    )  # fmt: skip


def puts_right(seen: View) -> tuple[str, ...]:
    """Whose word is wanted for what would change the coup that lies there, dealt to its end;
    nobody's if nothing would. What it does not come to is not to be announced and paid, nor the
    next one opened over it, by a press too many.
    """
    play, floor = seen.play, seen.floor
    declared = seen.next is not None and seen.next.step is Step.DECLARE
    if play is None or floor is None or not (seen.phase == "settled" or declared):
        return ()
    for number, proposal in floor.proposals.items():
        name, coup = name_of(type(proposal.ask)), getattr(proposal.ask, "coup", None)
        if name.startswith(CORRECTS) and coup in (None, play.number):
            return tuple(floor.seconds[number])
    return ()


def _waits_for_approval(seen: View, told: StepTold, step: Step, asked: tuple[str, ...]) -> Desk:
    """Cards and chips stay as they lie; to go on all the same stays a press of its own."""
    if step is Step.DECLARE:
        onward = replace(_press("declare-result", {}), key="")
    else:
        onward = Press(_cleared(seen), "next-coup", key="P")
    head = say("outlook.waits", who=waited_for(asked))
    then, rest = say("desk.then.put-right"), say("desk.waiting")
    clause = seen.next.clause if seen.next else ""
    return Desk(
        *(_phase(seen, step), head, clause, "", None, _work(seen, step, None)),
        *(None, None, (onward,) if told.yours else (), False, then, rest),
    )


# what is said of the moment


def _phase(seen: View, step: Step) -> str:
    play, number = seen.play, seen.play.number if seen.play else 0
    if play is None:
        return say(f"desk.phase.{seen.phase}")
    if step in CARD_FOR:
        dealt = len(play.player) + len(play.banker)
        return say("desk.phase.card", number=number, card=dealt + 1)
    if play.result is not None and (told := told_points(play)):
        return say("desk.phase.result", number=number, result=told)
    called = step in (Step.EXAMINE_FORM, Step.TELL_FORMS)  # nothing more is laid
    return say("desk.phase.dealing" if called else f"desk.phase.{seen.phase}", number=number)


def told_points(play: Play) -> str:
    """Who has won by the points that lie there; nothing while a hand has none."""
    if play.player_points is None or play.banker_points is None:
        return ""
    return told_result(play.player_points, play.banker_points)


def _head(seen: View, told: StepTold, step: Step) -> str:
    play = seen.play
    if not told.yours:
        return told.says
    if step is Step.DECLARE and play is not None:
        return told_points(play)
    if step is Step.CLEAR and play is not None and play.verdict is Verdict.VOID:
        return say("desk.head.void")
    if _is_held_up(told, step):
        return say("desk.head.open-coup.not")
    if f"desk.head.{step}" in DESK:
        return say(f"desk.head.{step}")
    return told.says


def _is_held_up(told: StepTold, step: Step) -> bool:
    """Whether no coup can be opened, as in a break: nobody is told to call for bets."""
    return step is Step.OPEN_COUP and not told.acts and bool(told.why)


def _side(seen: View, told: StepTold, step: Step) -> Side | None:
    """Whose card the head names."""
    if not told.yours:
        return None
    if step is Step.TAKE_BETS and not (seen.play and seen.play.left_over):
        return Side.PLAYER
    return CARD_FOR.get(step)


def _work(seen: View, step: Step, keyed: Keyed | None) -> str:
    """What the middle shows: cards are keyed there, and paid from there."""
    if seen.phase == "held":
        return "held"
    if step is Step.CLEAR or (seen.phase == "settled" and seen.floor and seen.floor.payouts):
        return "paying"
    if _is_turn(seen):
        return "order"
    if keyed is None and step in MAKING:
        return "making"
    unseen = keyed is None and _is_face_down(seen)  # no card of it is keyed now
    if unseen and seen.contest is not None:
        return "order"
    return "roads" if seen.commitment or unseen else "pad"


# a competition's players bet in turn


def _is_turn(seen: View) -> bool:
    return seen.phase == "betting" and seen.contest is not None and seen.contest.turn is not None


def _turn(seen: View, can: Can, named: Callable[[str], str]) -> Desk:
    """Whose wager it is: asked for, laid as they say it, or their time is over
    [tas-2018:16.4.7-16.4.8, 16.5.5, act-2015:15.15-15.16].
    """
    contest, people = seen.contest, seen.floor.people if seen.floor else {}
    assert contest is not None
    seat = contest.turn
    at = {place.box: person for person, place in people.items() if not place.standing}
    person = at.get(seat or 0, "")
    return Desk(
        _phase(seen, Step.TAKE_BETS),
        say("desk.head.turn", seat=seat, person=named(person)),
        _turn_clause(seen),
        say("desk.ask-wager", seat=seat),
        None,
        "order",
        _first_of_turn(seen, person, can),
        None,
        tuple(_besides_turn(can)),
    )


def _turn_clause(seen: View) -> str:
    """By which they bet one after another; empty: by the conditions alone."""
    rules = load_ruleset(seen.sign.notice.ruleset) if seen.sign else None
    return rules.competition.order_clause if rules else ""


def _first_of_turn(seen: View, person: str, can: Can) -> Press | None:
    contest = seen.contest
    assert contest is not None
    facts: dict[str, object] = {"seat": contest.turn}
    if contest.asked != contest.turn and can("ask-for-wager", **facts):
        return Press(say("desk.do.ask-for-wager", **facts), "ask-turn", facts, SPACE)
    if contest.turn not in contest.restricted and can("close-window", **facts):
        return Press(say("desk.do.close-window", **facts), "do/close-window", facts, SPACE)
    if not can("place-wager", person=person):
        return None
    laid: dict[str, object] = {"box": contest.turn, "person": person}
    return Press(say("desk.lay.do"), "do/place-wager", laid, "Enter", asks=("on", "cents"))


def _besides_turn(can: Can) -> Iterator[Press]:
    if can("no-more-bets"):
        yield Press(say("desk.do.no-more-bets"), "do/no-more-bets")
    if can("see-indicator"):
        yield Press(say("desk.do.see-indicator"), "do/see-indicator", {}, "I")


# what is to be done


def _what_to_do(
    seen: View, told: StepTold, step: Step, can: Can
) -> tuple[Press | None, Keyed | None]:
    """The first thing, and the card that can be keyed besides."""
    acts = {act.name: act for act in told.acts if act.name not in SILENT}
    if step is Step.CLEAR and "end-coup" in acts:
        return Press(_cleared(seen), "next-coup", key="P"), None
    if step is Step.TAKE_BETS and "draw-card" in acts and not _is_face_down(seen):
        call = _press("no-more-bets", {}) if can("no-more-bets") else None
        return call, Keyed("do/draw-card", say("desk.key-first"))
    if step is Step.BURN and "burn-cards" in acts:
        return _burn(seen, can)
    for name, act in acts.items():
        keyed = _keyed(seen, name, act)
        return (None, keyed) if keyed else (_press(name, act.facts, act.form), None)
    return None, None


def carrying(desk: Desk, dealt: str) -> Desk:
    """The same, where a press that deals says after which card: sent twice, it deals once."""
    first = desk.first
    if first is None or first.at != DEALS:
        return desk
    return replace(desk, first=replace(first, fields={**first.fields, "dealt": dealt}))


def _is_face_down(seen: View) -> bool:
    return seen.play is not None and seen.play.face_down


def _cleared(seen: View) -> str:
    play = seen.play
    paid = play is not None and any(one.outcome for one in play.settled)
    return say("desk.paid" if paid else "desk.cleared")


def _burn(seen: View, can: Can) -> tuple[Press | None, Keyed | None]:
    """The first card unseen, or exposed and as many as it says [act-2015:5.4-5.5]."""
    due = seen.next.facts["cards"] if seen.next else 1
    unseen = Press(say("desk.do.burn-cards", cards=due), "do/burn-cards", {"face_down": due}, SPACE)
    exposed = Keyed("do/burn-cards", say("desk.key-burned"))
    first = unseen if can("burn-cards", exposed=None) else None
    return first, exposed if can("burn-cards", face_down=0) else None


def _keyed(seen: View, name: str, act: NextAct) -> Keyed | None:
    """The card that a command wants; nothing where there is none to be named."""
    position = seen.floor.turned_next if seen.floor else None
    if name == "turn-card":
        return Keyed("do/turn-card", say("desk.key-turned"), {"position": position})
    if name == "draw-card":
        return None if _is_face_down(seen) else Keyed("do/draw-card", say("desk.key-card"))
    if name == "deal-carried":
        unseen = seen.play is not None and None in seen.play.left_over[:1]
        return Keyed("do/deal-carried", say("desk.key-carried")) if unseen else None
    return Keyed(f"do/{name}", say("desk.key-card")) if act.form is Form.CARD else None


ASKED: dict[str, tuple[str, ...]] = {
    "check-cards": ("set_id", "player"),
    "cut-cards": ("depth",),
}
"""What is typed beside a press, because only people at the table can know it."""


def _press(
    name: str, facts: dict[str, object], form: Form = Form.NOTHING, *, instead: bool = False
) -> Press:
    asks = ASKED.get(name, ())
    opens = form is Form.FACTS and not asks and name not in ("shuffle", "deal-carried")
    words = DESK.get(f"desk.do.{name}")
    label = say(f"desk.do.{name}", **facts) if words else COMMANDS[name].title
    if instead and f"desk.do.{name}.instead" in DESK:  # beside another way to do it
        label = say(f"desk.do.{name}.instead")
    if name == "cut-cards" and "seat" in facts:
        label = say("next.cut-cards", **facts)
    return Press(label, f"do/{name}", facts, SPACE, opens, asks)


OTHER_KEYS = {
    "refuse-cut": "R", "load-shoe": "B", "cut-cards": "X", "open-coup": "B", "reduce-wagers": "R",
}  # fmt: skip
"""Keys of what is done besides; letters of cards never mean anything else."""


def _others(
    seen: View, told: StepTold, step: Step, can: Can, first: Press | None
) -> Iterator[Press]:
    """What can be done instead of the first thing, or besides."""
    shown = first.at.removeprefix("do/") if first else ""
    for act in told.acts:
        if act.name not in (*SILENT, shown, "end-coup", "draw-card", "turn-card", "burn-cards"):
            press = _press(act.name, act.facts, act.form, instead=first is not None)
            key = OTHER_KEYS.get(act.name, "")
            yield Press(press.label, press.at, press.fields, key, press.opens, press.asks)
    if step is Step.OPEN_COUP and can("open-coup"):
        yield Press(say("desk.with-clock"), "next-coup", {"clock": "1"}, OTHER_KEYS["open-coup"])
    if step is Step.LOAD_SHOE and told.yours and can("load-shoe"):
        yield Press(say("desk.do.load-counted"), "do/load-shoe", {}, OTHER_KEYS["load-shoe"], True)
    if seen.contest is not None and can("see-indicator"):
        yield Press(say("desk.do.see-indicator"), "do/see-indicator", {}, "I")
    if seen.floor and seen.floor.reductions and can("reduce-wagers"):
        yield Press(say("desk.do.reduce-wagers"), "do/reduce-wagers", {}, "R")


# the boxes and the shoe


class BoxRow(Struct, frozen=True):
    """Who is at a box, and what they have on the layout."""

    box: int
    person: str
    standing: bool = False
    cents: dict[Bet, int] = {}
    notes: tuple[str, ...] = ()
    """What is wrong with a wager: `late`, `withdrawn`, `odd`."""


def box_rows(seen: View) -> tuple[BoxRow, ...]:
    """A row for every seat and everybody who stands, and for whoever has left a wager behind."""
    play, people = seen.play, seen.floor.people if seen.floor else {}
    laid = (*play.wagers, *play.settled) if play else ()
    at = {(place.box, person): place.standing for person, place in people.items()}
    at |= {(one.box, one.person): one.standing for one in laid if (one.box, one.person) not in at}
    seated = {box for (box, _), standing in at.items() if not standing}
    at |= {(box.seat, ""): False for box in seen.boxes if box.seat not in seated}
    return tuple(
        BoxRow(
            box,
            person,
            standing,
            {one.on: one.cents for one in laid if (one.box, one.person) == (box, person)},
            tuple(dict.fromkeys(_notes(seen, box, person))),
        )
        for (box, person), standing in sorted(at.items(), key=lambda one: (one[0][0], one[1]))
    )


def _notes(seen: View, box: int, person: str) -> Iterator[str]:
    for one in seen.play.wagers if seen.play else ():
        if (one.box, one.person) == (box, person):
            found = {"late": one.late, "withdrawn": one.withdrawn, "odd": one.off_multiple}
            yield from (name for name, is_so in found.items() if is_so)


class MadeStep(Struct, frozen=True):
    """One step in the making of a shoe: `done`, `now` or to `come`."""

    step: Step
    state: str
    clause: str
    at_ms: int | None = None


def making_of(
    seen: View, rules: Ruleset, done_ms: Callable[[Step], int | None]
) -> tuple[MadeStep, ...]:
    """The steps of a new shoe under these rules, and how far it is."""
    cut = rules.shoe.cut
    marker = rules.shoe.marker.clause if rules.shoe.marker else ""
    burn = rules.shoe.burn.unseen if rules.shoe.burn and seen.sign and seen.sign.notice.burn else ""
    clauses = {
        Step.CHECK_CARDS: rules.cards.check,
        Step.SHUFFLE: rules.shoe.shuffle,
        Step.OFFER_CUT: cut.clause,
        Step.STAFF_CUT: cut.clause,
        Step.LOAD_SHOE: marker,
        **({Step.BURN: burn} if burn else {}),
        Step.OPEN_COUP: rules.wagers.opens,
    }
    steps = list(clauses)
    now = steps.index(seen.next.step) if seen.next and seen.next.step in clauses else -1
    states = ["done" if at < now else "now" if at == now else "come" for at in range(len(steps))]
    return tuple(
        MadeStep(step, state, clauses[step], done_ms(step) if state == "done" else None)
        for step, state in zip(steps, states, strict=True)
        if step is not Step.STAFF_CUT or state == "now" or (state == "done" and done_ms(step))
    )
