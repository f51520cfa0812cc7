"""A small competition wholly over HTTP, against a real server: from an application to the prizes.

Two play a final of one coup, one of them by a secret form. The house itself opens the table, seats
everyone and takes the result.
"""

from collections.abc import Iterator

import pytest

from tests.kit.clauses import clause
from tests.kit.competition.over_http import CUP, FORM, TABLE, Floor, dealt, entered, started
from tests.kit.web import Web, demo_house


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


@clause("tas-2018:16.6.7")
def test_a_competition_is_run_over_http_from_application_to_prizes(web: Web) -> None:
    floor = Floor(web)
    entered(floor)
    started(floor)
    floor.do("dealer", f"{TABLE}/open-coup")
    assert floor.refused("guest", f"{TABLE}/lodge-form", {**FORM, "person": "player"}) in (
        "not_yourself",
        "not_your_turn",
    )
    floor.do("player", f"{TABLE}/lodge-form", FORM)
    floor.do("guest", f"{TABLE}/place-wager", {"box": 2, "on": "banker", "cents": 10_000})
    floor.do("dealer", f"{TABLE}/no-more-bets")
    for who in ("guest", "dealer", "manager", "auditor", "surveillance", "player"):
        assert floor.refused(who, f"{TABLE}/forms/player") in ("not_your_role", "not_on_duty"), who
        text = web.client(who).get(f"/api{TABLE}").text + web.client(who).get(TABLE).text
        assert "fifty" not in text
    commitment = {"commitment": "0" * 64, "person": "player"}
    assert floor.refused("dealer", f"{TABLE}/lodge-secret", commitment) == "not_found"
    shown = floor.do("inspector", f"{TABLE}/forms/player")
    assert (shown["figures"], shown["words"], shown["on"], shown["faults"]) == (
        "250", "two hundred and fifty", "p", [],
    )  # fmt: skip
    looks_at_it(web)
    accepted = {"person": "player", "verdict": "accepted"}
    floor.do("inspector", f"{TABLE}/examine-secret", accepted)
    dealt(floor)
    floor.do("dealer", f"{TABLE}/declare-result")
    floor.do("dealer", f"{TABLE}/end-coup")
    floor.wait(lambda: floor.cup()["phase"] == "over")
    result = floor.cup()["sessions"][0]["results"]["table-cup"]
    assert result["chips"] == {"player": 125_000, "guest": 90_000}
    paid_out(floor)


def looks_at_it(web: Web) -> None:
    """The form as a page, for the inspector on duty; the way to it is in the pit."""
    page = {"Accept": "text/html"}
    pit = web.client("inspector").get(f"{TABLE}/pit", headers=page).text
    assert f'action="{TABLE}/forms/player"' in pit
    shown = web.client("inspector").post(f"{TABLE}/forms/player", headers=page)
    assert shown.status_code == 200
    assert "two hundred and fifty" in shown.text
    assert "nothing is wrong with it" in shown.text
    for who in ("dealer", "guest", "player", "manager"):
        answer = web.client(who).post(f"{TABLE}/forms/player", headers=page)
        assert answer.status_code == 403
        assert "fifty" not in answer.text
    # a look is a press: its address by itself, reloaded or typed, leads back to where one presses
    again = web.client("inspector").get(f"{TABLE}/forms/player", headers=page)
    assert again.status_code == 303
    assert again.headers["location"] == f"{TABLE}/pit"
    asked = web.client("inspector").get(f"{TABLE}/do/examine-secret?person=player", headers=page)
    for words in ("Whose form", "The form is", "the player is away"):
        assert words in asked.text, words
    assert "The coup" not in asked.text
    # nobody is asked for bets any more
    for who, at in (("guest", TABLE), ("", TABLE), ("inspector", f"{TABLE}/pit")):
        shown_to = web.client(who).get(at, headers=page).text
        assert "Place your bets" not in shown_to, (who, at)


def paid_out(floor: Floor) -> None:
    floor.do(floor.director, f"{CUP}/confirm-stage")
    floor.do(floor.director, f"{CUP}/confirm-places")
    floor.do("manager", f"{CUP}/approve", {"proposal": 3})
    assert floor.refused("player", f"{CUP}/pay-prize", {"person": "player"}) == "not_your_role"
    for person in ("player", "guest"):
        floor.do("cashier", f"{CUP}/pay-prize", {"person": person})
    floor.do(floor.director, f"{CUP}/publish-results")
    done = floor.cup()
    assert (done["phase"], done["money"]["paid_cents"]) == ("done", 11_110)
    own = floor.cup("player")
    assert (own["own"]["place"], own["own"]["prize_cents"], own["money"]) == (1, 8_410, None)
    page = floor.web.client("guest").get(CUP, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "27" in page.text
