"""`puntobanco prepare`: the tables of a house in PostgreSQL, made by their owner."""

import asyncio
from typing import Annotated

import psycopg
from cyclopts import Parameter

from puntobanco.errors import MalformedError, UnusableError
from puntobanco.journal.opening import is_url
from puntobanco.journal.postgres import rights


def prepare(*, house: str, role: Annotated[str, Parameter(name="--for")]) -> int:
    """Make a house's tables in PostgreSQL, or bring them forward, as the role that owns them.

    The house itself then runs as another role, which reads and adds and can neither change nor
    delete what is on record. Run it again after each upgrade.

    Parameters
    ----------
    house
        The URL of the database, with the owner as its user.
    role
        The role that the house will run as; it must be there, and own nothing.
    """
    if not is_url(house):
        raise MalformedError("only a house in PostgreSQL is prepared: --house takes its URL")
    try:
        could = asyncio.run(rights.prepare_for(house, role))
    except psycopg.OperationalError as error:
        said = " ".join(str(error).split())
        raise UnusableError(f"the database cannot be reached: {said}") from error
    if could:
        print(f"The tables are there, but {could}")
        return 1
    print(f"The tables are there. {role} reads and adds, and can change nothing on record.")
    return 0
