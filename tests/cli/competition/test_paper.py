"""Competition answers on paper (places, forms, lots …) through the installed program."""

import json
from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules.competition.draw import Spoken, certify, places_at, write_certificate
from tests.kit.clauses import clause, tas
from tests.kit.places import DATA
from tests.kit.program import called, refused, run, run_json

DRAWN = (DATA / "competitions" / "moved.competition").read_text().partition("director: key-draw")[0]


def answer(*args: str, code: int = 0) -> Any:
    """The JSON of an answer, which goes to standard output whatever the answer is."""
    return json.loads(run("competition", *args, "--json", code=code, out=True))


@clause(*tas("16.8.4"))
def test_places_with_prizes() -> None:
    """[tas-2018:16.8.4]"""
    people = ("--chips", "A 9000,B 4000", "--out", "C 20,D 20", "--gone", "F")
    found = answer("places", "--ruleset", "tas-2018", *people, "--prizes", "5000,3000,1000.01")
    assert found == {
        "places": [
            line(1, 1, ["A"], "chips", 500_000, 0, "16.8.2"),
            line(2, 2, ["B"], "chips", 300_000, 0, "16.8.2"),
            line(3, 4, ["C", "D"], "shared", 50_001, 1, "16.8.4"),
        ],
        "through": [],
        "contested": [],
        "places_left": 0,
    }
    assert list(found["places"][0]) == [
        "from",
        "to",
        "people",
        "how",
        "each_cents",
        "added_cents",
        "clauses",
    ]


def line(*values: Any) -> dict[str, Any]:
    first, last, people, how, each, added, number = values
    return {
        "from": first,
        "to": last,
        "people": people,
        "how": how,
        "each_cents": each,
        "added_cents": added,
        "clauses": [f"tas-2018:{number}"],
    }


@clause("act-2015:15.22")
def test_places_still_to_be_played_for_are_a_no() -> None:
    """[act-2015:15.22]"""
    people = ("--ruleset", "act-2015", "--chips", "A 9000,B 4000,C 4000", "--advance", "2")
    found = answer("places", *people, code=1)
    assert (found["through"], found["contested"], found["places_left"]) == (["A"], ["B", "C"], 1)
    assert found["places"][1]["how"] == "more-rounds"
    assert found["places"][1]["each_cents"] is None
    said = run("competition", "places", *people, code=1, out=True)
    assert "Still contested: B, C, for 1 place." in said
    below = ("--below-minimum", "--chips", "A 90,B 80", "--prizes", "10")
    assert answer("places", "--ruleset", "tas-2018", *below, code=1)["contested"] == ["A", "B"]


FORM = ("--held", "6000", "--limits", "100-2000", "--unit", "5", "--left", "3")


@clause(*tas("16.6.10(lead)", "16.6.10(d)"))
def test_a_secret_wager() -> None:
    """[tas-2018:16.6.10(d)]"""
    form = ("secret", *FORM, "--laid", "b 1500,t 100", "--form", "1000|one thousand|b")
    assert answer(*form, code=1) == {
        "examined": ["above-maximum"],
        "deemed": {"amount_cents": 50_000, "taken_cents": 0, "clauses": ["tas-2018:16.6.3"]},
        "holds_cents": None,
    }
    assert answer(*form, "--result", "b", code=1)["holds_cents"] == 780_000
    six = ("--result", "b", "--method", "federal", "--six")
    assert answer(*form, *six, code=1)["holds_cents"] == 690_000
    plain = ("secret", *FORM, "--form", "1000|one thousand|Banker")
    assert answer(*plain)["examined"] == []
    assert "Accepted." in run("competition", *plain)
    blank = ("secret", *FORM, "--form", "1000||", "--result", "p")
    said = run("competition", *blank, code=1, out=True)
    assert "Sent back: type-not-shown, words-and-figures-differ." in said
    assert "After the coup 100 is taken, and nothing is played. [tas-2018:16.6.10(d)]" in said
    assert "The player then holds 5900." in said


@clause(*tas("16.3.5"))
def test_clinch() -> None:
    """[tas-2018:16.3.5]"""
    given = ("--advance", "1", "--coups", "1", "--limits", "100-2000", "--ruleset", "tas-2018")
    found = answer("clinch", "--chips", "A 21001,B 5000", *given)
    assert list(found) == ["verdict", "ahead", "proof"]
    assert (found["verdict"], found["ahead"]) == ("decided", ["A"])
    assert answer("clinch", "--chips", "A 21000,B 5000", *given, code=1)["verdict"] == "open"
    small = (*given, "--tie-limits", "5-50")
    assert answer("clinch", "--chips", "A 2000,B 400", *small)["verdict"] == "secured"
    said = run("competition", "clinch", "--chips", "A 21001,B 5000", *given)
    assert said.startswith("Decided. Ahead: A.\n")


@clause("act-2015:15.7")
def test_draw_check(tmp_path: Path) -> None:
    """[act-2015:15.7]"""
    people = ("ann", "bob", "cy")
    words = (Spoken("w1", "rain"),)
    one = certify(("cup", "heats", 1), bytes(range(32)), words, people, places_at([("t1", 3)]))
    file = tmp_path / "draw.json"
    file.write_text(write_certificate(one))
    assert answer("draw-check", str(file)) == {
        "holds": True,
        "competition": "cup",
        "session": "heats",
        "draw": 1,
        "faults": [],
    }
    assert "It holds: the same lots come out again." in run("competition", "draw-check", str(file))
    file.write_text(write_certificate(one).replace('"rain"', '"r\\u001bain"'))
    assert [one["fault"] for one in answer("draw-check", str(file), code=1)["faults"]] == [
        "lots-differ"
    ]
    said = run("competition", "draw-check", str(file), code=1, out=True)
    assert "\x1b" not in said
    assert "It does not hold: the lots are not what seed, words and list give." in said


@clause("act-2015:15.7")
def test_the_certificate_of_a_draw_is_had_from_the_house(tmp_path: Path) -> None:
    """[act-2015:15.7] A script draws by lot with nothing else said; the house's file holds."""
    conditions = DATA / "competitions" / "one-table.toml"
    (tmp_path / conditions.name).write_text(conditions.read_text())
    script = tmp_path / "cup.competition"
    script.write_text(DRAWN + 'director: draw words="rain"\n')
    run_json("competition", "run", str(script), "--house", str(tmp_path))
    file = tmp_path / "draw.json"
    at = ("competition", "certificate", str(tmp_path), "cup")
    file.write_text(run(*at))
    checked = answer("draw-check", str(file))
    assert (checked["holds"], checked["competition"], checked["draw"]) == (True, "cup", 1)
    assert run(*at, "--draw", "1") == file.read_text()
    assert "--draw takes 1 to 1" in called(*at, "--draw", "2").stderr


PLACES = ["places", "--ruleset", "tas-2018"]
CLINCH = ["clinch", "--ruleset", "tas-2018", "--limits", "100-2000"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([*PLACES, "--chips", "A 1"], "either --prizes or --advance"),
        ([*PLACES, "--chips", "A 1", "--prizes", "1", "--advance", "1"], "either --prizes or"),
        ([*PLACES, "--chips", "A", "--advance", "1"], "--chips takes names with numbers"),
        ([*PLACES, "--chips", "A 1,A 2", "--advance", "1"], "names A twice"),
        ([*PLACES, "--chips", "A 1", "--out", "A 2", "--advance", "1"], "cannot hold chips and be"),
        ([*PLACES, "--out", "A x", "--advance", "1"], "is no coup"),
        ([*PLACES, "--chips", "A 1", "--advance", "0"], "--advance takes 1 to"),
        ([*PLACES, "--chips", "A 1", "--prizes", "5,x"], "not an amount"),
        (["places", "--ruleset", "nsw", "--advance", "1"], "no rule set"),
        (["secret", *FORM, "--form", "1000|b"], "--form takes figures, words and type"),
        (["secret", *FORM, "--form", "1|one|b", "--laid", "x 5"], "is no type of wager"),
        (["secret", *FORM, "--form", "1|one|b", "--laid", "b 6001"], "more than --held"),
        (["secret", *FORM[:-1], "-1", "--form", "1|one|b"], "--left counts from 0"),
        (["secret", *FORM, "--form", "1|one|b", "--method", "A"], "no method 'A'"),
        (["secret", *FORM, "--form", "1|one|b", "--ruleset", "act-2015"], "no secret wagers"),
        ([*CLINCH, "--chips", "", "--advance", "1", "--coups", "1"], "names nobody"),
        ([*CLINCH, "--chips", "A 1", "--advance", "1", "--coups", "-1"], "--coups takes 0 to"),
        (
            [*CLINCH[:-1], "9-5", "--chips", "A 1", "--advance", "1", "--coups", "1"],
            "the maximum last",
        ),
        (["draw-check", "README.md"], "not the file of a draw"),
        (["draw-check", "no-such-file"], "No such file"),
    ],
)
def test_bad_input_is_one_clear_line(args: list[str], says: str) -> None:
    assert says in refused("competition", *args)
