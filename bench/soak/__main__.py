"""`make soak`, or `python -m bench.soak --help`."""

import argparse
import asyncio
import os
import sys
from typing import get_args

from bench.soak.place import placed, stand_apart
from bench.soak.plan import Kind, Plan
from bench.soak.report import told, wrong_with
from bench.soak.run import soaked

KINDS: tuple[Kind, ...] = get_args(Kind)


def asked() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    options.add_argument("--minutes", type=float, default=15, help="how long; 15")
    options.add_argument("--seed", type=int, default=1, help="of all faults and commands; 1")
    options.add_argument("--postgres", action="store_true", help="two servers on a PostgreSQL")
    options.add_argument("--tables", type=int, default=20, help="with bots at each; 20")
    options.add_argument("--watchers", type=int, default=200, help="each tenth is slow; 200")
    options.add_argument("--kills", type=int, default=0, help="a campaign: so many kills")
    options.add_argument("--restarts", type=int, default=0, help="and of PostgreSQL so many")
    options.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS, help="of faults; all")
    options.add_argument("--pause", type=float, default=8, help="mean seconds between faults; 8")
    options.add_argument("--record-only", action="store_true", help="hold no figure of time")
    return options.parse_args()


def main() -> int:
    given = asked()
    with placed(postgres=given.postgres) as place:
        kinds = tuple(kind for kind in given.kinds if not place.why_not(kind))
        for kind in set(given.kinds) - set(kinds):
            print(f"Not tried here: {place.why_not(kind)}.")
        campaign: list[tuple[Kind, int]] = [("kill", given.kills), ("restart", given.restarts)]
        counted = tuple(
            (kind, times) for kind, times in campaign if times and not place.why_not(kind)
        )
        seconds = given.minutes * 60
        plan = Plan(seconds, given.seed, place.servers, kinds, counted, given.pause)
        outcome = asyncio.run(soaked(place, plan, given.tables, given.watchers))
    where = "PostgreSQL, two servers" if given.postgres else "SQLite, one server"
    print(
        f"{given.minutes:g} minutes, seed {given.seed}, {given.tables} tables,"
        f" {given.watchers} watchers; {where}; load {os.getloadavg()[2]:.1f}"
    )
    print("\n".join(told(outcome)))
    wrong = list(wrong_with(outcome, record_only=given.record_only))
    print("\n".join(f"NOT HELD: {one}" for one in wrong) or "It held.")
    return 1 if wrong else 0


if __name__ == "__main__":
    stand_apart()
    sys.exit(main())
