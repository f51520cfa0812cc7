"""The command line as people and pipelines use it."""

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.kit.clauses import clause, tas
from tests.kit.house.kept import kept
from tests.kit.places import PLAYTHROUGHS, ROOT
from tests.kit.program import PROGRAM, called, refused, run, run_json


def test_help_lists_the_commands() -> None:
    said = run("--help")
    names = ("deal", "settle", "replay", "verify", "export", "rules", "odds", "simulate")
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


@pytest.mark.parametrize("file", sorted(PLAYTHROUGHS.glob("*.shoe")), ids=lambda file: file.stem)
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
    assert road["big_road"][0] == [0, 0, "B", 0, []]
    assert road["big_road"][-1] == [5, 1, "P", 1, []]
    assert (road["big_eye_boy"], road["small_road"], road["cockroach_pig"]) == ("RBRRR", "", "")
    assert "Cockroach pig" in run("roads", "BBPTB")
    paired = run_json("roads", "BbPTpb")
    assert paired["bead_plate"] == "BPT"
    assert paired["pairs"] == [["banker"], [], ["player", "banker"]]
    assert paired["big_road"] == [[0, 0, "B", 0, ["banker"]], [0, 1, "P", 1, []]]


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
    done = called("deal", "-", stdin="9c Kd\n1c\n6c Kd Kh 7s\n")
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert done.code == 2
    assert first["owed"] == "player"
    assert second["line"] == 2
    assert "not a card: '1c'" in second["error"]
    assert third["result"] == "banker"


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
    assert counted["planned"] == []
    assert "599 clauses" in run("rules", "coverage")


@pytest.mark.parametrize("document", ["tas-2018", "tas-2013", "act-2015", "mbs-2017"])
def test_rules_table(document: str) -> None:
    said = run("rules", "table", document)
    assert "6  S  S  S  S  S  S  D  D  S  S  S" in said
    assert run_json("rules", "table", document)["banker"][3] == "DDDDDDDDSDD"


BAD = [
    (["deal", "1c"], "not a card: '1c' (rank A23456789TJQK, then suit cdhs)"),
    (["deal"], "no cards"),
    (["deal", *["9c"] * 9], "9 copies of 9♣ cannot come from 8 decks [tas-2018:4.1]"),
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
    (["settle", "3 b 75, 4 t 10"], "no cards: name them after the wagers"),
    (["report", "--house", "x", "--first", "2026-13-01"], "--first is a gaming day such as"),
    (["report", "--house", "x", "--last", "20260101"], "--last is a gaming day such as"),
    (
        ["report", "--house", "x", "--first", "2026-02-01", "--last", "2026-01-01"],
        "--first 2026-02-01 is after --last 2026-01-01",
    ),
    (["witness", "--to", "/no/such/file"], "no root was kept yet; --of names the house"),
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
    assert says in refused(*args)


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


README = (ROOT / "README.md").read_text()


def test_the_readmes_examples_say_what_the_program_says() -> None:
    (session,) = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for example in session.split("$ ")[1:]:
        command, _, expected = example.partition("\n")
        said = run(*shlex.split(command)[1:], columns=90)
        assert [line.rstrip() for line in said.splitlines()] == expected.splitlines()


def test_every_command_the_readme_names_runs(tmp_path: Path) -> None:
    files = {
        "FILE": PLAYTHROUGHS / "singapore-2017.shoe",
        "SESSION": PLAYTHROUGHS / "singapore-2017.session",
        "NEW": tmp_path / "copy.db",
        "KEY": tmp_path / "key",
        "HOUSE": kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session"),
    }
    files["KEY"].write_text("00" * 32)
    commands = re.findall(r"^\| `puntobanco ([^`…]+)` \|", README, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        words = [str(files.get(word, word)) for word in shlex.split(command)]
        assert run(*words)


def test_replay_plays_a_session_with_balances_roads_and_clauses() -> None:
    shown = run("replay", str(PLAYTHROUGHS / "tasmania-2018.session"))
    assert "refused: no inspector is signed on at this table [tas-2018:3]" in shown
    assert "Coup 1: Player wins, 6 to 1 (9c 2h 5h / Kd 3s 8c)  [tas-2018:10.2]" in shown
    assert "chips: ann" in shown
    assert "Big road" in shown


def test_replay_shows_one_coup_and_speaks_json() -> None:
    file = str(PLAYTHROUGHS / "singapore-2017.session")
    one = run("replay", file, "--coup", "2")
    assert "Coup 2: Player wins, 9 to 7" in one
    assert "Coup 3" not in one
    lines = run("replay", file, "--coup", "2", "--json").splitlines()
    assert json.loads(lines[0])["ask"] == {"do": "open-coup"}
    assert "no coup 99" in refused("replay", file, "--coup", "99")


def test_replay_says_where_a_session_goes_wrong(tmp_path: Path) -> None:
    file = tmp_path / "wrong.session"
    file.write_text('+++\n[people]\nann = ["patron"]\n+++\nann: sit 3\n')
    assert "line 5: refused" in refused("replay", str(file))
