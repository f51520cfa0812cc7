"""`puntobanco demo`: a house to try, with bots at every table."""

import sys
from pathlib import Path

import uvloop
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.cli.keys import house_under, write_secret
from puntobanco.cli.serve import Web, check_web, own, run_app
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.access.people import Person
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.bots.setup import (
    by_two,
    hire_cashier,
    name_bot,
    open_bot_table,
    play_cup,
    prepare_tournament,
    staff_cup,
    staff_table,
    staff_tournament,
)
from puntobanco.house.house import House
from puntobanco.journal.opening import journal_at
from puntobanco.journal.verify import REGISTER
from puntobanco.register import commands as register
from puntobanco.register.commands import Plan
from puntobanco.register.settings import NO_LIMIT_CENTS, USUAL_CHIPS, Tempo
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.table.actor import Role

DEMO = Path("demo")
SEATS_LEFT = 2
"""Seats at every table of the demo that no bot takes."""
HOUSE_NAME, CURRENCY = "Harbour House", "AUD"
TABLE_NAMES = {
    "table-1": "Derwent",
    "table-2": "Tamar",
    "table-3": "Molonglo",
    "table-4": "Marina",
    "table-5": "Huon",
}
TABLE_ALIASES = (
    "Mei", "Oskar", "Runa", "Tomo", "Farah", "Lucien", "Alba",
    "Soren", "Priya", "Dov", "Linnea", "Bram", "Yara", "Cosmo",
    "Noor", "Emil", "Tova", "Rafe", "Zadie", "Milo", "Greta",
    "Anouk", "Felix", "Suri", "Knut", "Dalia", "Ivo", "Thea",
    "Pilar", "Arlo", "Hana", "Leif", "Mirela", "Casper", "Ottilie",
)  # fmt: skip
"""What bots are called at the tables with a name, seven at each."""
STAFF_NAMES: dict[Plan, tuple[str, ...]] = {
    "dealer": ("Agnes", "Rufus", "Salome", "Otis", "Brigid", "Cato", "Maren", "Jonas"),
    "inspector": ("Ludwig", "Amara", "Piet", "Hester", "Anton", "Signe", "Viktor", "Edda"),
    "manager": ("Roland", "Minna", "Basil", "Dorothea", "Henrik", "Celia", "Magnus", "Flora"),
    "surveillance": ("Argo", "Nuria", "Conrad", "Elke", "Fabian", "Gesa", "Lorenz", "Hedda"),
}
"""What bots are called who work at a table: rows of reports tell one dealer from another."""
STEADY_TABLE, STEADY = "table-3", Tempo(bets_ms=25_000, card_ms=800, third_ms=1_200)
"""One table of the demo takes its time."""
CUP_TABLES = {"table-6": "Esk", "table-7": "Mersey", "table-8": "Gordon"}
CUP_PIT, CUP_COUPS = "Cup room", 4
"""Where a competition is played again and again; the first one, to look back at, in few coups."""
CUP_ALIASES = (
    "Ines", "Bao", "Delphine", "Marlow", "Quill", "Tamsin", "Otto", "Vera", "Sunny",
    "Sable", "Kiri", "Hugo", "Fenn", "Ada", "Rook", "Petra", "Jory", "Nils",
    "Mika", "Lotte", "Ezra", "Juno", "Corin", "Wren", "Idris", "Bea", "Pax",
)  # fmt: skip
CUP_TEMPO = Tempo(card_ms=400, third_ms=700, declare_ms=900, result_ms=3_500)
GUEST_TABLE = "table-5"
GUEST_SEATS = 4
GUEST_CENTS = 100_000
"""Play chips that everybody at the guests' table is given."""
MOST_BETS_S = 600


def demo(
    *,
    port: int = 8000,
    host: str = "127.0.0.1",
    folder: Path = DEMO,
    bets: int = 0,
    cup: bool = True,
) -> int:
    """A house to try: a guest seat at once, bots under every rule set, and competitions of theirs.

    Parameters
    ----------
    port
        The port to listen on.
    host
        The address to listen on; only this machine by default.
    folder
        Where the house is kept; start again and it goes on where it was.
    bets
        For how many seconds bets are taken, in the whole house; 0: as it is set there.
    cup
        Three heats and a final of 27, again and again, with a board for the wall.
    """
    check_web(port, None, None)
    if not 0 <= bets <= MOST_BETS_S:
        raise MalformedError(f"--bets takes 1 to {MOST_BETS_S} seconds, not {bets}")
    folder.mkdir(exist_ok=True)
    return uvloop.run(_demo(folder, host, port, bets * 1000, cup=cup))


async def _demo(folder: Path, host: str, port: int, bets_ms: int, *, cup: bool) -> int:
    data, key = _demo_files(folder)
    async with journal_at(str(data), create=True) as log:
        await own(log)
        house = house_under(key, log)
        sign_ins = folder / "sign-ins.txt"
        if not house.register.state.people:
            write_secret(sign_ins, await furnish(house, cup=cup))
            if not bets_ms:
                await _set_tempo(house, STEADY_TABLE, STEADY)
        if not sign_ins.exists():
            raise UnusableError(
                f"{folder}: a demo was begun here and broken off; remove the folder, start again"
            )
        sys.stdout.write(sign_ins.read_text("utf-8"))
        at = f"http://{host}:{port}"
        cups = CUP_PLACES.format(at=at) if cup else ""
        sys.stdout.write(PLACES.format(at=at, cups=cups))
        await _set_bets(house, bets_ms)
        await run_app(house, Bots(house, LIVE), Web(host, port))
    return 0


async def _set_bets(house: House, bets_ms: int) -> None:
    """Put the time for bets on record, unless none was said or it is so."""
    tempo = house.register.state.settings.tempo_of("")
    if bets_ms and tempo.bets_ms != bets_ms:
        await _set_tempo(house, "", replace(tempo, bets_ms=bets_ms))


async def _set_tempo(house: House, table: str, tempo: Tempo) -> None:
    ask = register.SetTempo(table, tempo)
    await house.give("register", ask, "manager", house.own_id("tempo"))


def _demo_files(folder: Path) -> tuple[Path, Path]:
    """The data and the key, in folders apart; demos of older programs had both in one."""
    if (folder / "house.db").exists():
        return folder / "house.db", folder / "house.key"
    (folder / "data").mkdir(exist_ok=True)
    return folder / "data" / "house.db", folder / "key" / "house.key"


NEWCOMERS = (
    "Roles are given by two people. Here somebody new counts as the second at once (0 days);"
    " a house of your own waits 7."
)
PLACES = """Where            at
--------------------------------------------
try a seat       {at}/   (play money, nobody signs in)
play             {at}/tables/table-1
deal             {at}/tables/table-1/dealer
oversee          {at}/tables/table-1/pit
watch the wall   {at}/tables/table-1/display
{cups}learn the rules  {at}/training
run the house    {at}/house

"""
CUP_PLACES = """\
see bots compete {at}/competitions   (one is over, one comes: its last place is yours)
take over a seat {at}/competitions   (director: “Accept a substitute”, and player sits for a bot)
their board      {at}/display/competition
"""


async def furnish(house: House, *, cup: bool = True) -> str:
    """Tables under each rule set with bots at them, a competition, and people to sign in as."""
    signin = SignIn(house)
    await house.found("manager", "founding-of-the-house", "deputy")
    # Bots pay in from nowhere, as much as they need.
    await by_two(house, REGISTER, register.SetTwoPeople(0, NO_LIMIT_CENTS), "manager")
    await hire_cashier(house, "manager")
    for number, ruleset in enumerate(RULESETS, 1):
        notice = sample_notice(ruleset)
        name, patrons = f"table-{number}", notice.seats - SEATS_LEFT
        if ruleset in for_money():
            await staff_table(house, name, "manager", patrons)
            await open_bot_table(house, name, notice, "manager", "demo day")
        else:
            await staff_tournament(house, name, "manager", patrons)
            await prepare_tournament(house, name)
    await _furnish_for_guests(house)
    await _name_it(house)
    if cup:
        await _furnish_cup(house)
    _name_bots(house)
    lines = ["", NEWCOMERS, "", "Sign in as        with", "-" * 44]
    for person, kind, roles in PEOPLE:
        if person not in house.register.state.people:
            enrol = register.Enrol(person, kind)
            await house.give("register", enrol, "manager", f"enrol-{person}")
        for role in roles:
            await by_two(house, REGISTER, register.Grant(person, role), "manager")
        house.people.put(Person(person, person.capitalize()))
        if kind == "staff":
            secret = await signin.issue_password(person, "manager")
        else:
            secret = await signin.issue_pin(person, "manager")
            await _fund(house, person)
        lines.append(f"{person:<18}{secret}")
    return "\n".join([*lines, "", ""])


async def _furnish_for_guests(house: House) -> None:
    """A table for play money, where visitors play without signing in."""
    notice = sample_notice(RULESETS[0])
    await staff_table(house, GUEST_TABLE, "manager", notice.seats - GUEST_SEATS)
    await open_bot_table(house, GUEST_TABLE, notice, "manager", "demo day", GUEST_CENTS)
    guests = register.SetGuests(GUEST_TABLE, GUEST_SEATS)
    await house.give("register", guests, "manager", "guest-seats")


async def _furnish_cup(house: House) -> None:
    """Three tables where heats and a final are played in a loop; one competition is over, so that
    there is one to look back at.
    """
    for table, name in CUP_TABLES.items():
        ask = register.NameTable(table, name, pit=CUP_PIT)
        await house.give("register", ask, "manager", house.own_id("look"))
        await _set_tempo(house, table, CUP_TEMPO)
    tables = tuple(CUP_TABLES)
    await staff_cup(house, tables, "manager", CUP_ALIASES)
    await play_cup(house, tables[0], CUP_COUPS)


async def _name_it(house: House) -> None:
    """The house and its tables have names; chips are the usual ones, said as such on record."""
    named = [register.NameTable(table, name) for table, name in TABLE_NAMES.items()]
    for ask in (register.SetLook(HOUSE_NAME, CURRENCY), register.SetChips(USUAL_CHIPS), *named):
        await house.give("register", ask, "manager", house.own_id("look"))


def _name_bots(house: House) -> None:
    """Whoever bets has a name beside their box, as people have."""
    each = len(TABLE_ALIASES) // len(TABLE_NAMES)
    for number, alias in enumerate(TABLE_ALIASES):
        table, seat = list(TABLE_NAMES)[number // each], number % each + 1
        if f"bot-{seat}-{table}" in house.register.state.people:
            name_bot(house, f"bot-{seat}-{table}", alias)
    for plan, names in STAFF_NAMES.items():
        for table, name in zip((*TABLE_NAMES, *CUP_TABLES), names, strict=True):
            if f"bot-{plan}-{table}" in house.register.state.people:
                house.people.put(Person(f"bot-{plan}-{table}", name))


PEOPLE: tuple[tuple[str, register.Kind, tuple[Role, ...]], ...] = (
    ("player", "patron", ()),
    ("guest", "patron", ()),
    ("dealer", "staff", (Role.DEALER,)),
    ("inspector", "staff", (Role.INSPECTOR, Role.CASINO_SUPERVISOR)),
    ("manager", "staff", ()),
    ("deputy", "staff", ()),
    ("surveillance", "staff", (Role.SURVEILLANCE,)),
    ("cashier", "staff", (Role.CASHIER,)),
    ("director", "staff", (Role.DIRECTOR,)),
    ("auditor", "staff", (Role.AUDITOR,)),
)


async def _fund(house: House, person: str) -> None:
    for ask in (cage.OpenAccount(person), cage.Deposit(person, 10_000_000)):
        await house.give("cage", ask, "bot-cashier", f"{type(ask).__name__}-{person}")
