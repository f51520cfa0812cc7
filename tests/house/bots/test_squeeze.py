"""Face-down cards of the house's own shoe: shown to their holder alone, and turned promptly."""

import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.intents import Turn
from puntobanco.house.lookback.export import export
from puntobanco.house.loop import Running
from puntobanco.house.may import possible
from puntobanco.journal.log import EventLog
from puntobanco.register.settings import Tempo
from puntobanco.rules.cards import Card
from puntobanco.table import commands as c
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening, turning
from tests.kit.journal import using
from tests.kit.office import office_of

OTHERS = ("", "mara", "bot-dealer-table-1", "bot-inspector-table-1", "bot-surveillance-table-1")


@clause("tas-2018:9.3")
def test_a_card_is_shown_to_its_holder_alone_and_is_what_is_turned(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        holder, position = await turning(bots)
        house, table = bots.house, bots.house.tables["table-1"]
        others = [who for who in table.state.places if who != holder]
        for who in (*others, "bot-dealer-table-1", "bot-manager-table-1"):
            with pytest.raises(Refused):
                await house.squeeze("table-1", position, who, f"other-{who}")
        for wrong in (3 - position, 3 - position + 2, 6, 12):
            with pytest.raises(Refused):
                await house.squeeze("table-1", wrong, holder, f"wrong-{wrong}")
        before = table.seq
        seen = await house.squeeze("table-1", position, holder, "squeeze-1")
        assert table.seq == before + 1
        for again in ("squeeze-1", "squeeze-2"):
            assert await house.squeeze("table-1", position, holder, again) == seen
        assert table.seq == before + 1
        (row,) = [row for row in log.read("table-1") if row.seq == table.seq]
        assert msgspec.json.decode(row.events) == [
            {
                "is": "card-shown",
                "position": position,
                "person": holder,
                "clauses": ["tas-2018:9.3"],
            }
        ]
        await house.give("table-1", Turn(position), holder, "turn-1")
        assert table.state.coup
        assert table.state.coup.drawn[position - 1].card == seen.card
        with pytest.raises(Refused):
            await house.squeeze("table-1", position, holder, "squeeze-3")
        number = table.state.coup_number
        while table.state.coup_number == number or not (
            table.state.coup and len(table.state.coup.drawn) >= 4
        ):
            assert await bots.step(table)
        with pytest.raises(Refused):  # an old id names no card of a later coup
            await house.squeeze("table-1", position, holder, "squeeze-1")
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


def left_by(base: Path, path: Path, other: bool) -> tuple[str, Card]:
    """All that a squeeze leaves for anybody but the holder; and what the holder was shown."""
    shutil.copy(base, path)

    async def use(log: EventLog) -> tuple[list[object], Card]:
        house = house_over(log, Time(90_000_000).clock, 7)
        table = house.tables["table-1"]
        state = table.state
        assert state.coup
        side, holder = next(iter(state.coup.held_by.items()))
        position = 1 if side == "player" else 2
        if other:
            swapped(house, state, position)
        seen: list[object] = []
        for number in range(2):
            shown = await house.squeeze("table-1", position, holder, f"squeeze-{number}")
            for who in (*OTHERS, *state.places):
                if who and who != holder:
                    with pytest.raises(Refused) as caught:
                        await house.squeeze("table-1", position, who, f"no-{number}-{who}")
                    seen.append(str(caught.value))
                roles = house.actor(who, "table-1").roles if who else frozenset()
                seen.append(view(table.state, Viewer(who, roles)))
                seen += sorted(possible(table.state, house.actor(who, "table-1"))) if who else []
        for stream in log.streams():
            seen += [*export(log, stream), *(row.events.decode() for row in log.read(stream))]
        await house.shut()
        return seen, shown.card

    told, card = using(str(path), use)
    with sqlite3.connect(path) as database:
        kept = "\n".join(database.iterdump())
    path.unlink()
    return f"{msgspec.json.encode(told).decode()}\n{kept}", card


def swapped(house: House, state: Table, position: int) -> None:
    """Let another card lie there: the one that was last in the shoe."""
    order = house.order(state)
    cut = state.pack.cut_depth
    assert state.shoe
    assert state.coup
    place = (state.shoe.drawn - len(state.coup.drawn) + position - 1 + cut) % len(order.cards)
    cards = list(order.cards)
    last = next(at for at in range(cut - 1, -1, -1) if cards[at] != cards[place])
    cards[place], cards[last] = cards[last], cards[place]
    changed = replace(order, cards=tuple(cards))
    house.order = lambda _table: changed  # type: ignore[method-assign,assignment]


def test_whatever_the_card_is_all_others_receive_the_same_bytes(tmp_path: Path) -> None:
    base = tmp_path / "base.db"

    async def prepare(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        await turning(bots)
        await bots.house.shut()

    using(str(base), prepare)
    one, card = left_by(base, tmp_path / "pair.db", other=False)
    two, swap = left_by(base, tmp_path / "pair.db", other=True)
    assert card != swap
    assert "card-shown" in one
    assert one == two


def test_over_the_web_only_the_holder_s_answer_names_it(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        holder, position = await turning(bots)
        async with office_of(bots.house) as office:
            sent = {"position": str(position)}
            answer = await office.post("/tables/table-1/squeeze", holder, sent)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "no-store"
            card = Card(answer.json()["card"])
            stranger = await office.post("/tables/table-1/squeeze", "mara", sent)
            assert stranger.status_code == 403
            nobody = await office.post("/tables/table-1/squeeze", "", sent)
            assert nobody.status_code in (302, 303, 307, 401)
            await bots.house.give("table-1", Turn(position), holder, "turn-0001")
            coup = bots.house.tables["table-1"].state.coup
            assert coup
            assert coup.drawn[position - 1].card == card

    using(str(tmp_path / "house.db"), use)


async def coups_of(bots: Bots, minutes: int) -> int:
    house = bots.house
    running = Running(house, bots)
    await running.start()
    begun, until = house.tables["table-1"].state.coup_number, house.time.now_ms() + minutes * 60_000
    while house.time.now_ms() < until:
        await running.tick()
        await house.clock.sleep(running.nap_s())
    return house.tables["table-1"].state.coup_number - begun


def test_a_bot_s_request_does_not_slow_the_table(tmp_path: Path) -> None:
    """Eleven cards passed and turned cost a few intervals; nobody is waited for."""

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018", pace=LIVE)
        usual = await coups_of(bots, 10)
        asker = next(iter(bots.house.tables["table-1"].state.places))
        await bots.house.give("table-1", c.AskFaceDown(), asker, "ask-face-down-1")
        await coups_of(bots, 2)
        assert bots.house.tables["table-1"].state.face_down.on
        slowed = await coups_of(bots, 10)
        longest_ms = 10 * 60_000 / slowed
        assert longest_ms <= 10 * 60_000 / usual + 12 * Tempo().card_ms

    using(str(tmp_path / "house.db"), use)


@clause("tas-2018:9.3(a)")
def test_a_request_ends_with_the_first_coup_its_asker_sits_out(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        table = bots.house.tables["table-1"]
        await turning(bots)
        quiet, *others = sorted(table.state.face_down.asked_by)
        bots.crew("table-1").patrons.pop(quiet)  # who stays, and bets no more
        while quiet in table.state.face_down.asked_by:
            assert table.state.coup_number < 4
            assert await bots.step(table)
        assert table.state.coup
        assert table.state.coup.locked
        assert table.state.face_down.asked_by == set(others)
        for other in others:
            bots.crew("table-1").patrons.pop(other)
            await bots.house.give("table-1", c.WithdrawFaceDown(), other, f"back-{other}")
        while table.state.coup:
            assert await bots.step(table)
        assert await bots.step(table)
        assert not table.state.face_down.on
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)
