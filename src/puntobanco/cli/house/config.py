"""Where settings come from: a file, then the environment, then flags; and `puntobanco config`.

They are the options of `serve`, under the same names. Other commands that read a house take only
where it is and where its key is: an option of theirs may mean something else by the same name.
"""

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection, CycloptsError
from cyclopts.config import Env, Toml

from puntobanco.errors import UnusableError

PREFIX = "PUNTOBANCO_"
FILE, TOKEN = f"{PREFIX}CONFIG", f"{PREFIX}TOKEN"
DEFAULT_FILE = "/etc/puntobanco/puntobanco.toml"
"""Read if it is there, and the environment names no other."""
WHERE = ("--house", "--secret")
RUNNERS = ("serve", "doctor")
"""Commands that go by every setting; `doctor` looks at some of them."""
READERS = (
    "password",
    "founder",
    "erase",
    "report",
    "games",
    "receipt",
    "export",
    "backup",
    "archive",
)
"""Commands that find their house as `serve` does."""
PASSWORD = re.compile(r"(?<=:)[^/@]+(?=@)|(?<=password=)[^&]+")
"""A password in the URL of a database."""

Source = Callable[[App, tuple[str, ...], ArgumentCollection], None]


def config_file() -> Path:
    return Path(os.environ.get(FILE) or DEFAULT_FILE)


def sources(name: str) -> tuple[Source, ...] | None:
    """What fills in the options that a command was not given: the first that knows one counts."""
    if name not in RUNNERS + READERS:
        return None
    named = FILE in os.environ
    file = Toml(
        config_file(), must_exist=named, use_commands_as_keys=False, allow_unknown=name != "serve"
    )
    both: tuple[Source, ...] = (Env(PREFIX, command=False), _by_name(file))
    return both if name in RUNNERS else tuple(map(_limited, both))


def _by_name(file: Toml) -> Source:
    def read(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        try:
            file(app, commands, arguments)
        except CycloptsError as error:
            if isinstance(error.__cause__, tomllib.TOMLDecodeError):
                raise UnusableError(f"{config_file()}: {error.__cause__}") from error
            raise

    return read


def _limited(source: Source) -> Source:
    def limited(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        source(app, commands, _where(arguments))

    return limited


def _where(arguments: ArgumentCollection) -> ArgumentCollection:
    kept = ArgumentCollection()  # type: ignore[no-untyped-call]
    kept.extend(argument for argument in arguments if argument.name in WHERE)
    return kept


def without_password(text: str) -> str:
    """A setting as it may be shown.

    >>> without_password("postgresql://house:secret@db/evening")
    'postgresql://house:…@db/evening'
    >>> without_password("postgresql://house:one:two@db:5432/evening")
    'postgresql://house:…@db:5432/evening'
    """
    return PASSWORD.sub("…", text) if "://" in text else text


def settings(app: App) -> list[tuple[str, str, str]]:
    """Each option of `serve`: its name, what holds, and where that came from."""
    serve = app["serve"]
    arguments = serve.assemble_argument_collection()
    with app.app_stack(["serve"]):
        for source in sources("serve") or ():
            source(serve, ("serve",), arguments)
    return [_setting(argument) for argument in arguments]


def _setting(argument: Any) -> tuple[str, str, str]:
    name = argument.name.removeprefix("--")
    for token in argument.tokens:
        origin = token.keyword if token.source == "env" else f"{name} in {token.source}"
        return name, without_password(token.value), origin
    if argument.required:
        return name, "", "not set: serve wants it"
    value = argument.field_info.default
    return name, "" if value is None else str(value), "default"


def unknown(app: App) -> list[str]:
    """Variables that look like settings and are none: somebody has mistyped one."""
    arguments = app["serve"].assemble_argument_collection()
    known = {PREFIX + one.name.removeprefix("--").replace("-", "_").upper() for one in arguments}
    return sorted(
        name for name in os.environ if name.startswith(PREFIX) and name not in {*known, FILE, TOKEN}
    )


def fault_of(serve: Callable[..., int], house: str) -> str:
    """What `serve` would say of the settings that hold here; nothing if it takes them."""
    alone = App(config=sources("serve"))
    alone.default(serve)
    try:
        alone.parse_args(["--house", house], exit_on_error=False, print_error=False)
    except CycloptsError as error:
        return str(error)
    return ""


def show_config() -> int:
    """What `serve` would run with here, and where each setting came from.

    Flags go before the environment (PUNTOBANCO_HOUSE, PUNTOBANCO_PORT, …), the environment before
    the file that PUNTOBANCO_CONFIG names, or /etc/puntobanco/puntobanco.toml. Passwords are not
    shown.
    """
    from puntobanco.cli import app  # noqa: PLC0415  it names this very function

    there = config_file().is_file()
    print(f"file: {config_file()}{'' if there else ' (there is none)'}")
    held = settings(app)
    names, values = (max(len(one[at]) for one in held) for at in (0, 1))
    for name, value, origin in held:
        print(f"{name:{names}}  {value:{values}}  {origin}")
    wrong = unknown(app)
    for name in wrong:
        print(f"{name} is no setting; see docs/configuration.md")
    return 1 if wrong else 0
