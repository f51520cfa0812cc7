"""The recorded sessions given again through the web: one house, a table for each, day after day."""

import re
from base64 import b32decode
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, cast

import httpx
import msgspec
from msgspec.structs import replace

from puntobanco.house.access.door.second import STEP_MS, code_at
from puntobanco.house.intents import Intent
from puntobanco.house.written_session import as_given
from puntobanco.journal.log import EventLog
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.server.pages.odds.course import example
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.session import DAY_MS, Played, parse_session, play_session
from tests.kit.aggregates import photo
from tests.kit.house.driver import ROLES, Time, house_over
from tests.kit.office import app_over

PATRONS = ("ann", "bob", "cy", "dee", "eve")
"""Eve belongs to the house and sits at no table."""
STAFF = {who: roles for who, roles in ROLES.items() if who != "jill"}
MANAGER = "max"
CENTS = 10**10
CHIPS = 100_000
TWICE = {"wagers": [{"on": "player", "cents": 5000}]}


class Token(NamedTuple):
    """What a device has instead of a person."""

    scope: str
    table: str


class Asker:
    """A house on the web, asked in one loop with it: no thread, no chance, no clock but ours."""

    def __init__(self, log: EventLog, time: Time) -> None:
        self.log = log
        self.time = time
        self.house = house_over(log, time.clock)
        self.app = app_over(self.house)
        self.accepted: set[str] = set()
        """Paths of commands that were carried out at least once."""
        self.ids = (f"asked-{number:06}" for number in count(1))
        self._tokens: dict[str | Token, str] = {}
        transport = httpx.ASGITransport(cast("Any", self.app))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://house.test")

    def token(self, who: str | Token) -> str:
        """Good now: sessions of staff go idle while a recorded evening goes on."""
        signin = self.app.state.gateway.signin
        held = self._tokens.get(who, "")
        if not signin.caller(held).person:
            if isinstance(who, Token):
                held = signin.device(MANAGER, who.scope, who.table)
            else:
                held = signin._begin(who)
            self._tokens[who] = held
        return held

    def know(self, who: str, token: str) -> None:
        """Somebody who has signed in by themselves."""
        self._tokens[who] = token

    def headers(self, who: str | Token | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(who)}"} if who else {}

    async def give(self, who: str, path: str, body: object = None) -> httpx.Response:
        """A command, under an id of its own."""
        headers = {**self.headers(who), "Command-Id": next(self.ids)}
        content = msgspec.json.encode(body if body is not None else {})
        headers["Content-Type"] = "application/json"
        answer = await self.client.post(f"/api{path}", content=content, headers=headers)
        if answer.is_success:
            self.accepted.add(documented(path))
        return answer

    async def must(self, who: str, path: str, body: object = None) -> httpx.Response:
        """A command that is accepted; one to a competition is looked at first, where it can be."""
        if path.startswith("/competitions/"):
            await self.give(who, f"{path}/preview", body)
        answer = await self.give(who, path, body)
        assert answer.is_success, (who, path, answer.text)
        return answer

    def heads(self) -> dict[str, int]:
        """How far every stream has come, the house's notes of itself aside."""
        streams: list[Any] = [self.house.register, self.house.cage, *self.house.tables.values()]
        streams += self.house.competitions.values()
        return {one.name: self.log.head(one.name).seq for one in streams}


def documented(path: str) -> str:
    """A path as the API's description has it."""
    for found, name in PARAMETERS.items():
        path = re.sub(found, name, path)
    return path


PARAMETERS = {
    r"^/competitions/[^/]+/": "/competitions/{competition}/",
    r"^/floor/incidents/[^/]+/[0-9]+/": "/floor/incidents/{table}/{row}/",
    r"^/events/[^/]+/[0-9]+/": "/events/{stream}/{row}/",
    r"^/tables/[^/]+/": "/tables/{table}/",
    r"/forms/[^/]+$": "/forms/{person}",
    r"^/people/[^/]+/": "/people/{person}/",
    r"^/devices/[^/]+/": "/devices/{device}/",
    r"^/me/tokens/[^/]+/": "/me/tokens/{token}/",
}


@asynccontextmanager
async def asked(log: EventLog, time: Time) -> AsyncIterator[Asker]:
    asker = Asker(log, time)
    try:
        yield asker
    finally:
        await asker.client.aclose()


async def furnish(asker: Asker) -> None:
    """People with their roles and their money, as management and the cage would see to it."""
    await asker.house.found(MANAGER, "founding-of-the-house")
    for person, roles in STAFF.items():
        if person != MANAGER:
            await asker.must(MANAGER, "/register/enrol", {"person": person, "kind": "staff"})
            for role in roles:
                await asker.must(MANAGER, "/register/grant", {"person": person, "role": role})
    for person in PATRONS:
        await asker.must("carol", "/register/enrol", {"person": person, "kind": "patron"})
        await asker.must("carol", "/cage/open-account", {"person": person})
        await asker.must("carol", "/cage/deposit", {"person": person, "cents": CENTS})


def steps_of(file: Path, day: int) -> Iterator[Played]:
    """A session as it was recorded, on a day of its own."""
    session = parse_session(file.read_text())
    said = tuple(
        replace(one, by=replace(one.by, at_ms=one.by.at_ms + day * DAY_MS)) for one in session.said
    )
    return play_session(replace(session, said=said))


def table_of(file: Path) -> str:
    return f"table-{file.stem}"


async def replay(asker: Asker, file: Path, day: int) -> AsyncGenerator[Played, None]:
    """Give every command of a session; what was refused then is refused now, and changes nothing.

    In a house, the house itself commits to its own shoes: a session that does so plays by hand.
    """
    table = table_of(file)
    for step in steps_of(file, day):
        asker.time.steady_ms = step.said.by.at_ms
        ask, who = as_given(step), step.said.by.person
        if isinstance(ask, c.OpenCommitment):
            continue
        if Role.HOUSE in step.said.by.roles:
            if step.events:
                await asker.house.give(table, ask, "house", next(asker.ids))
        else:
            before = asker.heads()
            path = f"/tables/{table}/{_tag(ask)}"
            known = not isinstance(ask, Intent)  # what the house completes is not foreseen
            shown = await asker.give(who, f"{path}/preview", ask) if known else None
            assert asker.heads() == before
            answer = await asker.give(who, path, ask)
            assert (answer.status_code == 200) == bool(step.events), (step.said, answer.text)
            assert step.events or asker.heads() == before
            trays = asker.house.cage.state.trays
            if isinstance(ask, c.OpenTable) and not ask.play_cents and table not in trays:
                await asker.must(MANAGER, "/cage/open-tray", {"table": table, "cents": CENTS})
            if shown is not None:
                _check_shown(shown, answer, sealed=isinstance(ask, c.DeclareResult))
        yield step


def _check_shown(shown: httpx.Response, answer: httpx.Response, *, sealed: bool) -> None:
    """What was shown is what happened, unless somebody must approve it or it was refused.

    Nobody is shown what a sealed form says before it is told with the result [tas-2018:16.6.8].
    """
    if not answer.is_success:
        return
    preview, done = shown.json(), answer.json()
    assert shown.status_code == 200, shown.text
    told = [(one["says"], one["clauses"]) for one in preview["foreseen"]]
    happened = [(one["says"], one["clauses"]) for one in done["happened"]]
    known = happened[: len(told)] if sealed else happened
    assert preview["second"] or told[: len(known)] == known, (told, happened)


def _tag(ask: msgspec.Struct) -> str:
    return str(ask.__struct_config__.tag)


ROBO = {"plan": "dealer", "table": "table-own"}


async def the_rest(asker: Asker) -> None:
    """What no session has: the house's own shoe, slips and counts, people who come and go."""
    table = "table-own"
    opening = c.OpenTable(
        sample_notice("tas-2018"), "monday", "the house's own", effective="1 July 2018"
    )
    at = f"/tables/{table}"
    eves = asker.house.cage.state.accounts["eve"]
    for who, path, body in (
        ("mara", f"{at}/open-table", opening),
        (MANAGER, "/cage/open-tray", {"table": table, "cents": CENTS}),
        ("dan", f"{at}/sign-on", {"role": "dealer"}),
        ("ines", f"{at}/sign-on", {"role": "inspector"}),
        ("ann", f"{at}/sit", {"seat": 1}),
        ("dan", f"{at}/check-cards", {"set_id": "set A", "player": "ann"}),
        ("dan", f"{at}/shuffle-house", {}),
        *(("ann", f"{at}/add-words{way}", {"words": "red sky"}) for way in ("/preview", "")),
        ("ann", f"{at}/cut-cards", {"depth": 100, "seat": 1}),
        ("dan", f"{at}/load-shoe", {}),
        ("dan", f"{at}/buy-in", {"person": "ann", "cents": 10_000}),
        ("ann", f"{at}/ask-face-down", {}),
        ("mara", f"{at}/acknowledge-face-down", {"role": "management representative"}),
        ("sol", f"{at}/acknowledge-face-down", {"role": "surveillance"}),
        ("dan", f"{at}/set-face-down", {"down": True}),
        ("dan", f"{at}/open-coup", {}),
        ("ann", f"{at}/bet-more", {"on": "player", "cents": 2500}),
        *(("ann", f"{at}/lay-wagers{way}", TWICE) for way in ("/preview", "")),
        *(("dan", f"{at}/deal", {}) for _ in range(4)),
        ("dan", f"{at}/pass-cards", {"side": "player"}),
        ("ann", f"{at}/squeeze", {"position": 1}),
        ("ann", f"{at}/turn", {"position": 1}),
        *(("ann", f"{at}/withdraw-face-down{way}", {}) for way in ("/preview", "")),
        ("max", "/register/enrol", {"person": "robo", "kind": "staff", "bot": ROBO}),
        ("max", "/register/grant", {"person": "robo", "role": "dealer"}),
        ("robo", f"{at}/sign-on", {"role": "dealer"}),
        ("ann", f"{at}/buy-chips", {"cents": 5000}),
        ("ann", f"{at}/cash-chips", {"cents": 5000}),
        ("robo", f"{at}/sign-off", {}),
        ("otto", "/house/verification", {}),
        ("otto", "/odds/course", {"shoe": example()}),
        ("max", "/people/eve/name", {"name": "Somebody Else"}),
        ("carol", "/people/eve/pin", None),
        ("carol", "/people/eve/card", None),
        ("max", "/people/dora/password", None),
        ("max", "/people/eve/unlock", None),
        ("max", "/devices", {"table": table, "may": "watch"}),
        ("max", "/stations", {"name": "the cashier's window"}),
        ("max", "/devices/000000000000/end", None),
        ("sol", f"{at}/record-incident", {"kind": "influence", "note": "seen"}),
        ("mara", "/cage/request-slip", {"kind": "fill", "table": table, "cents": 5000}),
        ("carol", "/cage/complete-slip", {"number": 1}),
        ("mara", "/cage/request-slip", {"kind": "credit", "table": table, "cents": 5000}),
        ("carol", "/cage/void-slip", {"number": 2, "note": "not wanted"}),
        ("mara", "/cage/count-tray", {"table": table, "counted_cents": 5000}),
        ("carol", "/cage/open-drawer", {"cash": []}),
        ("carol", "/cage/close-drawer", {"cash": []}),
        ("carol", "/cage/withdraw", {"person": "ann", "cents": 100}),
        ("max", "/register/disable", {"person": "eve", "note": "asked to leave"}),
        ("carol", "/cage/withdraw", {"person": "eve", "cents": eves}),
        ("max", "/people/eve/erase", None),
        ("max", "/register/enable", {"person": "eve", "note": "came back"}),
        ("max", "/register/revoke", {"person": "dora", "role": "dealer"}),
        ("max", "/register/grant", {"person": "dora", "role": "dealer"}),
    ):
        await asker.must(who, path, body)
    await _sign_in_and_out(asker)
    await _settings_and_a_guest(asker)
    await _photo(asker, table)
    await _end_shoe(asker, at)
    await _last_coup_of_a_final(asker)


async def two_people(asker: Asker) -> None:
    """From a second founder on, what one alone could do is agreed to by another, or dropped."""
    await asker.must("max", "/register/name-founder", {"person": "mara"})
    settings = {"days": 0, "cash_cents": 1000}
    role = {"person": "dora", "role": "inspector"}
    money = {"person": "ann", "cents": 2000}
    for who, at, name, body, seconds in (
        ("max", "/register", "set-two-people", settings, ("mara", "approve")),
        ("max", "/register", "grant", role, ("max", "drop-proposal")),
        ("carol", "/cage", "deposit", money, ("mara", "approve")),
        ("carol", "/cage", "deposit", money, ("carol", "drop-proposal")),
    ):
        await asker.must(who, f"{at}/{name}", body)
        proposals = getattr(asker.house, at[1:]).state.proposals
        second, then = seconds
        await asker.must(second, f"{at}/{then}", {"proposal": max(proposals)})


async def _photo(asker: Asker, table: str) -> None:
    """An incident with a picture of it, which is erased later."""
    seen = {"kind": "influence", "note": "as the picture shows", "photo": photo()}
    await asker.must("sol", f"/tables/{table}/note-incident", seen)
    row = asker.log.head(table).seq
    await asker.must("mara", f"/floor/incidents/{table}/{row}/erase-photo")


async def _last_coup_of_a_final(asker: Asker) -> None:
    """Everyone has handed in a form: all are told before the cards [tas-2018:16.6.11]."""
    table, at = "table-final", "/tables/table-final"
    notice = replace(sample_notice("tas-2018"), limits=Limits(10_000, 100_000), tie_limits=None)
    conditions = Conditions("cup", "competition", 100_000, face_down=False)
    session = SessionTerms("final", ends=SessionEnds(coups=1), secrets=1, final=True)
    facts: dict[str, Any] = {
        "effective": "1 July 2018",
        "conditions": conditions,
        "session": session,
    }
    for told in (
        c.OpenTable(notice, "monday", "shoe 9", **facts),
        c.NoteDirectors(("cora",), 1),
    ):
        await asker.house.give(table, told, "house", next(asker.ids))
    form = {"figures": "200", "words": "two hundred", "on": "p"}
    begin = c.BeginSession({1: "ann", 2: "bob"}, 2, first_seat=1)
    steps: tuple[tuple[str, str, Any], ...] = (
        ("dan", "sign-on", {"role": "dealer"}),
        ("ines", "sign-on", {"role": "inspector"}),
        ("house", "", begin),
        ("dan", "check-cards", {"set_id": "set F", "prechecked_lot": "lot 9"}),
        ("dan", "shuffle", {}),
        ("ines", "cut-cards", {"depth": 100}),
        ("dan", "load-shoe", {}),
        ("dan", "take-seat", {"person": "ann"}),
        ("dan", "take-seat", {"person": "bob"}),
        ("dan", "open-coup", {}),
        ("ann", "lodge-form", form),
        ("bob", "lodge-form", form),
        ("dan", "no-more-bets", {}),
        ("ines", "forms/ann", {}),
        ("ines", "examine-secret", {"person": "ann", "verdict": "accepted"}),
        ("ines", "examine-secret", {"person": "bob", "verdict": "accepted"}),
        ("ines", "announce-secrets/preview", {}),
        ("ines", "announce-secrets", {}),
    )
    for who, path, body in steps:
        if who == "house":
            await asker.house.give(table, body, who, next(asker.ids))
        else:
            await asker.must(who, f"{at}/{path}", body)


async def _settings_and_a_guest(asker: Asker) -> None:
    """The house's look and pace, a table for play money, and a visitor who tries a seat there."""
    table = "table-play"
    opening = c.OpenTable(
        sample_notice("tas-2018"), "monday", "shoe 1", effective="1 July 2018", play_cents=CHIPS
    )
    as_data = msgspec.to_builtins(opening.notice)
    for who, path, body in (
        ("max", "/register/set-look", {"name": "The Esk", "currency": "AUD"}),
        ("max", "/register/set-logo", {"png": ""}),
        ("max", "/register/name-table", {"table": table, "name": "Esk"}),
        ("max", "/register/set-chips", {"chips": []}),
        ("max", "/register/set-gaming-day", {"begins": "06:00"}),
        ("max", "/register/set-watch", {"wager_cents": 100}),
        ("max", "/register/set-time-zone", {"zone": "Australia/Hobart"}),
        ("max", "/register/set-retention", {"photos_days": 90}),
        ("max", "/register/set-reminder", {"minutes": 45}),
        ("max", "/register/set-tempo", {"table": table}),
        (
            "max",
            "/register/set-preset",
            {"name": "Salon", "notice": as_data},
        ),
        ("max", "/register/drop-preset", {"name": "Salon"}),
        ("mara", f"/tables/{table}/open-table", opening),
        ("max", "/register/set-guests", {"table": table, "seats": 1}),
        ("bob", "/me/alias", {"alias": "Bartholomew"}),
    ):
        await asker.must(who, path, body)
    visitor = (await asker.must("", "/guest")).json()
    asker.know(visitor["person"], visitor["token"])
    await asker.must(visitor["person"], "/guest/leave")


async def _sign_in_and_out(asker: Asker) -> None:
    """By a password from management, or a slip from the cage, which its owner then changes."""
    secret = (await asker.must("max", "/people/dora/password")).json()["secret"]
    await asker.must("", "/sign-in", {"who": "dora", "secret": secret})
    await asker.must("dora", "/me/password", {"old": secret, "new": "something much longer"})
    await _second_factor(asker, "dora")
    await asker.must("dora", "/me/tokens/000000000000/end")
    await asker.must("dora", "/sign-out")
    slip = (await asker.must("carol", "/people/cy/pin")).json()["secret"]
    signed = await asker.must("", "/sign-in", {"who": "cy", "secret": slip})
    asker.know("cy", signed.json()["token"])
    await asker.must("cy", "/me/pin", {"new": "907132"})


async def _second_factor(asker: Asker, who: str) -> None:
    """Set up by the app, lost, and taken away by management; that is seen, and reviewed."""
    answer = await asker.client.get("/api/me/second", headers=asker.headers(who))
    offer = answer.json()
    step = asker.house.time.now_ms() // STEP_MS
    code = code_at(b32decode(offer["shared"]), step)
    await asker.must(
        who, "/me/second", {"shared": offer["shared"], "proof": offer["proof"], "code": code}
    )
    await asker.must("max", f"/people/{who}/second-reset")
    events = (await asker.client.get("/api/events", headers=asker.headers("otto"))).json()
    seen = next(event for event in events if event["actor"] == "max")
    at = f"/events/{seen['stream']}/{seen['seq']}/review"
    await asker.must("otto", at, {"note": "asked at the desk, in person"})


async def _end_shoe(asker: Asker, at: str) -> None:
    """Deal the coup to its end, and open what the house had committed to."""
    for _ in range(8):
        await asker.give("dan", f"{at}/deal", {})
        await asker.give("dan", f"{at}/pass-cards", {"side": "player"})
    for who, name in (("dan", "declare-result"), ("dan", "end-coup")):
        await asker.must(who, f"{at}/{name}", {})
    await asker.must("ines", f"{at}/end-shoe", {"note": "the shoe is worn"})
    order = order_now(asker, at)
    await asker.must("dan", f"{at}/open-commitment/preview", order)
    await asker.must("dan", f"{at}/open-order", {})
    await asker.must("dan", f"{at}/check-cards-at-end", {})
    for who, path, body in (
        ("dan", "check-cards", {"set_id": "set B", "player": "ann"}),
        ("dan", "shuffle-house", {}),
        ("ann", "cut-cards", {"depth": 100, "seat": 1}),
        ("dan", "load-shoe", {}),
        ("ines", "end-shoe", {"note": "nobody wants it"}),
    ):
        await asker.must(who, f"{at}/{path}", body)
    proposal = max(asker.house.tables[at.removeprefix("/tables/")].state.proposals)
    await asker.must("mara", f"{at}/approve", {"proposal": proposal})
    await asker.must("dan", f"{at}/open-commitment", order_now(asker, at))


def order_now(asker: Asker, at: str) -> c.OpenCommitment:
    """What the house committed to, as only the house can know it."""
    order = asker.house.order(asker.house.tables[at.removeprefix("/tables/")].state)
    return c.OpenCommitment(order.cards, order.salt)
