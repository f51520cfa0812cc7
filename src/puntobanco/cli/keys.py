"""Where a house's key is: in a file of its own, outside the folder of the data.

A thief of the data must not have the key with it. Houses of older programs had theirs in a file
beside the data; it is used while it is there.
"""

import os
from hashlib import sha256
from pathlib import Path

from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.system import CHANCE
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url
from puntobanco.journal.seal import KEY_BYTES, load_key


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
    return file


def root_beside(key: Path) -> Path:
    """The file in which the house keeps its last root, beside its key."""
    return key.with_name(f"{key.name}.root")


def house_key(file: Path, log: EventLog) -> bytes:
    """The house's key; made at the first start, readable by nobody else."""
    if not file.exists():
        if log.streams():
            raise UnusableError(
                f"{file}: the key of this house is not here, and no other will do; name the file"
                " that has it with --secret"
            )
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_secret(file, CHANCE.some_bytes(KEY_BYTES).hex() + "\n")
    return load_key(file)


def write_secret(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as made:
        made.write(text)
