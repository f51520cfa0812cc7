"""A value that prints briefly: enough to know it by, never a page."""

from reprlib import Repr

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

MOST = 160
"""Characters of fields at most; what does not fit is left out, and a … says so."""
_values = Repr()
_values.maxstring, _values.maxother, _values.maxtuple, _values.maxdict = 40, 60, 3, 3


class Brief(Struct, frozen=True):
    """Prints the fields that are not as they always are, each cut short.

    `msgspec.to_builtins` has everything.

    >>> from puntobanco.rules.notice import sample_notice
    >>> sample_notice("mbs-2017")
    Notice(ruleset='mbs-2017', decks=8, method='even', limits=Limits(...), ...)
    """

    def __repr__(self) -> str:
        shown, left = list[str](), MOST
        for field in fields(self):
            value, made = getattr(self, field.name), field.default_factory
            if value == (field.default if made is NODEFAULT else made()):
                continue
            text = f"{field.name}={_values.repr(value)}"
            left -= len(text) + 2
            if left < 0:
                shown.append("…")
                break
            shown.append(text)
        return f"{type(self).__name__}({', '.join(shown)})"
