"""Entries as a list: `competition entries` writes one, `competition import-entries` takes one."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Literal

from puntobanco.cli.competition.results import competition_in, house_file
from puntobanco.cli.journal import using
from puntobanco.cli.keys import house_under, named_key
from puntobanco.competition.state import Entrant
from puntobanco.errors import MalformedError, Refused, UnusableError
from puntobanco.house.access.people import People, Person
from puntobanco.house.competitions.entry_list import entries_csv, entries_listed
from puntobanco.house.competitions.lists.records import record_csv, record_rows
from puntobanco.house.competitions.lists.taking_in import import_entries
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import journal_at
from puntobanco.journal.verify import HOUSE
from puntobanco.table.actor import Role
from puntobanco.words import one_line

RecordName = Literal["draw", "standings", "results", "money"]


def entries(house: str, competition: str, /, *, json_: bool = False) -> int:
    """Write the entries of a competition as CSV, with names and contacts unless they were erased.

    Parameters
    ----------
    house
        The house: an SQLite file, a folder with a house in it, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    json_
        Print them as JSON.
    """

    async def read(log: EventLog) -> tuple[dict[str, Entrant], dict[str, Person], dict[str, str]]:
        with log.frozen():
            people = People(log)
            return competition_in(log, competition).entries, people.all(), people.aliases()

    found = using(house_file(house), read)
    if json_:
        print(json.dumps({"entries": entries_listed(*found)}))
    else:
        sys.stdout.write(entries_csv(*found))
    return 0


def data(house: str, competition: str, what: RecordName, /, *, json_: bool = False) -> int:
    """Write the draw, the standings coup by coup, the results or the money as CSV.

    People stand in it by the number of their entry and the alias they chose.

    Parameters
    ----------
    house
        The house: an SQLite file, a folder with a house in it, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    what
        draw, standings, results or money.
    json_
        Print the rows as JSON; amounts are cents.
    """

    async def read(log: EventLog) -> tuple[list[dict[str, str | int | None]], str]:
        with log.frozen():
            held = competition_in(log, competition)
            return record_rows(log, held, People(log).aliases(), what), held.conditions.start

    rows, start = using(house_file(house), read)
    if json_:
        print(json.dumps({what: rows}))
    else:
        sys.stdout.write(record_csv(what, rows, start))
    return 0


def import_list(
    house: str,
    competition: str,
    file: Path,
    /,
    *,
    by: str = "",
    secret: Path | None = None,
    json_: bool = False,
) -> int:
    """Apply for everyone on a list; a row that is wrong is named, and then nothing is done.

    The first row names the columns: person (an id) or the name of one who is known, and if wanted
    contact, received (a date), alias, paid and reserve (yes or no).
    Names and contacts can be erased again; what is on record carries ids alone.

    Parameters
    ----------
    house
        The house: an SQLite file, while it is not in use, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    file
        The list, as CSV in UTF-8.
    by
        Who hands it in: somebody of the desk; by default the first manager of the house.
    secret
        The file with the house's key; by default where `serve` has made it.
    json_
        Print what came of it as JSON.
    """
    where = house_file(house)
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedError(f"{file}: {error}") from error
    done = asyncio.run(_import(where, named_key(where, secret), competition, text, by))
    print(json.dumps({"ok": True, "entries": done}) if json_ else f"{done} applications")
    return 0


async def _import(where: str, secret: Path, competition: str, text: str, by: str) -> int:
    async with journal_at(where) as log:
        if not await log.hold([HOUSE]) and not log.shared:
            raise UnusableError(f"{where}: the house is in use; shut it first")
        house = house_under(secret, log)
        house.roots.check()
        try:
            done = await import_entries(house, competition, text, by or _manager(house))
        except Refused as refused:
            raise MalformedError(one_line(refused)) from refused
        await house.record_root()
        return done


def _manager(house: House) -> str:
    for person, member in house.register.state.people.items():
        if member.enabled and Role.MANAGEMENT in member.roles_at(""):
            return person
    raise MalformedError("this house has no manager; say --by whom")
