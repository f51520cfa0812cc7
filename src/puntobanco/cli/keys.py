"""Where a house's key is: in a file of its own, outside the folder of the data.

A thief of the data must not have the key with it. The file has the key, or says who does: a
variable of the environment or a command, so that a vault or a hardware module can be asked. Houses
of older programs had theirs in a file beside the data; it is used while it is there.
"""

import os
import shlex
import subprocess
from hashlib import sha256
from pathlib import Path

from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.clock import Clock
from puntobanco.house.house import House
from puntobanco.house.system import CHANCE, CLOCK, watched_chance
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url
from puntobanco.journal.seal import KEY_BYTES
from puntobanco.journal.shown_keys import fingerprint, own_codes

ENVIRONMENT, COMMAND = "environment:", "command:"
COMMAND_S = 60
"""Seconds within which a command must have given the key."""


def key_of(house: str) -> Path | None:
    """Where the key of a house is by default; nowhere for one in PostgreSQL."""
    if is_url(house):
        return None
    beside = Path(f"{house}.key")
    if beside.exists():
        return beside
    data = Path(house).resolve()
    name = f"{data.stem}-{sha256(str(data).encode()).hexdigest()[:12]}.key"
    return _folder() / name


def _folder() -> Path:
    """The folder for settings of the person who runs the house."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "puntobanco" / "keys"


def named_key(house: str, secret: Path | None) -> Path:
    """The file with the key: the one that was named, or the default."""
    file = secret or key_of(house)
    if file is None:
        raise MalformedError("a house in PostgreSQL wants --secret, a file with its key")
    if str(file).startswith((ENVIRONMENT, COMMAND)):
        raise MalformedError(
            f"--secret names a file, not where the key is: write “{file}” as its line, and name it;"
            " the house keeps its last root beside it"
        )
    return file


def root_beside(key: Path) -> Path:
    """The file in which the house keeps its last root, beside its key."""
    return key.with_name(f"{key.name}.root")


def house_under(file: Path, log: EventLog, clock: Clock = CLOCK, hours: str = "") -> House:
    """The house over a journal, under its key and those of before."""
    codes = own_codes(log, *house_keys(file, log))
    return House(log, clock, watched_chance(), codes.keys[0], root_beside(file), hours, codes)


def house_keys(file: Path, log: EventLog) -> tuple[bytes, ...]:
    """The house's keys; the first is made at the first start, readable by nobody else."""
    if not file.exists() and log.streams():
        raise UnusableError(f"{file}: {missing_key(log)}")
    return made_keys(file)


def missing_key(log: EventLog) -> str:
    """What is said of a house that is there without its key."""
    known = fingerprint(log)
    return (
        f"the key of this house{f', {known},' if known else ''} is not here, and no other will do."
        " The house does not open and its seals stay shut until it is: name the file that has it"
        " with --secret; if it is lost, two people take another with `serve --new-key`"
    )


def check_not_gone(file: Path, log: EventLog | None = None) -> None:
    """Found no house where one was: its file lies elsewhere, or its disk is not there."""
    root = root_beside(file)
    if root.exists() and (log is None or not log.streams()):
        raise UnusableError(
            f"{root}: there is a house under this key, and it is not where it was looked for;"
            " nothing was made. Is its disk there, and the address right? Put its file back, or"
            " `puntobanco restore` a copy; a new house wants a key of its own: name another file"
            " with --secret"
        )


def made_keys(file: Path) -> tuple[bytes, ...]:
    """The keys in a file, which is made if it is not there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_secret(file, _fresh())
    return load_keys(file)


def renewed_beside(file: Path) -> Path:
    """A file with a fresh key above those that there are, which takes its place once that key is
    on record.
    """
    renewed = file.with_name(f"{file.name}.new")
    write_secret(renewed, _fresh() + file.read_text("utf-8"))
    return renewed


def _fresh() -> str:
    return CHANCE.some_bytes(KEY_BYTES).hex() + "\n"


def load_key(file: Path) -> bytes:
    """The key in use."""
    return load_keys(file)[0]


def load_keys(file: Path) -> tuple[bytes, ...]:
    """The keys in a file, a line for each: the one in use, then those of before."""
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise UnusableError(f"{file}: no key can be read here") from error
    keys = tuple(_key_of(line.strip(), str(file)) for line in lines if line.strip())
    if not keys:
        raise UnusableError(f"{file}: no key can be read here")
    return keys


def _key_of(said: str, where: str) -> bytes:
    """One key, or that of whom a line names."""
    text = said
    if said.startswith(ENVIRONMENT):
        where = f"{where}, {said}"
        text = os.environ.get(said.removeprefix(ENVIRONMENT).strip(), "")
    elif said.startswith(COMMAND):
        where = f"{where}, {said}"
        text = _printed(said.removeprefix(COMMAND), where)
    try:
        key = bytes.fromhex(text.strip())
    except ValueError as error:
        raise UnusableError(f"{where}: no key can be read here") from error
    if len(key) != KEY_BYTES:
        raise UnusableError(f"{where}: a key has {KEY_BYTES} bytes in hexadecimal, not {len(key)}")
    return key


def _printed(command: str, where: str) -> str:
    """What a command prints; what it says of itself goes to whoever started it."""
    try:
        done = subprocess.run(  # noqa: S603  who writes the file with the key says what is run
            shlex.split(command), stdout=subprocess.PIPE, text=True, timeout=COMMAND_S, check=True
        )
    except subprocess.CalledProcessError as error:
        ended = f"it ended with {error.returncode}"
        raise UnusableError(f"{where}: it gave no key: {ended}") from error
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise UnusableError(f"{where}: it gave no key: {error}") from error
    return done.stdout


def write_secret(file: Path, text: str) -> None:
    """Make a file that only its owner reads, and have it on the disk: without the key a house does
    not open again, not even one that lost its power at once.
    """
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as made:
        made.write(text)
        made.flush()
        os.fsync(made.fileno())
    if hasattr(os, "O_DIRECTORY"):  # elsewhere a folder cannot be flushed
        folder = os.open(file.parent, os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)
