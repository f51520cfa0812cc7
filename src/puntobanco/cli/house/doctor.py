"""`puntobanco doctor`: is this host ready to run its house? Nothing is made and nothing changed."""

import asyncio
import os
import platform
import resource
import shutil
import sqlite3
import ssl
import sys
from collections.abc import Iterator
from datetime import UTC, datetime  # noqa: TID251  to write a moment, not to ask for one
from pathlib import Path
from typing import Literal

from cryptography import x509
from msgspec import Struct

from puntobanco import __version__
from puntobanco.cli.house.config import fault_of, unknown
from puntobanco.cli.keys import check_not_gone, load_key, named_key, root_beside
from puntobanco.cli.serve import check_web, listen, serve
from puntobanco.errors import DamagedError, MalformedError, Refused, UnusableError
from puntobanco.house.checks.generator import failed_on_record
from puntobanco.house.checks.signs import CLOCK_OFF_MS
from puntobanco.house.loop import LEAST_FREE_MB, NEWER_WRITES, newest_writer
from puntobanco.house.roots import check_noted, read_noted
from puntobanco.house.system import CLOCK, watched_chance
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url, journal_at
from puntobanco.journal.shown_keys import codes_of, fingerprint, key_fault
from puntobanco.journal.sql import OURS
from puntobanco.server.edge.proxy import is_this_machine, networks_of

FEW_FILES = 4096
"""Every open page is a file; with fewer than these a full hall finds no room."""
SOON_DAYS, DAY_MS, HOUR_MS = 14, 86_400_000, 3_600_000
BEHIND = (
    "{now} is {seconds} s behind the last row. If it is wrong, set it by a time server before you"
    " start. If it is right, the record is ahead: start when the clock has come up to it, or with"
    " --follow-clock: the house then goes on from its last row, and comes back at half its pace"
)
OLDEST_POSTGRES = 13
UNREACHED, PREPARE = "cannot be reached", "puntobanco prepare"
OTHERS = 0o077
"""What the group and all others may do with a file."""


class Observation(Struct, frozen=True):
    """What was found of one thing, and what to do about it."""

    name: str
    how: Literal["ok", "warning", "FAULT"]
    says: str


def ok(name: str, says: str) -> Observation:
    return Observation(name, "ok", says)


def warning(name: str, says: str) -> Observation:
    return Observation(name, "warning", says)


def fault(name: str, says: str) -> Observation:
    return Observation(name, "FAULT", says)


def doctor(
    *,
    house: str,
    secret: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    cert: Path | None = None,
    key: Path | None = None,
    behind_tls: str = "",
) -> int:
    """Look over a host before opening night: one line for each thing, with what to do.

    It reads the same settings as `serve`, and is run as the user whom the house will run as, while
    the house is shut. Nothing is made and nothing changed. The exit code is 1 if a house would not
    run, or not safely.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    secret
        The file with the house's key.
    host
        The address to listen on.
    port
        The port to listen on.
    cert
        A TLS certificate, with --key.
    key
        The certificate's private key.
    behind_tls
        The addresses of the proxy that has the certificate.
    """
    held_by = named_key(house, secret)
    if is_url(house) or Path(house).exists():
        record = asyncio.run(_record(house, held_by))
    else:
        record = [*_new_house(Path(house)), *_key_of_a_new_house(held_by)]
    found = [*_program(house), _chance(), *record, *_network(host, port, cert, key, behind_tls)]
    for one in found:
        print(f"{one.how:9}{one.name:12}{one.says}")
    return 1 if any(one.how == "FAULT" for one in found) else 0


def _program(house: str) -> Iterator[Observation]:
    from puntobanco.cli import app  # noqa: PLC0415  it names this very command

    runs_on = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    yield ok("program", f"puntobanco {__version__} on {runs_on}, {sys.platform}")
    for name in unknown(app):
        yield fault("settings", f"{name} is no setting; see docs/configuration.md")
    if wrong := fault_of(serve, house):
        yield fault("settings", wrong)
    if os.geteuid() == 0:
        yield warning("user", "this is root, who may do anything: try it as the house's own user")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < FEW_FILES and most != resource.RLIM_INFINITY:
        yield warning("files", f"at most {most} can be open, and every page is one: allow 65536")


async def _record(house: str, secret: Path) -> list[Observation]:
    """What a house is kept in, its key, and whether the two belong together."""
    try:
        async with journal_at(house) as log:
            begun = log.streams()
            told = f"{len(begun)} streams" if begun else "none yet; the first start founds it"
            found = [ok("house", f"{told}, schema {log.schema()}"), _clock(log)]
            found += _key(house, secret, log) if begun else _key_of_a_new_house(secret)
            found += _root(log, secret) if begun else ()
            found += _drawing(log)
            if (newest := newest_writer(log)) > OURS:
                said = NEWER_WRITES.format(edition=newest[0], schema=newest[1])
                found.append(fault("program", said))
    except (UnusableError, DamagedError) as error:
        return [fault("house", f"{error}{_how_to_begin(str(error)) if is_url(house) else ''}")]
    return [*found, *(await _database(house) if is_url(house) else _file(Path(house)))]


def _chance() -> Observation:
    """The generator of this machine, which shuffles the house's own shoes."""
    watch = watched_chance().watch
    assert watch is not None
    try:
        watch.test()
    except Refused:
        return fault("chance", "the operating system gives no random bytes: mend the machine")
    if watch.fault is not None:
        says = f"the machine's generator failed a test ({watch.fault.test}): use another machine"
        return fault("chance", says)
    return ok("chance", f"{watch.tested} bytes drawn, tested by SP 800-90B")


def _how_to_begin(said: str) -> str:
    """What to do about a database that does not let a house begin."""
    if UNREACHED in said:
        return "; is it there, and do its address and the password hold?"
    return "" if PREPARE in said else f"; have its owner run {PREPARE}"


def _new_house(house: Path) -> Iterator[Observation]:
    folder = house.absolute().parent
    if not folder.is_dir():
        yield fault("house", f"{folder} is not there: make it, for the house's user alone")
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield fault("house", f"{folder} cannot be written to: give it to the house's user")
    else:
        yield ok("house", f"{house} is not there yet; the first start makes it")
        yield _room("disk", folder)


def _file(house: Path) -> Iterator[Observation]:
    for place in (house, house.absolute().parent):
        if not os.access(place, os.W_OK):
            yield fault("house", f"{place} cannot be written to: give it to the house's user")
    if house.stat().st_mode & OTHERS:
        yield warning("house", f"{house}: others may read or write it: chmod 600 {house}")
    yield _room("disk", house.absolute().parent)


async def _database(url: str) -> list[Observation]:
    from puntobanco.journal.postgres.rights import rights_at  # noqa: PLC0415  an extra

    try:
        version, could = await rights_at(url)
    except UnusableError as error:
        return [fault("rights", str(error))]
    found = [warning("rights", could) if could else ok("rights", "the role reads and adds only")]
    if version < OLDEST_POSTGRES:
        return [*found, fault("database", f"PostgreSQL {version}: {OLDEST_POSTGRES} is the oldest")]
    return [*found, ok("database", f"PostgreSQL {version}; whoever runs it watches its disk")]


def _key(house: str, secret: Path, log: EventLog | None = None) -> Iterator[Observation]:
    try:
        key = load_key(secret)
    except UnusableError as error:
        known = f" of {fingerprint(log)}" if log and fingerprint(log) else ""
        yield fault(
            "key", f"{error}. No other key will do: bring back the copy{known} management keeps"
        )
        return
    if log and (wrong := key_fault(log, key)):
        yield fault("key", wrong)
        return
    if secret.stat().st_mode & OTHERS:
        yield fault("key", f"others may read {secret}: chmod 600 {secret}")
    elif not os.access(secret.absolute().parent, os.W_OK):
        yield fault(
            "key", f"the last root finds no place beside {secret}: let the user write there"
        )
    elif not is_url(house) and secret.stat().st_dev == Path(house).stat().st_dev:
        yield warning("key", f"{secret} is on the disk of the data: who takes it has both")
    else:
        yield ok("key", f"{secret}, which only its owner reads")
    yield _room("key's disk", secret.absolute().parent)


def _key_of_a_new_house(secret: Path) -> Iterator[Observation]:
    try:
        check_not_gone(secret)
    except UnusableError as error:
        yield fault("root", str(error))
    if secret.exists():
        yield from _key("postgresql:", secret)  # there are no data yet to lie beside
        return
    above = next(one for one in secret.absolute().parents if one.exists())
    if os.access(above, os.W_OK | os.X_OK):
        yield ok("key", f"{secret} is not there yet; the first start makes it: keep a copy apart")
    else:
        yield fault("key", f"{secret} cannot be made: let the house's user write to {above}")


def _room(name: str, folder: Path) -> Observation:
    free = shutil.disk_usage(folder).free // 1_000_000
    if free < LEAST_FREE_MB:
        return fault(name, f"{free} MB free at {folder}: make room, {LEAST_FREE_MB} MB at least")
    return ok(name, f"{free} MB free at {folder}")


def _clock(log: EventLog) -> Observation:
    """A house begins with its clock, and never before its last row; from then on it cannot go
    back.
    """
    here, shared = CLOCK.wall_ms(), log.wall_ms()
    now = here if shared is None else shared
    last_ms = max((log.head_ms(stream) for stream in log.streams()), default=0)
    ahead = now - last_ms if last_ms else 0
    if ahead < -CLOCK_OFF_MS:
        return fault("clock", BEHIND.format(now=_moment(now), seconds=-ahead // 1000))
    if abs(here - now) > CLOCK_OFF_MS:
        says = f"{(here - now) // 1000} s ahead of the database's: set both by a time server"
        return warning("clock", says)
    since = f", {max(ahead, 0) / HOUR_MS:.1f} h after the last row" if last_ms else ""
    return ok("clock", f"{_moment(now)}{since}")


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _drawing(log: EventLog) -> Iterator[Observation]:
    if failed_on_record(log):
        says = "it failed a test while the house ran, and nobody has had it tested again since"
        yield warning("chance", f"{says}: start the house, and do so under Running")


def _root(log: EventLog, secret: Path) -> Iterator[Observation]:
    """Whether the record has what the root beside the key covers."""
    if not secret.exists():
        return
    try:
        noted = read_noted(root_beside(secret))
        if noted is None:
            yield warning("root", f"there is none beside {secret}: nothing shows a cut-back record")
            return
        check_noted(log, noted, codes_of(log, load_key(secret)))
    except UnusableError as error:
        yield fault("root", str(error))
    else:
        yield ok("root", "the record has all that the root beside the key covers")


def _network(
    host: str, port: int, cert: Path | None, key: Path | None, behind_tls: str
) -> Iterator[Observation]:
    try:
        check_web(port, cert, key)
        proxies = networks_of(behind_tls)
        listen(host, port).close()
    except (MalformedError, UnusableError) as error:
        yield fault("network", str(error))
        return
    yield ok("network", f"{host}:{port} is free")
    if cert is not None and key is not None:
        yield _certificate(cert, key)
    elif proxies:
        yield ok("TLS", f"by the proxy at {behind_tls}")
    elif is_this_machine(host):
        yield ok("TLS", "none, and none is needed: only this machine reaches the house")
    else:
        says = "none: passwords and cards would cross the network in the clear; give cert and key"
        yield fault("TLS", f"{says}, or behind-tls")


def _certificate(cert: Path, key: Path) -> Observation:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
        ends = x509.load_pem_x509_certificate(cert.read_bytes()).not_valid_after_utc
    except (OSError, ValueError) as error:
        return fault("TLS", f"{cert} and {key} are no certificate and its key: {error}")
    days = (int(ends.timestamp() * 1000) - CLOCK.wall_ms()) // DAY_MS
    if days < 0:
        return fault("TLS", f"{cert} has run out: renew it")
    how = warning if days < SOON_DAYS else ok
    return how("TLS", f"{cert} is good for {days} more days")
