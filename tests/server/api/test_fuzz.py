"""Nonsense from everyone at every moment: no server error, and nothing recorded of what is refused.

The recorded sessions are given through the web. At each phase that a table comes to, a copy of
the house is made, and in it everyone sends what Schemathesis makes of the API's description. So
whatever is accepted there spoils nothing here. `FUZZ=20 pytest tests/server/api/test_fuzz.py`
sends more, and --slow lets everyone send every case at every moment.
"""

import asyncio
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any, cast
from zlib import crc32

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from puntobanco.house.checks.audit import audit
from puntobanco.journal import sqlite
from puntobanco.journal.backup import copy
from puntobanco.journal.verify import verify
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.table.actor import Role
from puntobanco.table.state import Phase as TablePhase
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import CupOnWeb, three_competitions
from tests.kit.house.driver import Time
from tests.kit.places import HOUSE_SESSIONS
from tests.kit.replay import (
    PATRONS,
    STAFF,
    Asker,
    Token,
    asked,
    furnish,
    replay,
    table_of,
    the_rest,
    two_people,
)

EACH = int(os.environ.get("FUZZ", "1"))
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
"""For every operation cases that fit its description, and cases that do not."""
PREVIEWS = 4
"""A preview reads the same body as its command: of so many one is sent cases that fit it, which
with FUZZ each is."""
SHARE = 32
"""One in this many people sends a case at a moment; with --slow everyone does."""
AUDITED = 6
"""Every row of one copy in so many is decided again; with --slow of each."""
CHECKS: list[CheckFunction] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
]
CUP = "open"
"""A competition whose entries are open all evening."""
SESSIONS = [file for file in HOUSE_SESSIONS if "play-money" not in file.stem]
"""Guests sit down through their own door, which `tests/server/test_guest_over_http.py` tries."""
SHAPE = {"reason", "clause", "detail", "remedy", "facts"}
REAL: dict[str, tuple[object, ...]] = {
    "person": (*PATRONS, *STAFF, "nobody"),
    "ruleset": RULESETS,
    "set_id": ("set-A", "set-1"),
    "number": (1, 2, 3),
    "proposal": (1, 2, 3),
    "dispute": (1, 2),
    "coup": (1, 2, 3, 4, 5),
    "version": (1,),
    "text": (cup_text(),),
}
"""What exists, so that a case gets further than to the door."""


def cases_of(document: dict[str, Any]) -> list[Case[Any]]:
    """Nonsense is sent to commands alone, for their previews read the same body."""
    schema = schemathesis.openapi.from_dict(document)
    operations = [cast("Any", one).ok() for one in schema.get_all_operations()]
    return [
        case
        for operation in operations
        for mode in MODES
        if not operation.path.endswith("/preview") or is_tried(operation.path, mode)
        for case in _generated(operation, mode)
    ]


def is_tried(preview: str, mode: GenerationMode) -> bool:
    chosen = EACH > 1 or crc32(preview.encode()) % PREVIEWS == 0
    return chosen and mode is GenerationMode.POSITIVE


def _generated(operation: Any, mode: GenerationMode) -> list[Case[Any]]:
    made: list[Case[Any]] = []

    @settings(
        max_examples=EACH,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def collect(case: Case[Any]) -> None:
        made.append(case)

    try:
        collect()
    except Unsatisfiable:  # an operation without anything to get wrong
        assert mode is GenerationMode.NEGATIVE
    return made


def made_real(value: Any, real: Mapping[str, Iterator[object]]) -> Any:
    """A body with people, coups and rule sets that there are."""
    if not isinstance(value, dict):
        return value
    return {
        name: next(real[name]) if name in real else made_real(inner, real)
        for name, inner in value.items()
    }


def checks_of(case: Case[Any]) -> list[CheckFunction]:
    """A query that nobody asked for is passed over, as everywhere on the web."""
    known = {one.name for one in case.operation.query}
    unknown = set(case.query or {}) - known
    return [one for one in CHECKS if not unknown or one is not negative_data_rejection]


class Fuzz:
    """Sends cases to a house, as one person after another."""

    def __init__(self, asker: Asker, table: str) -> None:
        self.asker = asker
        self.table = table
        self.real = {name: cycle(values) for name, values in REAL.items()}
        self.refusals: set[tuple[object, ...]] = set()

    def fitted(self, case: Case[Any]) -> Case[Any]:
        """The case with the table and the people of this house, under an id of its own."""
        fitted: Case[Any] = case.derive()
        fitted.body = made_real(case.body, self.real)
        there = {"table": self.table, "competition": CUP}
        fitted.path_parameters.update(
            {name: value for name, value in there.items() if name in fitted.path_parameters}
        )
        if "Command-Id" in fitted.headers:
            fitted.headers["Command-Id"] = next(self.asker.ids)
        return fitted

    async def send(self, case: Case[Any], who: str | Token | None) -> httpx.Response:
        headers = self.asker.headers(who)
        asked = case.as_transport_kwargs(base_url="http://house.test", headers=headers)
        content = {"content": asked["data"]} if "data" in asked else {"json": asked.get("json")}
        body = content if {"data", "json"} & set(asked) else {}
        return await self.asker.client.request(
            asked["method"], asked["url"], params=asked["params"], headers=asked["headers"], **body
        )

    def validate(self, case: Case[Any], answer: httpx.Response) -> None:
        """Hold an answer against the description; the same refusal of an operation only once.

        What is checked of a refusal depends on nothing else, and most are alike.
        """
        kind = answer.headers.get("content-type", "")
        seen = (case.method, case.path, answer.status_code, kind, answer.content)
        if seen not in self.refusals:
            case.validate_response(answer, checks=checks_of(case))
        if 400 <= answer.status_code < 500:
            self.refusals.add(seen)

    async def everyone(
        self, people: Iterable[str | Token | None], cases: list[Case[Any]], moment: int, share: int
    ) -> None:
        """Two of three cases are fitted to the house, and everyone has others as they are.

        Each case is sent by one of `share` people at this moment, and by the others at the next.
        """
        heads = self.asker.heads()
        for first, who in enumerate(people):
            for number, case in enumerate(cases, first):
                if (number + moment) % share:
                    continue
                sent = self.fitted(case) if number % 3 else case
                answer = await self.send(sent, who)
                self.validate(sent, answer)
                before, heads = heads, self.asker.heads()
                if answer.status_code >= 400:
                    assert set(answer.json()) == SHAPE, answer.text
                    assert heads == before, (who, sent)


def people_at(table: str) -> list[str | Token | None]:
    """Nobody, devices, a patron, then staff of every role; whoever can spoil most comes last."""
    staff = ("otto", "carol", "sol", "dan", "ines", "sue", "cora", "mara")
    assert frozenset().union(*(STAFF[who] for who in staff)) == set(Role) - {
        Role.PATRON,
        Role.GUEST,
        Role.HOUSE,
    }
    return [None, Token("watch", table), Token("draw", table), "ann", *staff]


async def fuzz_a_copy(
    asker: Asker, folder: Path, table: str, cases: list[Case[Any]], moment: int, share: int
) -> None:
    file = folder / f"copy-{next(asker.ids)}.db"
    log = sqlite.open_log(file, create=True)
    try:
        await copy(asker.log, log)
        async with asked(log, asker.time) as other:
            await Fuzz(other, table).everyone(people_at(table), cases, moment, share)
        assert verify(log).fault is None
        if share == 1 or moment % AUDITED == 0:
            assert audit(log).fault is None
    finally:
        await log.close()


async def evening(folder: Path, share: int) -> tuple[set[str], set[str]]:
    """Every session, with nonsense at every phase; the commands there are, and those accepted."""
    log = sqlite.open_log(folder / "house.db", create=True)
    try:
        async with asked(log, Time(0)) as asker:
            logging.disable(logging.INFO)
            document = (await asker.client.get("/api/schema/openapi.json")).json()
            cases = cases_of(document)
            await furnish(asker)
            await CupOnWeb(asker, CUP).entering(cup_text())
            for day, file in enumerate(SESSIONS):
                seen = list[TablePhase]()
                some = cases[day :: len(SESSIONS)]
                async for step in replay(asker, file, day):
                    phase = step.table.phase
                    if phase not in seen:
                        await fuzz_a_copy(asker, folder, table_of(file), some, len(seen), share)
                        seen.append(phase)
            await the_rest(asker)
            await three_competitions(asker)
            await two_people(asker)
            await asker.must("ann", "/register/set-own-limits", {"limits": {"day_cents": 10**9}})
            await asker.must("ann", "/me/reminder", None)
            looked = {"row": asker.log.head("register").seq, "note": "each was asked about theirs"}
            await asker.must("otto", "/access/review", looked)
            await asker.must("otto", "/house/running/chance", None)
            await asker.must("ann", "/register/exclude-oneself", {"days": 1})
            given = [path for path, methods in document["paths"].items() if "post" in methods]
            return {path.removeprefix("/api") for path in given}, asker.accepted
    finally:
        logging.disable(logging.NOTSET)
        await log.close()


EARLIER = {"/tables/{table}/allot-chips", "/tables/{table}/allot-chips/preview"}
"""Only for tables that an earlier edition opened, for a competition without a session."""
BROWSERS = {
    *("/sign-in/passkey", "/me/passkeys", "/me/passkeys/ask", "/me/passkeys/{number}/remove"),
}
"""Only for a browser at a page of the house: they are accepted in tests/server/trust."""


def test_nonsense_from_everyone_at_every_moment_is_refused_and_every_command_accepted_once(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    share = 1 if pytestconfig.getoption("--slow") else SHARE
    given, accepted = asyncio.run(evening(tmp_path, share))
    assert sorted(given - accepted - EARLIER - BROWSERS) == [], (
        "never once accepted: the run tested nothing of them"
    )
