"""`odds`, `simulate` and `bankroll` as analysts use them."""

import json
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from puntobanco.rules.documents.ruleset import RULESETS
from tests.kit.places import PLAYTHROUGHS
from tests.kit.program import PROGRAM, refused, run, run_json, without

SVG = "{http://www.w3.org/2000/svg}"


def test_odds_print_the_json_that_programs_rely_on() -> None:
    found = run_json("odds")
    assert found["composition"] == [128] + [32] * 9
    assert found["counts"] == {
        "player": 2230518282592256,
        "banker": 2292252566437888,
        "tie": 475627426473216,
        "banker_on_6": 269232304455680,
    }
    player = found["wagers"]["player"]
    assert player["ev"] == "-241149546272/19524993263685"
    assert player["house_edge"] == pytest.approx(0.012350813)
    assert "14.3596" in run("odds", "--ruleset", "mbs-2017")


def test_odds_given_cards_gone(tmp_path: Path) -> None:
    typed = run_json("odds", "--decks", "6", "--gone", "9c Kd 2h")
    assert sum(typed["composition"]) == 6 * 52 - 3
    assert run_json("odds", "--decks", "6", "--gone", "9c", "Kd", "2h") == typed
    file = tmp_path / "dealt.shoe"
    file.write_text(run("deal", "--shoe", "--notation", "--ruleset", "mbs-2017", "--seed", "1"))
    carried = tmp_path / "carried.shoe"
    carried.write_text(
        run("rules", "notice", "act-2015").join(["+++\n", "+++\nburn As ??\n"])
        + "6c 4d Kh 3s (4d)@-\n^4d Kc 5h 2s = player 9-2\n1 p 25 : 9c Kd Kh 5s 4h@-\n^4h Kc 5h 2s\n"
    )
    seen = run_json("odds", "--shoe", str(carried))
    assert sum(seen["composition"]) == 416 - 1 - 4 - 4 - 5 - 3
    assert set(seen["wagers"]) >= {"banker-A", "canberra-pairs"}  # the shoe's own rule set
    course = run_json("odds", "course", str(carried))["coups"]
    assert [(one["coup"], one["cards_left"]) for one in course] == [(1, 415), (2, 411), (3, 407)]
    with_shoe = run_json("odds", "--shoe", str(PLAYTHROUGHS / "tasmania-2013-federal.shoe"))
    assert sum(with_shoe["composition"]) == 6 * 52 - 23
    assert "2 cards are left" in run("odds", "--shoe", str(file), code=2)


def test_odds_of_a_composition_and_of_many() -> None:
    one = run_json("odds", "--composition", "2,2,2,0,0,0,0,0,0,0")
    assert one["counts"] == {"player": 216, "banker": 216, "tie": 288, "banker_on_6": 0}
    assert one["pairs"] is None
    full = "128,32,32,32,32,32,32,32,32,32"
    lines = run("odds", "--composition", "-", stdin=f"{full}\n2,2,2,0,0,0,0,0,0,0\n").splitlines()
    first, second = (json.loads(line) for line in lines)
    for found, alone in ((first, run_json("odds", "--composition", full)), (second, one)):
        assert found == {name: alone[name] for name in ("composition", "counts", "wagers")}


def test_odds_of_an_operators_own_wager(tmp_path: Path) -> None:
    file = tmp_path / "dragon.toml"
    file.write_text(
        '[[wager]]\nname = "Dragon 7"\n'
        'pays = [{ result = "banker", points = 7, cards = 3, odds = [40, 1] }]\n'
    )
    found = run_json("odds", "--paytable", str(file))
    assert found["wagers"]["Dragon 7"]["house_edge"] == pytest.approx(0.0761, abs=0.00005)
    line = run("odds", "--paytable", str(file), "--composition", "-", stdin="9,9,9,9,9,9,9,9,9,9\n")
    assert "Dragon 7" in json.loads(line)["wagers"]


def test_odds_table_has_every_wager_of_every_rule_set_at_every_deck_count() -> None:
    rows = run_json("odds", "table")
    decks: dict[tuple[str, str], set[int]] = {}
    for row in rows:
        decks.setdefault((row["ruleset"], row["wager"]), set()).add(row["decks"])
    assert decks["tas-2018", "perfect-pairs"] == {6, 7, 8}
    assert decks["mbs-2017", "pair"] == set(range(4, 11))
    assert decks["act-2015", "banker-B"] == {8}
    assert len(decks) == 5 + 4 + 6 + 4
    assert "-1.235" in run("odds", "table", columns=80)


def test_odds_of_a_rule_set_at_any_of_its_deck_counts_are_those_of_the_table() -> None:
    rows = run_json("odds", "table")
    for ruleset in RULESETS:
        decks = min(row["decks"] for row in rows if row["ruleset"] == ruleset)
        found = run_json("odds", "--ruleset", ruleset, "--decks", str(decks))["wagers"]
        assert {name: worth["ev"] for name, worth in found.items()} == {
            row["wager"]: row["ev"]
            for row in rows
            if (row["ruleset"], row["decks"]) == (ruleset, decks)
        }


def test_odds_of_decks_that_a_document_does_not_allow_say_so() -> None:
    assert run("odds", "--ruleset", "act-2015", "--decks", "6").splitlines()[-1] == (
        "act-2015 is played with 8 decks, not 6. [act-2015:2.1]"
    )
    said = run("odds", "--ruleset", "mbs-2017", "--decks", "11")
    assert "mbs-2017 is played with 4 to 10 decks, not 11." in said
    assert "is played with" not in run("odds", "--ruleset", "mbs-2017", "--decks", "10")


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("shoes") / "dealt.shoe"
    file.write_text(run("deal", "--shoe", "--notation", "--ruleset", "act-2015", "--seed", "3"))
    return str(file)


def test_odds_course_reports_and_draws_by_itself(shoe: str, tmp_path: Path) -> None:
    plot = tmp_path / "course.svg"
    program = without("matplotlib")
    said = run("odds", "course", shoe, "--plot", str(plot), program=program)
    assert "perfect-pairs" in said
    found = run_json("odds", "course", shoe)
    assert len(found["coups"]) > 60
    wagers = {row["wager"] for row in found["exposure"]}
    assert wagers >= {"player", "tie", "canberra-pairs"}
    drawn = ET.fromstring(plot.read_text())  # noqa: S314  our own text
    texts = {text.text for text in drawn.iter(f"{SVG}text")}
    assert wagers <= texts
    points = [path.get("d", "").count("L") + 1 for path in drawn.iter(f"{SVG}path")]
    assert points.count(len(found["coups"])) == len(wagers)


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_pictures_need_the_extra(suffix: str, shoe: str, tmp_path: Path) -> None:
    plot = tmp_path / f"course.{suffix}"
    run("odds", "course", shoe, "--plot", str(plot))
    assert plot.stat().st_size > 10_000
    asked = ("odds", "course", shoe, "--plot", str(plot))
    assert "pip install 'puntobanco[plot]'" in refused(*asked, program=without("matplotlib"))


def test_simulate_prints_the_json_that_programs_rely_on(tmp_path: Path) -> None:
    asked = ["simulate", "--coups", "300000", "--seed", "5", "--csv", str(tmp_path / "out.csv")]
    found = run_json(*asked)
    assert found["coups"] == 300000 == sum(found["results"].values())
    assert set(found["results"]) == {"player", "banker", "tie"}
    assert found["banker_on_6"] > 0
    assert set(found["pairs"]) == {"player", "banker"}
    assert found["seconds"] > 0
    assert found["coups_per_second"] > 0
    assert all(abs(figure["z"]) < 5 for figure in found["figures"])
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert rows[0] == "figure,observed,standard_error,exact,z,coups,seed"
    assert len(rows) == len(found["figures"]) + 1
    again = run_json(*asked)
    assert again["results"] == found["results"]
    assert "Exact %" in run(*asked)


def test_simulate_details_suits_and_bankrolls() -> None:
    details = run_json("simulate", "--coups", "200000", "--seed", "1", "--details")["details"]
    assert set(details) == {"by_coup_number", "streaks", "ties_per_shoe", "coups_per_shoe"}
    assert "Longest" in run("simulate", "--coups", "200000", "--seed", "1", "--details")
    kinds = run_json("simulate", "--coups", "200000", "--seed", "1", "--suits")["pair_kinds"]
    assert set(kinds["banker"]) == {"mixed", "coloured", "perfect"}


def test_bankroll() -> None:
    asked = ["bankroll", "50", "--plan", "martingale", "--runs", "500", "--seed", "2"]
    found = run_json(*asked, "--bet", "banker-federal")
    assert (found["plan"], found["bankroll"], found["target"]) == ("martingale", 50, 100)
    fates = found["fates"]
    assert fates["runs"] == 500
    assert 0 < fates["ruined"] < 500
    assert "reached the target" in run(*asked)


ENDLESS = ("simulate", "--coups", "10000000000000", "--seed", "1", "--json")


def test_an_interrupted_simulation_prints_what_is_done_so_far() -> None:
    run("simulate", "--coups", "1000", "--seed", "1")  # compiled now, and not while we interrupt
    for seconds in (3, 10, 30, 60):  # a busy machine takes its time to count the first
        code, said, complaint = interrupted_after(seconds)
        if said:
            break
    found = json.loads(said)
    assert code == 130
    assert 0 < found["coups"] < 10000000000000
    assert sum(found["results"].values()) == found["coups"]
    assert "stopped after" in complaint
    assert "Traceback" not in complaint


def interrupted_after(seconds: float) -> tuple[int, str, str]:
    """Whatever a shell's background job passes on, the program hears the interrupt; and it ends."""
    process = subprocess.Popen(
        ["env", "--default-signal=INT", *PROGRAM, *ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=60)
        return process.returncode, said, complaint
    finally:
        process.kill()


@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("odds", "--decks 10"),
        ("odds course", "--plot course.svg"),
        ("simulate", "--coups-to coups.csv"),
        ("bankroll", "--paths-to p.csv"),
        ("report", "--by coup --csv"),
    ],
)
def test_help_ends_with_an_example(command: str, shows: str) -> None:
    *_, last = run(*command.split(), "--help").rstrip().splitlines()
    assert last.startswith(f"Example: puntobanco {command} ")
    assert shows in last


BAD = [
    (["odds", "--composition", "1,2"], "not a composition: '1,2'"),
    (["odds", "--composition", "-1,2,3,4,5,6,7,8,9,0"], "not a composition"),
    (["odds", "--composition", "1,1,1,1,1,0,0,0,0,0"], "5 cards are left; a coup can take six"),
    (["odds", "--decks", "0"], "0 decks cannot be"),
    (["odds", "--composition", ""], "not a composition"),
    (["odds", "--shoe", "x", "--ruleset", "act-2015"], "cannot go together"),
    (["simulate", "--cluster", ""], "no cluster answers at ''"),
    (["simulate", "--coups", "1000", "--csv", "/no/such/dir/x.csv"], "No such file or directory"),
    (["odds", "--decks", "1", "--gone", "9c 9c"], "2 of 9c are gone, but there was only 1"),
    (["odds", "--gone", "9x"], "not a card: '9x'"),
    (["odds", "--gone", "9c", "--composition", "1,2"], "cannot go together"),
    (["odds", "--paytable", "/no/such/file"], "No such file"),
    (["odds", "--ruleset", "x"], "no rule set 'x'"),
    (["odds", "course", "/no/such/file"], "No such file"),
    (["odds", "course", "x.shoe", "--plot", "x.bmp"], "name it .svg, .png or .pdf"),
    (["simulate", "--coups", "0"], "0 coups cannot be simulated"),
    (["simulate", "--decks", "99"], "99 decks cannot be simulated"),
    (["simulate", "--seed", "-1"], "a seed is a whole number"),
    (["simulate", "--cluster", "tcp://127.0.0.1:9"], "no cluster answers at 'tcp://127.0.0.1:9'"),
    (["bankroll", "10", "--bet", "dragon"], "no wager 'dragon' to simulate; choose"),
    (["bankroll", "10", "--plan", "x"], "no betting plan 'x'; choose flat"),
    (["bankroll", "0"], "a bankroll run needs"),
    (["bankroll", "9", "--target", "0"], "a bankroll run needs"),
    (["bankroll", "9", "--longest", "1" + "0" * 20], "a bankroll run needs"),
    (["bankroll", "9", "--runs", "0"], "0 runs cannot be played"),
]


@pytest.mark.parametrize(
    ("args", "says"), BAD, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_bad_input_is_one_clear_line_and_exit_2(args: list[str], says: str) -> None:
    assert says in refused(*args)
