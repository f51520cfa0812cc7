"""Previews: what a command at a table or to a competition would bring about, in words and with its
clauses.
"""

from litestar import Router, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Struct

from puntobanco.house.access.sign_in import ANY_TOKEN
from puntobanco.server.addresses import CompetitionName, TableName
from puntobanco.server.commands.api import (
    COMPETITION,
    TABLE,
    competition_rights,
    strictly,
    table_rights,
)
from puntobanco.server.commands.preview import UNSEEN, Preview, foreseen_at, foreseen_in
from puntobanco.server.rendering import moment
from puntobanco.server.visit import TheVisit
from puntobanco.table import commands as c
from puntobanco.table.authority import name_of


def _preview(kind: type[c.Command]) -> HTTPRouteHandler:
    async def foresee(
        visit: TheVisit,
        table: TableName,
        data: JSONBody[kind],  # type: ignore[valid-type]
    ) -> Preview:
        """Refused as the command would be; `shown` may be sent with the command itself."""
        ask = await strictly(visit, data)
        return await foreseen_at(visit, table, ask, moment)

    name = str(kind.__struct_config__.tag)
    return post(
        f"/tables/{{table:str}}/{name}/preview",
        operation_id=f"preview-{name}",
        summary=f"what would come of {name.replace('-', ' ')}",
        status_code=200,
        opt=ANY_TOKEN,
        before_request=table_rights(kind),
    )(foresee)


def _preview_in(kind: type[Struct]) -> HTTPRouteHandler:
    async def foresee_in(
        visit: TheVisit,
        competition: CompetitionName,
        data: JSONBody[kind],  # type: ignore[valid-type]
    ) -> Preview:
        """Refused as the command would be; `shown` may be sent with the command itself."""
        ask = await strictly(visit, data)
        return await foreseen_in(visit, competition, ask)

    name = name_of(kind)
    return post(
        f"/competitions/{{competition:str}}/{name}/preview",
        operation_id=f"preview-competition-{name}",
        summary=f"what would come of {name.replace('-', ' ')}",
        status_code=200,
        opt=ANY_TOKEN,
        before_request=competition_rights(kind),
    )(foresee_in)


COMMANDS = [kind for kind in TABLE if issubclass(kind, c.Command)]
"""Commands with a preview; one that the house completes has none: it would show the next card."""
IN_COMPETITIONS = [kind for kind in COMPETITION if kind not in UNSEEN]
HANDLERS = (
    Router(
        "/api",
        route_handlers=[*map(_preview, COMMANDS), *map(_preview_in, IN_COMPETITIONS)],
        tags=["preview"],
    ),
)
