"""Competitions on the web: every command has its door, and everyone sees their part."""

from pathlib import Path
from typing import Any

import httpx
import msgspec

from puntobanco.house.checks.audit import audit
from puntobanco.server.commands.api import COMPETITION
from puntobanco.table.authority import name_of
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import (
    CupOnWeb,
    enrol_players,
    entries_closed,
    on_web,
    three_competitions,
)
from tests.kit.replay import Asker

SPRING = "/api/competitions/spring"


async def get(asker: Asker, who: str | None, path: str) -> httpx.Response:
    return await asker.client.get(path, headers=asker.headers(who))


async def refused(asker: Asker, who: str, command: str, facts: Any = None) -> str:
    before = asker.heads()
    answer = await asker.give(who, f"/competitions/spring/{command}", facts)
    assert 400 <= answer.status_code < 500, answer.text
    assert asker.heads() == before
    found: str = answer.json()["reason"]
    return found


def test_every_command_of_a_competition_has_its_door(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await three_competitions(asker)
        wanted = {f"/competitions/{{competition}}/{name_of(kind)}" for kind in COMPETITION}
        assert wanted <= asker.accepted
        fault = audit(asker.log).fault  # the results of autumn are no table's
        assert fault is not None
        assert fault.stream == "competition-autumn"
        assert fault.what.startswith("takes a result that table-cup-3 did not have")
        shown = (await get(asker, None, "/api/competitions")).json()
        assert [(one["id"], one["phase"]) for one in shown] == [
            ("autumn", "closed"),
            ("spring", "done"),
            ("winter", "cancelled"),
        ]

    on_web(tmp_path, play)


def test_a_draft_is_shown_to_whoever_is_in_charge_alone(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await asker.must("mara", "/competitions/spring/draft", {"text": cup_text()})
        for who, listed in (("mara", 1), ("cora", 1), ("ann", 0), ("dan", 0), (None, 0)):
            assert len((await get(asker, who, "/api/competitions")).json()) == listed
            assert (await get(asker, who, SPRING)).status_code == (200 if listed else 404)
        seen = (await get(asker, "mara", SPRING)).json()["view"]
        assert seen["draft"] == cup_text()
        assert seen["next"][0]["command"] == "publish"

    on_web(tmp_path, play)


def test_names_and_contacts_are_for_those_who_see_to_entrants(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        named = {"name": "Petra One", "contact": "petra@example.org"}
        await asker.must("carol", "/people/p1/name", named)
        await entries_closed(CupOnWeb(asker, "spring"))
        for who, name, contact in (
            ("carol", True, True),
            ("mara", True, True),
            ("cora", True, False),
            ("dan", True, False),
            ("p1", False, False),
            ("p2", False, False),
            (None, False, False),
        ):
            text = (await get(asker, who, SPRING)).text
            assert ("Petra One" in text, "petra@example.org" in text) == (name, contact), who
        own = (await get(asker, "p1", SPRING)).json()["view"]
        assert own["own"]["status"] == "paid"
        assert (own["entries"], own["money"], own["proposals"]) == ({}, None, {})
        stranger = (await get(asker, "ann", SPRING)).json()["view"]
        assert stranger["own"] is None
        log = b"".join(
            row.events + (row.command or b"") for row in asker.log.read("competition-spring")
        )
        assert b"Petra" not in log

    on_web(tmp_path, play)


def test_wrong_people_and_wrong_phases_are_refused_and_change_nothing(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        for command in ("apply", "publish"):
            assert await refused(asker, "mara", command) == "no_such_competition"
        assert await refused(asker, "ann", "draft", {"text": cup_text()}) == "not_your_role"
        assert "competition-spring" not in asker.house.competitions
        await entries_closed(CupOnWeb(asker, "spring"))
        for who, command, facts, reason in (
            ("ann", "publish", {}, "not_your_role"),
            ("p1", "withdraw", {"person": "p2"}, "not_yourself"),
            ("p1", "accept", {"person": "p1"}, "not_your_role"),
            ("carol", "draw", {"words": [{"by": "w", "words": "x"}]}, "not_your_role"),
            ("cora", "start-session", {}, "director_not_signed_on"),
            ("cora", "open-entries", {}, "wrong_phase"),
            ("cora", "confirm-places", {}, "wrong_phase"),
            ("cora", "commit-draw", {"commitment": "0" * 64}, "house_commits"),
            ("cora", "draw", {"words": [{"by": "w", "words": "x"}], "seed": "0" * 64},
             "house_commits"),
            ("mara", "add-value", {"cents": "5"}, "malformed"),
            ("p1", "raise-dispute", {"about": "mine", "person": "p2"}, "not_yourself"),
        ):  # fmt: skip
            assert await refused(asker, who, command, facts) == reason, (who, command)
        answer = await asker.client.post(
            f"{SPRING}/take-result", content=b"{}", headers=asker.headers("mara")
        )
        assert answer.status_code in (404, 405)

    on_web(tmp_path, play)


def test_may_lists_every_command_with_what_it_would_be_refused_for(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "spring")
        await cup.entering(cup_text())
        await cup.do("p1", "apply")

        async def may(who: str) -> dict[str, Any]:
            listed = (await get(asker, who, f"{SPRING}/may")).json()
            return {one["command"]: one for one in listed}

        assert set(await may("p1")) == {name_of(kind) for kind in COMPETITION}
        own, other, desk = await may("p1"), await may("p2"), await may("carol")
        possible = {name for name, one in own.items() if one["possible"]}
        assert possible == {"withdraw", "raise-dispute"}
        assert {name for name, one in other.items() if one["possible"]} == {
            "apply",
            "raise-dispute",
        }
        assert desk["accept"]["possible"]
        assert not desk["publish"]["possible"]
        assert desk["publish"]["why_not"]["reason"] == "not_your_role"
        assert msgspec.convert(own["withdraw"]["phases"], list[str])

    on_web(tmp_path, play)
