"""What is personal is erased for good, when the house owes nothing; the proof stays whole."""

import re
from base64 import b64decode
from collections import deque
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest
from httpx import Response

from puntobanco.cage import commands as m
from puntobanco.competition.state import Entrant, EntryStatus
from puntobanco.errors import Refused
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.intents import NoteIncident
from puntobanco.house.loop import Running
from puntobanco.house.trust.erasing import is_open, kept_back
from puntobanco.journal import erasable_tables
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.aggregates import png
from tests.kit.house.driver import KEY, Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import Office, asked, office_of, two_founders
from tests.kit.program import refused, run

DAY_MS = 86_400_000


def personal(log: EventLog, person: str) -> set[str]:
    """The tables in which something stands under an id, of all that the journal has beside it."""
    steps = (value for name, value in vars(erasable_tables).items() if name.isupper())
    texts = [text for step in steps if isinstance(step, tuple) for text in step]
    named = [re.match(r"CREATE TABLE (\w+)\s*\(\s*(?:[^;]*\b)?person TEXT", one) for one in texts]
    tables = {found[1] for found in named if found} - {"erased"}
    assert {"people", "credentials", "web_sessions", "aliases", "sign_ins"} <= tables
    return {
        table for table in tables if log.ordinary(f"SELECT 1 FROM {table} WHERE person = ?", person)
    }


def test_all_that_is_personal_goes_and_the_proof_stays_whole(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house, signin = office.house, SignIn(office.house)
        named = {"name": "Ann Example", "contact": "ann@example.org"}
        await office.post("/house/people/ann/name", "mara", named)
        await office.post("/account/alias", "ann", {"alias": "Unmistakable"})
        pin = await signin.issue_pin("ann", "mara")
        await signin.sign_in("ann", "pin", pin, "203.0.113.77")
        office.sign_in_again()  # a fresh PIN ended all sessions
        own = (await office.get("/api/me/data", "ann")).json()
        assert [one["address"] for one in own["sign_ins"]] == ["203.0.113.77"]
        assert personal(house.log, "ann") == {
            *("people", "credentials", "web_sessions", "aliases", "sign_ins")
        }
        await Driver(house).open()
        for people in (("ann",), ("ann", "dan")):
            picture = b64decode(png(len(people)))
            seen = NoteIncident("other", "at the table", picture, people)
            await house.give("table-1", seen, "ines", f"incident-{len(people)}")
        alone, together = [one["photo"] for one in (await photos(office))[::-1]]
        await house.give("table-1", c.Leave("ann"), "dan", "leave")
        await house.give("cage", m.Withdraw("ann", 100_000), "carol", "paid-out")
        await house.give("register", register.Disable("ann", "asked to"), "mara", "away")
        done = await office.post("/house/people/ann/erase", "mara", {"sure": "ann"})
        assert done.status_code == 303
        assert personal(house.log, "ann") == set()
        kept = {row[0] for row in house.log.ordinary("SELECT digest FROM photos")}
        assert alone not in kept
        assert together in kept
        for address in ("/house/people", "/house/people/ann", "/house/cage?q=ann"):
            page = (await office.get(address, "mara")).text
            assert "Former patron no. 2" in page, address
            assert "Example" not in page
            assert "Unmistakable" not in page
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)
    for file in tmp_path.iterdir():
        assert b"203.0.113.77" not in file.read_bytes()
        assert b"Unmistakable" not in file.read_bytes()


WHO = "zephyrine-hartwell"
"""An id that says as much as a name."""
ROWS = ("/api/", "/export", "/file")
"""Where rows go out as they are stored: they name ids alone, and are what is proven."""


async def played(office: Office) -> None:
    """Somebody with a past in every room: money, a coup, a dispute, an incident; then erased."""
    house = office.house
    driver = await Driver(house).open()
    acts = (
        ("carol", m.OpenAccount(WHO)),
        ("carol", m.Deposit(WHO, 100_000)),
        (WHO, c.Sit(2)),
        ("dan", c.BuyIn(50_000, WHO)),
        ("dan", c.CheckCards("set A", player="ann")),
        ("dan", c.Shuffle()),
        ("dan", c.CutCards(100, 1)),
        ("dan", c.LoadShoe()),
        ("dan", c.OpenCoup()),
        (WHO, c.PlaceWager(2, Bet.BANKER, 5000)),
        *(("dan", c.DrawCard(Card(card))) for card in ("9c", "2h", "Kd", "5s")),
        ("dan", c.DeclareResult()),
        ("dan", c.EndCoup()),
        ("dan", c.RaiseDispute("the box was mine", coup=1, person=WHO)),
        ("mara", c.DecideDispute(1, "stands")),
        ("ines", c.RecordIncident("other", "said something", (WHO,))),
        ("dan", c.CashOut(45_000, WHO)),
        ("dan", c.Leave(WHO)),
    )
    for person, ask in acts:
        await driver.do(person, ask)
    await driver.do("carol", m.Withdraw(WHO, house.cage.state.accounts[WHO]))
    await office.post(f"/house/people/{WHO}/name", "mara", {"name": "Unmistakable Name"})
    await office.post("/account/alias", WHO, {"alias": "Unmistakable"})
    await house.give("register", register.Disable(WHO, "asked to"), "mara", "gone")
    done = await office.post(f"/house/people/{WHO}/erase", "mara", {"sure": WHO})
    assert done.status_code == 303


def told(answer: Response) -> str:
    """What somebody reads of a page, or finds in a file."""
    shown = re.sub(r"<(script|style).*?</\1>", "", answer.text, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", shown) if "html" in answer.headers["content-type"] else shown


def test_nobody_reads_a_name_or_an_id_of_whoever_was_erased(tmp_path: Path) -> None:
    """On no page and in no file that anybody comes to, from wherever they begin."""
    starts = (
        *("/", "/floor", "/house/events", "/house/reports", "/house/do/register/name-founder"),
        *(f"/house/people/{WHO}", f"/house/cage?q={WHO}", f"/house/cage/patrons/{WHO}"),
    )
    seen_of = set[str]()

    async def use(office: Office) -> None:
        await played(office)
        await office.enrol("ada", Role.AUDITOR)
        for person in ("mara", "carol", "ines", "ada", "ann", ""):
            for address, answer in [one async for one in walked(office, person, starts)]:
                seen_of.add(f"{person} {address}")
                assert WHO not in told(answer), (person, address)
                assert "Unmistakable" not in answer.text, (person, address)

    asked(tmp_path / "house.db", use)
    assert {f"mara /house/people/{WHO}", f"carol /house/people/{WHO}/ledger"} <= seen_of
    assert len(seen_of) > 100


async def walked(
    office: Office, person: str, starts: tuple[str, ...]
) -> AsyncIterator[tuple[str, Response]]:
    """Each kind of page that links lead to, once."""
    todo, kinds = deque(starts), set[str]()
    while todo:
        address = todo.popleft()
        kind = re.sub(r"\d+", "N", address.partition("?")[0])
        if kind in kinds or not address.startswith("/") or kind.startswith(NOT_WALKED):
            continue
        kinds.add(kind)
        answer = await office.get(address, person)
        if answer.status_code == 200 and not any(rows in kind for rows in ROWS):
            yield address, answer
            todo += [unescape(one) for one in re.findall(r'href="([^"#]+)"', answer.text)]


NOT_WALKED = ("/static", "/live", "/look", "/rules", "/odds", "/training", "/api")


async def photos(office: Office) -> list[dict[str, str]]:
    found = (await office.get("/api/floor/incidents", "mara")).json()
    return [one for one in found["found"] if one["photo"]]


async def first_reason(office: Office) -> str:
    listed = (await office.get("/api/people/ann/erase", "mara")).json()
    answer = await office.json("/api/people/ann/erase", "mara", {})
    if answer.status_code == 200:
        assert listed == []
        return ""
    assert listed[0]["reason"] == answer.json()["reason"]
    page = (await office.get("/house/people/ann", "mara")).text
    assert ("cannot be erased yet" in page) == (listed[0]["reason"] != "still_enabled")
    return str(listed[0]["reason"])


def test_nobody_is_erased_whom_the_house_owes_or_must_know_again(tmp_path: Path) -> None:
    time = Time(10**9)

    async def main(log: EventLog) -> None:
        house = house_over(log, time.clock)
        driver = await Driver(house).open()
        async with office_of(house) as office:
            assert await first_reason(office) == "still_enabled"
            await house.give("register", register.ExcludeOneself(7), "ann", "out")
            await house.give("register", register.Disable("ann", "asked to"), "mara", "away")
            assert await first_reason(office) == "still_at_table"
            await driver.do("dan", c.Leave("ann"))
            assert await first_reason(office) == "still_has_money"
            await driver.do("carol", m.Withdraw("ann", 100_000))
            assert await first_reason(office) == "still_excluded"
            time.steady_ms += 7 * DAY_MS
            office.sign_in_again()
            assert await first_reason(office) == ""
            assert house.register.state.people["ann"].enabled is False
            assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)


def test_it_takes_two_people_and_no_crash_forgets_what_they_agreed_to(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        await two_founders(office)
        for person in ("ann", "ben"):
            house.people.put_alias(person, f"Alias of {person}")
        await house.give("register", register.Enrol("ben", "patron"), "mara", "ben")
        for person in ("ann", "ben"):
            gone = register.Disable(person, "asked to")
            await house.give("register", gone, "mara", f"{person}-goes")
            done = await office.post(f"/house/people/{person}/erase", "mara", {"sure": person})
            assert done.status_code == 303
        assert personal(house.log, "ann") == {"aliases"}
        again = await office.json("/api/people/ann/erase", "fay", {})
        assert again.json()["reason"] == "already_proposed"
        with pytest.raises(Refused):
            await house.give("register", c.Approve(1), "mara", "alone")
        assert "erased for good" in (await office.get("/house/people/ann", "fay")).text
        approved = {"proposal": "1", "back": "/house/people/ann"}
        assert (await office.post("/house/do/register/approve", "fay", approved)).status_code == 303
        assert personal(house.log, "ann") == set()
        # two agreed, and the house ended before it was done: it is done when it runs again
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(house.people, "erased", lambda: {"ann", "ben"})
            await house.give("register", c.Approve(2), "fay", "agreed")
        assert personal(house.log, "ben") == {"aliases"}
        running = Running(house)
        await running.start()
        await running.tick()
        assert personal(house.log, "ben") == set()
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)


def test_who_comes_back_is_not_erased_when_they_go_again(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        for number, ask in enumerate(
            (
                register.Disable("ann", "asked to"),
                register.Erase("ann"),
                register.Enable("ann", "is back"),
                register.Disable("ann", "away again"),
            )
        ):
            await house.give("register", ask, "mara", f"step-{number}")
        house.people.put_alias("ann", "Unmistakable")
        running = Running(house)
        await running.start()
        await running.tick()
        assert house.people.alias("ann") == "Unmistakable"

    asked(tmp_path / "house.db", use)


def test_who_came_back_after_it_is_somebody_again_and_can_be_erased_again(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        gone: tuple[register.RegisterCommand, ...] = (
            register.Disable("ann", "asked to"),
            register.Erase("ann"),
        )
        for number, ask in enumerate((*gone, register.Enable("ann", "is back"))):
            await house.give("register", ask, "mara", f"first-{number}")
        assert not house.people.is_erased("ann")
        house.people.put_alias("ann", "Unmistakable")
        await office.post("/house/people/ann/name", "mara", {"name": "Ann Again"})
        assert "Ann Again" in (await office.get("/house/people/ann", "mara")).text
        for number, ask in enumerate(gone):
            await house.give("register", ask, "mara", f"second-{number}")
        assert personal(house.log, "ann") == set()
        assert "Former patron" in (await office.get("/house/people/ann", "mara")).text
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)


@pytest.mark.parametrize(
    ("entrant", "over", "expected"),
    [
        (Entrant(EntryStatus.PAID), False, True),
        (Entrant(EntryStatus.PLACED), True, False),
        (Entrant(EntryStatus.OUT), False, False),
        (Entrant(EntryStatus.WITHDRAWN, owed_cents=5), False, True),
        (Entrant(EntryStatus.PLACED, prize_cents=9), True, True),
        (Entrant(EntryStatus.PLACED, prize_cents=9, prize_paid=True), True, False),
    ],
)
def test_an_entry_keeps_its_owner_while_it_runs_or_is_owed(
    entrant: Entrant, over: bool, expected: bool
) -> None:
    assert is_open(entrant, over=over) is expected


def test_from_the_machine_where_the_house_does_not_run(tmp_path: Path) -> None:
    where, key = tmp_path / "house.db", tmp_path / "key"
    key.write_text(KEY.hex())
    at = ("--house", str(where), "--secret", str(key))

    async def begin(house: House) -> None:
        await house.found("mara", "founding")
        await house.give("register", register.Enrol("ann", "patron"), "mara", "ann")
        house.people.put_alias("ann", "Unmistakable")

    using(str(where), lambda log: begin(house_over(log)))
    assert "still belongs to the house" in refused("erase", "ann", *at)
    using(
        str(where),
        lambda log: house_over(log, seed=2).give(
            "register", register.Disable("ann", "asked to"), "mara", "away"
        ),
    )
    assert "erased" in run("erase", "ann", *at, out=True)

    async def gone(log: EventLog) -> None:
        house = house_over(log, seed=3)
        assert house.people.is_erased("ann")
        assert list(kept_back(house, "ann")) == []
        assert personal(log, "ann") == set()
        assert audit(log).fault is None

    using(str(where), gone)
