"""A command is checked against its declared types and bounds before anything is decided by it.

Constructing a message checks nothing: `BuyIn(-5000, "ann")` is an object like any other. So each
aggregate writes the command it is given and reads it back by its declared type, and decides on
what it has read. In MessagePack, since JSON would turn bytes into text and NaN into null.
"""

import re
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET, Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS

MOST_SAID = 200
"""The most characters of an explanation, which may quote what was given."""
UNWRITABLE = (TypeError, ValueError, OverflowError, RecursionError, AttributeError)
"""The errors with which writing a command fails when a field holds what no message can carry."""
_AT = re.compile(r"(.*?) - at (.*)", re.DOTALL)


def checker(kinds: Any) -> Callable[[object], Any]:
    """Make a function that returns a command of one of these kinds, typed and within its bounds.

    It refuses anything else, and names the command and the field.
    """
    write = msgspec.msgpack.Encoder().encode
    read = msgspec.msgpack.Decoder(kinds).decode

    def checked(ask: object) -> Any:
        try:
            read_back = read(write(ask))
        except msgspec.MsgspecError as error:
            _refuse(ask, str(error))
        except UNWRITABLE as error:
            _refuse(ask, f"{error} - at $.{_unwritable(ask, write)}")
        if type(read_back) is not type(ask):
            _refuse(ask, "it is not one of these commands")
        return read_back

    return checked


def _refuse(ask: object, error: str) -> NoReturn:
    """Refuse a command, naming the field that does not fit and why."""
    name = str(ask.__struct_config__.tag) if isinstance(ask, Struct) else type(ask).__name__
    at = _AT.fullmatch(error)
    why, where = at.groups() if at else (error, "")
    field = where.rpartition("$")[2].strip(".`")
    what = ": ".join(filter(None, (name, field, why.replace("`", ""))))
    raise Refused(Reason.MALFORMED, CONDITIONS, what=what[:MOST_SAID], command=name, field=field)


def _unwritable(ask: object, write: Callable[[object], bytes]) -> str:
    """Find the first field that cannot be written; one that is left out is not."""
    for name in getattr(ask, "__struct_fields__", ()):
        value = getattr(ask, name)
        try:
            if value is not UNSET:
                write(value)
        except UNWRITABLE:
            return str(name)
    return ""
