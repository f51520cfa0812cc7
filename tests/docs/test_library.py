"""The package as a library: its public names, their examples, and what importing it costs."""

import ast
import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import puntobanco as pb
from puntobanco.names import WHERE
from tests.kit.places import ROOT

PAGE = ROOT / "docs" / "library.md"
CONSTANTS = {"RULESETS", "commands", "events"}
"""Names whose own docstring cannot show an example: a tuple, and two modules."""


def test_the_names_are_the_same_for_python_and_for_type_checkers() -> None:
    tree = ast.parse(Path(pb.__file__).read_text())
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name: f"{one.module}.{alias.name}".removeprefix("puntobanco.")
        for one in ast.walk(typed)
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    }
    assert seen == {name: where.replace(":", ".").rstrip(".") for name, where in WHERE.items()}
    assert sorted(pb.__all__) == sorted([*WHERE, "__version__"])
    assert set(pb.__all__) <= set(dir(pb))


def test_what_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'puntobanco' has no attribute 'odd'"):
        _ = pb.odd  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(WHERE))
def test_each_name_is_on_the_page_and_shows_an_example(name: str) -> None:
    assert re.search(rf"(`|\bpb\.|\.){name}\b", PAGE.read_text()), "not in docs/library.md"
    value = getattr(pb, name)
    if name not in CONSTANTS:
        shown = inspect.getdoc(value) or ""
        assert ">>> import puntobanco as pb" in shown, "no example in the docstring"
    assert name in CONSTANTS or not isinstance(value, ModuleType)


def _examples(text: str, name: str) -> str:
    """The examples of one text as one function, so that each has variables of its own."""
    found = doctest.DocTestParser().get_examples(text)
    lines = [line for one in found for line in one.source.splitlines()]
    return "\n    ".join([f"def {name}() -> None:", *lines]) + "\n"


def test_examples_pass_mypy_strict(tmp_path: Path) -> None:
    """Those of the page, and those of every public name, as a stranger would copy them."""
    texts = {"page": PAGE.read_text(), "package": inspect.getdoc(pb) or ""}
    texts |= {name: inspect.getdoc(getattr(pb, name)) or "" for name in set(WHERE) - CONSTANTS}
    source = "\n\n".join(_examples(text, f"of_{name}") for name, text in sorted(texts.items()))
    file = tmp_path / "examples.py"
    file.write_text(source)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_the_package_costs_next_to_nothing() -> None:
    """Nothing is imported before it is used, and what an extra brings only when that is used."""
    code = (
        "import sys\nbefore = set(sys.modules)\nimport puntobanco as pb\n"
        "own = {name for name in set(sys.modules) - before if name.startswith('puntobanco')}\n"
        "assert own == {'puntobanco', 'puntobanco.names', 'puntobanco.extras'}, own\n"
        "third = {'msgspec', 'numpy', 'numba', 'litestar', 'cryptography', 'rich', 'cyclopts'}\n"
        "assert not third & set(sys.modules)\n"
        "pb.settle, pb.run, pb.price, pb.course_of, pb.verify_export, pb.draw_roads\n"
        "extra = (third - {'msgspec'}) | {'argon2', 'jinja2', 'psycopg', 'sqlite3'}\n"
        "assert not extra & set(sys.modules), extra & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_front_door_is_short() -> None:
    assert len(Path(pb.__file__).read_text().splitlines()) <= 80
