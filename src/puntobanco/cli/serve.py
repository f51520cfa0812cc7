"""`puntobanco serve`: a house on the web."""

import asyncio
import gc
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Literal

import msgspec
import uvicorn
import uvloop
from msgspec import Struct

from puntobanco.cli.house.new_key import Pair, take_key
from puntobanco.cli.keys import check_not_gone, house_under, named_key
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.crew import Bots
from puntobanco.house.checks.program import check_program
from puntobanco.house.checks.signs import CLOCK_OFF_MS, VitalSign, words_of_sign
from puntobanco.house.house import House
from puntobanco.house.loop import ROOT_ROWS, Running
from puntobanco.house.roots import ROOT_MS
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url, journal_at
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.server.app import create_app
from puntobanco.server.edge.connections import PER_ADDRESS, Gate, bounded_by
from puntobanco.server.edge.logs import log_to_stderr, logged
from puntobanco.server.edge.proxy import Networks, is_this_machine, networks_of
from puntobanco.table.commands import Person as PersonId
from puntobanco.words.pages import PAGES

GRACE_S = 1
FOUNDERS = "manager,deputy"
FOUNDED_TRIES, FOUNDED_S = 100, 0.1
"""Looks, and seconds between them, until another process has founded the house."""
MOST_ROOT_S = 86_400
COLLECTED = 20_000, 10, 10
"""Young objects between two collections of what hangs together in rings, such as a page that was
drawn and its macros; and how many of those between two that look at older ones. The rarer the
last, the more that nobody needs is kept: at fifty and fifty it was half a day's."""


def collect_rarely() -> None:
    """What is loaded by now stays: no need to visit all of it while people wait."""
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    gc.enable()


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
    connections_per_address: int = PER_ADDRESS,
    hours: str = "",
    founders: str = FOUNDERS,
    new_key: str = "",
    follow_clock: bool = False,
    password_check: str = "",
    log_form: Literal["text", "json"] = "text",
    log_level: Literal["debug", "info", "warning", "error"] = "warning",
) -> int:
    """Run a house on the web, until it is stopped.

    Parameters
    ----------
    house
        The house: an SQLite file, made if it is not there, or the URL of a PostgreSQL database.
    secret
        The file with the house's key, made if the house is new; by default in a folder of your own
        settings, apart from the data. It may say "environment: NAME" or "command: …" instead, by
        which the key is had. The house keeps its last root beside it.
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
    connections_per_address
        Refuse more connections than this from one address, in words; a proxy named by --behind-tls
        is not counted and counts for itself. Every open page is one.
    hours
        The hours of gaming, for the signs of tables that name none of their own.
    founders
        The two managers that a new house starts with, such as ann,ben: neither can do everything
        alone. They are people of their own, each with a password that the other does not see.
    new_key
        Go on under another key than the one on record, such as ann,ben: the two people who answer
        for it, a manager first, each asked for their password at the machine.
    follow_clock
        Say that the clock is right, and the house's time more than 1,000 seconds ahead of it: it
        comes back at half its pace while no time runs at any table, on record. Give it to every
        process of the house; it may stay.
    password_check
        A command of your own that looks at each password somebody chooses, besides the lists that
        the house has: it reads the password, and refuses it by any exit code but 0.
    log_form
        How lines of the log are written to standard error: text, or one JSON object a line.
    log_level
        From which level on; info has a line for every request.
    """
    check_web(port, cert, key)
    if not (1 <= root_seconds <= MOST_ROOT_S and root_rows >= 1):
        raise MalformedError(f"--root-seconds takes 1 to {MOST_ROOT_S}, --root-rows at least 1")
    if connections_per_address < 1:
        raise MalformedError("--connections-per-address takes at least 1")
    proxies = networks_of(behind_tls)
    log_to_stderr(log_form, log_level)
    web = Web(
        host,
        port,
        cert,
        key,
        proxies,
        root_seconds * 1000,
        root_rows,
        hours[:200],
        connections_per_address,
        password_check,
        follow_clock,
    )
    founding = _two_people(founders, "--founders")
    by = _two_people(new_key, "--new-key") if new_key else None
    held_by = named_key(house, secret)
    if not is_url(house) and not Path(house).exists():
        check_not_gone(held_by)
    return uvloop.run(_serve(house, held_by, web, founding, by))


def _two_people(said: str, option: str) -> tuple[str, str]:
    first, _, second = said.partition(",")
    for person in (first, second):
        try:
            msgspec.convert(person, PersonId)
        except msgspec.ValidationError as error:
            raise MalformedError(f"{option} takes two ids, such as ann,ben") from error
    if first == second:
        raise MalformedError(f"{option} takes two people, not one twice")
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
    per_address: int = PER_ADDRESS
    password_check: str = ""
    follow_clock: bool = False

    @property
    def secure(self) -> bool:
        """Whether browsers reach the house over TLS."""
        return self.cert is not None or bool(self.proxies)


def check_web(port: int, cert: Path | None, key: Path | None) -> None:
    if not 1 <= port <= 65535:
        raise MalformedError(f"--port takes 1 to 65535, not {port}")
    if (cert is None) != (key is None):
        raise MalformedError("--cert and --key go together")
    for file in (cert, key):
        if file is not None and not file.is_file():
            raise UnusableError(f"{file}: there is no such file")


async def _serve(where: str, secret: Path, web: Web, founders: Pair, new_key: Pair | None) -> int:
    async with journal_at(where, create=True) as log:
        if log.warning:
            print(f"Warning: {log.warning}", file=sys.stderr, flush=True)
        if new_key:
            await own(log)
            await take_key(log, secret, new_key)
        await run_app(await begun(log, secret, web.hours, founders), None, web)
    return 0


async def begun(
    log: EventLog, secret: Path, hours: str = "", founders: Pair = ("manager", "deputy")
) -> House:
    """The house over a journal; of several who start it for the first time, one founds it."""
    await own(log)
    check_not_gone(secret, log)
    house = house_under(secret, log, hours=hours)
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


async def _first_managers(house: House, founders: Pair) -> None:
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
        self.force_exit = self.should_exit
        self.stop()

    def stop(self) -> None:
        """End the streams, which would not end by themselves, and then all."""
        self._close()
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # which says the address once more
        raise UnusableError(f"{host}:{port} cannot be listened on: {why}") from error


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


def warn_if_clock_is_off(house: House) -> None:
    """Say so where the house cannot go by the clock, and what becomes of it."""
    off_ms = house.time.off_ms()
    if abs(off_ms) > CLOCK_OFF_MS:
        key, measured = words_of_sign(VitalSign("clock", good=False, measured=off_ms // 1000))
        said = PAGES[key].format(measured=measured)
        print(f"Warning: {said}", file=sys.stderr, flush=True)


async def run_app(house: House, bots: Bots | None, web: Web) -> None:
    many_files()
    warn_if_plain(web.host, secure=web.secure)
    failed: list[BaseException] = []

    def stopped(error: BaseException) -> None:
        """Stop serving when the house's loop has failed: without clocks nobody may bet."""
        failed.append(error)
        server.stop()

    with listen(web.host, web.port) as sock:
        for table, lost in house.texts_lost():
            print(f"{table}: {lost}", flush=True)
        running = Running(house, bots, web.root_ms, web.root_rows, check_program)
        app = create_app(running, secure=web.secure, proxies=web.proxies, stopped=stopped)
        house.time.goes_back = web.follow_clock
        await running.start()  # last: from here on an older process takes nothing more
        warn_if_clock_is_off(house)
        app.state.gateway.signin.own_check = web.password_check
        collect_rarely()
        config = uvicorn.Config(
            logged(app, web.proxies),
            log_config=None,
            ssl_certfile=web.cert,
            ssl_keyfile=web.key,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=bounded_by(Gate(web.per_address, web.proxies)),
            timeout_graceful_shutdown=GRACE_S,
        )
        at = f"[{web.host}]" if ":" in web.host else web.host
        where = f"{'https' if web.cert else 'http'}://{at}:{web.port}/"
        server = Server(config, where, app.state.boards.close)
        await server.serve([sock])
    if failed:
        raise failed[0]
