"""The command line as people and pipelines use it: the installed program, run for real."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clauses import clause, tas

PROGRAM = [sys.executable, "-m", "puntobanco"]
SHOES = Path(__file__).parent / "playthroughs"


def run(*args: str, stdin: str = "", code: int = 0, columns: int = 120) -> str:
    """Run the program; return its output, or what it says is wrong."""
    done = subprocess.run(
        [*PROGRAM, *args],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"},
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr if code else done.stdout


def run_json(*args: str, stdin: str = "") -> Any:
    return json.loads(run(*args, "--json", stdin=stdin))


def test_help_lists_the_commands() -> None:
    said = run("--help")
    names = ("deal", "settle", "roads", "rules", "odds", "simulate", "bankroll")
    assert all(name in said for name in names)


def test_deal_prints_the_json_that_programs_rely_on() -> None:
    assert run_json("deal", "9c", "Kd", "2h", "3s") == {
        "player": {"cards": ["9c", "2h"], "points": 1},
        "banker": {"cards": ["Kd", "3s"], "points": 3},
        "result": None,
        "owed": "player",
        "excess": [],
    }


def test_deal_reads_hands_and_finishes_a_coup() -> None:
    folded = run_json("deal", "9c 2h 5h / Kd 3s 6d", "--ruleset", "act-2015")
    assert (folded["result"], folded["owed"]) == ("banker", None)


def test_deal_says_what_the_rule_makes_of_a_card_left_over() -> None:
    folded = run_json("deal", "6c", "Kd", "Kh", "7s", "4d@p")
    assert folded["excess"] == ["4d"]
    assert folded["ruling"] == {
        "verdict": "stands",
        "next_coup": "non-betting",
        "carried": ["4d@p"],
        "discarded": [],
        "clauses": ["tas-2018:14.1"],
    }
    said = run("deal", "6c", "Kd", "Kh", "7s", "4d@p")
    assert "Banker wins" in said
    assert "the next coup is a non-betting coup. [tas-2018:14.1]" in said


@clause("mbs-2017:3.9", *tas("11(player)"))
def test_deal_says_whose_card_is_next_and_why() -> None:
    assert "A card for Player. [tas-2018:11(player)]" in run("deal", "2c 3d / Kh 7s")
    said = run("deal", "2c 4d / Kh 5s", "--ruleset", "mbs-2017")
    assert "A card for Banker. [mbs-2017:3.9.3]" in said
    assert "natural. [act-2015:6.4]" in run("deal", "9c Kd / Kh 5s", "--ruleset", "act-2015")
    assert "must be turned" in run("deal", "?? ?? ?? ??")


def test_deal_a_whole_shoe() -> None:
    said = run("deal", "--shoe", "--ruleset", "act-2015")
    assert "Bead plate" in said
    assert "last coup" in said
    dealt = run_json("deal", "--shoe", "--decks", "6")
    assert 40 < len(dealt["coups"]) < 78
    assert len(dealt["roads"]["bead_plate"]) == len(dealt["coups"])


def test_a_dealt_shoe_in_the_notation_can_be_settled(tmp_path: Path) -> None:
    file = tmp_path / "dealt.shoe"
    file.write_text(run("deal", "--shoe", "--notation", "--ruleset", "mbs-2017"))
    assert run("settle", "--shoe", str(file)).startswith("Coup 1: ")


def test_settle_names_the_clause_of_each_payout() -> None:
    settled = run_json("settle", "Kc 7d / Kh 8s", "-w", "3 b 75", "--wager", "4 p 100")
    banker, player = settled["payouts"]
    assert (banker["won_cents"], banker["odds"], banker["breakage_cents"]) == (7250, "19:20", "125")
    assert banker["clauses"] == ["tas-2018:12.2", "tas-2018:6.6"]
    assert player["outcome"] == "loses"
    assert settled["bank_cents"] == 10000 - 7250
    said = run("settle", "3 b 75, 4 p 100 : Kc Kh 7d 8s")
    assert "[tas-2018:12.2] [tas-2018:6.6]" in said
    assert "Staked 175 = won 72.50 + returned 75 + bank 27.50." in said
    assert "Rounding cost the bank 1.25." in said


def test_settle_under_a_notice_of_ones_own(tmp_path: Path) -> None:
    notice = tmp_path / "table.toml"
    notice.write_text(
        'ruleset = "tas-2013"\nlayout = "mini"\ndecks = 6\nmethod = "federal"\n'
        "limits = { min_cents = 1000, max_cents = 100000 }\n"
    )
    settled = run_json("settle", "Kc 2d Ah / 2h 4s", "-w", "1 b 10", "--notice", str(notice))
    assert settled["payouts"][0]["won_cents"] == 500


def test_settle_remembers_who_was_warned() -> None:
    settled = run_json("settle", "Kc 9d / Kh 8s", "-w", "1 p 10", "--warned", "1")
    assert settled["payouts"][0]["outcome"] == "returned"


@pytest.mark.parametrize("file", sorted(SHOES.glob("*.shoe")), ids=lambda file: file.stem)
def test_settle_a_whole_shoe(file: Path) -> None:
    coups = [json.loads(line) for line in run("settle", "--shoe", str(file), "--json").splitlines()]
    assert [coup["coup"] for coup in coups] == list(range(1, len(coups) + 1))
    for coup in coups:
        gone = coup["won_cents"] + coup["returned_cents"] + coup["bank_cents"]
        assert coup["staked_cents"] == gone + coup["held_cents"]
    said = run("settle", "--shoe", str(file))
    assert said.count("\nCoup ") + said.startswith("Coup ") == len(coups)
    assert f"{len(coups)} coups: " in said


def test_roads_prints_the_json_that_programs_rely_on() -> None:
    road = run_json("roads", "BBPPPPPPT")
    assert road["big_road"][0] == [0, 0, "B", 0]
    assert road["big_road"][-1] == [5, 1, "P", 1]
    assert (road["big_eye_boy"], road["small_road"], road["cockroach_pig"]) == ("RBRRR", "", "")
    assert "Cockroach pig" in run("roads", "BBPTB")


PIPES = [
    ("deal", "9c Kd 2h 3s\n6c Kd Kh 7s\n", lambda one: one["result"], [None, "banker"]),
    ("roads", "BBP\n\nT\n", lambda one: one["bead_plate"], ["BBP", "", "T"]),
    (
        "settle",
        "1 p 100 : Kc 9d / Kh 8s\nKc 9d / Kh 8s\n",
        lambda one: one["bank_cents"],
        [-10000, 0],
    ),
]


@pytest.mark.parametrize(("command", "stdin", "pick", "expected"), PIPES, ids=lambda x: str(x)[:8])
def test_a_dash_reads_a_line_at_a_time(
    command: str, stdin: str, pick: Any, expected: list[object]
) -> None:
    lines = run(command, "-", stdin=stdin).splitlines()
    assert [pick(json.loads(line)) for line in lines] == expected


def test_a_bad_line_keeps_its_place_in_the_pipeline() -> None:
    done = subprocess.run(
        [*PROGRAM, "deal", "-"],
        input="9c Kd\n1c\n6c Kd Kh 7s\n",
        capture_output=True,
        text=True,
        check=False,
    )
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 2
    assert first["owed"] == "player"
    assert second["line"] == 2
    assert "not a card: '1c'" in second["error"]
    assert third["result"] == "banker"


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
        + "6c Kd Kh 7s (4d)@-\n^4d Kc 5h 2s = player 9-2\n1 p 25 : 9c Kd Kh 5s 4h@-\n^4h Kc 5h 2s\n"
    )
    seen = run_json("odds", "--shoe", str(carried))
    assert sum(seen["composition"]) == 416 - 1 - 4 - 4 - 5 - 3
    assert set(seen["wagers"]) >= {"banker-A", "canberra-pairs"}  # the shoe's own rule set
    course = run_json("odds", "course", str(carried))["coups"]
    assert [(one["coup"], one["cards_left"]) for one in course] == [(1, 415), (2, 411), (3, 407)]
    with_shoe = run_json("odds", "--shoe", str(SHOES / "tasmania-2013-federal.shoe"))
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


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_odds_course_reports_and_draws(suffix: str, tmp_path: Path) -> None:
    shoe, plot = tmp_path / "dealt.shoe", tmp_path / f"course.{suffix}"
    shoe.write_text(run("deal", "--shoe", "--notation", "--ruleset", "act-2015", "--seed", "3"))
    said = run("odds", "course", str(shoe), "--plot", str(plot))
    assert "perfect-pairs" in said
    assert plot.stat().st_size > 10_000
    found = run_json("odds", "course", str(shoe))
    assert len(found["coups"]) > 60
    assert {row["wager"] for row in found["exposure"]} >= {"player", "tie", "canberra-pairs"}


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


def test_an_interrupted_simulation_prints_what_is_done_so_far() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "simulate", "--coups", "10000000000000", "--seed", "1", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=60)
    found = json.loads(said)
    assert process.returncode == 130
    assert 0 < found["coups"] < 10000000000000
    assert sum(found["results"].values()) == found["coups"]
    assert "stopped after" in complaint
    assert "Traceback" not in complaint


def test_rules_list_show_search() -> None:
    listed = run_json("rules", "list")
    assert len(listed) == 599
    assert {"id", "does", "planned", "paraphrase"} <= set(listed[0])
    assert len(run_json("rules", "list", "--document", "mbs-2017")) == 50
    outside = run_json("rules", "list", "--status", "outside")
    assert outside
    assert all(clause["outside"] for clause in outside)
    shown = run_json("rules", "show", "tas-2018:14.1")
    assert shown["tests"]
    assert "computes" in run("rules", "show", "tas-2018:14.1")
    found = run("rules", "search", "burn")
    assert "act-2015:12.7" in found
    assert "act-2015:5.4(a)" in found


def test_rules_compare() -> None:
    said = run("rules", "compare", "tas-2018", "tas-2013")
    assert "Decks  differs" in said
    assert "[tas-2013:4.1]" in said
    compared = run_json("rules", "compare", "act-2015", "mbs-2017")
    assert {"matter", "verdict", "says", "clauses"} == set(compared[0])
    assert len(run("rules", "compare", "tas-2018", "tas-2013", "--same")) > len(said)


def test_rules_coverage() -> None:
    counted = run_json("rules", "coverage")
    assert counted["total"] == 599
    assert counted["untested"] == []
    assert sum(counted["by_status"].values()) == 599
    assert "tas-2018:16.6.1" in counted["planned"]
    assert "599 clauses" in run("rules", "coverage")


@pytest.mark.parametrize("document", ["tas-2018", "tas-2013", "act-2015", "mbs-2017"])
def test_rules_table(document: str) -> None:
    said = run("rules", "table", document)
    assert "6  S  S  S  S  S  S  D  D  S  S  S" in said
    assert run_json("rules", "table", document)["banker"][3] == "DDDDDDDDSDD"


BAD = [
    (["deal", "1c"], "not a card: '1c' (rank A23456789TJQK, then suit cdhs)"),
    (["deal"], "no cards"),
    (["deal", *["9c"] * 9], "9 copies of 9c cannot come from 8 decks [tas-2018:4.1]"),
    (["deal", "9c", "--ruleset", "nsw"], "no rule set 'nsw'; choose tas-2018"),
    (["deal", "9c", "--decks", "3"], "3 decks are not allowed [tas-2018:4.1]. Use 4 to 8"),
    (["deal", "9c", "--decks", "many"], "many"),
    (["deal", "9c", "--ruleset", "act-2015", "--decks", "6"], "[act-2015:2.1]"),
    (["deal", "9c", "--notice", "/no/such/file"], "/no/such/file: No such file or directory"),
    (["deal", "9c", "--notice", "/"], "/: Is a directory"),
    (["settle", "9c Kd", "-w", "x"], "not a wager: 'x'"),
    (["settle", "9c Kd"], "not finished: player is owed a card"),
    (["settle"], "no cards"),
    (["settle", "3 b 75 :"], "no cards"),
    (
        ["settle", "9c Kd Kh 5s = player 9-3"],
        "claims 'player 9-3', but the cards give 'player 9-5'",
    ),
    (["settle", "9c Kd Kh 5s ! found-late 7"], "coup 7, which has not been played"),
    (["settle", "9c", "--shoe", "x"], "--shoe brings its own coups and wagers"),
    (["settle", "--notice", "x", "--ruleset", "y"], "--ruleset and --notice cannot go together"),
    (["deal", "--shoe", "9c"], "--shoe deals its own cards"),
    (["deal", "9c", "--seed", "1"], "go with --shoe"),
    (["deal", "--shoe", "--json", "--notation"], "--notation and --json cannot go together"),
    (["deal", "9c / Kd 3s"], "not two hands"),
    (["deal", "3 b 500 : 9c Kd Kh 5s"], "deal folds cards alone"),
    (["settle", "9c Kd Kh 5s ! found-late " + "9" * 5000], "not a finding"),
    (["roads", "--bad"], "no option --bad"),
    (["rules", "show", "act-2015:5.4"], "did you mean act-2015:5.4(a), act-2015:5.4(b)?"),
    (["rules", "notice", "x"], "no rule set 'x'"),
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
    (["settle", "9c Kd Kh 5s", "-w", "12 p 50"], "there is no box 12 at this table"),
    (["settle", "--shoe", "/no/such/file"], "No such file"),
    (["roads", "BX"], "not a result: 'X' (P, B or T)"),
    (["rules", "show", "99"], "no clause '99'"),
    (["rules", "compare", "tas-2018", "x"], "no document 'x'; choose tas-2018"),
    (["rules", "table", "x"], "no rule set 'x'"),
    (["rules", "list", "--status", "x"], "no status 'x'"),
    (["nonsense"], "nonsense"),
    (["deal", "9c", "--nonsense"], "no option --nonsense; see puntobanco deal --help"),
]


@pytest.mark.parametrize(
    ("args", "says"), BAD, ids=lambda x: " ".join(x) if isinstance(x, list) else ""
)
def test_bad_input_is_one_clear_line_and_exit_2(args: list[str], says: str) -> None:
    said = run(*args, code=2)
    assert says in said
    assert said.startswith("puntobanco: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"", "the notice comes first"),
        (b"+++\nruleset = 3\n+++\n", "not a notice"),
        (b"+++\n[[[\n+++\n", "not a notice"),
    ],
)
def test_a_malformed_file_is_one_clear_line(content: bytes, says: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.shoe"
    file.write_bytes(content)
    said = run("settle", "--shoe", str(file), code=2)
    assert says in said
    assert said.count("\n") == 1


def shell(command: str) -> subprocess.CompletedProcess[str]:
    program = " ".join(PROGRAM)
    script = f'set -o pipefail; puntobanco() {{ {program} "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command",
    ["deal - < <(yes '9c Kd')", "rules list", "rules list --json", "deal 9c --json", "odds table"],
)
def test_a_closed_pipe_ends_quietly(command: str) -> None:
    done = shell(f"puntobanco {command} | head -c 1 | true; echo ${{PIPESTATUS[0]}}")
    assert done.stdout == "0\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("puntobanco deal 9c > /dev/full", 2, "puntobanco: No space left on device\n"),
        ("puntobanco rules list --json > /dev/full", 2, "puntobanco: No space left on device\n"),
        ("puntobanco deal - <&-", 2, "puntobanco: there is no standard input to read\n"),
        ("puntobanco deal 9c >&-", 0, ""),
        ("COLUMNS=0 puntobanco deal 9c > /dev/null", 0, ""),
        ("COLUMNS=99999999999999999999 puntobanco rules table tas-2018 > /dev/null", 0, ""),
        ("LC_ALL=POSIX PYTHONUTF8=0 puntobanco deal 9c Kd > /dev/null", 0, ""),
        ("puntobanco settle --shoe /dev/zero", 2, "puntobanco: /dev/zero is larger than 16 MiB\n"),
    ],
)
def test_odd_surroundings(command: str, code: int, says: str) -> None:
    done = shell(command)
    assert (done.returncode, done.stderr) == (code, says)


def test_a_line_that_is_not_text_keeps_its_place() -> None:
    done = shell("printf '9c Kd\\n\\xff\\n9c 2d\\n' | puntobanco deal -")
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert first["owed"] == third["owed"] == "player"
    assert second == {"error": "not text in UTF-8", "line": 2}


def test_versions() -> None:
    assert run("--version") == "0.1.0\n"
    run("deal", "--version", code=2)


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in run("deal", "\x1b[2J", code=2)


README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_readmes_examples_say_what_the_program_says() -> None:
    (session,) = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for example in session.split("$ ")[1:]:
        command, _, expected = example.partition("\n")
        said = run(*shlex.split(command)[1:], columns=90)
        assert [line.rstrip() for line in said.splitlines()] == expected.splitlines()


def test_every_command_the_readme_names_runs() -> None:
    commands = re.findall(r"^\| `puntobanco ([^`…]+)` \|", README, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        shoe = str(SHOES / "singapore-2017.shoe")
        assert run(*shlex.split(command.replace("FILE", shoe)))
