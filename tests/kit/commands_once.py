"""Every command of the program once, for the tests of an installed one."""

from collections.abc import Callable
from pathlib import Path
from shutil import copy

from tests.kit.places import DATA, ROOT

PLAYED = DATA / "playthroughs"
EXTRA = {
    "simulate": "sim",
    "bankroll": "sim",
    "serve": "server",
    "demo": "server",
    "doctor": "server",
    "password": "server",
    "erase": "server",
    "founder": "server",
    "prepare": "postgres",
    "receipt": "server",
    "witness": "server",
}
"""Commands that want an extra; all others work on a plain install."""
ONCE: tuple[tuple[str, ...], ...] = (
    ("deal", "9c", "Kd", "2h", "3s"),
    ("deal", "--shoe"),
    ("settle", "3 b 500 : 9c 2h 5h / Kd 3s 6d"),
    ("roads", "BBPTB"),
    ("odds",),
    ("odds", "course", "a.shoe", "--plot", "a.svg"),
    ("simulate", "--coups", "1000", "--seed", "1"),
    ("bankroll", "100", "--runs", "10", "--seed", "1"),
    ("replay", "a.session"),
    ("replay", "a.session", "--house", "house.db", "--secret", "house.key"),
    ("report", "--house", "house.db"),
    ("games", "table-1", "--house", "house.db"),
    ("receipt", "table-1", "5", "--house", "house.db", "--key", "house.key"),
    ("verify", "house.db"),
    ("verify", "house.db", "--secret", "house.key"),
    ("export", "table-1", "--house", "house.db", "--to", "table.jsonl"),
    ("verify", "table.jsonl"),
    ("backup", "--house", "house.db", "--to", "copy.db"),
    ("drill", "copy.db"),
    ("restore", "copy.db", "--to", "back.db"),
    ("witness", "--of", "http://127.0.0.1:9", "--to", "seen", "--once"),
    ("program",),
    ("program", "--sbom"),
    ("rules", "list"),
    ("rules", "table", "tas-2018"),
    ("competition", "templates"),
    ("competition", "prove", "cup.toml"),
    ("password", "mara", "--house", "house.db", "--secret", "house.key"),
    ("founder", "fay", "--house", "house.db", "--secret", "house.key"),
    ("archive", "--help"),
    ("erase", "--help"),
    ("prepare", "--help"),
    ("config", "--help"),
    ("doctor", "--help"),
    ("serve", "--house", "new.db", "--secret", "new.key"),
    ("demo",),
)
"""In this order: the house that one makes, others read."""
SERVERS = ("serve", "demo")


def furnish(folder: Path) -> None:
    """The files they read."""
    copy(PLAYED / "singapore-2017.session", folder / "a.session")
    copy(PLAYED / "canberra-2015.shoe", folder / "a.shoe")
    copy(ROOT / "docs" / "table-1.jsonl", folder / "b.jsonl")
    copy(DATA / "competitions" / "singapore.toml", folder / "cup.toml")


def check_plain(run: Callable[..., tuple[int, str]], once: tuple[str, ...]) -> None:
    """It works, or says in one line which extra it wants."""
    code, said = run(*once)
    extra = EXTRA.get(once[0])
    if extra is None:
        assert code == 0, (once, said)
        return
    wanted = f"this wants the extra '{extra}': pip install 'puntobanco[{extra}]'"
    assert (code, said) == (2, f"puntobanco: {wanted}\n"), once
