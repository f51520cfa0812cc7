"""Nobody learns who is there from how long a refused sign-in takes: measured, not reckoned.

`TRIES=2000 pytest tests/server/trust/test_names_apart.py -s` takes some ten minutes, and judges the
times; an ordinary run only sees that the answers are the same.
"""

import os
import sys
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, cast

import httpx

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.system import CLOCK
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.server.edge.proxy import networks_of
from tests.kit.house.driver import house_over
from tests.kit.journal import using
from tests.kit.office import BASE, app_over

TRIES = int(os.environ.get("TRIES", "4"))
"""Of them half are for somebody who is there, and half for somebody who is not."""
ENOUGH = 200
"""So many tries tell a time from noise."""
RELABELLED = 2000
"""Times that who is there is dealt out anew, to see what noise makes of it."""
NAMES = ("dan", "nemo")


async def tried(client: httpx.AsyncClient, person: str, number: int) -> tuple[float, str]:
    """Milliseconds, and all that was answered, but for the request's own id."""
    headers = {"x-forwarded-for": f"203.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
    began = perf_counter()
    answer = await client.post(
        "/api/sign-in", headers=headers, json={"who": person, "secret": "a guess of a stranger"}
    )
    took = (perf_counter() - began) * 1000
    return took, f"{answer.status_code} {answer.text.replace(person, 'X')}"


def apart(times: list[tuple[str, float]]) -> float:
    """By how much the medians of those who are there and those who are not differ."""
    one, two = (median(took for name, took in times if name == which) for which in NAMES)
    return one - two


def test_a_wrong_name_takes_as_long_as_a_wrong_password(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log, CLOCK)
        await house.found("mara", "founding-of-the-house")
        await house.give("register", register.Enrol("dan", "staff"), "mara", "enrol-dan")
        await SignIn(house).set_password("dan", "a long enough password", "mara")
        app = app_over(house, proxies=networks_of("10.0.0.2"))
        transport = httpx.ASGITransport(cast("Any", app), client=("10.0.0.2", 1))
        times: list[tuple[str, float]] = []
        answers: set[str] = set()
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            for number in range(0, TRIES, 2):
                order = NAMES if number % 4 else NAMES[::-1]
                for at, person in enumerate(order):
                    took, said = await tried(client, person, number + at)
                    times.append((person, took))
                    answers.add(said)
        assert len(answers) == 1, answers
        assert next(iter(answers)).startswith("401")
        if TRIES >= ENOUGH:
            judge(times)

    using(str(tmp_path / "house.db"), use)


def judge(times: list[tuple[str, float]]) -> None:
    """The difference is one that relabelling brings about, too."""
    random, found = Random(1), apart(times)
    names, took = [name for name, _ in times], [one for _, one in times]
    noise = []
    for _ in range(RELABELLED):
        random.shuffle(names)
        noise.append(abs(apart(list(zip(names, took, strict=True)))))
    as_far = sum(one >= abs(found) for one in noise) / RELABELLED
    sys.stdout.write(f"{len(times)} tries: medians {found:+.3f} ms apart, p = {as_far:.3f}\n")
    assert as_far > 0.001, found
