"""The odds pages: what they show is what the library counts, and no live table leads to them."""

import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from fractions import Fraction
from importlib import resources
from math import sqrt
from pathlib import Path

import pytest

from puntobanco.journal.log import EventLog
from puntobanco.odds.composition import full, without
from puntobanco.odds.course import course_of, exposures
from puntobanco.odds.distribution import distribution
from puntobanco.odds.plot import HEIGHT, WIDTH, bar_plot, line_plot
from puntobanco.odds.priced import choose, wagers_for
from puntobanco.odds.wagers import wagers_of, worth
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.paper.notation import parse_shoe
from puntobanco.server.live.felt import LAYERS
from puntobanco.server.live.regions import REGIONS
from puntobanco.server.pages.odds.course import MOST_SHOE, example
from puntobanco.sim.run import Job, play_chunk
from puntobanco.sim.shoes import plan_for
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import Office, office_of
from tests.kit.program import run_json

NOTICES = [
    (name, decks, method.name, pairs)
    for name in RULESETS
    for rules in (load_ruleset(name),)
    for decks in (rules.cards.decks.least, 8)
    for method in rules.settlement.methods
    for pairs in ("none", *(one.name for one in rules.settlement.pairs))
    if (name, decks, pairs) != ("tas-2018", 4, "perfect-pairs")
    and not (name == "mbs-2017" and pairs == "none" and rules.settlement.pairs_required)
]


def asked(tmp_path: Path, use: Callable[[Office], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        async with office_of(house_over(log, Time().clock)) as office:
            await office.enrol("mara")
            await use(office)

    using(str(tmp_path / "house.db"), main)


def table(page: str, name: str) -> list[list[str]]:
    """The cells of a table's rows, without what is hidden in them."""
    found = re.search(rf'<table[^>]*id="{name}".*?</table>', page, re.DOTALL)
    assert found is not None, name
    rows = re.findall(r"<tr.*?</tr>", found.group().partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]


def percent(share: Fraction) -> str:
    return f"{float(share) * 100:.4f}".replace("-", "−")


def test_the_table_of_every_notice_is_what_the_library_counts(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        for ruleset, decks, method, pairs in NOTICES:
            rules = load_ruleset(ruleset)
            query = f"ruleset={ruleset}&decks={decks}&method={method}&pairs={pairs}"
            page = (await office.get(f"/odds?{query}")).text
            ends = distribution(full(decks), rules.tableau)
            priced = [worth(one, full(decks), ends) for one in wagers_of(rules)]
            known = {
                tuple(map(percent, (one.house_edge, one.wins, 1 - one.wins - one.pushes)))
                for one in priced
                if one
            }
            rows = table(page, "wagers")
            assert [row[0] for row in rows][:3] == ["Player", "Banker", "Tie"]
            assert len(rows) == 3 + (pairs != "none")
            assert all(tuple(row[1:4]) in known for row in rows), (query, rows, known)
            data = (await office.get(f"/api/odds?{query}")).json()
            assert [one["wager"].replace("-", " ").capitalize() for one in data["wagers"]] == [
                row[0] for row in rows
            ]
            for one, row in zip(data["wagers"], rows, strict=True):
                edge, variance = Fraction(one["exact_house_edge"]), Fraction(one["exact_variance"])
                assert (percent(edge), f"{-float(edge):.6f}".replace("-", "−")) == (row[1], row[5])
                assert f"{sqrt(variance):.4f}" == row[6]
                assert one["wins"] + one["loses"] + one["pushes"] == pytest.approx(1)

    asked(tmp_path, use)


def test_the_method_on_the_notice_is_the_one_that_is_priced(tmp_path: Path) -> None:
    """Eight decks: Banker at 19 to 20 costs 1.0579 %, at evens with half on 6 costs 1.4581 %."""

    async def use(office: Office) -> None:
        for method, edge in (("commission", "1.0579"), ("federal", "1.4581")):
            page = (await office.get(f"/odds?ruleset=tas-2018&method={method}")).text
            assert table(page, "wagers")[1][:2] == ["Banker", edge]

    asked(tmp_path, use)


def test_any_composition_is_priced_like_the_command_line_does(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        gone = "9c Kd 2h 8s 8c"
        query = f"ruleset=act-2015&gone={gone.replace(' ', '+')}"
        told = run_json("odds", "--ruleset", "act-2015", "--gone", gone)
        page = (await office.get(f"/odds/composition?{query}")).text
        edges = {row[0].lower().replace(" ", "-"): row[1] for row in table(page, "wagers")}
        for name, edge in edges.items():
            known = told["wagers"].get(name) or told["wagers"][f"{name}-A"]
            assert edge == f"{known['house_edge'] * 100:.4f}"
        assert "411 cards are left" in page
        data = (await office.get(f"/api/odds?{query}")).json()
        assert data["composition"] == told["composition"]
        assert data["sequences"] == str(told["sequences"])
        left = "64,16,16,16,16,16,16,16,16,15"
        page = (await office.get(f"/odds/composition?left={left}")).text
        assert "207 cards are left" in page
        assert [row[0] for row in table(page, "wagers")] == ["Player", "Banker", "Tie"]

    asked(tmp_path, use)


@pytest.mark.parametrize(
    ("query", "status", "clause"),
    [
        ("ruleset=nsw-2020", 409, "conditions"),
        ("ruleset=act-2015&decks=6", 409, "act-2015:2.1"),
        ("ruleset=tas-2018&decks=5&pairs=perfect-pairs", 409, "tas-2018:4.1"),
        ("method=martingale", 409, "tas-2018:"),
        ("pairs=royal-pairs", 409, ""),
        ("decks=0", 400, "conditions"),
        ("decks=x", 400, "conditions"),
        ("decks=9999999999999999999999", 400, "conditions"),
        ("ruleset=" + "x" * 500, 400, "conditions"),
        ("gone=1c", 400, "conditions"),
        ("gone=" + "+".join(["9c"] * 9), 400, "conditions"),
        ("gone=" + "+".join(["9c"] * 2000), 400, "conditions"),
        ("left=1,2,3", 400, "conditions"),
        ("left=1,0,0,0,0,0,0,0,0,4", 400, "conditions"),
        ("left=1400,1,0,0,0,0,0,0,0,4", 400, "conditions"),
        ("left=-1,1,0,0,0,0,0,0,0,4", 400, "conditions"),
        ("left=64,16,16,16,16,16,16,16,16,16&gone=9c", 400, "conditions"),
    ],
)
def test_what_cannot_be_priced_is_refused_in_the_one_shape(
    tmp_path: Path, query: str, status: int, clause: str
) -> None:
    async def use(office: Office) -> None:
        answer = await office.get(f"/api/odds?{query}")
        assert answer.status_code == status, answer.text
        assert set(answer.json()) == {"reason", "clause", "detail", "remedy", "facts"}
        assert answer.json()["clause"].startswith(clause)
        page = await office.get(f"/odds/composition?{query}")
        assert page.status_code == status
        assert 'role="alert"' in page.text

    asked(tmp_path, use)


def test_the_course_of_the_example_and_of_a_pasted_shoe(tmp_path: Path) -> None:
    text = parse_shoe(example())
    choice = choose("act-2015", 8, "A", "canberra-pairs")
    points = course_of(text, wagers_for(choice), load_ruleset("act-2015").tableau)

    async def use(office: Office) -> None:
        page = (await office.get("/odds/course")).text
        rows = table(page, "course")
        assert [int(row[0]) for row in rows] == [point.coup for point in points]
        for row, point in zip(rows, points, strict=True):
            left = without(full(8), [])
            assert int(row[1]) == point.composition.cards <= left.cards
            assert row[2:] == [
                f"{float(one.house_edge) * 100:.3f}".replace("-", "−") for one in point.worths
            ]
        shown = table(page, "exposure")
        for row, one in zip(shown, exposures(points), strict=True):
            assert row[1] == f"{one.coups} of {len(points)}"
            assert row[4] == percent(one.best_ev)
        assert page.count('role="img"') == 2
        half = "\r\n".join(example().splitlines()[:60])
        pasted = await office.post("/odds/course", data={"shoe": half})
        assert pasted.status_code == 200
        fewer = table(pasted.text, "course")
        assert fewer == rows[: len(fewer)] != rows
        for wrong in ("", "x", "+++\n", example().replace("9c", "1c"), "+" * (MOST_SHOE + 1)):
            refused = await office.post("/odds/course", data={"shoe": wrong})
            assert refused.status_code == 400, wrong[:20]

    asked(tmp_path, use)


def test_a_shoe_that_could_not_be_dealt_is_refused_with_its_coup(tmp_path: Path) -> None:
    lines = example().splitlines()
    wrong = "\n".join([*lines, lines[-1], *lines[-3:]])

    async def use(office: Office) -> None:
        answer = await office.post("/odds/course", data={"shoe": wrong})
        assert answer.status_code == 400
        assert "coup 8" in answer.text

    asked(tmp_path, use)


def test_streaks_and_bankroll_are_the_simulations_own(tmp_path: Path) -> None:
    totals = play_chunk(
        Job(plan_for(load_ruleset("mbs-2017"), 6), 2**20, 1, details=True), 0, 2**20
    )
    told = run_json(
        *("bankroll", "50", "--target", "80", "--longest", "300", "--limit", "16", "--seed", "1"),
        *("--plan", "martingale", "--bet", "banker", "--ruleset", "mbs-2017", "--decks", "6"),
    )["fates"]
    query = "ruleset=mbs-2017&decks=6&plan=martingale&units=50&target=80&longest=300&limit=16"

    async def use(office: Office) -> None:
        page = (await office.get(f"/odds/runs?{query}")).text
        rows = table(page, "streaks")
        for length in range(1, 12):
            wanted = [f"{int(row[length]):,}" for row in totals.streaks]
            assert rows[length - 1] == [str(length), *wanted]
        fate = dict(table(page, "fate"))
        assert fate["Mean at the end"] == f"{told['mean']:.3f} ± {told['standard_error']:.3f}"
        assert fate["Ruined %"] == f"{told['ruined'] / told['runs'] * 100:.2f}"
        nonsense = "plan=x units=0 units=100000 target=50&units=50 bet=perfect-pairs longest=10000"
        for wrong in nonsense.split():
            answer = await office.get(f"/odds/runs?{wrong}")
            assert answer.status_code == 400, wrong

    asked(tmp_path, use)


def test_the_odds_are_documented(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        schema = (await office.get("/api/schema/openapi.json")).json()
        asked_for = schema["paths"]["/api/odds"]["get"]["parameters"]
        names = {one["name"] for one in asked_for}
        assert names == {"ruleset", "decks", "method", "pairs", "gone", "left"}
        assert {"/api/tables/{table}/journal/{coup}", "/api/house/verification"} <= set(
            schema["paths"]
        )

    asked(tmp_path, use)


def test_whoever_plays_or_is_on_duty_at_a_table_gets_no_odds(tmp_path: Path) -> None:
    """act-2015:14.5(a)"""

    async def use(office: Office) -> None:
        driver = Driver(office.house)
        for person, *roles in (("ann",), ("dan", Role.DEALER), ("carl", Role.DEALER)):
            await office.enrol(person, *roles)
        for person in ("ann", "dan", "carl", "mara", ""):
            assert (await office.get("/odds", person)).status_code == 200
        await driver.open()
        for path in ("/odds", "/odds/composition", "/odds/course", "/odds/runs", "/api/odds"):
            for person in ("ann", "dan"):
                answer = await office.get(path, person)
                assert answer.status_code == 403, (path, person)
                assert "14.5(a)" in answer.text
        data = {"shoe": example()}
        assert (await office.post("/odds/course", "ann", data)).status_code == 403
        for person in ("carl", "mara", ""):
            assert (await office.get("/odds", person)).status_code == 200
        await driver.do("ann", c.Leave())
        assert (await office.get("/odds", "ann")).status_code == 200

    asked(tmp_path, use)


def template(name: str) -> str:
    folder = resources.files("puntobanco.server").joinpath("templates")
    return folder.joinpath(*name.split("/")).read_text("utf-8")


USES = re.compile(r'{%-?\s*(?:extends|include|import|from)\s+"([^"]+)"')


def used_by(name: str, seen: set[str]) -> set[str]:
    """A template and every template it extends, includes or imports from."""
    if name not in seen:
        seen.add(name)
        for other in re.findall(
            r'{%-?\s*(?:extends|include|import|from)\s+"([^"]+)"', template(name)
        ):
            used_by(other, seen)
    return seen


def test_the_bar_leads_to_the_odds_from_everywhere_but_a_table(tmp_path: Path) -> None:
    """act-2015:14.5(a)"""

    async def use(office: Office) -> None:
        await Driver(office.house).open()
        assert 'href="/odds"' in (await office.get("/", "")).text
        assert 'href="/odds"' not in (await office.get("/tables/table-1", "")).text

    asked(tmp_path, use)


def test_no_template_of_a_live_table_links_to_the_odds() -> None:
    """act-2015:14.5(a)"""
    walked: set[str] = set()
    for page, regions in REGIONS.items():
        if page not in ("pit-tile", "floor"):  # parts of the screens of a pit and of the floor
            used_by(f"pages/table/{page}.html", walked)
        for region in set(regions) - set(LAYERS):
            used_by(f"live/{region}.html", walked)
    assert {"base.html", "pages/table/live.html", "macros.html", "pages/table/felt.html"} <= walked
    for name in walked:
        assert "/odds" not in template(name), name
        assert not re.search(r'say\("odds', template(name)), name


def test_the_server_starts_without_numba() -> None:
    code = "import sys, puntobanco.server.app; print({'numba', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_plots_stay_within_their_frame() -> None:
    bars = bar_plot(["a", "b"], {"x": [0.0, 3.1], "y": [12.0, 0.4]})
    assert [tick.label for tick in bars.up] == ["0", "2.5", "5", "7.5", "10", "12.5"]
    for bar in bars.bars:
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= bar.y + bar.height <= HEIGHT
    lines = line_plot([1, 2, 3, 80], {"x": [1.0, -40.0, 0.0, 7.0]})
    assert [tick.label for tick in lines.along] == ["1", "20", "40", "60", "80"]
    assert [tick.label for tick in lines.up] == ["-40", "-30", "-20", "-10", "0", "10"]
    numbers = [float(one) for one in re.findall(r"-?[\d.]+", lines.lines[0].path)]
    assert all(0 <= one <= WIDTH for one in numbers)
    flat = line_plot([5], {"x": [0.0]})
    assert flat.lines[0].path
