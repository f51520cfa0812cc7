"""The one shell around every page: what a reader can reach from anywhere, and where they are."""

from typing import Any

from msgspec import Struct

from puntobanco.house.access.waiting import on_duty_at
from puntobanco.house.house import House
from puntobanco.table.actor import STAFF, Role

PLACES = {
    "tables": "/",
    "my-table": "/tables/{table}/dealer",
    "floor": "/floor",
    "house": "/house",
    "cage": "/house/cage",
    "people": "/house/people",
    "reports": "/house/reports",
    "events": "/house/events",
    "competitions": "/competitions",
    "training": "/training",
    "rules": "/rules",
    "odds": "/odds",
}
"""By its name in the bar, where a page is."""
STRANGER = ("tables", "competitions", "training", "rules", "odds")
PLACES_OF: dict[Role, tuple[str, ...]] = {
    Role.MANAGEMENT: (
        *("floor", "house", "tables", "cage", "people", "reports", "events", "competitions"),
        "rules",
    ),
    Role.DIRECTOR: ("competitions", "floor", "house", "tables", "rules"),
    Role.CASINO_SUPERVISOR: ("floor", "house", "tables", "competitions", "training", "rules"),
    Role.INSPECTOR: ("floor", "house", "tables", "competitions", "training", "rules"),
    Role.DEALER: ("my-table", "tables", "training", "rules"),
    Role.SURVEILLANCE: ("floor", "house", "tables", "events", "reports", "people", "rules"),
    Role.CASHIER: ("cage", "people", "tables", "competitions", "rules"),
    Role.AUDITOR: ("floor", "house", "tables", "events", "reports", "people", "rules", "odds"),
    Role.PATRON: ("tables", "competitions", "training", "rules"),
}
"""By role, the pages of the bar, in its order; who has several roles is shown the first one's."""


BACK = "back"
"""The name of the way back to where one was."""
TABLE_PAGES = {Role.DEALER: "/dealer", **dict.fromkeys(STAFF - {Role.DEALER}, "/pit")}
"""By role, the page from which somebody works at a table; players have its first one."""


class Link(Struct, frozen=True):
    """One page of the bar."""

    name: str
    href: str
    here: bool


class WayOn(Struct, frozen=True):
    """Where somebody can go from a page that was refused."""

    href: str
    name: str
    """As in the bar; or back to where they were."""
    table: str = ""
    """The table whose page it is, if it is one's."""


class Shell(Struct, frozen=True):
    """What the bar shows to one reader."""

    links: tuple[Link, ...]
    path: str
    """Where the reader is: signing in leads back to it."""
    role: Role | None = None
    name: str = ""
    """What the reader is called; their id if nobody wrote a name down."""
    works: bool = False
    """Whether the reader works here, so that something may wait for them."""
    waits: tuple[Any, ...] = ()
    """What does."""

    def leads_to(self, place: str) -> bool:
        """Is this page of the bar among the reader's?"""
        return any(link.name == place for link in self.links)


def shell_of(house: House, person: str, path: str, waits: tuple[Any, ...] = ()) -> Shell:
    """The bar for a person of the house, or for a stranger."""
    member = house.register.state.people.get(person)
    if member is None or not member.enabled or member.kind == "guest":
        return Shell(_links(STRANGER, path), path)
    held = member.roles_at("").union(*member.roles.values())
    role = next((one for one in PLACES_OF if one in held), None)
    table = on_duty_at(house, person)
    places = [
        place
        for place in (PLACES_OF[role] if role else STRANGER)
        if table or "{table}" not in PLACES[place]
    ]
    name = house.people.get(person).name or person
    works = member.kind == "staff"
    return Shell(_links(places, path, table), path, role, name, works, waits)


def ways_on(house: House, shell: Shell, was: str) -> tuple[WayOn, ...]:
    """Where a page that was refused leads: back to where the reader was, to the table it was
    about, and to what the bar offers them instead; two of them, if there are.
    """
    asked = shell.path.split("/")
    table = asked[2] if asked[1:2] == ["tables"] and asked[2] in house.tables else ""
    found = [WayOn(was, BACK)] if was and "/do/" not in was else []
    if table:
        own = TABLE_PAGES.get(shell.role, "") if shell.role else ""
        found.append(WayOn(f"/tables/{table}{own}", BACK, table))
    in_order = sorted(shell.links, key=lambda link: not link.here)
    found += [WayOn(link.href, link.name) for link in in_order if link.href != shell.path]
    once = {way.href: way for way in reversed(found)}
    return tuple(way for way in found if once[way.href] is way)[:2]


def came_from(referer: str, host: str) -> str:
    """The page of this house on which a browser was, if it says so.

    >>> came_from("http://house.test/floor?pit=1", "house.test")
    '/floor?pit=1'
    >>> came_from("http://elsewhere.test/", "house.test")
    ''
    """
    _, _, place = referer.partition("://")
    at, slash, path = place.partition("/")
    return local_path(f"/{path}") if at == host and slash else ""


def _links(places: tuple[str, ...] | list[str], path: str, table: str = "") -> tuple[Link, ...]:
    """Links; the one whose address is the longest above the page says where the reader is. At a
    table nothing leads to the odds: no device that projects a game is used there
    [act-2015:14.5(a)].
    """
    at_table = path.startswith("/tables/")
    hrefs = {
        place: PLACES[place].format(table=table)
        for place in places
        if not (at_table and place == "odds")
    }
    above = [href for href in hrefs.values() if path == href or path.startswith(f"{href}/")]
    here = max(above, key=len, default="")
    return tuple(Link(place, href, href == here) for place, href in hrefs.items())


def local_path(asked: str) -> str:
    """Where to go after signing in: a page of this house, or its first one."""
    is_local = asked.startswith("/") and not asked.startswith(("//", "/\\")) and asked.isprintable()
    return asked if is_local and "\\" not in asked else "/"
