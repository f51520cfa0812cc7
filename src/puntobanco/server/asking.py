"""What every page that takes a form needs: the form, its command id, and a page in answer."""

from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from puntobanco.errors import MalformedError
from puntobanco.server.office import Office
from puntobanco.server.signin import Caller

FORM_ID = "command_id"
LONGEST = 1000


async def form_of(request: Request[Any, Any, State]) -> dict[str, str]:
    form = await request.form()
    return {str(key)[:100]: str(value)[:LONGEST] for key, value in form.items()}


def command_id(form: dict[str, str], office: Office) -> str:
    """From the script that sends the form, so that sending it twice does nothing twice."""
    given = form.pop(FORM_ID, "") or office.house.own_id("plain-form")
    if not 8 <= len(given) <= 64 or not given.replace("-", "").isalnum():
        raise MalformedError("the form has no command id; open the page again")
    return given


def show(
    request: Request[Any, Any, State], caller: Caller, template: str, **context: object
) -> Response[str]:
    """A page for one reader: nobody keeps it."""
    html = request.app.state.pages.render(template, person=caller.person, **context)
    headers = {"Cache-Control": "no-store"}
    return Response(html, status_code=200, media_type="text/html", headers=headers)
