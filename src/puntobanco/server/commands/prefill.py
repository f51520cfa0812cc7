"""A command's form, filled in as far as anything is known before anybody types."""

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from puntobanco.house.access.names import person_called
from puntobanco.house.stream import Stream
from puntobanco.house.till.time_zone import house_ahead
from puntobanco.rules.coup import Coup, Drawn, Side
from puntobanco.rules.documents.ruleset import RULESETS, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import SEATS_MOST, sample_notice
from puntobanco.rules.paper.notation import format_drawn
from puntobanco.server.commands.forms import (
    Choice,
    Field,
    FieldChoices,
    fields_of,
    label_and_hint,
    value_in_words,
)
from puntobanco.server.commands.typed import MINUTE_MS, written
from puntobanco.server.rendering import moment, say
from puntobanco.server.visit import Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, is_staff, name_of
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.queries.people import ever_here
from puntobanco.table.state import Table
from puntobanco.words import told_card
from puntobanco.words.commands import COMMANDS, FIELDS

SAID_OTHERWISE = (Found.CARDS_OUT_OF_ORDER, Found.FOUND_LATE)
"""Not reported: the one is said with the card, the other of the coup it was in."""


def filled(
    visit: Visit, stream: Stream[Table], kind: type[c.Command], by: Actor, given: dict[str, str]
) -> tuple[Field, ...]:
    """The fields of a command, for this person at this table now."""
    values = known_at(stream, by, given, house_ahead(visit.house))
    values = {
        **_as_keyed(stream.state, kind, values),
        **values,
        **_after(stream.state, kind, given),
    }
    suggest = suggested(visit, stream, by, kind, values.get("notice.ruleset", ""))
    if kind is c.CorrectCard and "coup" in given:
        suggest["position"] = FieldChoices(_cards_of(stream.state, given["coup"]))
    fields = sorted(fields_of(kind, values, suggest), key=lambda field: field.name == "note")
    staff, limits = is_staff(stream.state, by), _limits(stream.state, by)
    return tuple(
        _fitted(
            _named(_in_chips(field, stream.state), stream.state, kind), kind, limits, staff=staff
        )
        for field in fields
        if field.name != "person" or staff  # a patron speaks for nobody else
    )


def _fitted(
    field: Field, kind: type[c.Command], limits: Mapping[str, frozenset[str]], *, staff: bool
) -> Field:
    """Narrow a field to the choices there are here; staff who act for a patron say for whom."""
    if field.name in limits:
        choices = tuple(choice for choice in field.choices if choice[0] in limits[field.name])
        return replace(field, choices=choices)
    for_patron = Role.PATRON in AUTHORITY[kind].roles and "box" not in kind.__struct_fields__
    if field.name == "person" and staff and for_patron:
        return replace(field, required=True)
    return field


def _in_chips(field: Field, table: Table) -> Field:
    """Amounts are of chips that are no money, where such are played with."""
    return replace(field, chips=True) if table.plays_for_chips else field


def _named(field: Field, table: Table, kind: type[c.Command]) -> Field:
    """A card that is owed in a coup dealt face up lies there to be read: it is asked for."""
    coup = table.coup
    if kind is not c.DrawCard or field.path != "card" or coup is None or coup.face_down:
        return field
    if not coup.locked or coup.verdict is not None or coup.hands(table.terms).owed is None:
        return field  # in excess, and perhaps seen by nobody
    label, hint = label_and_hint(FIELDS["draw-card.card.named"])
    return replace(field, required=True, label=label, hint=hint)


def _limits(table: Table, by: Actor) -> dict[str, frozenset[str]]:
    offered = table.terms.limits if table.notice else ()
    return {
        "on": frozenset(map(str, offered)),
        "found": frozenset(str(finding) for finding in Found if finding not in SAID_OTHERWISE),
        "role": frozenset(map(str, by.roles)),
    }


def known_at(stream: Stream[Table], by: Actor, given: dict[str, str], here: int) -> dict[str, str]:
    """Values to start from: what the link said, or what is so at the table."""
    table = stream.state
    ruleset = given.get("notice.ruleset", "")
    notice = table.notice
    if ruleset in RULESETS and (notice is None or notice.ruleset != ruleset):
        notice = sample_notice(ruleset)
    shoe = table.opened.shoe if table.opened else ""
    ahead = table.utc_minutes if table.opened else here
    known = {"gaming_day": today(by.at_ms, ahead), "shoe": shoe, "utc_minutes": str(ahead)}
    known["coup"] = str(table.coup_number or "")
    if table.opened:
        known["hours"] = table.opened.hours
    if notice is not None:
        known |= {f"notice.{path}": value for path, value in written(msgspec.to_builtins(notice))}
    told = sorted(by.roles & {Role.MANAGEMENT, Role.SURVEILLANCE})
    if told:
        known["role"] = told[0]
    for name, many in (("proposal", table.proposals), ("dispute", _undecided(table))):
        if many:
            known[name] = str(next(iter(many)))
    return known | given


def today(now_ms: int, ahead: int) -> str:
    """The day that a calendar on the wall shows."""
    return moment(now_ms + ahead * MINUTE_MS)[:10]


def _as_keyed(table: Table, kind: type[c.Command], values: Mapping[str, str]) -> dict[str, str]:
    """What is on record of that which a correction is about, to start from."""
    drawn = cards_on_record(table).get(values["coup"], ())
    if kind is c.CorrectCoup:
        return {"cards": shown_cards(format_drawn(drawn))}
    if kind is c.CorrectCard and drawn:  # the one that was keyed last is the likeliest
        return {"position": str(len(drawn))}
    if kind is c.CorrectBurn:
        shown = [str(burned.card) for burned in table.pack.burned if burned.card]
        face_down = len(table.pack.burned) - len(shown)
        return {"exposed": shown_cards(" ".join(shown[:1])), "face_down": str(face_down)}
    return {}


def cards_on_record(table: Table) -> dict[str, tuple[Drawn, ...]]:
    """The cards of each coup at hand as they were keyed, the newest coup last."""
    drawn = {str(record.number): record.drawn for record in table.coups}
    if table.coup is not None and table.coup.drawn:
        drawn[str(table.coup.number)] = table.coup.drawn
    return drawn


def newest_coup(table: Table) -> str:
    """The coup whose cards lie on the table, or lay there last."""
    return next(reversed(cards_on_record(table)), "")


def _cards_of(table: Table, number: str) -> tuple[Choice, ...]:
    """The cards of a coup in the order they left the shoe, each with the hand it belongs to."""
    drawn = cards_on_record(table).get(number, ())
    coup = fold(drawn, table.terms.rules.tableau) if drawn else Coup()
    return tuple(
        (str(index + 1), _card_of(index + 1, one, coup.given(index)))
        for index, one in enumerate(drawn)
    )


def _card_of(nth: int, drawn: Drawn, side: Side | None) -> str:
    card = told_card(drawn.card or "") or say("face-down")
    if side is None:
        return say("forms.card-of.nobody", nth=nth, card=card)
    return say("forms.card-of", nth=nth, card=card, side=say(side))


CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def shown_cards(text: str) -> str:
    """Cards of the notation as people write them, which a form reads back.

    >>> shown_cards("9c Td@p")
    '9♣ 10♦@p'
    """
    return CARD.sub(lambda card: told_card(card[0]), text)


def _after(table: Table, kind: type[c.Command], given: dict[str, str]) -> dict[str, str]:
    """Cards drawn between two coups came after the one that is over, if after any."""
    if kind is not c.CorrectExcess or "coup" in given:
        return {}
    return {"coup": str(table.coup_number - (table.coup is not None))}


def _undecided(table: Table) -> list[int]:
    return [number for number, dispute in table.disputes.items() if not dispute.decision]


def suggested(
    visit: Visit, stream: Stream[Table], by: Actor, kind: type[c.Command], ruleset: str
) -> dict[str, FieldChoices]:
    """What a field may take here; who else there is, only staff are told."""
    table = stream.state
    called = _names(visit, table, by)
    found = {
        name: people_known(who, called) for name, who in _people(visit, table, kind, by).items()
    }
    seats = range(1, (table.notice.seats if table.notice else SEATS_MOST) + 1)
    places = tuple((str(seat), _at_seat(table, seat, called)) for seat in seats)
    found |= {"seat": FieldChoices(_free(table, kind, places)), "box": FieldChoices(places)}
    found["coup"] = FieldChoices(_coups(table, kind))
    found["proposal"] = FieldChoices(
        tuple((str(number), _titled(one.ask)) for number, one in table.proposals.items())
    )
    found["dispute"] = FieldChoices(
        tuple((str(number), one.about[:MOST_TOLD]) for number, one in table.disputes.items())
    )
    machines = tuple(table.opened.machines) if table.opened else ()
    found["machine"] = FieldChoices(tuple((one, one) for one in machines))
    return found | by_ruleset(ruleset)


MOST_LISTED = 60
"""People in a list to choose from; of more, one is found by typing the name."""
MOST_FOUND = 300
MOST_TOLD = 80
ARRIVE = (c.Sit, c.StandAt)


def with_chips(table: Table) -> list[str]:
    """Whoever is here, and whoever has gone and still has chips, or owes the bank."""
    return [*table.places, *(who for who, cents in table.chips.items()
                             if cents and who not in table.places)]  # fmt: skip


MEANT: dict[type[c.Command], Callable[[Table], Iterable[str]]] = {
    c.SignOff: lambda table: [duty.person for duty in table.staff],
    c.Readmit: lambda table: table.excluded,
    c.Reinstate: lambda table: table.contest.out,
    c.CorrectChips: lambda table: table.contest.drawn.values(),
    **dict.fromkeys((c.BuyIn, c.CashOut), with_chips),
    **dict.fromkeys((c.CorrectWager, c.TakeBack, c.VoidWagers), ever_here),
}
"""Commands that are about people who may have left the table."""


def _people(
    visit: Visit, table: Table, kind: type[c.Command], by: Actor
) -> dict[str, tuple[tuple[str, ...], bool]]:
    """Who can be meant by each field that names people, and whether nobody else can."""
    here = tuple(table.places)
    if not is_staff(table, by):
        return dict.fromkeys(("person", "to", "asked_by", "player", "people"), ((by.person,), True))
    enrolled = visit.house.register.state.people
    others = tuple(
        who
        for who, member in enrolled.items()
        if member.kind == "patron" and member.enabled and who not in table.places
    )
    somebody = others if kind in ARRIVE else here
    if kind in MEANT:
        somebody = tuple(MEANT[kind](table))
    found = dict.fromkeys(("to", "asked_by", "player"), (here, True))
    found["people"] = ((*here, *(duty.person for duty in table.staff)), True)
    found["substitute"] = (others, False)
    # Money may be owed to somebody who has gone, so the house is asked, too.
    anybody = kind in (c.Exclude, c.CorrectPayment)
    return found | {"person": ((*here, *others) if anybody else somebody, not anybody)}


def people_known(who: tuple[tuple[str, ...], bool], called: Mapping[str, str]) -> FieldChoices:
    """People by their names; of many, one is typed."""
    people, only = who
    names = {person: called.get(person) or person for person in people}
    choices = sorted(names.items(), key=lambda one: one[1].casefold())
    return FieldChoices(tuple(choices[:MOST_FOUND]), only and len(choices) <= MOST_LISTED)


def _names(visit: Visit, table: Table, by: Actor) -> dict[str, str]:
    """What people are called: to staff by name or id, to players by the aliases of those here."""
    if not is_staff(table, by):
        aliases = visit.house.people.aliases()
        return {who: aliases[who] for who in table.places if who in aliases}
    named = {who: one.name for who, one in visit.house.people.all().items() if one.name}
    bots = (who for who, member in visit.house.register.state.people.items() if member.bot)
    by_id = {who: who for who in table.places}
    gone = visit.house.people.erased()
    return {**by_id, **{who: person_called(visit.house, who) for who in (*bots, *gone)}, **named}


def _at_seat(table: Table, seat: int, called: Mapping[str, str]) -> str:
    who = next((person for person, at in table.places.items() if at.box == seat), "")
    return say("forms.seat-of", seat=seat, who=called[who]) if who in called else str(seat)


def _free(table: Table, kind: type[c.Command], places: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The seats that can be taken; for any other command, all."""
    taken = set(map(str, table.seated)) if kind is c.Sit else set()
    return tuple(one for one in places if one[0] not in taken)


def _coups(table: Table, kind: type[c.Command]) -> tuple[Choice, ...]:
    """The coup that is on, from which a form starts, then those before it, newest first."""
    past = tuple(_told_coup(record) for record in reversed(table.coups))
    if kind is c.CorrectExcess:  # after any coup, one that was not dealt too, or before the first
        told, over = dict(past), table.coup_number - (table.coup is not None)
        numbers = map(str, range(over, table.coups_before, -1))
        named = (
            (one, told.get(one) or say("forms.coup", number=one, result="")) for one in numbers
        )
        past = (*named, (str(table.coups_before), say("forms.coup.first")))
    if table.coup is None or str(table.coup.number) in dict(past):
        return past
    return (str(table.coup.number), say("forms.coup.now", number=table.coup.number)), *past


def _told_coup(record: CoupRecord) -> Choice:
    won = say(f"forms.coup.{record.result}") if record.result else ""
    return str(record.number), say("forms.coup", number=record.number, result=won)


def _titled(ask: c.Command) -> str:
    return COMMANDS[name_of(type(ask))].title


def _zone(ahead: int) -> str:
    hours, minutes = divmod(abs(ahead), 60)
    return say("forms.utc", hours=f"{'-' if ahead < 0 else '+'}{hours}:{minutes:02}")


ZONES = tuple(
    (str(ahead), _zone(ahead)) for ahead in sorted({*range(-720, 841, 30), 345, 525, 765})
)
"""Local times that clocks on walls show."""


def by_ruleset(name: str) -> dict[str, FieldChoices]:
    """What a notice may say under a rule set, and which incidents its document knows."""
    documents = tuple((one, say(f"ruleset.{one}")) for one in RULESETS)
    found = {"notice.ruleset": FieldChoices(documents), "utc_minutes": FieldChoices(ZONES)}
    if name in RULESETS:
        rules = load_ruleset(name)
        settled = rules.settlement
        named = {
            "notice.method": {method.name: method.says for method in settled.methods},
            "notice.pairs": {option.name: option.says for option in settled.pairs},
            "notice.layout": {layout.name: layout.name for layout in rules.table.layouts},
            "notice.decks": {str(one): str(one) for one in _decks(rules)},
            "kind": {one: value_in_words("kind", one) for one in rules.people.incidents},
        }
        if rules.table.seats:
            named["notice.seats"] = {str(one): str(one) for one in rules.table.seats.any_of}
        found |= {path: FieldChoices(tuple(names.items())) for path, names in named.items()}
    return found


def _decks(rules: Ruleset) -> range:
    """How many decks the document lets be used."""
    decks = rules.cards.decks
    return range(decks.least, (decks.most or MOST_DECKS) + 1)


MOST_DECKS = 8


def rules_named(name: str) -> Ruleset | None:
    """The rule set that a notice names, if there is one."""
    return load_ruleset(name) if name in RULESETS else None
