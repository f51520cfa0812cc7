"""Opening a table: its notice, filled in by the rule set's sample."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.house.house import TABLE_NAME
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.server.clauses import check_ruleset
from puntobanco.server.commands.form_cycle import Sheet, by_path, command_of, or_again, show_form
from puntobanco.server.commands.forms import fields_of
from puntobanco.server.commands.prefill import by_ruleset, rules_named
from puntobanco.server.commands.typed import written
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import OpenTable, TableCommand


@get("/house/open-table", sync_to_thread=False, include_in_schema=False)
def open_form(visit: TheVisit) -> Response[str]:
    """A new table, or one that is shut."""
    ruleset = visit.query("ruleset", RULESETS[0])
    check_ruleset(ruleset)
    return _form(visit, dict(written({"notice": msgspec.to_builtins(sample_notice(ruleset))})))


def _form(visit: Visit, values: dict[str, str], problem: Exception | None = None) -> Response[str]:
    """The form; again, with what was typed, if it was refused."""
    visit.check(MANAGEMENT, "open-table")
    chosen = values.get("notice.ruleset", "")
    return show_form(
        visit,
        "pages/office/open_table.html",
        problem,
        fields_of(OpenTable, values, by_ruleset(chosen)),
        rulesets=for_money(),
        chosen=chosen,
        shut=[
            listed_table.table
            for listed_table in visit.house.listed()
            if listed_table.phase == "shut"
        ],
        table=values.get("table", ""),
    )


@post("/house/open-table", include_in_schema=False)
async def open_table(visit: TheVisit) -> Response[Any]:
    """Open it, and go to its pit."""
    form = await visit.form()
    given, typed_name = visit.command_id(form), form.pop("table", "").strip()
    name = typed_name if typed_name.startswith("table-") else f"table-{typed_name}"

    async def give() -> Response[Any]:
        if not TABLE_NAME.fullmatch(name):
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        chosen = form.get("notice.ruleset", "")
        fields = fields_of(OpenTable, by_path(form), by_ruleset(chosen))
        sheet = Sheet(fields, rules=rules_named(chosen))
        ask, _ = command_of(visit, form, "open-table", TableCommand, sheet)
        await visit.give(name, ask, given)
        return Redirect(f"/tables/{name}/pit", status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, {**typed, "table": typed_name}, problem)

    return await or_again(visit, form, give(), again)


HANDLERS = (open_form, open_table)
