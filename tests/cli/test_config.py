"""Settings by file, environment and flags; the page that lists them is made from the code."""

from pathlib import Path

import pytest
from cyclopts import App, CycloptsError

from puntobanco.cli import app
from puntobanco.cli.house.config import FILE, READERS, settings, sources, unknown
from puntobanco.cli.report import report_house
from puntobanco.cli.serve import serve
from tests.kit.places import ROOT

PAGE = ROOT / "docs" / "configuration.md"
HEAD = "| in the file, and as a flag with `--` | environment | default | what it is |\n"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text("")
    monkeypatch.setenv(FILE, str(file))
    return file


def table() -> str:
    lines = ["|---|---|---|---|\n"]
    for argument in app["serve"].assemble_argument_collection(parse_docstring=True):
        name = argument.name.removeprefix("--")
        default = argument.field_info.default
        shown = "" if argument.required or default in (None, "") else f"`{default}`"
        says = " ".join(str(argument.parameter.help).split())
        variable = f"PUNTOBANCO_{name.replace('-', '_').upper()}"
        lines.append(f"| `{name}` | `{variable}` | {shown} | {says} |\n")
    return "".join(lines)


def test_the_page_lists_every_setting(request: pytest.FixtureRequest) -> None:
    before, head, listed = PAGE.read_text().partition(HEAD)
    if request.config.getoption("--update"):
        PAGE.write_text(before + head + table())
    else:
        assert listed == table()
    assert all(f"`{name}`" in before for name in READERS)


def given(command: object, name: str, *flags: str) -> dict[str, object]:
    """What a command is called with."""
    one = App(config=sources(name), result_action="return_value")
    one.default(command)  # type: ignore[call-overload]
    _, bound, _ = one.parse_args([*flags], exit_on_error=False, print_error=False)
    return dict(bound.arguments)


def test_flags_go_before_the_environment_and_that_before_the_file(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_set.write_text('house = "a.db"\nport = 1\nroot-rows = 2\nbehind-tls = "10.0.0.2"')
    monkeypatch.setenv("PUNTOBANCO_PORT", "3")
    monkeypatch.setenv("PUNTOBANCO_ROOT_ROWS", "4")
    assert given(serve, "serve", "--root-rows", "5") == {
        "house": "a.db",
        "port": 3,
        "root_rows": 5,
        "behind_tls": "10.0.0.2",
    }
    nothing_set.write_text("prot = 1")
    with pytest.raises(CycloptsError, match="prot"):
        given(serve, "serve", "--house", "a.db")


def test_others_take_where_the_house_is_and_nothing_else(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_set.write_text('house = "a.db"\nport = 1\nhours = "noon"')
    monkeypatch.setenv("PUNTOBANCO_BY", "coup")
    assert given(report_house, "report") == {"house": "a.db"}
    assert sources("verify") is None


def test_what_holds_is_told_with_its_origin_and_without_passwords(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_set.write_text('house = "postgresql://house:hush@db/evening"')
    monkeypatch.setenv("PUNTOBANCO_PORT", "3")
    monkeypatch.setenv("PUNTOBANCO_PROT", "4")
    told = {name: (value, origin) for name, value, origin in settings(app)}
    assert told["house"] == ("postgresql://house:…@db/evening", f"house in {nothing_set}")
    assert told["port"] == ("3", "PUNTOBANCO_PORT")
    assert told["host"] == ("127.0.0.1", "default")
    assert "hush" not in str(told)
    assert unknown(app) == ["PUNTOBANCO_PROT"]
