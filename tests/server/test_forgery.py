"""Other people's seats, forged and stale ids, devices beyond their task, tables that are closed."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from puntobanco.cage import authority as cage_authority
from puntobanco.competition import authority as competition_authority
from puntobanco.register import authority as register_authority
from puntobanco.server.commands.api import CAGE, COMPETITION, REGISTER, TABLE
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.mid_evening import API, OPEN, SHUT, Site, Who, mid_evening, refusal
from tests.kit.replay import Token


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mid_evening(tmp_path_factory.mktemp("house")) as site:
        yield site


NOT_MINE: list[tuple[Who, str, dict[str, object], str]] = [
    ("ann", "place-wager", {"box": 7, "on": "player", "cents": 500}, "not_your_box"),
    ("ann", "place-wager", {"box": 7, "on": "tie", "cents": 500, "person": "bob"}, "not_yourself"),
    ("bob", "change-wager", {"box": 3, "on": "banker", "cents": 2500}, "no_such_wager"),
    ("bob", "withdraw-wager", {"box": 3, "on": "banker", "person": "ann"}, "not_yourself"),
    ("eve", "place-wager", {"box": 3, "on": "banker", "cents": 2500}, "not_at_table"),
    ("ann", "sit", {"seat": 7}, "still_has_wagers"),
    ("eve", "sit", {"seat": 3}, "seat_taken"),
    ("eve", "leave", {"person": "ann"}, "not_yourself"),
    ("bob", "cash-out", {"person": "ann", "cents": 500}, "not_your_role"),
    ("bob", "consent-to-change", {"person": "ann"}, "not_yourself"),
    ("ann", "raise-dispute", {"about": "mine", "person": "bob"}, "not_yourself"),
    ("ann", "approve", {"proposal": 1}, "not_your_role"),
    ("dan", "exclude", {"person": "ann", "note": "x"}, "not_your_role"),
    ("dora", "draw-card", {"card": "9c"}, "not_on_duty"),
    ("mara", "sign-on", {"role": "dealer"}, "not_your_role"),
    ("ines", "sign-off", {"person": "dan"}, "not_yourself"),
    ("ines", "approve", {"proposal": 10**9}, "no_such_proposal"),
    ("dan", "correct-card", {"coup": 99, "position": 1, "card": "9c", "note": "x"}, "no_such_coup"),
    ("mara", "decide-dispute", {"dispute": 7, "decision": "x"}, "no_such_dispute"),
    ("dan", "shuffle", {"commitment": "0" * 64}, "house_commits"),
    (Token("watch", OPEN), "draw-card", {"card": "9c"}, "token_not_for_this"),
    (Token("draw", SHUT), "draw-card", {"card": "9c"}, "token_not_for_this"),
    (Token("draw", OPEN), "no-more-bets", {}, "token_not_for_this"),
    (Token("draw", OPEN), "sign-off", {}, "token_not_for_this"),
    (None, "leave", {}, "sign_in_needed"),
]


@pytest.mark.parametrize(("who", "name", "body", "reason"), NOT_MINE, ids=str)
def test_nobody_acts_for_another_or_beyond_their_role(
    site: Site,
    who: Who,
    name: str,
    body: dict[str, object],
    reason: str,
) -> None:
    before = site.asker.heads()
    found = refusal(site.give(who, f"{API}/{name}", msgspec.json.encode(body)))
    assert found["reason"] == reason
    assert site.asker.heads() == before


def test_an_id_is_its_owners_and_stands_for_one_command(site: Site) -> None:
    about = msgspec.json.encode({"about": "the card was mine"})
    first = site.give("ann", f"{API}/raise-dispute", about, Command_Id="an-id-of-anns")
    assert first.status_code == 200
    before = site.asker.heads()
    again = site.give("ann", f"{API}/raise-dispute", about, Command_Id="an-id-of-anns")
    assert again.json() == first.json()
    other = msgspec.json.encode({"about": "another matter"})
    for who, name, body in (
        ("ann", "raise-dispute", other),
        ("ann", "leave", b"{}"),
        ("bob", "raise-dispute", about),
        ("dan", "no-more-bets", b"{}"),
    ):
        answer = site.give(who, f"{API}/{name}", body, Command_Id="an-id-of-anns")
        assert refusal(answer)["reason"] == "id_used", (who, name)
    assert site.asker.heads() == before


def test_a_receipt_is_given_to_whoever_did_it(site: Site) -> None:
    rows = [row for row in site.asker.log.read(OPEN) if row.actor == "ann"]
    path = f"{API}/receipts/{rows[-1].seq}"
    assert site.ask("GET", path, "ann").json()["actor"] == "ann"
    assert site.refuses("GET", path, "bob")["reason"] == "not_found"
    assert site.refuses("GET", path, Token("watch", OPEN))["reason"] == "token_not_for_this"
    assert site.refuses("GET", path, None)["reason"] == "sign_in_needed"


def test_nobody_raises_themselves_in_the_house(site: Site) -> None:
    for who, path, body in (
        ("max", "/register/grant", {"person": "max", "role": "dealer"}),
        ("max", "/register/grant", {"person": "dan", "role": "house"}),
        ("max", "/register/grant", {"person": "ann", "role": "dealer"}),
        ("max", "/register/enrol", {"person": "house", "kind": "staff"}),
        ("max", "/register/enrol", {"person": "ann", "kind": "staff"}),
        ("carol", "/register/enrol", {"person": "mine", "kind": "staff"}),
        ("carol", "/cage/withdraw", {"person": "ann", "cents": 10**12}),
        ("carol", "/cage/complete-slip", {"number": 999}),
        ("ann", "/cage/deposit", {"person": "ann", "cents": 500}),
        (Token("draw", OPEN), "/cage/deposit", {"person": "ann", "cents": 500}),
    ):
        before = site.asker.heads()
        refusal(site.give(who, f"/api{path}", msgspec.json.encode(body)))
        assert site.asker.heads() == before, path


SPARE: dict[str, object] = {
    "to": "table-2",
    "what": "void",
    "standing": {
        "session": "x", "seats": {"1": "ann"}, "chips": {"ann": 1},
        "limits": {"min_cents": 1, "max_cents": 2},
    },
    "seat": 1, "box": 1, "person": "ann", "cents": 10_000, "role": "dealer", "note": "x",
    "set_id": "set-1", "depth": 100, "cards": ["9c"], "on": "banker", "coups": 1, "from_ms": 1,
    "notice": msgspec.UNSET, "down": True, "side": "player", "card": "9c", "position": 1,
    "found": "order-unknown", "upheld": True, "verdict": "void", "cause": "fraud", "coup": 1,
    "proposal": 1, "closing_ms": 10**12, "order": ["9c"], "salt": "x", "gaming_day": "x",
    "about": "x", "dispute": 1, "decision": "x", "kind": "influence", "shoe": "x", "whose": "bob",
    "figures": "500", "words": "five hundred",
}  # fmt: skip
"""A value for every field that a command must have."""
OWN: dict[type[Struct], dict[str, object]] = {
    c.CorrectCoup: {"cards": [{"card": "9c"}]},
    c.CorrectFinding: {"found": "shoe-disturbed"},
    c.ExamineSecret: {"verdict": "accepted"},
}
"""Where a field of that name means something else."""
STILL_DONE = {
    "begin-gaming-day", "cash-out", "check-cards-at-end", "open-table", "raise-dispute", "readmit",
    "record-incident", "sign-on", "sign-off",
}  # fmt: skip
"""What is done at a table that is shut, too."""
PUT_RIGHT = {
    "correct-card", "correct-coup", "correct-payment", "correct-wager", "void-earlier",
    "void-wagers",
}  # fmt: skip
"""What two people put right at a table that is shut, too: one alone proposes it."""


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.__name__)
def test_at_a_closed_table_no_play_goes_on(site: Site, kind: type[c.Command]) -> None:
    name = str(kind.__struct_config__.tag)
    if name in STILL_DONE | PUT_RIGHT:
        return
    before = site.asker.heads()
    for who in ("ann", "dan", "ines", "sue", "cora", "mara", "sol"):
        answer = site.give(who, f"/api/tables/{SHUT}/{name}", _filled(site, kind))
        assert refusal(answer)["reason"] != "malformed", answer.text
    assert site.asker.heads() == before


def _filled(site: Site, kind: type[c.Command]) -> bytes:
    """The command with a value for every field that it must have."""
    notice = msgspec.to_builtins(site.asker.house.tables[OPEN].state.notice)
    must = [one.encode_name for one in msgspec.structs.fields(kind) if one.required]
    body = {field: notice if field == "notice" else SPARE[field] for field in must}
    return msgspec.json.encode(body | OWN.get(kind, {}))


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.__name__)
def test_at_a_closed_table_nobody_alone_moves_money(site: Site, kind: type[c.Command]) -> None:
    """[conditions] What is put right there is proposed, by those on duty, and waits."""
    name = str(kind.__struct_config__.tag)
    if name not in PUT_RIGHT:
        return
    shut = site.asker.house.tables[SHUT]
    money = shut.state.chips, shut.state.bank_cents
    for who in ("ann", "cora", "sol", "otto"):
        before = site.asker.heads()
        refusal(site.give(who, f"/api/tables/{SHUT}/{name}", _filled(site, kind)))
        assert site.asker.heads() == before
    for who in ("dan", "ines", "mara"):
        site.give(who, f"/api/tables/{SHUT}/{name}", _filled(site, kind))
    assert (shut.state.chips, shut.state.bank_cents) == money


def test_a_table_that_is_not_there_is_not_made_by_asking(site: Site) -> None:
    for kind in TABLE:
        name = str(kind.__struct_config__.tag)
        refusal(site.give("mara", f"/api/tables/table-9/{name}", b"{}"))
    for name in ("deal", "shuffle-house"):
        refusal(site.give("dan", f"/api/tables/table-9/{name}", b""))
    assert "table-9" not in site.asker.house.tables


def test_a_competition_that_is_not_there_is_not_made_by_asking(site: Site) -> None:
    for kind in COMPETITION:
        name = str(kind.__struct_config__.tag)
        for who in ("ann", "dan", "carol", "mara", Token("watch", OPEN), None):
            refusal(site.give(who, f"/api/competitions/none/{name}", b"{}"))
    assert site.asker.house.competitions == {}
    table = site.give("cora", "/api/tables/competition-none/sign-on", b'{"role": "dealer"}')
    assert refusal(table)["reason"] == "no_such_table"


def test_every_refusal_has_the_same_shape_for_cage_and_register(site: Site) -> None:
    at: dict[str, tuple[Any, Any]] = {
        "cage": (CAGE, cage_authority.AUTHORITY),
        "register": (REGISTER, register_authority.AUTHORITY),
        "competitions/none": (COMPETITION, competition_authority.AUTHORITY),
    }
    for path, (kinds, allowed) in at.items():
        for kind in kinds:
            answer = site.give("max", f"/api/{path}/{kind.__struct_config__.tag}", b'{"x": 1}')
            theirs = Role.MANAGEMENT in allowed[kind].roles  # else it is not even read
            assert refusal(answer)["reason"] == ("malformed" if theirs else "not_your_role")
