"""Who may do what in PostgreSQL: one role owns the tables, and the one a house runs as only adds.

What is on record can then be neither changed nor deleted through the house, nor by whoever has its
password.
"""

from typing import Any

import psycopg
from psycopg import sql

from puntobanco.errors import UnusableError
from puntobanco.journal.postgres.tables import Db, prepare_tables

GROWING = ["rows", "sealed", "snapshots"]
"""The tables to which is only ever added."""
CHANGES = ["UPDATE", "DELETE", "TRUNCATE"]
NEEDED = ["SELECT", "INSERT", "UPDATE", "DELETE"]
"""What a house does in the tables beside the log; in the growing ones it only reads and adds."""
ERASED = ("people", "credentials", "web_sessions", "photos", "aliases", "training", "sign_ins")
"""The tables from which people are erased."""
OWNED = """SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
    AND tablename = ANY(%s) AND pg_has_role(%s, tableowner, 'MEMBER') ORDER BY 1"""
HELD = """SELECT DISTINCT named FROM unnest(%s::text[]) named, unnest(%s::text[]) held
    WHERE has_table_privilege(%s, format('%%I.%%I', current_schema(), named), held) ORDER BY 1"""
LACKED = """SELECT held || ' on ' || tablename FROM pg_tables, unnest(%s::text[]) held
    WHERE schemaname = current_schema() AND tablename <> 'puntobanco'
    AND (tablename <> ALL(%s) OR held <> ALL(%s))
    AND NOT has_table_privilege(%s, format('%%I.%%I', schemaname, tablename), held) ORDER BY 1"""
GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
    "REVOKE UPDATE, DELETE, TRUNCATE ON {growing} FROM {role}, PUBLIC",
    "REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON puntobanco FROM {role}, PUBLIC",
)
CLEARED = (
    "ALTER TABLE {table} SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)"
)
"""Only an owner can clear away what was erased; so the database does, within its next minute."""
HOW = "have the owner of the tables run: puntobanco prepare --house URL --for {role}"


async def check_rights(db: Db) -> str:
    """How the house's role could change the record, in words; refuse one that lacks a right."""
    role = db.info.user
    for lacked in await _names(db, LACKED, NEEDED, GROWING, CHANGES, role):
        raise UnusableError(f"the role {role} lacks {lacked}; {HOW.format(role=role)}")
    return await could_change(db, role)


async def rights_at(url: str) -> tuple[int, str]:
    """The version of the server, and how the role of a URL could change the record."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as db:
        return db.info.server_version // 10_000, await check_rights(db)


async def could_change(db: Db, role: str) -> str:
    """How a role could change or delete what is on record, in words; nothing if it cannot."""
    if owned := await _names(db, OWNED, GROWING, role):
        how = f"owns {', '.join(owned)}"
    elif held := await _names(db, HELD, GROWING, CHANGES, role):
        how = f"may change or delete in {', '.join(held)}"
    else:
        return ""
    return (
        f"the role {role} {how}: whoever has its password could rewrite the record (a verification"
        f" would show it). Run the house as a role that only adds; {HOW.format(role='ROLE')}"
    )


async def prepare_for(url: str, role: str) -> str:
    """As the owner, make the tables or bring them forward, and let a role add to them; say how it
    could change them all the same.
    """
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as db:
        await prepare_tables(db, create=True)
        try:
            async with db.transaction():
                await _grant(db, role)
        except (psycopg.errors.UndefinedObject, psycopg.errors.InsufficientPrivilege) as error:
            raise UnusableError(f"nothing was granted: {error.diag.message_primary}") from error
        return await could_change(db, role)


async def _grant(db: Db, role: str) -> None:
    (schema,) = await _names(db, "SELECT current_schema()")
    names = {
        "schema": sql.Identifier(schema),
        "role": sql.Identifier(role),
        "growing": sql.SQL(", ").join(map(sql.Identifier, GROWING)),
    }
    for statement in GRANTS:
        await db.execute(sql.SQL(statement).format(**names))
    for table in ERASED:
        await db.execute(sql.SQL(CLEARED).format(table=sql.Identifier(table)))


async def _names(db: Db, query: Any, *values: object) -> list[str]:
    return [row[0] for row in await (await db.execute(query, values)).fetchall()]
