"""Whole competitions as scripts: played in a house, checked line by line, decided again."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import puntobanco_verifier
from puntobanco.errors import MalformedError
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.script import parse_script
from puntobanco.house.lookback.competition_export import export_competition
from puntobanco.house.lookback.exported import read_export
from puntobanco.journal import sqlite
from tests.kit.clauses import clause, tas
from tests.kit.places import ROOT, TESTS
from tests.kit.program import refused, run, run_json

verify: Callable[..., dict[str, int | str]] = puntobanco_verifier.verify
SCRIPTS = sorted((TESTS / "data" / "competitions").glob("*.competition"))
SCRIPT = TESTS / "data" / "competitions" / "tasmania-2018.competition"
HEAD = '+++\nconditions = "x.toml"\n[people]\nann = ["patron"]\n+++\n'


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_written_competition_goes_as_it_is_written(script: Path, tmp_path: Path) -> None:
    """From conditions to prizes; every row of its house is decided again."""
    came_to = run_json("competition", "run", str(script), "--house", str(tmp_path))
    assert came_to["phase"] in ("done", "cancelled")
    assert came_to["money"]["pot_cents"] == 0
    log = sqlite.open_log(tmp_path / "house.db")
    assert audit(log).fault is None
    lines = [line.decode() for line in export_competition(log, "cup")]
    found = verify(iter(lines))
    assert found["head"] == came_to["heads"]["competition-cup"]
    assert found["places"] == len(came_to["places"])


NO_CHECKS = (
    "= t1 chips",
    "= t1 chips ann",
    "= t1 chips bob 100",
    "= t1 chips ann ten",
    "= t1 out bob in",
    "= t1 out ann 0",
    "= t1 puck",
    "= t1 puck first",
    "= t1 order one two",
    "= t1 left bob 0",
    "= t1 decided soon",
    "= through ann and others",
    "= contested for 1",
    "= contested ann for all",
    "= place first ann",
    "= place 1",
    "= refund",
    "= refund bob 0",
    "= pot",
    "= pool 10 20",
    "= phase of the moon",
)
"""Lines that would hold whatever came about, or that nobody could hold against anything."""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "begins with"),
        ("+++\n+++\nann: apply", "the head"),
        (HEAD + "bob: apply", "line 6: bob is not among the people"),
        (HEAD + "nonsense", "line 6: write who: command"),
        (HEAD + "t1 coup: 1 p 100", "line 6: a coup is wagers : cards"),
        (HEAD + 'ann: apply "', "line 6"),
        (HEAD + "ann: aply", "line 6: there is no command 'aply' in a competition"),
        (HEAD + "t1 > ann: apply", "line 6: there is no command 'apply' at a table"),
        (HEAD + "! = pot 0", "line 6: a command is written as refused"),
        (HEAD + "t1 coups 0: 1 p 100 : 9c", "line 6: no coup is played"),
        (HEAD + "t1 coup: 1 q 100 : 9c", "line 6: not a wager: '1 q 100'"),
        (HEAD + "t1 coup: 1 s 100 : 9c", "line 6: a secret wager is written"),
        (HEAD + "t1 coup: 1 p 100 : 9z", "line 6: not a card: '9z'"),
        (HEAD + "t1 coup: 1 p 100 : 9c = nobody", "line 6: 'nobody' is no result"),
        (HEAD + "t1 coup: 1 p 100 : 9c ! nonsense", "line 6: not a finding: 'nonsense'"),
        (HEAD + "2026-02-30 10:00", "line 6: 2026-02-30 is no date"),
        (HEAD + "= weather fine", "line 6: nothing to compare: 'weather fine'"),
        *((HEAD + line, "line 6: it cannot be compared: .* write = ") for line in NO_CHECKS),
    ],
)
def test_a_script_that_cannot_be_read_names_its_line(text: str, wrong: str) -> None:
    with pytest.raises(MalformedError, match=wrong):
        parse_script(text)


COUP = "t1 coup: 1 p 200, 2 b 300, 3 b 500 : 9c Kd Kh 7s"
TABLE_KEYS = {"table", "coups", "chips_cents", "out", "gone", "left", "puck"}
SESSION_KEYS = {"stage", "kind", "tables", "through", "contested", "places_left", "how"}
ENTRY_KEYS = {
    "person", "status", "paid_cents", "refunded_cents", "table", "seat", "place", "prize_cents"
}  # fmt: skip
MONEY_KEYS = {
    "fees_cents", "refunded_cents", "retained_cents", "added_cents", "pool_cents", "paid_cents",
    "pot_cents",
}  # fmt: skip


def begun(folder: Path, *lines: str) -> Path:
    """A script that goes on with these lines once play has begun."""
    before, start, _ = SCRIPT.read_text().partition("director: start-session\n")
    (folder / "two-heats.toml").write_text((SCRIPT.parent / "two-heats.toml").read_text())
    script = folder / "x.competition"
    script.write_text(before + start + "\n".join(lines) + "\n")
    return script


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (
            ("! " + COUP.replace("7s", "7s 2d"), ""),
            "line 24: the script ends with a coup in play at t1",
        ),
        ((COUP + " = tie",), "line 24: the result is player, not tie"),
        ((COUP, "= t1 chips p1 10200 p2 9600"), "line 25: chips of p2: it is 9700, not 9600"),
        (("! director: confirm-stage", "director: confirm-stage"), "line 25: confirm-stage: refus"),
        (("! director: break 5",), "line 24: break 5: written as refused, but it is allowed"),
        (('director: key-draw t1="p1 p2@1"',), "line 24: two people at seat 1 of t1"),
        (("director: break ten",), "line 24: break: Expected `int`"),
    ],
)
def test_a_line_that_goes_otherwise_is_named_and_the_rest_is_told(
    lines: tuple[str, ...], wrong: str, tmp_path: Path
) -> None:
    """With exit code 1, on standard output."""
    came_to = run_json("competition", "run", str(begun(tmp_path, *lines)), code=1)
    assert not came_to["ok"]
    assert came_to["wrong"].startswith(wrong)
    assert came_to["phase"] == "running"


def test_a_remark_may_have_anything_in_it() -> None:
    """Commas and quotes too; a # in quotes begins none."""
    (line,) = parse_script(HEAD + 'ann: apply, endorse "#1"  # wanted, the "next, line\n').lines
    assert line.asks == (("apply",), ("endorse", "#1"))


def test_coups_are_as_in_the_notation_with_markers_and_findings(tmp_path: Path) -> None:
    """A card too many begins a coup without wagers; a void coup counts for nothing, and moves no
    puck; after the marker comes the last coup of the shoe.
    """
    lines = (
        "t1 coup: * p 100 : 9c Kd Kh 7s 2d@p = player 9-7",
        "t1 coup: : ^2d 5d 8h 3s = banker 0-8",
        "= t1 chips p1 10100 p2 10100 p3 10100",
        "= t1 puck 3",
        "t1 coup: * p 100 : 9c [marker] Kd Kh 7s = void ! foreign-card",
        "= t1 chips p1 10100 p2 10100 p3 10100",
        "= t1 puck 3",
        "t1 coup: * b 100 : 9c Kd Kh 7s = player 9-7  # the last of the shoe",
        "t1 coup: * b 100 : 9c Kd [marker] Kh 7s",
        "= phase running",
    )
    came_to = run_json("competition", "run", str(begun(tmp_path, *lines)))
    assert came_to["sessions"][0]["tables"][0]["coups"] == 3
    wrong = begun(tmp_path, lines[0], lines[1].replace("^2d", "^3d"))
    said = run_json("competition", "run", str(wrong), code=1)["wrong"]
    assert said == "line 25: 2d is left over from the coup before, not 3d"


@clause(*tas("16.5.10(b)", "16.6.2", "16.6.9"))
def test_wagers_go_as_they_are_written_and_forms_by_hand(tmp_path: Path) -> None:
    """A second hand is no change of the first [tas-2018:16.5.10(b)]; a seat may be empty; a form
    comes in turn, and before the call [tas-2018:16.6.2]; it is shown to others after the coup
    until the next card [tas-2018:16.6.9].
    """
    lines = (
        "! t1 coup: 1 p 100, 1 b 100, 2 p 100, 3 p 100 : 9c Kd Kh 7s",
        "! t1 coup: 1 p 100, 2 p 100, 3 p 100, 5 p 100 : 9c Kd Kh 7s",
        "t1 coup: 1 p 100, 2 p 100, 3 p 100 : 9c Kd Kh 7s",
        "= t1 chips p1 10100 p2 10100 p3 10100",
        "t1 > dealer: open-coup",
        't1 > p2: lodge-form 500 "five hundred" b',
        '! t1 > p2: lodge-form 600 "six hundred" b',
        "t1 > dealer: place-wager 3 p 100 p3",
        "t1 > dealer: place-wager 1 p 100 p1",
        "t1 > dealer: no-more-bets",
        '! t1 > p1: lodge-form 500 "five hundred" b',
        "! t1 > p1: inspect-form p2",
        "t1 coup: 3 p 100, 1 p 100 : 9c Kd Kh 7s",
        "= t1 chips p1 10200 p2 9600 p3 10200",
        "t1 > p1: inspect-form p2",
    )
    script, conditions = begun(tmp_path, *lines), tmp_path / "two-heats.toml"
    text = conditions.read_text().replace("coups = 3 }", "coups = 3 }, secrets = 1")
    conditions.write_text(text)
    came_to = run_json("competition", "run", str(script))
    assert [(one["reason"], one["clause"]) for one in came_to["refused"]] == [
        ("both_sides", "tas-2018:16.5.10(b)"),
        ("nobody_seated", "conditions"),
        ("form_lies", "tas-2018:16.6.2"),
        ("form_too_late", "tas-2018:16.6.2"),
        ("no_form_to_show", "tas-2018:16.6.9"),
    ]
    wrong = begun(tmp_path, "t1 > p1: lodge-form 500")
    said = run_json("competition", "run", str(wrong), code=1)["wrong"]
    assert said == "line 24: lodge-form: Object missing required field `words`"


def test_a_stage_that_nobody_drew_for_is_drawn_by_lot(tmp_path: Path) -> None:
    before, confirmed, _ = SCRIPT.read_text().partition("director: confirm-stage\ndirector: key")
    assert confirmed
    (tmp_path / "two-heats.toml").write_text((SCRIPT.parent / "two-heats.toml").read_text())
    script = tmp_path / "x.competition"
    script.write_text(f"{before}director: confirm-stage\ndirector: start-session\n= phase running")
    played = run_json("competition", "run", str(script))["sessions"][-1]
    assert (played["stage"], len(played["tables"])) == ("final", 1)


def test_more_rounds_are_played_by_those_who_are_still_in(tmp_path: Path) -> None:
    """Whoever was level and is gone before the rounds begin has no part in them, nor in their
    result, which the competition had refused for ever.
    """
    source = TESTS / "data" / "competitions" / "canberra.toml"
    one = source.read_text().replace("advance = 2", "advance = 1").replace("least = 4", "least = 2")
    (tmp_path / "canberra.toml").write_text(one.replace("[50, 30, 20]", "[60, 40]"))
    before, _, _ = source.with_suffix(".competition").read_text().partition("director: take-res")
    script = tmp_path / "x.competition"
    script.write_text(
        before
        + """director: start-session
t1 coups 4: * p 100 : 9c Kd Kh 7s
t2 coups 4: 1 p 200, 2 p 100, 3 p 100 : 9c Kd Kh 7s
= contested p1 p2 p3 for 1
director: order-play-off "p1 p2 p3" t1 1
director: forfeit p2 "went home"
director: start-session
t1 coup: 1 p 100, 3 b 100 : 9c Kd Kh 7s
= phase over
= through p1 p4
"""
    )
    run_json("competition", "run", str(script), "--house", str(tmp_path))
    log = sqlite.open_log(tmp_path / "house.db")
    verify(line.decode() for line in export_competition(log, "cup"))


def test_everything_that_came_of_a_script_has_its_key() -> None:
    """A play-off says who came through it, and its session how it stood before."""
    came_to = run_json("competition", "run", str(SCRIPT))
    assert all(set(entry) == ENTRY_KEYS for entry in came_to["entries"])
    assert set(came_to["money"]) == MONEY_KEYS
    assert all(set(session) == SESSION_KEYS for session in came_to["sessions"])
    assert all(set(table) == TABLE_KEYS for one in came_to["sessions"] for table in one["tables"])
    heats, play_off, final = came_to["sessions"]
    assert (heats["kind"], heats["contested"], heats["how"]) == (
        "session", ["p4", "p5", "p6"], "play-off"
    )  # fmt: skip
    assert (play_off["kind"], play_off["through"], play_off["places_left"]) == (
        "play-off", ["p4"], 0
    )  # fmt: skip
    assert (final["stage"], final["contested"]) == ("final", [])
    assert [one["reason"] for one in came_to["refused"]] == ["play_off_due"]
    assert {"competition-cup", "table-t1", "table-t2", "cage", "register"} <= set(came_to["heads"])


def test_a_competition_is_told_and_taken_along(tmp_path: Path) -> None:
    """`results` has what the script came to; the file of `export` stands by itself."""
    came_to = run_json("competition", "run", str(SCRIPT), "--house", str(tmp_path))
    told, heads = run_json("competition", "results", str(tmp_path), "cup"), came_to["heads"]
    kept = {name: heads[name] for name in told["heads"]}
    assert told == {**came_to, "refused": [], "heads": kept}
    assert "place 1: p1 (chips)" in run("competition", "results", str(tmp_path), "cup")
    file = tmp_path / "cup.jsonl"
    told = run_json("competition", "export", str(tmp_path), "cup", str(file))
    lines = len(file.read_bytes().splitlines())
    assert told == {"ok": True, "file": str(file), "lines": lines}
    assert "is there already" in refused("competition", "export", str(tmp_path), "cup", str(file))
    assert "there is no 'competition-x'" in refused(
        "competition", "export", str(tmp_path), "x", str(tmp_path / "x")
    )
    assert not (tmp_path / "x").exists()
    assert f": sound\nhead {heads['competition-cup']}" in run("verify", str(file))
    exported = read_export(file)
    assert list(exported.heads) == ["table-t1", "table-t2", "cage", "competition-cup"]
    assert exported.heads == {name: heads[name] for name in exported.heads}
    alone = [sys.executable, "-I", "-S", str(ROOT / "src" / "puntobanco_verifier.py")]
    assert "table-t1 1 2026-" in run("--tell", str(file), program=alone)


@clause("act-2015:15.4(g)", "act-2015:15.5")
def test_conditions_bring_the_indicator_card_in_where_the_document_has_none(tmp_path: Path) -> None:
    """[act-2015:15.4(g)] Limits then rise as they were published; both verifiers follow it."""
    cup = SCRIPT.parent / "out-of-order.competition"
    limits = "limits = { min_cents = 10000, max_cents = 50000, multiple_cents = 10000 }"
    raised = limits.replace("limits", "raised").replace("10000,", "20000,", 1)
    text = cup.with_suffix(".toml").read_text().replace(limits, f"{limits}, {raised}")
    (tmp_path / "out-of-order.toml").write_text(f'{text}\n[play]\nindicator = "yes"\n')
    before, start, _ = cup.read_text().partition("16:00\ndirector: start-session\n")
    lines = (
        "t1 coup: * p 100 : 9c [indicator] Kd Kh 7s",
        "t1 > director: raise-limits",
        "! t1 coup: 3 p 100 : 9c Kd Kh 7s",
        "t1 coup: * p 200 : 9c Kd Kh 7s",
        "= t1 chips p1 1300",
    )
    script = tmp_path / "x.competition"
    script.write_text("\n".join((before + start.rstrip(), *lines)) + "\n")
    came_to = run_json("competition", "run", str(script), "--house", str(tmp_path))
    assert came_to["refused"][-1]["reason"] == "must_wager"
    log = sqlite.open_log(tmp_path / "house.db")
    assert audit(log).fault is None
    assert verify(line.decode() for line in export_competition(log, "cup"))["head"]
