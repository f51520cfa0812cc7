"""The tree stays readable: small folders, small files, one meaning for each name."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from msgspec import Struct

from puntobanco.cage.commands import CageCommand
from puntobanco.cage.events import CageEvent
from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.events import CompetitionEvent
from puntobanco.house.notes import Note
from puntobanco.register.commands import RegisterCommand
from puntobanco.register.events import RegisterEvent
from puntobanco.table.commands import TableCommand
from puntobanco.table.decide import ROOMS
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import APPLY
from tests.kit.places import ROOT, TESTS

SOURCE = ROOT / "src" / "puntobanco"
FOLDERS = sorted({file.parent for root in (SOURCE, TESTS) for file in root.rglob("*.py")})
FILES = sorted(file for root in (SOURCE, TESTS) for file in root.rglob("*.py"))
MOST_FILES, MOST_LINES = 14, 500
CATALOGUES = (
    "words/",
    "editions.py",
    "table/authority.py",
    "table/commands.py",
    "table/events.py",
)
"""Lists of what there is, one entry after another; they may be as long as there is much."""
KINDS: list[type[Struct]] = [
    kind
    for union in (
        TableCommand,
        TableEvent,
        CageCommand,
        CageEvent,
        RegisterCommand,
        RegisterEvent,
        CompetitionCommand,
        CompetitionEvent,
        Note,
    )
    for kind in get_args(union)
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_folder_has_more_files_than_a_reader_takes_in(folder: Path) -> None:
    files = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    assert len(files) <= MOST_FILES


def test_no_file_is_longer_than_a_reader_bears() -> None:
    long = {
        str(file.relative_to(ROOT)): count
        for file in FILES
        if (count := len(file.read_text().splitlines())) > MOST_LINES
        and not str(file.relative_to(SOURCE if SOURCE in file.parents else TESTS)).startswith(
            CATALOGUES
        )
    }
    assert long == {}


def test_no_test_module_imports_another() -> None:
    """What tests share is in the kit, where it is looked for."""
    found = [
        f"{file.relative_to(ROOT)}: {module}"
        for file in FILES
        for module in imported(file)
        if module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")
    ]
    assert found == []


@cache
def parsed(file: Path) -> ast.Module:
    """A file read once for all tests here."""
    return ast.parse(file.read_text())


def imported(file: Path) -> list[str]:
    return re.findall(r"^ *from (\S+) import", file.read_text(), re.MULTILINE)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_class_is_named_after_its_tag(kind: type[Struct]) -> None:
    tag = str(kind.__struct_config__.tag)
    assert kind.__name__ == "".join(word.capitalize() for word in tag.split("-"))


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
CONVENTIONS = {"decide", "evolve", "view", "open_log"}
"""Every aggregate has the first three, and each database opens a journal."""
DOORS = ("cli/", "server/api/", "server/pages/")
"""A command of the command line and a handler are named after what they give to whoever asks."""
BEHIND_DOORS = {
    "clinch", "compare", "coverage", "devices", "end_device", "enrol", "erase", "export",
    "name_person", "open_table", "sample_notice", "search", "settle", "simulate", "unlock",
    "squeeze", "verify",
}  # fmt: skip
"""Functions that a door of the same name leads to."""
LIKELY = "table/likely.py"
MESSAGES = ("/commands.py", "/events.py")


def test_a_class_name_has_one_meaning() -> None:
    """One search finds one thing; a message has the name of its tag, which is its aggregate's."""
    inside = {
        name: [file for file in files if not file.endswith(MESSAGES)]
        for name, files in places((ast.ClassDef,)).items()
    }
    assert twice(inside) == {}


def test_a_function_name_has_one_meaning() -> None:
    inside = {
        name: [file for file in files if not file.startswith((*DOORS, LIKELY))]
        for name, files in places(FUNCTION).items()
        if name not in CONVENTIONS
    }
    assert twice(inside) == {}


def test_a_door_shares_its_name_only_with_what_is_behind_it() -> None:
    shared = {
        name
        for name, files in places(FUNCTION).items()
        if len({file.startswith(DOORS) for file in files}) == 2
    }
    assert shared == BEHIND_DOORS


def test_a_likely_command_is_named_as_its_decider() -> None:
    """Whatever `table/likely.py` shares a name with decides the same command."""
    others = {
        file
        for files in places(FUNCTION).values()
        if LIKELY in files
        for file in files
        if file != LIKELY
    }
    assert [file for file in others if not file.startswith("table/decide/")] == []


def places(kinds: tuple[type[ast.stmt], ...]) -> dict[str, list[str]]:
    """The files in which each public name is defined."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for node in parsed(file).body:
            if isinstance(node, kinds) and not (name := getattr(node, "name", "_")).startswith("_"):
                found[name].append(str(file.relative_to(SOURCE)))
    return found


def twice(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: files for name, files in sorted(found.items()) if len(files) > 1}


RULE_ON = "rule_on"
"""The rule itself has the name of the command `rule-on`; its decider is `rule_on_finding`."""


@pytest.mark.parametrize("handlers", [ROOMS, APPLY], ids=["decide", "evolve"])
def test_a_decider_is_named_after_its_command_and_an_evolver_after_its_event(
    handlers: Mapping[type[Struct], Callable[..., object]],
) -> None:
    """One that serves several kinds says what they have in common."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for kind, function in handlers.items():
        kinds[function.__name__].append(str(kind.__struct_config__.tag).replace("-", "_"))
    named = {function: served[0] for function, served in kinds.items() if len(served) == 1}
    other = {function: kind for function, kind in named.items() if function != kind}
    assert [kind for kind in other.values() if kind != RULE_ON] == []


NAMED_FILE = re.compile(r"`([\w/.-]+\.(?:py|html|js|css|sh))`")
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
PLACEHOLDER = re.compile(r"[A-Z]{3,}|^build/")
"""A name to be filled in, or a file that is made."""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_document_names_only_files_that_are_there(document: Path) -> None:
    roots = ("src", "tests", "tools", "docs", "bench", "kits")
    there = [f"/{file.relative_to(ROOT)}" for root in roots
             for file in (ROOT / root).rglob("*") if file.is_file()]  # fmt: skip
    named = [
        name for name in NAMED_FILE.findall(document.read_text()) if not PLACEHOLDER.search(name)
    ]
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in there)] == []
