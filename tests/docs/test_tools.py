"""What runs before a commit is what `make check` runs, and nothing of it comes from elsewhere."""

import re

from tests.kit.places import ROOT


def test_the_hooks_before_a_commit_are_those_of_make_check() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    check = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert check is not None
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in check[1].splitlines()]
    assert re.findall(r"entry: (.*)", hooks) == [line.removesuffix(" .") for line in commands]
    assert re.findall(r"repo: (.*)", hooks) == ["local"]


def test_requirements_name_no_index() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text()
        assert not re.search(r"--(extra-)?index-url|--find-links|https?:|file:", text)
