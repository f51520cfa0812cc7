"""A command's form, filled in as far as anything is known before anybody types."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from puntobanco.house.stream import Stream
from puntobanco.house.system import utc_minutes
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.paper.notation import format_drawn
from puntobanco.server.commands.forms import Field, fields_of, written
from puntobanco.server.visit import Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, is_staff
from puntobanco.table.state import Table

SAID_OTHERWISE = (Found.CARDS_OUT_OF_ORDER, Found.FOUND_LATE)
"""Not reported: the one is said with the card, the other of the coup it was in."""


def filled(
    visit: Visit, stream: Stream[Table], kind: type[c.Command], by: Actor, given: dict[str, str]
) -> tuple[Field, ...]:
    """The fields of a command, for this person at this table now."""
    values = known_at(stream, by, given)
    values = {**_as_keyed(stream.state, kind, values), **values}
    suggest = suggested(visit, stream, by, values.get("notice.ruleset", ""))
    fields = sorted(fields_of(kind, values, suggest), key=lambda field: field.name == "note")
    staff, limits = is_staff(stream.state, by), _limits(stream.state, by)
    return tuple(
        _fitted(field, kind, limits, staff=staff)
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


def _limits(table: Table, by: Actor) -> dict[str, frozenset[str]]:
    offered = table.terms.limits if table.notice else ()
    return {
        "on": frozenset(map(str, offered)),
        "found": frozenset(str(finding) for finding in Found if finding not in SAID_OTHERWISE),
        "role": frozenset(map(str, by.roles)),
    }


def known_at(stream: Stream[Table], by: Actor, given: dict[str, str]) -> dict[str, str]:
    """Values to start from: what the link said, or what is so at the table."""
    table = stream.state
    ruleset = given.get("notice.ruleset", "")
    notice = table.notice
    if ruleset in RULESETS and (notice is None or notice.ruleset != ruleset):
        notice = sample_notice(ruleset)
    shoe = table.opened.shoe if table.opened else ""
    known = {"gaming_day": table.gaming_day, "shoe": shoe, "coup": str(table.coup_number or "")}
    if table.opened:
        known["hours"] = table.opened.hours
    known["utc_minutes"] = str(table.utc_minutes if table.opened else utc_minutes())
    if notice is not None:
        known |= {f"notice.{path}": value for path, value in written(msgspec.to_builtins(notice))}
    told = sorted(by.roles & {Role.MANAGEMENT, Role.SURVEILLANCE})
    if told:
        known["role"] = told[0]
    for name, many in (("proposal", table.proposals), ("dispute", _undecided(table))):
        if many:
            known[name] = str(next(iter(many)))
    return known | given


def _as_keyed(table: Table, kind: type[c.Command], values: Mapping[str, str]) -> dict[str, str]:
    """What is on record of that which a correction is about, to start from."""
    if kind is c.CorrectCoup:
        return {"cards": _on_record(table, values["coup"])}
    if kind is c.CorrectBurn:
        shown = [str(burned.card) for burned in table.pack.burned if burned.card]
        face_down = len(table.pack.burned) - len(shown)
        return {"exposed": " ".join(shown[:1]), "face_down": str(face_down)}
    return {}


def _on_record(table: Table, coup: str) -> str:
    """The cards of a coup as they were keyed, to be changed where they are wrong."""
    drawn = {str(record.number): record.drawn for record in table.coups}
    if table.coup is not None:
        drawn[str(table.coup.number)] = table.coup.drawn
    return format_drawn(drawn.get(coup, ()))


def _undecided(table: Table) -> list[int]:
    return [number for number, dispute in table.disputes.items() if not dispute.decision]


def suggested(
    visit: Visit, stream: Stream[Table], by: Actor, ruleset: str
) -> dict[str, tuple[str, ...]]:
    """What a field may take here; who else there is, only staff are told."""
    table = stream.state
    patrons = [
        person
        for person, member in visit.house.register.state.people.items()
        if member.kind == "patron" and member.enabled and person not in table.places
    ]
    people = (*table.places, *patrons[:200]) if is_staff(table, by) else (by.person,)
    seats = range(1, (table.notice.seats if table.notice else 14) + 1)
    found: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("person", "to", "asked_by", "player", "people"), people
    )
    found |= dict.fromkeys(("seat", "box"), tuple(map(str, seats)))
    found["coup"] = tuple(str(record.number) for record in reversed(table.coups))
    found["proposal"] = tuple(map(str, table.proposals))
    found["dispute"] = tuple(map(str, table.disputes))
    found["machine"] = tuple(table.opened.machines) if table.opened else ()
    return found | by_ruleset(ruleset)


def by_ruleset(name: str) -> dict[str, tuple[str, ...]]:
    """What a notice may say under a rule set, and which incidents its document knows."""
    found: dict[str, tuple[str, ...]] = {"notice.ruleset": RULESETS}
    if name in RULESETS:
        rules = load_ruleset(name)
        found["notice.method"] = tuple(method.name for method in rules.settlement.methods)
        found["notice.pairs"] = tuple(option.name for option in rules.settlement.pairs)
        found["notice.layout"] = tuple(layout.name for layout in rules.table.layouts)
        found["kind"] = tuple(rules.people.incidents)
    return found
