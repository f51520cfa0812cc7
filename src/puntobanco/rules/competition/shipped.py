"""The conditions that ship with the program, to begin from; every one of them proves."""

from functools import cache
from importlib import resources

from puntobanco.errors import MalformedError

TEMPLATES = {
    "four-heats": "up to four heats of nine and a final, with secret wagers and a rise of limits",
    "three-stages": "heats, semi-finals and a final, with wild cards",
    "single-table": "one session at one table, for a list of prizes",
    "secondary": "heats and a final, into which two come back from a secondary competition",
    "live-cash": "a live competition: chips worth money, bought and kept",
    "canberra": "heats and a final under Canberra's rules, with an approval and a commission",
    "singapore": "a tournament under Marina Bay Sands' rules, where conditions say nearly all",
}
"""What there is, and what each is for."""


@cache
def template_text(name: str) -> str:
    """The text of one template.

    >>> template_text("no-such")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: no template 'no-such'; choose four-heats, three-stages, ...
    """
    if name not in TEMPLATES:
        raise MalformedError(f"no template {name[:40]!r}; choose {', '.join(TEMPLATES)}")
    file = resources.files(__package__).joinpath("templates", f"{name}.toml")
    return file.read_bytes().decode()
