"""What pages show, programs read: the same figures, events, people, rules, notices, receipts."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from puntobanco.house.lookback.significant import significant
from puntobanco.journal.witness.shown import newest_root
from puntobanco.odds.course import exposures
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import sample_notice
from puntobanco.server.pages.odds.course import course_through, example
from tests.kit.house.figures import lines_of
from tests.kit.house.mid_evening import OPEN, SHUT, Site, mid_evening, refusal


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mid_evening(tmp_path_factory.mktemp("evening")) as site:
        yield site


def read(site: Site, path: str, who: str | None = "otto") -> Any:
    answer = site.ask("GET", f"/api{path}", who)
    assert answer.status_code == 200, (path, answer.text)
    return answer.json()


def plain(value: object) -> Any:
    """As it comes over the web."""
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("/reports", ("ann", "dan", "carol")),
        ("/events", ("ann", "dan", "carol")),
        ("/people", ("ann", "dan")),
        ("/people/ann/credentials", ("ann", "dan")),
        ("/cage/expected", ("ann", "dan")),
        (f"/tables/{OPEN}/export", ("ann", "dan", "carol")),
    ],
)
def test_what_a_page_is_not_shown_to_is_not_read_by_a_program(
    site: Site, path: str, refused: tuple[str, ...]
) -> None:
    assert site.ask("GET", f"/api{path}", "otto").status_code == 200
    assert refusal(site.ask("GET", f"/api{path}", None))["reason"] == "sign_in_needed"
    for who in refused:
        assert refusal(site.ask("GET", f"/api{path}", who))["reason"] == "not_your_role"


@pytest.mark.parametrize("by", ["coup", "shoe", "table", "day", "person"])
def test_a_report_has_the_figures_of_the_record(site: Site, by: Any) -> None:
    log = site.asker.log
    assert read(site, f"/reports?by={by}")["lines"] == plain(lines_of(log, by))
    of_one = read(site, f"/reports?by={by}&table={SHUT}")
    assert of_one["lines"] == plain(lines_of(log, by, SHUT))
    assert of_one["total"]["coups"] == len(read(site, f"/reports/coups?days=all&table={SHUT}"))
    assert refusal(site.ask("GET", "/api/reports?by=moon", "otto"))["reason"] == "malformed"
    nowhere = site.ask("GET", "/api/reports?table=table-9", "otto")
    assert refusal(nowhere)["reason"] == "no_such_table"


def test_significant_events_are_those_of_the_page_and_of_its_file(site: Site) -> None:
    events = read(site, "/events")
    assert events == plain(significant(site.asker.house))
    assert events == site.ask("GET", "/house/events/json", "otto").json()
    assert any("The table opens" in event["says"] for event in events)


def test_people_are_found_by_id_and_by_name(site: Site) -> None:
    site.give("max", "/api/people/bob/name", b'{"name": "Robert Brown", "contact": "x"}')
    listed = {one["person"]: one for one in read(site, "/people")}
    assert set(listed) == set(site.asker.house.register.state.people)
    assert listed["bob"]["name"] == "Robert Brown"
    assert listed["dan"]["roles"][""] == ["dealer"]
    assert [one["person"] for one in read(site, "/people?q=BROWN")] == ["bob"]
    site.give("carol", "/api/people/bob/pin", b"")
    held = read(site, "/people/bob/credentials")
    assert [(one["kind"], one["failures"]) for one in held] == [("pin", 0)]
    unknown = refusal(site.ask("GET", "/api/people/nobody/credentials", "otto"))
    assert unknown["reason"] == "not_enrolled"


def test_what_must_be_in_a_tray_is_what_the_table_owes_and_holds(site: Site) -> None:
    house = site.asker.house
    expected = read(site, "/cage/expected")
    assert set(expected) == {OPEN, SHUT}
    for name, cents in expected.items():
        tray = house.cage.state.trays[name]
        assert cents == tray.expected_cents(house.tables[name].state.bank_cents)
    assert read(site, "/cage/expected", "mara") == expected


def test_the_notice_says_what_is_paid_and_by_which_clause(site: Site) -> None:
    shown = read(site, f"/tables/{OPEN}/notice", None)
    state = site.asker.house.tables[OPEN].state
    assert shown["sign"]["notice"]["limits"] == plain(state.terms.notice.limits)
    assert {one["on"] for one in shown["pays"]} == {"player", "banker", "tie"}
    assert all(one["clause"] in rulebook.load_clauses() for one in shown["pays"])
    assert shown["play"] == plain(state.terms.rules.table_of_play)


def test_an_export_is_the_pages_own_to_the_byte(site: Site) -> None:
    given = site.ask("GET", f"/api/tables/{SHUT}/export", "otto")
    assert given.content == site.ask("GET", f"/tables/{SHUT}/export", "otto").content
    assert given.content.count(b"\n") == site.asker.log.head(SHUT).seq + 1


def test_a_patron_has_receipts_of_what_is_theirs_whole_or_in_part(site: Site) -> None:
    kept = read(site, f"/tables/{SHUT}/receipts", "ann")
    own = next(one for one in kept if one["own"])
    part = next(one for one in kept if not one["own"])
    for one in (own, part):
        shown = read(site, f"/tables/{SHUT}/receipts/{one['seq']}/part", "ann")
        assert (shown["whole"], shown["facts"]) == (one["own"], one["facts"])
        row = next(site.asker.log.read(SHUT, one["seq"] - 1))
        assert shown["hash"] == row.hash.hex()
        assert len(shown["signature"]) == 128
    assert read(site, f"/tables/{SHUT}/receipts", "eve") == []
    path = f"/api/tables/{SHUT}/receipts/{part['seq']}"
    assert refusal(site.ask("GET", path, "ann"))["reason"] == "not_found"
    assert refusal(site.ask("GET", f"{path}/part", "eve"))["reason"] == "not_found"
    assert refusal(site.ask("GET", f"{path}/part", None))["reason"] == "sign_in_needed"


def test_every_clause_of_every_document_can_be_read(site: Site) -> None:
    overview = read(site, "/rules", None)
    assert overview["coverage"] == plain(rulebook.coverage())
    assert overview["found"] == []
    clauses = [one for name in RULESETS for one in read(site, f"/rules/{name}", None)]
    assert [one["id"] for one in clauses] == list(rulebook.load_clauses())
    assert sum(one["clauses"] for one in overview["documents"]) == len(clauses)
    for clause in clauses[::97]:
        assert read(site, f"/rules/clauses/{clause['id']}", None) == clause
    found = read(site, "/rules?q=marker", None)["found"]
    assert [one["id"] for one in found] == [one.id for one in rulebook.search("marker")]


def test_documents_side_by_side_tables_of_play_and_sample_notices(site: Site) -> None:
    compared = read(site, "/rules/compare?one=tas-2018&other=act-2015", None)
    pairs = [(matter.name, verdict) for matter, verdict in rulebook.compare("tas-2018", "act-2015")]
    assert [(one["name"], one["verdict"]) for one in compared] == pairs
    assert all(set(one["says"]) <= {"tas-2018", "act-2015"} for one in compared)
    for name in RULESETS:
        assert read(site, f"/rules/{name}/play", None) == plain(load_ruleset(name).table_of_play)
        assert read(site, f"/rules/{name}/sample", None) == plain(sample_notice(name))
    for path in ("x", "clauses/tas-2018:99", "compare?one=x", "x/play", "x/sample"):
        assert refusal(site.ask("GET", f"/api/rules/{path}", None))["reason"] == "not_found", path


def test_the_course_of_the_edge_through_a_shoe(site: Site) -> None:
    text = example()
    answer = site.give(None, "/api/odds/course", msgspec.json.encode({"shoe": text}))
    found, course = answer.json(), course_through(text)
    assert [one["coup"] for one in found["points"]] == [point.coup for point in course.points]
    first = {worth.name: float(worth.house_edge) for worth in course.points[0].worths}
    assert found["points"][0]["edges"] == first
    assert [one["wager"] for one in found["exposures"]] == [
        one.name for one in exposures(course.points)
    ]
    assert refusal(site.give(None, "/api/odds/course", b'{"shoe": "x"}'))["reason"] == "malformed"
    playing = site.give("ann", "/api/odds/course", msgspec.json.encode({"shoe": text}))
    assert refusal(playing)["reason"] == "odds_at_a_table"


def test_streaks_and_bankrolls_are_the_same_every_time(site: Site) -> None:
    path = "/odds/runs?ruleset=tas-2018&bet=player&units=10&target=20&longest=100"
    found = read(site, path, None)
    assert found == read(site, path, None)
    assert 0 < found["fate"]["ruined"] < 1
    assert found["streaks"]["shoes"] > 10_000
    assert refusal(site.ask("GET", "/api/odds/runs?bet=moon", None))["reason"] == "malformed"


def test_a_witness_reads_roots_by_an_overseer_s_token(site: Site) -> None:
    """The newest with the last row of every stream; then all from a row on."""
    site.runner.run(site.asker.house.record_root(anew=True))
    (newest,) = read(site, "/house/roots")
    assert newest == plain(newest_root(site.asker.log))
    assert OPEN in newest["heads"]
    assert read(site, "/house/roots?since=1")[-1]["root"] == newest["root"]
    for who in (None, "ann", "dan", "carol"):
        assert site.ask("GET", "/api/house/roots", who).status_code in {401, 403}
    own = next(row for row in site.asker.log.read(OPEN) if row.actor == "ann")
    receipt = read(site, f"/tables/{OPEN}/receipts/{own.seq}?inclusion=true", "ann")
    assert receipt["inclusion"]["way"]
