"""What docs/security.md names is there: a test that is gone shows nothing."""

import re

from tests.kit.places import ROOT

TEXT = (ROOT / "docs" / "security.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TEXT)
ITEMS = {"R": 13, "G": 16, "M": 5, "L": 4, "T": 1, "A": 9, "V": 4, "K": 1}
"""How many items the list has of each part: randomness, games, money, logs, time, access,
verification, keeping.
"""
DUTIES = ("operator's duty", "not built")


def test_every_test_that_is_named_exists() -> None:
    assert len(NAMED) > 25
    for file, name in NAMED:
        assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE), name


def test_every_item_names_a_test_or_says_whose_duty_it_is() -> None:
    listed = TEXT.partition("## A laboratory's list")[2]
    rows = [line for line in listed.splitlines() if re.match(r"\| [A-Z]\d", line)]
    assert {row.split()[1] for row in rows} == {
        f"{part}{number}" for part, most in ITEMS.items() for number in range(1, most + 1)
    }
    for row in rows:
        assert "::test_" in row or any(words in row for words in DUTIES), row
