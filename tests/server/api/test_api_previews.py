"""What a command would bring about, asked for through the API: in words, and then as shown."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from msgspec.structs import replace

from puntobanco.journal import sqlite
from puntobanco.rules.notice import sample_notice
from puntobanco.words import money
from tests.kit.house.driver import Time
from tests.kit.journal import using
from tests.kit.replay import MANAGER, Asker, asked, furnish

AT = "/tables/table-1"
FIRST = {"box": 1, "on": "player", "cents": 2500}


def at_a_table(
    tmp_path: Path, use: Callable[[Asker], Awaitable[None]], ruleset: str = "tas-2018"
) -> None:
    """A table with its staff on duty, and Ann at seat 1 with chips, waiting for cards."""

    async def main(log: sqlite.SqliteLog) -> None:
        async with asked(log, Time(0)) as asker:
            await furnish(asker)
            notice = sample_notice(ruleset)
            opening = {
                "notice": notice,
                "gaming_day": "monday",
                "shoe": "approved",
                "effective": "x",
                "shoe_approval": "y",
            }
            await asker.must("mara", f"{AT}/open-table", opening)
            await asker.must(MANAGER, "/cage/open-tray", {"table": "table-1", "cents": 10**9})
            for who, path, body in (
                ("dan", "sign-on", {"role": "dealer"}),
                ("ines", "sign-on", {"role": "inspector"}),
                ("ann", "sit", {"seat": 1}),
                ("dan", "buy-in", {"person": "ann", "cents": 100_000}),
            ):
                await asker.must(who, f"{AT}/{path}", body)
            await use(asker)

    using(str(tmp_path / "house.db"), main)  # type: ignore[arg-type]


async def ask(asker: Asker, who: str, path: str, body: object) -> httpx.Response:
    return await asker.give(who, f"{AT}/{path}", body)


def test_a_preview_says_what_will_happen_and_why_and_records_nothing(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        heads = asker.heads()
        found = (await ask(asker, "ann", "leave/preview", {})).json()
        assert found["reason"] == "still_has_chips"
        found = (await ask(asker, "bob", "sit/preview", {"seat": 2})).json()
        assert found["foreseen"][0]["says"] == "bob sits down at seat 2"
        assert found["second"] == []
        assert all(":" in clause and words for clause, words in found["said"].items())
        assert asker.heads() == heads

    at_a_table(tmp_path, use)


def test_a_table_that_is_only_previewed_is_not_there(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        opening = {
            "notice": sample_notice("tas-2018"),
            "gaming_day": "monday",
            "shoe": "approved",
            "effective": "x",
        }
        path = "/tables/table-new/open-table"
        shown = (await asker.must("mara", f"{path}/preview", opening)).json()
        listed = (await asker.client.get("/api/tables")).json()
        assert [one["table"] for one in listed] == ["table-1"]
        done = (await asker.must("mara", f"{path}?shown={shown['shown']}", opening)).json()
        assert [one["says"] for one in done["happened"]] == [
            one["says"] for one in shown["foreseen"]
        ]

    at_a_table(tmp_path, use)


def test_what_was_shown_happens_or_nothing_does(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        shown = (await ask(asker, "bob", "sit/preview", {"seat": 2})).json()
        heads = asker.heads()
        other = shown["shown"].translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))
        answer = await ask(asker, "bob", f"sit?shown={other}", {"seat": 2})
        assert (answer.status_code, answer.json()["reason"]) == (409, "not_as_shown")
        assert asker.heads() == heads
        done = await ask(asker, "bob", f"sit?shown={shown['shown']}", {"seat": 2})
        told = [one["says"] for one in done.json()["happened"]]
        assert told == [one["says"] for one in shown["foreseen"]]

    at_a_table(tmp_path, use)


def test_who_else_must_approve_is_said_beforehand(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        shown = (await ask(asker, "dan", "change-cards/preview", {"cards": ["9c"]})).json()
        assert shown["second"] == ["casino supervisor"]
        done = await ask(asker, "dan", f"change-cards?shown={shown['shown']}", {"cards": ["9c"]})
        assert [one["is"] for one in done.json()["happened"]] == ["proposed"]

    at_a_table(tmp_path, use, "act-2015")


def test_what_a_new_notice_changes_is_told_in_plain_text(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        hangs = sample_notice("tas-2018")
        higher = replace(hangs.limits, max_cents=hangs.limits.max_cents * 2)
        change = {"notice": replace(hangs, limits=higher), "from_ms": 86_400_000}
        shown = (await ask(asker, "mara", "post-change/preview", change)).json()
        told = [one["says"] for one in shown["foreseen"]]
        assert any("1970-01-02" in says for says in told), told
        assert any(money(higher.max_cents) in says for says in told), told
        assert not any("<" in says for says in told), "markup is for pages"

    at_a_table(tmp_path, use)


def test_a_preview_is_refused_as_the_command_would_be(tmp_path: Path) -> None:
    async def use(asker: Asker) -> None:
        for who, path, body in (
            ("ann", "open-coup", {}),
            ("ann", "place-wager", FIRST),
            ("dan", "sit", {"seat": 99}),
            ("", "sit", {"seat": 2}),
        ):
            given = await ask(asker, who, path, body)
            shown = await ask(asker, who, f"{path}/preview", body)
            assert given.status_code >= 400
            assert shown.json() == given.json()
        nowhere = await asker.give("ann", "/tables/table-9/sit/preview", {"seat": 1})
        assert (nowhere.status_code, nowhere.json()["reason"]) == (404, "no_such_table")

    at_a_table(tmp_path, use)
