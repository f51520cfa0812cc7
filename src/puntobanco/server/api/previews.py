"""Previews: what a command at a table would bring about, in words and with its clauses."""

from litestar import Router, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from puntobanco.house.access.sign_in import ANY_TOKEN
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.api import TABLE, strictly
from puntobanco.server.commands.preview import Preview, foreseen_at
from puntobanco.server.rendering import moment
from puntobanco.server.visit import TheVisit
from puntobanco.table import commands as c


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
    )(foresee)


COMMANDS = [kind for kind in TABLE if issubclass(kind, c.Command)]
"""Commands with a preview; one that the house completes has none: it would show the next card."""
HANDLERS = (Router("/api", route_handlers=[*map(_preview, COMMANDS)], tags=["preview"]),)
