"""Coups one by one: what stands in the file is what was dealt, and what was counted."""

import csv
import signal
from collections import Counter
from collections.abc import Generator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import feather, parquet

from puntobanco.cli.simulate import _unbroken
from puntobanco.rules.cards import Card, pair
from puntobanco.rules.coup import Drawn
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.sim import coups as coup_by_coup
from puntobanco.sim.coups import columns_of, play_coups
from puntobanco.sim.run import Totals
from puntobanco.sim.shoes import plan_for
from tests.kit.program import refused, run_json, without

HANDS = [f"{hand}_{card}" for hand in ("player", "banker") for card in (1, 2, 3)]
COLUMNS = [
    *("shoe", "coup"),
    *HANDS,
    *("player_points", "banker_points", "result", "natural", "cards"),
    *("player_pair", "banker_pair"),
]


def written(file: Path, *options: str) -> Any:
    return run_json("simulate", "--coups-to", str(file), *options)


def read(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[dict[str, str]]]:
    file = tmp_path_factory.mktemp("coups") / "coups.csv"
    told = written(file, "--coups", "70000", "--seed", "4", "--ruleset", "act-2015")
    return told, read(file)


def test_the_totals_printed_are_those_counted_in_the_file(told: Any) -> None:
    totals, rows = told
    assert list(rows[0]) == COLUMNS
    assert len(rows) == totals["coups"] == 70000
    assert Counter(row["result"] for row in rows) == totals["results"]
    assert totals["banker_on_6"] == sum(
        (row["result"], row["banker_points"]) == ("banker", "6") for row in rows
    )
    for hand in ("player", "banker"):
        kinds = Counter(row[f"{hand}_pair"] for row in rows)
        del kinds["none"]
        assert kinds == totals["pair_kinds"][hand]
        assert sum(kinds.values()) == totals["pairs"][hand]
    shares = {figure["name"]: figure["observed"] for figure in totals["figures"]}
    for cards, count in Counter(row["cards"] for row in rows).items():
        assert shares[f"{cards} cards"] == pytest.approx(count / 70000)


def test_every_coup_is_one_that_the_rules_would_deal(told: Any) -> None:
    tableau = load_ruleset("act-2015").tableau
    for row in told[1][:3000]:
        player, banker = ([row[f"{hand}_{n}"] for n in (1, 2, 3)] for hand in ("player", "banker"))
        order = [player[0], banker[0], player[1], banker[1], player[2], banker[2]]
        coup = fold([Drawn(Card(card)) for card in order if card], tableau)
        assert coup.is_complete
        assert not coup.excess
        assert [[str(one) for one in hand] for hand in (coup.player, coup.banker)] == [
            [card for card in hand if card] for hand in (player, banker)
        ]
        points = (int(row["player_points"]), int(row["banker_points"]))
        assert (coup.player_points, coup.banker_points) == points
        assert coup.result == row["result"]
        natural = row["cards"] == "4" and max(points) >= 8
        assert row["natural"] == ("true" if natural else "false")


def test_shoes_and_coups_are_numbered_without_a_gap(told: Any) -> None:
    shoes = [
        [int(row["coup"]) for row in rows]
        for _, rows in groupby(told[1], key=lambda row: row["shoe"])
    ]
    assert [int(row["shoe"]) for row in told[1]] == sorted(int(row["shoe"]) for row in told[1])
    assert len(shoes) == int(told[1][-1]["shoe"])
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in shoes)
    assert {len(numbers) for numbers in shoes[:-1]} <= set(range(60, 105))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_shoe_deals_a_card_more_often_than_it_has_it(ruleset: str) -> None:
    plan = plan_for(load_ruleset(ruleset), 4)
    (some,) = play_coups(plan, 5000, 1)
    columns = columns_of(some, plan.tableau)
    for shoe in range(1, 20):
        of_shoe = some.shoe == shoe
        dealt = np.concatenate([columns[name].codes[of_shoe] for name in HANDS])  # type: ignore[union-attr]
        assert np.bincount(dealt[dealt != 255]).max() <= 4


def test_the_seed_fixes_the_coups_however_they_are_sliced(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_for(load_ruleset("tas-2018"), 8)
    (whole,) = play_coups(plan, 3000, 8)
    monkeypatch.setattr(coup_by_coup, "SLICE", 700)
    slices = list(play_coups(plan, 3000, 8))
    assert len(slices) == 5
    for part in ("shoe", "number", "drawn", "ends"):
        joined = np.concatenate([getattr(one, part) for one in slices])
        assert (joined == getattr(whole, part)).all()


def test_arrow_and_parquet_have_the_same_lines_in_typed_columns(tmp_path: Path) -> None:
    asked = ("--coups", "70000", "--seed", "9")
    written(tmp_path / "coups.csv", *asked)
    lines = read(tmp_path / "coups.csv")
    for ending, reads in ((".parquet", parquet.read_table), (".arrow", feather.read_table)):
        file = tmp_path / f"coups{ending}"
        written(file, *asked)
        table = reads(file)
        assert table.column_names == COLUMNS
        assert str(table.schema.field("natural").type) == "bool"
        assert str(table.schema.field("shoe").type) == "int64"
        assert [
            {name: _as_text(cell) for name, cell in row.items()} for row in table.to_pylist()
        ] == lines


def _as_text(cell: object) -> str:
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def test_a_pair_is_one_by_the_rules(told: Any) -> None:
    for row in told[1][:3000]:
        for hand in ("player", "banker"):
            found = pair(Card(row[f"{hand}_1"]), Card(row[f"{hand}_2"]))
            assert row[f"{hand}_pair"] == (found or "none")


def test_an_interrupt_is_heard_between_chunks_so_that_all_written_is_counted() -> None:
    before = signal.getsignal(signal.SIGINT)  # a shell's background job has it ignored
    written = list[int]()

    def chunks() -> Generator[Totals, None, None]:
        for number in range(5):
            if number == 2:
                signal.raise_signal(signal.SIGINT)  # in the middle of writing the third
            written.append(number)
            yield Totals()

    counted = 0
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the count is the point
        for _ in _unbroken(chunks()):
            counted += 1
    assert written == [0, 1, 2]
    assert counted == 3
    assert signal.getsignal(signal.SIGINT) is before


def test_what_cannot_be_written_is_refused_before_the_first_coup(tmp_path: Path) -> None:
    asked = ("simulate", "--coups", "10", "--coups-to")
    assert "name it .csv, .parquet or .arrow" in refused(*asked, "x.xlsx")
    file = str(tmp_path / "x.parquet")
    said = refused(*asked, file, program=without("pyarrow"))
    assert "pip install 'puntobanco[arrow]'" in said
    assert not Path(file).exists()
    assert "cannot go together" in refused(*asked, file, "--details")
    many = ("simulate", "--coups", "2000000000", "--coups-to", file)
    assert "cannot be simulated into a file" in refused(*many)
