"""A patron's own limits of loss and time, what has been counted, and the reminder of it."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.house.access.rights import check_patron, member_of
from puntobanco.house.trust.reminder import Reminders
from puntobanco.journal.envelope import PlayedBefore
from puntobanco.register.commands import OwnLimits, SetOwnLimits
from puntobanco.server.commands.faults import FaultyFormError, ToPutRight, faults_in
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.commands.typed import Now, read_form
from puntobanco.server.errors import http_status
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import money

NO_TIME = Now(0, 0)
AMOUNTS, TIMES = ("day_cents", "week_cents"), ("minutes", "remind_minutes")


class OwnLimitsShown(Struct, frozen=True):
    """A patron's own limits, what waits, and what has been counted; 0: no limit."""

    limits: OwnLimits
    asked: OwnLimits | None
    """Higher ones that were asked for."""
    from_ms: int
    """From when on they hold if they are asked for again; 0: nothing waits."""
    played: PlayedBefore
    remind_minutes: int
    """After how long of play they are reminded of it."""
    reminder: bool
    """They have played so long since they last said that they know."""


def reminders_of(visit: Visit) -> Reminders:
    reminders: Reminders = visit.kept.live_pages.reminders
    return reminders


def own_limits(visit: Visit) -> OwnLimitsShown:
    """The caller's own."""
    by, house = visit.actor(), visit.house
    member = member_of(house.register.state, by.person)
    check_patron(member)
    asked = member.limits_asked
    reminders = reminders_of(visit)
    return OwnLimitsShown(
        member.limits,
        asked.limits if asked else None,
        asked.from_ms if asked else 0,
        house.played_before(by.person, ""),
        reminders.every(by.person),
        reminders.due(by.person) is not None,
    )


async def know_of_it(visit: Visit) -> None:
    """They know how long they have played: the next reminder is an interval from now."""
    check_patron(member_of(visit.house.register.state, visit.actor().person))
    await reminders_of(visit).know(visit.person)


def _show(
    visit: Visit, typed: dict[str, str] | None = None, problem: Exception | None = None
) -> Response[str]:
    shown = own_limits(visit)
    limits, currency = shown.limits, visit.house.register.state.currency
    now = {name: money(getattr(limits, name)) if getattr(limits, name) else "" for name in AMOUNTS}
    now |= {name: str(getattr(limits, name) or "") for name in TIMES}
    faults = faults_in(problem, (), currency) if problem else ()
    at = visit.query("table")[:64]
    context: dict[str, Any] = {"table": at if at in visit.house.tables else "", "shown": shown}
    context |= {
        "typed": typed or now,
        "faults": faults,
        "wrong": {one.path: one.says for one in faults if one.path},
        "sent": _sent(shown.asked),
    }
    page = visit.show("pages/trust/own_limits.html", now_ms=visit.house.time.now_ms(), **context)
    page.status_code = http_status(problem) if problem else 200
    return page


def _sent(asked: OwnLimits | None) -> dict[str, str]:
    """What waits, as the form would send it."""
    if asked is None:
        return {}
    sent = {name: money(getattr(asked, name)) for name in AMOUNTS if getattr(asked, name)}
    return sent | {name: str(getattr(asked, name)) for name in TIMES if getattr(asked, name)}


def _typed_limits(typed: dict[str, str]) -> OwnLimits:
    """What was typed, or all that is wrong with it, each beside its field."""
    facts: dict[str, int] = {}
    for name in filter(typed.get, AMOUNTS):
        facts |= read_form({f"{name}@money": typed[name]}, NO_TIME).facts
    for name in filter(typed.get, TIMES):
        facts |= {name: int(typed[name])} if typed[name].isdecimal() else {}
    wrong = tuple(
        ToPutRight(say(f"limits.wrong.{name}"), name)
        for name in filter(typed.get, (*AMOUNTS, *TIMES))
        if name not in facts or not _fits(name, facts[name])
    )
    if wrong:
        raise FaultyFormError(wrong)
    return OwnLimits(**facts)


def _fits(name: str, fact: int) -> bool:
    try:
        msgspec.convert({name: fact}, OwnLimits)
    except msgspec.ValidationError:
        return False
    return True


@get("/account/limits", sync_to_thread=False, include_in_schema=False)
def own_limits_page(visit: TheVisit) -> Response[str]:
    """What one lets oneself lose and play, and how it stands."""
    return _show(visit)


@post("/account/limits", include_in_schema=False)
async def set_limits(visit: TheVisit) -> Response[Any]:
    """Lower at once, higher a day later if they are asked for again."""
    form = await visit.form()
    command_id = visit.command_id(form)

    async def give() -> Response[Any]:
        limits = _typed_limits({name: text.strip() for name, text in form.items()})
        await visit.give("register", SetOwnLimits(limits), command_id)
        return Redirect("/account/limits", status_code=303)

    return await or_again(visit, form, give(), lambda typed, problem: _show(visit, typed, problem))


@post("/account/reminder", include_in_schema=False)
async def know_reminder(visit: TheVisit) -> Response[Any]:
    """They know how long they have played, and go on where they were."""
    await know_of_it(visit)
    back = visit.query("table")[:64]
    at = f"/tables/{back}" if back in visit.house.tables else "/account/limits"
    return Redirect(at, status_code=303)


HANDLERS = (own_limits_page, set_limits, know_reminder)
