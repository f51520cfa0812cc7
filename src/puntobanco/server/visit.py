"""What every page that takes a form needs: the form, its command id, and a page in answer."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from msgspec import Meta

from puntobanco.house.access.sign_in import Caller
from puntobanco.server.gateway import Office

FORM_ID = "command_id"
FormId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]


async def form_of(request: Request[Any, Any, State]) -> dict[str, str]:
    form = await request.form()
    return {str(key): str(value) for key, value in form.items()}


def command_id(form: dict[str, str], office: Office) -> str:
    """From the script that sends the form, so that sending it twice does nothing twice."""
    given = form.pop(FORM_ID, "") or office.house.chance.some_bytes(16).hex()
    return msgspec.convert(given, FormId)


def address_of(request: Request[Any, Any, State]) -> str:
    """Where a request comes from, for the record of failed sign-ins."""
    return request.client.host if request.client else ""


def show(
    request: Request[Any, Any, State], caller: Caller, template: str, **context: object
) -> Response[str]:
    """A page for one reader: nobody keeps it."""
    html = request.app.state.pages.render(template, person=caller.person, **context)
    headers = {"Cache-Control": "no-store"}
    return Response(html, status_code=200, media_type="text/html", headers=headers)
