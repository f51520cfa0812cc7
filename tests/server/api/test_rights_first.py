"""Who may not do a thing is told that before anything they sent is read, wherever they sent it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco.competition.authority import AUTHORITY as COMPETITION
from puntobanco.competition.may import KINDS as CUP_COMMANDS
from puntobanco.house.may import ENTRIES, GIVEN
from puntobanco.journal.log import EventLog
from puntobanco.register.authority import AUTHORITY as REGISTER
from puntobanco.server.commands.counters import COUNTERS
from puntobanco.table.actor import Role
from puntobanco.table.authority import name_of
from tests.kit.house.driver import house_over
from tests.kit.journal import using
from tests.kit.office import Office, app_over, asked, office_of

OPEN_TO_ALL = {
    "/api/sign-in",
    "/api/sign-in/passkey",
    "/api/sign-out",
    "/api/guest",
    "/api/guest/leave",
    "/api/odds/course",
}
"""Where somebody who has not signed in is heard."""
STAFFS = (
    *(f"/tables/table-9/{door}" for door in ("next-coup", "ask-turn", "note")),
    *("/house/open-table", "/house/people/nobody/password", "/house/events/register/9"),
)
PLAYERS = tuple(
    f"/tables/table-9/{door}" for door in ("bet", "lay", "box", "turn", "squeeze", "chips/buy")
)
"""Doors of pages besides those that are named after a command."""
CUP = "/competitions/nine"
OF_STAFF = (f"{CUP}/entries/list", f"{CUP}/conditions")
OF_ENTRANTS = tuple(
    f"{CUP}/me/{door}"
    for door in ("apply", "endorse", "pay-entry", "withdraw", "take-seat", "secret")
)
"""The same of a competition."""
NOBODYS = {"table": "table-9", "competition": "nine", "person": "nobody"}


def posts(app: Any) -> Iterator[str]:
    """Every address of the API that takes something, with what is nowhere in its gaps."""
    for route in app.routes:
        if not route.path.startswith("/api/"):
            continue
        for handler in getattr(route, "route_handlers", ()):
            if "POST" in handler.http_methods:
                parts = [
                    NOBODYS.get(part.name, "9") if hasattr(part, "name") else str(part)
                    for part in route.path_components
                ]
                yield "/" + "/".join(parts)


def theirs(path: str) -> bool:
    """What somebody may do as a patron, in their own name."""
    kind = path.removesuffix("/preview").rpartition("/")[2]
    entries = (ENTRIES, COMPETITION, REGISTER)
    roles = {role for each in entries for one, allowed in each.items()
             if name_of(one) == kind for role in allowed.roles}  # fmt: skip
    return Role.PATRON in roles or "/me/" in path or kind == "squeeze"


def test_strangers_are_asked_to_sign_in_and_patrons_are_told_it_is_not_theirs(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        async with office_of(house) as office:
            await office.enrol("mara")
            await office.enrol("ann")
            rows = log.count()
            asked = [path for path in posts(app_over(house)) if path not in OPEN_TO_ALL]
            assert len(asked) > 300
            wrong = [path for path in asked if await said(office, path, "") != 401]
            others = [path for path in asked if not theirs(path)]
            wrong += [path for path in others if await said(office, path, "ann") != 403]
            assert not wrong, " ".join(wrong)
            assert log.count() <= rows + 1  # that somebody tries what is not theirs is noted once

    async def said(office: Office, path: str, person: str) -> int:
        return (await office.json(path, person, [])).status_code

    using(str(tmp_path / "house.db"), use)


def test_forms_are_not_read_either(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with office_of(house_over(log)) as office:
            await office.enrol("mara")
            await office.enrol("ann")
            forms = [f"/house/do/{at}/{name}" for at in COUNTERS for name in COUNTERS[at].kinds]
            forms += [f"/tables/table-9/do/{name}" for name in GIVEN]
            forms += [f"/competitions/nine/do/{name}" for name in CUP_COMMANDS]
            forms += [*STAFFS, *PLAYERS, *OF_STAFF, *OF_ENTRANTS]
            for path in forms:
                stranger = await office.post(path, "", {"junk": "1"})
                assert stranger.status_code in (302, 401), path
                if not theirs(path) and path not in (*PLAYERS, *OF_ENTRANTS):
                    patron = await office.post(path, "ann", {"junk": "1"})
                    assert patron.status_code == 403, path

    using(str(tmp_path / "house.db"), use)


def test_who_is_there_is_told_to_nobody_whom_it_does_not_concern(tmp_path: Path) -> None:
    """A patron who asks about somebody hears the same whether there is such a person."""

    async def use(log: EventLog) -> None:
        house = house_over(log)
        async with office_of(house) as office:
            await office.enrol("mara")
            await office.enrol("ann")
            await office.enrol("dan", Role.DEALER)
            routes = [route.path for route in app_over(house).routes if "person" in route.path]
            assert len(routes) > 20
            for path in {re.sub(r"{person[^}]*}", "WHO", path) for path in routes}:
                asked = re.sub(r"{[^}]*}", "9", path)
                for reader in ("", "ann", "dan"):
                    told = [
                        answer.json().get("reason") if "json" in kind else answer.status_code
                        for who in ("nobody", "mara")
                        for answer in [await office.get(asked.replace("WHO", who), reader)]
                        for kind in [answer.headers.get("content-type", "")]
                    ]
                    assert told[0] == told[1], (asked, reader, told)

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize(
    "address",
    ["GET /api/house/running", "POST /api/house/running/chance", "GET /api/people/mara/data"],
)
def test_what_somebody_may_not_do_is_told_in_words(address: str, tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await office.enrol("carol", Role.CASHIER)
        method, path = address.split()
        get = method == "GET"
        answer = await (office.get(path, "carol") if get else office.json(path, "carol", {}))
        (said,) = re.findall("“(.*?)” is not for your role", answer.text)
        assert said.istitle() or " " in said, said
        assert "-" not in said

    asked(tmp_path / "house.db", use)
