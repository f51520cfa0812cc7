"""`competition templates, new, prove, pool, refund` as people and pipelines use them."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from tests.kit.clauses import clause, tas
from tests.kit.places import DATA
from tests.kit.program import called, refused, run, run_json

CUP = DATA / "competitions" / "spring-cup.toml"
ROOM = "competition"


def answer(*args: str, code: int) -> tuple[Any, str]:
    """The JSON on standard output, whatever the exit code, and what stands beside it."""
    done = called(ROOM, *args, "--json")
    assert done.code == code, done.stderr
    return json.loads(done.stdout), done.stderr


def test_help_lists_the_commands() -> None:
    said = run(ROOM, "--help")
    assert all(name in said for name in ("templates", "new", "prove", "pool", "refund"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_is_printed_and_proves(name: str, tmp_path: Path) -> None:
    text = run(ROOM, "new", name)
    assert text == template_text(name)
    file = tmp_path / "conditions.toml"
    file.write_text(text)
    proof = run_json(ROOM, "prove", str(file))
    assert (proof["holds"], proof["fault"], proof["missing"]) == (True, None, [])
    assert "It holds for every number of entries" in run(ROOM, "prove", str(file))


def test_templates_are_listed() -> None:
    listed = run(ROOM, "templates").splitlines()
    assert [line.split()[0] for line in listed] == list(TEMPLATES)
    assert [one["name"] for one in run_json(ROOM, "templates")] == list(TEMPLATES)
    assert run_json(ROOM, "new", "canberra")["conditions"] == template_text("canberra")
    assert "no template 'cup'; choose four-heats" in refused(ROOM, "new", "cup")


def test_prove_prints_the_json_that_programs_rely_on() -> None:
    proof = run_json(ROOM, "prove", str(CUP))
    assert list(proof) == [
        *("name", "ruleset", "version", "holds", "from", "to"),
        *("counts", "fault", "missing", "advice"),
    ]
    assert (proof["name"], proof["ruleset"]) == ("Spring Cup", "tas-2018")
    assert proof["version"] == sha256(CUP.read_bytes()).hexdigest()
    assert (proof["holds"], proof["from"], proof["to"]) == (True, 18, 36)
    assert [count["entries"] for count in proof["counts"]] == list(range(18, 37))
    assert proof["counts"][1] == {
        "entries": 19,
        "stages": [
            {"name": "heats", "players": 19, "tables": [7, 6, 6], "advance": 6},
            {"name": "final", "players": 6, "tables": [6], "advance": 0},
        ],
        "fault": None,
    }


@clause(*tas("16.2.3(f)"))
def test_prove_names_the_first_number_that_fails_and_still_prints_json(tmp_path: Path) -> None:
    """[tas-2018:16.2.3(f)]"""
    file = tmp_path / "cup.toml"
    file.write_text(CUP.read_text().replace("max = 36", "max = 50"))
    proof, _ = answer("prove", str(file), code=1)
    assert proof["fault"] == {
        "entries": 37,
        "stage": "final",
        "reason": "final-does-not-fit-one-table",
        "clause": "tas-2018:16.2.3(e)",
    }
    first = next(count for count in proof["counts"] if count["fault"])
    assert first["entries"] == proof["fault"]["entries"]
    assert first["fault"] == {key: proof["fault"][key] for key in ("stage", "reason")}
    assert not proof["holds"]
    said = run(ROOM, "prove", str(file), code=1, out=True)
    assert f"With {proof['fault']['entries']} entries, final: the last stage does not fit" in said
    assert "It does not hold." in said


@clause(*tas("16.2.2(lead)", "16.2.2(a)", "16.2.1"))
def test_prove_names_what_is_missing_or_not_allowed(tmp_path: Path) -> None:
    """[tas-2018:16.2.2(a), 16.2.1]"""
    file = tmp_path / "cup.toml"
    text = CUP.read_text().replace('form = "form A", ', "")
    file.write_text(text.replace('retained_percent = "10"', 'retained_percent = "12"'))
    proof, _ = answer("prove", str(file), code=1)
    assert proof["missing"] == [
        {"item": "entry.form", "clause": "tas-2018:16.2.2(a)"},
        {"item": "entry.retained_percent", "clause": "tas-2018:16.2.1"},
    ]
    assert (proof["holds"], proof["fault"], len(proof["counts"])) == (False, None, 19)
    assert proof["advice"][0].startswith("entry.retained_percent: 12 percent of the fees are kept")
    said = run(ROOM, "prove", str(file), code=1, out=True)
    assert "entry.form is not settled [tas-2018:16.2.2(a)]. Give it before anyone enters." in said


def test_prove_without_numbers_proves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    file.write_text('ruleset = "mbs-2017"\n')
    proof, _ = answer("prove", str(file), code=1)
    assert (proof["holds"], proof["counts"], proof["from"], proof["to"]) == (False, [], 0, 0)
    assert {one["clause"] for one in proof["missing"]} == {"conditions"}


@pytest.mark.parametrize("text", ["", "[", 'ruleset = "x"', 'ruleset = "tas-2018"\nfee = 3', "\0"])
def test_what_cannot_be_read_is_one_line_and_two(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    assert "bad.toml: not conditions" in refused(ROOM, "prove", str(file))
    assert "bad.toml: not conditions" in refused(ROOM, "prove", str(file), "--json")
    assert "No such file" in refused(ROOM, "prove", str(tmp_path / "none.toml"))


# money


def test_pool_prints_the_json_that_programs_rely_on() -> None:
    figures = run_json(
        *(ROOM, "pool", "--ruleset", "tas-2018", "--fee", "55.55", "--entries", "36"),
        *("--retained", "7.5", "--added", "500", "--percent", "50,30,20"),
    )
    assert list(figures.items()) == [
        ("fees_cents", 199_980),
        ("retained_cents", 14_998),
        ("commission_cents", 0),
        ("pool_cents", 234_982),
        ("prizes_cents", [117_682, 70_400, 46_900]),
    ]


@clause("act-2015:15.24")
@pytest.mark.parametrize(("mode", "pool"), [("inside", 91_100), ("beside", 111_100)])
def test_a_commission_is_inside_or_beside_the_fee(mode: str, pool: int) -> None:
    """[act-2015:15.24]"""
    figures = run_json(
        *(ROOM, "pool", "--ruleset", "act-2015", "--fee", "55.55", "--entries", "20"),
        *("--commission", "10", "--mode", mode),
    )
    assert (figures["commission_cents"], figures["pool_cents"]) == (20_000, pool)
    assert figures["prizes_cents"] == []
    said = run(ROOM, "pool", "--ruleset", "act-2015", "--fee", "55.55", "--entries", "20")
    assert "Prize pool" in said
    assert "1111" in said


NOT_ALLOWED = [
    (("--retained", "10.5"), "[tas-2018:16.2.1]"),
    (("--commission", "10"), "[tas-2018:16.2.1]"),
    (("--percent", "50,30"), "[tas-2018:16.2.2(h)]"),
    (("--percent", "60,50"), "come to 110, not 100 [tas-2018:16.2.2(h)]"),
]


@clause(*tas("16.2.1", "16.2.2(h)"))
@pytest.mark.parametrize(("more", "cited"), NOT_ALLOWED)
def test_what_the_document_does_not_allow_is_one_and_the_figures(
    more: tuple[str, ...], cited: str
) -> None:
    """[tas-2018:16.2.1, 16.2.2(h)]"""
    asked = ("pool", "--ruleset", "tas-2018", "--fee", "55.55", "--entries", "20", *more)
    figures, said = answer(*asked, code=1)
    assert figures["fees_cents"] == 111_100
    assert cited in said
    assert said.count("\n") == 1


REFUNDS = [
    ("tas-2018", ("--withdrawn", "2026-03-07"), 5555, "tas-2018:16.2(lead)"),
    ("tas-2018", ("--withdrawn", "2026-03-08"), 0, "tas-2018:16.2(lead)"),
    ("tas-2013", ("--cancelled",), 5555, "tas-2013:15.2(lead)"),
    ("tas-2013", ("--cancelled", "--disqualified"), 0, "tas-2013:15.2.4"),
    ("act-2015", ("--withdrawn", "2026-01-01"), 0, "act-2015:15.25(1)"),
    ("act-2015", ("--cancelled", "--disqualified"), 5555, "act-2015:15.25(2)"),
    ("mbs-2017", ("--cancelled",), 5555, "conditions"),
]


@clause(*tas("16.2(lead)", "16.2.4"), "act-2015:15.25(1)", "act-2015:15.25(2)")
@pytest.mark.parametrize(("document", "more", "cents", "cited"), REFUNDS)
def test_refunds(document: str, more: tuple[str, ...], cents: int, cited: str) -> None:
    """[tas-2018:16.2(lead), 16.2.4, act-2015:15.25(1), 15.25(2)]"""
    asked = (ROOM, "refund", "--ruleset", document, "--fee", "55.55", "--start", "2026-03-14")
    assert list(run_json(*asked, *more).items()) == [("refund_cents", cents), ("clause", cited)]


def test_a_refund_is_told_by_the_casinos_clock() -> None:
    asked = (ROOM, "refund", "--ruleset", "tas-2018", "--fee", "20")
    start = ("--start", "2026-03-14T18:00:00+11:00", "--withdrawn")
    assert run(*asked, *start, "2026-03-07T12:59:00Z") == "Refund 20 [tas-2018:16.2(lead)]\n"
    assert run(*asked, *start, "2026-03-07T13:00:00Z") == "Refund 0 [tas-2018:16.2(lead)]\n"


POOL = ("pool", "--ruleset", "tas-2018", "--fee", "10", "--entries", "5")
REFUND = ("refund", "--ruleset", "tas-2018", "--fee", "10", "--start")
BAD = [
    (("pool", "--ruleset", "tas-2018", "--fee", "-1", "--entries", "5"), "--fee takes dollars"),
    (("pool", "--ruleset", "tas-2018", "--fee", "1.005", "--entries", "5"), "--fee takes dollars"),
    (("pool", "--ruleset", "tas-2018", "--fee", "ten", "--entries", "5"), "--fee takes dollars"),
    (("pool", "--ruleset", "tas-2018", "--fee", "10", "--entries", "-5"), "--entries takes 0 to"),
    (("pool", "--ruleset", "nsw", "--fee", "10", "--entries", "5"), "no rule set 'nsw'"),
    ((*POOL, "--retained", "ten"), "not a percentage: 'ten'"),
    ((*POOL, "--percent", "50,,50"), "not a percentage: ''"),
    ((*POOL, "--mode", "above"), "--mode"),
    ((*REFUND, "2026-02-29"), "not a date: '2026-02-29'"),
    ((*REFUND, "2026-03-14", "--withdrawn", "yesterday"), "not a date: 'yesterday'"),
    ((*REFUND, "2026-03-14T18:00"), "not a date: '2026-03-14T18:00'"),
]


@pytest.mark.parametrize(("asked", "says"), BAD, ids=lambda one: " ".join(one)[-40:])
def test_bad_input_is_one_line_and_two(asked: tuple[str, ...], says: str) -> None:
    assert says in refused(ROOM, *asked)
