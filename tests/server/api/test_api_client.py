"""A client that openapi-python-client makes from the description plays at a real house."""

import importlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kit.web import Web, demo_house

PATIENCE_S = 60
"""A bot deals: bets are open some seconds, and a coup takes a few more."""
_ids = (f"program-{number:04}" for number in count(1))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=8) as web:
        yield web


@pytest.fixture(scope="module")
def package(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The generated package, importable; nothing of the description was left out of it."""
    folder = tmp_path_factory.mktemp("client")
    program = Path(sys.executable).with_name("openapi-python-client")
    (folder / "settings.yml").write_text("post_hooks: []\n")  # it need not be pretty
    described = httpx.get(f"{web.base}/api/schema/openapi.json", timeout=PATIENCE_S)
    (folder / "openapi.json").write_bytes(described.content)  # itself it would wait 5 s, no more
    made = subprocess.run(
        [program, "generate", "--config", "settings.yml", "--meta", "none", "--fail-on-warning",
         "--output-path", "house_api", "--path", "openapi.json"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    with importable(folder):
        yield "house_api"


@pytest.fixture
def program(web: Web, package: str) -> Iterator["Program"]:
    program = Program(package, web.base, "table-1")
    yield program
    program.close()


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


class Program:
    """A patron's program, written against the generated client alone."""

    def __init__(self, package: str, base: str, table: str) -> None:
        self.package = package
        self.base = base
        self.table = table
        self.models = importlib.import_module(f"{package}.models")
        self.client: Any = self.connected("Client")

    def connected(self, kind: str, **facts: object) -> Any:
        return getattr(importlib.import_module(self.package), kind)(base_url=self.base, **facts)

    def close(self) -> None:
        self.client.get_httpx_client().close()

    def model(self, name: str, *values: object, **facts: object) -> Any:
        return getattr(self.models, name)(*values, **facts)

    def call(self, tag: str, operation: str, *args: object, **facts: object) -> Any:
        """What came back, which must not be an error."""
        module = importlib.import_module(f"{self.package}.api.{tag}.{operation}")
        answer = module.sync_detailed(*args, client=self.client, **facts)
        assert answer.status_code < 300, answer.parsed
        return answer.parsed

    def sign_in(self, who: str, secret: str) -> None:
        scope = self.model("SigningInScope", "play")
        asked = self.model("SigningIn", who=who, secret=secret, scope=scope, minutes=10)
        signed = self.call("sign_in", "sign_in", body=asked)
        assert (signed.person, signed.scope) == (who, "play")
        self.close()
        self.client = self.connected("AuthenticatedClient", token=signed.token)

    def give(self, operation: str, command: str, **facts: object) -> Any:
        body = self.model(command, **facts)
        return self.call("table", operation, self.table, body=body, command_id=next(_ids))

    def view(self) -> Any:
        return self.call("table", "table_view", self.table).view

    def wait(self, what: str, is_so: Callable[[Any], object]) -> Any:
        """Ask for the table until something is so."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            seen = self.view()
            if is_so(seen):
                return seen
            time.sleep(0.1)
        raise AssertionError(f"never seen: {what}")


def bet_both_ways(program: Program, seat: int, cents: int) -> None:
    """The next coup with as much on Player as on Banker: whatever comes, something is paid."""
    now = program.view()
    over = [past.number for past in now.past]
    over += [now.play.number] if now.play else []  # whose time for bets may be nearly over
    program.wait(
        "bets are open",
        lambda view: view.phase == "betting" and view.play and view.play.number not in over,
    )
    for side in ("player", "banker"):
        on = program.model("Bet", side)
        done = program.give("table_place_wager", "PlaceWager", box=seat, on=on, cents=cents)
        assert [one.is_ for one in done.happened] == ["wager-placed"]


def test_a_generated_client_signs_in_sits_buys_chips_bets_and_is_paid(
    web: Web, program: Program
) -> None:
    program.sign_in("player", web.secrets["player"])
    seat = len(program.view().boxes)  # the last one is left free by the bots
    program.give("table_sit", "Sit", seat=seat)
    cents = program.view().sign.notice.limits.min_cents
    program.give("table_buy_chips", "BuyChips", cents=cents * 20)
    assert program.view().own.chips == cents * 20

    bet_both_ways(program, seat, cents)
    assert program.view().own.chips == cents * 18
    seen = program.wait("the wagers are settled", lambda view: view.own and view.own.payouts)

    lines = seen.own.payouts
    assert {(line.wager.on, line.wager.cents) for line in lines} == {
        ("player", cents),
        ("banker", cents),
    }
    paid = sum(line.returned_cents + line.won_cents for line in lines)
    assert paid >= cents
    assert seen.own.chips == cents * 18 + paid
    assert all(clause for line in lines for clause in line.clauses)
    receipts = program.call("table", "table_receipts", "table-1")
    assert sum(fact.cents for kept in receipts for fact in kept.facts) > 0
    program.call("sign_in", "sign_out")
    with pytest.raises(AssertionError, match="sign_in_needed"):
        program.call("sign_in", "me")
