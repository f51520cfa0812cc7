"""Every game of a player: for themselves and whoever oversees the house, as the record has it."""

import csv
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.house.access.own_data import commission_cents
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.audit import audit
from puntobanco.house.figures import stored
from puntobanco.house.figures.check import FiguresCheck
from puntobanco.house.figures.projection import reading_of
from puntobanco.house.lookback.told import events_of
from puntobanco.house.trust.games import GamesAsked, player_games
from puntobanco.house.trust.played import played_since
from puntobanco.journal.log import EventLog
from puntobanco.register.settings import Settings
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import parse_drawn, parse_wager
from puntobanco.rules.settle import settle
from puntobanco.rules.wagers import take
from puntobanco.table import events as e
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table
from tests.kit.clauses import clause
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import Office, asked

START_MS = 1_700_000_000_000


def bots_at_play(where: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, start_ms=START_MS)
        await let_bots_play(bots, list(bots.house.tables.values()), 4)
        await bots.house.shut()

    using(str(where), use)


def games_on_record(log: EventLog, person: str) -> dict[tuple[str, int], tuple[int, int, int]]:
    """By coup, what a player had after it, and its times: from the tables' own states."""
    found: dict[tuple[str, int], tuple[int, int, int]] = {}
    for name in log.streams():
        if not name.startswith("table-"):
            continue
        table, began, bet = Table(), 0, set[int]()
        for row in log.read(name):
            for event in events_of(row):
                table = evolve(table, event)
                if isinstance(event, e.CoupOpened):
                    began = row.at_ms
                if isinstance(event, e.WagerPlaced) and event.wager.by == person:
                    bet.add(table.coup_number)
                if isinstance(event, e.CoupEnded) and event.number in bet:
                    has = table.chips.get(person, 0)
                    found[name, event.number] = (began, row.at_ms, has)
    return found


def test_each_game_is_there_with_chips_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots_at_play(tmp_path / "house.db")

    async def use(office: Office) -> None:
        house = office.house
        players = [who for who, one in house.register.state.people.items() if one.kind == "patron"]
        counted = 0
        for person in players:
            shown = await whole(office, "/api/me/games", person)
            on_record = games_on_record(house.log, person)
            assert {(one["table"], one["coup"]) for one in shown} == on_record.keys()
            for one in shown:
                began, over, has = on_record[one["table"], one["coup"]]
                assert (one["at_ms"], one["over_ms"], one["after_cents"]) == (began, over, has)
                assert one["before_cents"] + one["net_cents"] == has
                assert one["staked_cents"] == sum(wager["cents"] for wager in one["wagers"])
            assert [one["at_ms"] for one in shown] == sorted(
                (one["at_ms"] for one in shown), reverse=True
            )
            counted += len(shown)
            played = played_since(house.figures.reading(), person, "")
            assert sum(one.won_cents for one in played) == sum(one["net_cents"] for one in shown)
            text = (await office.get("/account/games/csv", person)).text
            lines = list(csv.DictReader(text.splitlines()))
            assert [int(one["coup"]) for one in lines] == [one["coup"] for one in shown]
            kept = [sum(wager["commission_cents"] for wager in one["wagers"]) for one in shown]
            assert [int(one["commission_cents"]) for one in lines] == kept
            if shown:
                assert "Before" in (await office.get("/account/games", person)).text
                page = (await office.get(f"/house/people/{person}/games", "mara")).text
                assert f"/journal/{shown[0]['coup']}" in page
        assert counted > 10
        first, other = players[:2]
        beside, questions = house.log.beside, list[str]()

        def counted_beside(statement: str, *values: object) -> list[Any]:
            questions.append(statement)
            return beside(statement, *values)

        monkeypatch.setattr(house.log, "beside", counted_beside)
        assert len(list(player_games(house.figures.reading(), GamesAsked(first)))) == 3
        assert len(questions) == 4  # one for each table, however many games there are
        assert (await office.get(f"/api/people/{first}/games", other)).status_code == 403
        assert (await office.get(f"/house/people/{first}/games", "ines")).status_code == 403
        nobody = await office.get("/api/people/nobody/games", "mara")
        assert nobody.json()["reason"] == "not_enrolled"
        assert (await office.get("/api/me/games?before=x", first)).status_code == 400
        assert (await office.get("/api/me/games?first=x", first)).status_code == 400
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)


async def whole(office: Office, address: str, person: str) -> list[dict[str, Any]]:
    """All pages of it, the day's games asked for one day at a time as well."""
    found, before = list[dict[str, Any]](), ""
    while True:
        answer = await office.get(f"{address}?before={before}", person)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += page["games"]
        before = page["before"]
        if not before:
            break
    games = office.house.log.beside("SELECT day FROM played WHERE person = ?", person)
    days = {row[0] for row in games}
    daily = [
        game
        for day in sorted(days, reverse=True)
        for game in (await office.get(f"{address}?first={day}&last={day}", person)).json()["games"]
    ]
    assert len(found) > 50 or daily == found
    return found


@pytest.mark.parametrize(
    ("method", "cards", "cents"),
    [("commission", "2c 9h Kd Js", 250), ("federal", "2c 6h Kd Js 2d", 0)],
)
@clause("tas-2018:12.2", "tas-2018:12.4")
def test_commission_is_told_of_each_win_and_a_banker_s_six_has_none(
    method: str, cards: str, cents: int
) -> None:
    """[G19 2.8.2] 19 to 20 on 50; half on 50 without commission."""
    terms = post(replace(sample_notice("tas-2018"), method=method))
    coup = fold(parse_drawn(cards), terms.rules.tableau)
    (line,) = settle(coup, take([parse_wager("1 b 50")], terms), terms).lines
    assert (line.won_cents, commission_cents(line)) == (5_000 - (cents or 2_500), cents)


def test_whoever_takes_a_game_out_of_the_list_is_found(tmp_path: Path) -> None:
    bots_at_play(tmp_path / "house.db")

    async def use(log: EventLog) -> None:
        def wrong() -> str:
            return FiguresCheck(log, "table-1", Settings()).wrong()

        assert wrong() == ""
        row = log.beside(stored.ALL_PLAYED, "table-1")[0]
        person, games = row[0], stored.unpacked_games("table-1", row)
        more = [(*games[0][:7], games[0][7] + 1), *games[1:]]
        put = "UPDATE played SET games = ? WHERE person = ?"
        log.ordinary(put, stored.packed_games(more)[2], person)
        assert "other games" in wrong()
        log.ordinary(put, row[5], person)
        assert wrong() == ""
        log.ordinary("UPDATE played SET last_ms = last_ms + 1 WHERE person = ?", person)
        assert "cannot be read" in wrong()
        log.ordinary("DELETE FROM played WHERE person = ?", person)
        assert "other games" in wrong()

    using(str(tmp_path / "house.db"), use)


def test_figures_of_an_older_form_are_made_anew(tmp_path: Path) -> None:
    """As an older program left them: it knew no games, and its coups had less."""
    bots_at_play(tmp_path / "house.db")

    async def use(log: EventLog) -> None:
        before = log.beside("SELECT * FROM played ORDER BY person, last_ms, stream")
        assert before
        log.ordinary("DELETE FROM played")
        log.ordinary("UPDATE figures_at SET form = 'another' WHERE stream LIKE 'table-%'")
        house = house_over(log, Time(2 * START_MS).clock)
        heads = {name: table.seq for name, table in house.tables.items()}
        while list(house.figures.behind(heads)):
            house.figures.catch_up(heads)
        house.figures.save()
        assert log.beside("SELECT * FROM played ORDER BY person, last_ms, stream") == before
        assert all(not FiguresCheck(log, name, Settings()).wrong() for name in heads)

    using(str(tmp_path / "house.db"), use)


def test_games_as_older_programs_kept_them_stay_in_the_list(tmp_path: Path) -> None:
    """Each by itself in `games`: they are found and checked there, and leave with their coup."""
    bots_at_play(tmp_path / "house.db")

    async def use(log: EventLog) -> None:
        rows = log.beside(stored.ALL_PLAYED, "table-1")
        person = rows[0][0]
        asked = GamesAsked(person)
        reading = reading_of(log, Settings())
        before = list(player_games(reading, asked))
        counted = sorted(map(repr, played_since(reading, person, "")))
        assert len(counted) == len(before) > 1
        older = [game for row in rows for game in stored.unpacked_games("table-1", row)]
        log.together(
            [("DELETE FROM played", ())]
            + [("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", game) for game in older]
        )
        assert list(player_games(reading, asked)) == before
        assert sorted(map(repr, played_since(reading, person, ""))) == counted
        assert FiguresCheck(log, "table-1", Settings()).wrong() == ""
        number = before[0].coup
        for one in (number, number):  # said again of the same coup, it is there once
            found = "SELECT * FROM past_coups WHERE stream = ? AND number = ?"
            row = log.beside(found, "table-1", one)[0]
            log.together(stored.put_coups(log, "table-1", {one: row}, anew=False))
        assert [game[3] for game in stored.played_rows(log, "person = ?", person)] == [number]
        assert FiguresCheck(log, "table-1", Settings()).wrong() == ""
        assert list(player_games(reading, asked)) == before

    using(str(tmp_path / "house.db"), use)
