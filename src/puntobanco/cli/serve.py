"""`puntobanco serve` and `demo`: a house on the web."""

import asyncio
import gc
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import msgspec
import uvicorn
import uvloop
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.cli.keys import house_key, named_key, root_beside, write_secret
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.access.people import Person
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.bots.setup import (
    by_two,
    hire_cashier,
    open_bot_table,
    play_cup,
    prepare_tournament,
    staff_cup,
    staff_table,
    staff_tournament,
)
from puntobanco.house.checks.program import check_program
from puntobanco.house.house import House
from puntobanco.house.loop import ROOT_MS, ROOT_ROWS, Running
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import journal_at
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register
from puntobanco.register.settings import USUAL_CHIPS, Tempo
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.server.app import create_app
from puntobanco.server.edge.prompt import PromptProtocol
from puntobanco.server.edge.proxy import Networks, is_this_machine, networks_of
from puntobanco.table.actor import Role
from puntobanco.table.commands import Person as PersonId

DEMO = Path("demo")
GRACE_S = 1
SEATS_LEFT = 2
"""Seats at every table of the demo that no bot takes."""
HOUSE_NAME = "Harbour House"
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
FOUNDERS = "manager,deputy"
MOST_CENTS = 10**12
"""The demo's bots take their money from nowhere, and no second person stands beside them."""
FOUNDED_TRIES, FOUNDED_S = 100, 0.1
"""Looks, and seconds between them, until another process has founded the house."""
MOST_ROOT_S = 86_400


def serve(
    *,
    house: str,
    secret: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    cert: Path | None = None,
    key: Path | None = None,
    behind_tls: str = "",
    root_seconds: int = ROOT_MS // 1000,
    root_rows: int = ROOT_ROWS,
    hours: str = "",
    founders: str = FOUNDERS,
) -> int:
    """Run a house on the web, until it is stopped.

    Parameters
    ----------
    house
        The house: an SQLite file, made if it is not there, or the URL of a PostgreSQL database.
    secret
        The file with the house's key, made if it is not there; by default in a folder of your
        own settings, apart from the data. The house keeps its last root beside it.
    host
        The address to listen on; only this machine by default.
    port
        The port to listen on.
    cert
        A TLS certificate, with --key; without one, use a proxy that has one.
    key
        The certificate's private key.
    behind_tls
        The addresses of the proxy that has the certificate, such as 10.0.0.2,10.1.0.0/16: cookies
        are sent over TLS only, and it is believed whose requests it passes on.
    root_seconds
        Record the root over everything at the latest after this time.
    root_rows
        Record it at the latest after this many rows.
    hours
        The hours of gaming, for the signs of tables that name none of their own.
    founders
        The two managers that a new house starts with, such as ann,ben: neither can do everything
        alone. They are people of their own, each with a password that the other does not see.
    """
    _check_web(port, cert, key)
    if not (1 <= root_seconds <= MOST_ROOT_S and root_rows >= 1):
        raise MalformedError(f"--root-seconds takes 1 to {MOST_ROOT_S}, --root-rows at least 1")
    proxies = networks_of(behind_tls)
    web = Web(host, port, cert, key, proxies, root_seconds * 1000, root_rows, hours[:200])
    return uvloop.run(_serve(house, named_key(house, secret), web, _two_founders(founders)))


def _two_founders(founders: str) -> tuple[str, str]:
    first, _, second = founders.partition(",")
    for person in (first, second):
        try:
            msgspec.convert(person, PersonId)
        except msgspec.ValidationError as error:
            raise MalformedError("--founders takes two ids, such as ann,ben") from error
    if first == second:
        raise MalformedError("--founders takes two people, not one twice")
    return first, second


class Web(Struct, frozen=True):
    """Where and how a house listens."""

    host: str
    port: int
    cert: Path | None = None
    key: Path | None = None
    proxies: Networks = ()
    """Before the house, with the certificate."""
    root_ms: int = ROOT_MS
    root_rows: int = ROOT_ROWS
    hours: str = ""

    @property
    def secure(self) -> bool:
        """Whether browsers reach the house over TLS."""
        return self.cert is not None or bool(self.proxies)


def _check_web(port: int, cert: Path | None, key: Path | None) -> None:
    if not 1 <= port <= 65535:
        raise MalformedError(f"--port takes 1 to 65535, not {port}")
    if (cert is None) != (key is None):
        raise MalformedError("--cert and --key go together")
    for file in (cert, key):
        if file is not None and not file.is_file():
            raise UnusableError(f"{file}: there is no such file")


async def _serve(where: str, secret: Path, web: Web, founders: tuple[str, str]) -> int:
    async with journal_at(where, create=True) as log:
        await run_app(await begun(log, secret, web.hours, founders), None, web)
    return 0


async def begun(
    log: EventLog, secret: Path, hours: str = "", founders: tuple[str, str] = ("manager", "deputy")
) -> House:
    """The house over a journal; of several who start it for the first time, one founds it."""
    await own(log)
    house = House(log, CLOCK, CHANCE, house_key(secret, log), root_beside(secret), hours)
    if not house.register.state.people:
        await _first_managers(house, founders)
    return house


async def own(log: EventLog) -> None:
    """Hold the house before anything is made; where several processes share one, whoever does not
    hold it waits until it has been founded.
    """
    for _ in range(FOUNDED_TRIES):
        if await log.hold([HOUSE]) or (log.shared and log.head(REGISTER).seq):
            return
        if not log.shared:
            break
        await asyncio.sleep(FOUNDED_S)
    raise UnusableError("another process runs this house; there can be one at a time")


async def _first_managers(house: House, founders: tuple[str, str]) -> None:
    """A house without anyone gets two managers, with passwords that are shown once.

    The house is founded last: if it is broken off before, the next start shows others.
    """
    rule, signin = house.register.state.settings.two_people, SignIn(house)
    print("This house is new, and has two managers; what one of them proposes the other decides.")
    for person in founders:
        password = await signin.issue_password(person, "the machine")
        print(f"One signs in as: {person}")
        print(f"with this password, which is not shown again: {password}", flush=True)
    print(
        "Let each have their own, and change it at /account. Somebody enrolled counts as one with"
        f" whoever enrolled them for {rule.days} days, wherever two people are wanted.",
        flush=True,
    )
    await house.found(founders[0], "founding-of-the-house", founders[1])


class Server(uvicorn.Server):
    """Says that it is open when it is, and stops at once, though streams are open."""

    def __init__(self, config: uvicorn.Config, where: str, close: Callable[[], None]) -> None:
        super().__init__(config)
        self._where = where
        self._close = close

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"The house is open at {self._where} (Ctrl-C shuts it)", flush=True)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """The journal is closed properly before we go, so no signal is raised again."""
        self._close()
        self.force_exit = self.should_exit
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise UnusableError(f"{host}:{port} cannot be listened on: {error.strerror}") from error


def many_files() -> None:
    """Raise the limit of open files as far as the system allows: every open page is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def warn_if_plain(host: str, *, secure: bool) -> None:
    """Say so where passwords would cross a network in the clear."""
    if not secure and not is_this_machine(host):
        print(
            f"Warning: {host} can be reached from other machines, and nothing is encrypted:"
            " passwords, cookies and cards cross the network in the clear. Give --cert and --key,"
            " or --behind-tls with the addresses of a proxy that has a certificate.",
            file=sys.stderr,
            flush=True,
        )


async def run_app(house: House, bots: Bots | None, web: Web) -> None:
    many_files()
    warn_if_plain(web.host, secure=web.secure)
    failed: list[BaseException] = []

    def stopped(error: BaseException) -> None:
        """Stop serving when the house's loop has failed: without clocks nobody may bet."""
        failed.append(error)
        server.should_exit = True

    with listen(web.host, web.port) as sock:
        for table, lost in house.texts_lost():
            print(f"{table}: {lost}", flush=True)
        running = Running(house, bots, web.root_ms, web.root_rows, check_program)
        await running.start()
        gc.freeze()  # what is loaded by now stays: no need to visit it while people wait
        gc.set_threshold(20_000, 50, 50)
        app = create_app(running, secure=web.secure, proxies=web.proxies, stopped=stopped)
        config = uvicorn.Config(
            app,
            ssl_certfile=web.cert,
            ssl_keyfile=web.key,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=PromptProtocol,
            timeout_graceful_shutdown=GRACE_S,
        )
        where = f"{'https' if web.cert else 'http'}://{web.host}:{web.port}/"
        server = Server(config, where, app.state.boards.close)
        await server.serve([sock])
    if failed:
        raise failed[0]


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
    _check_web(port, None, None)
    if not 0 <= bets <= MOST_BETS_S:
        raise MalformedError(f"--bets takes 1 to {MOST_BETS_S} seconds, not {bets}")
    folder.mkdir(exist_ok=True)
    return uvloop.run(_demo(folder, host, port, bets * 1000, cup=cup))


async def _demo(folder: Path, host: str, port: int, bets_ms: int, *, cup: bool) -> int:
    data, key = _demo_files(folder)
    async with journal_at(str(data), create=True) as log:
        await own(log)
        house = House(log, CLOCK, CHANCE, house_key(key, log), root_beside(key))
        sign_ins = folder / "sign-ins.txt"
        if not house.register.state.people:
            write_secret(sign_ins, await furnish(house, cup=cup))
            if not bets_ms:
                await _set_tempo(house, STEADY_TABLE, STEADY)
        if not sign_ins.exists():
            raise UnusableError(
                f"{folder}: a demo was begun here and broken off; remove the folder, start again"
            )
        sys.stdout.write(sign_ins.read_text())
        sys.stdout.write(PLACES.format(at=f"http://{host}:{port}"))
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
see bots compete {at}/competitions   (one is over, one comes: its last place is yours)
their board      {at}/display/competition
learn the rules  {at}/training
run the house    {at}/house

"""


async def furnish(house: House, *, cup: bool = True) -> str:
    """Tables under each rule set with bots at them, a competition, and people to sign in as."""
    signin = SignIn(house)
    await house.found("manager", "founding-of-the-house", "deputy")
    await by_two(house, REGISTER, register.SetTwoPeople(0, MOST_CENTS), "manager")
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
    _name_bots(house)
    if cup:
        await _furnish_cup(house)
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
    for ask in (register.SetLook(HOUSE_NAME), register.SetChips(USUAL_CHIPS), *named):
        await house.give("register", ask, "manager", house.own_id("look"))


def _name_bots(house: House) -> None:
    """Whoever bets has a name beside their box, as people have."""
    each = len(TABLE_ALIASES) // len(TABLE_NAMES)
    for number, alias in enumerate(TABLE_ALIASES):
        table, seat = list(TABLE_NAMES)[number // each], number % each + 1
        if f"bot-{seat}-{table}" in house.register.state.people:
            house.people.put_alias(f"bot-{seat}-{table}", alias)


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
