"""The API's description of itself: exactly what it takes, and the one shape of its errors."""

from functools import cache
from typing import Any

import msgspec
from litestar import Request, Response, Router
from litestar.exceptions import NotFoundException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from puntobanco import __version__
from puntobanco.server.api.people import NewDevice, NewName
from puntobanco.server.api.sign_in import NewAlias, NewPassword, SigningIn
from puntobanco.server.api.tables import Squeezed
from puntobanco.server.commands.api import CAGE, COMPETITION, REGISTER, TABLE
from puntobanco.server.errors import Error
from puntobanco.server.pages.odds.course import Pasted

BODIES = (NewName, NewDevice, SigningIn, NewPassword, NewAlias, Pasted, Squeezed)
"""What a request carries beside commands."""
TOKEN = "token"  # noqa: S105  the name of a scheme
BEARER = SecurityScheme(
    "http",
    scheme="bearer",
    description="From POST /api/sign-in, or a device's. Without one, only what everybody may see.",
)
REFERENCE = "#/components/schemas/{name}"
ANCHORS = {r"\A": "^", r"\Z": "$"}
"""Python's, and what other languages write for the same."""
NAMES = {
    "ListedTable": "Listed",
    "NewName": "Named",
    "RegisterEntry": "Entry",
    "View": "TableView",
    # of one name in two places, as the framework and as msgspec tells them apart
    "cage_commands_Withdraw": "Withdraw",
    "puntobanco.cage.commands.Withdraw": "Withdraw",
    "competition_commands_Withdraw": "WithdrawEntry",
    "puntobanco.competition.commands.Withdraw": "WithdrawEntry",
}
"""What programs read in place of a class's name."""
ERRORS = {
    "400": "It cannot be read; the detail says where.",
    "401": "Sign in first.",
    "403": "Not in the caller's roles, or not from there.",
    "404": "There is no such thing.",
    "409": "The rules do not let it happen now; the clause is the one that says so.",
    "413": "The request is too long.",
    "429": "Too much, or too soon; `Retry-After` says how many seconds to wait.",
    "503": "The house has stopped.",
}
ON_GIVING = frozenset({"413", "429"})
"""Only what has a body is answered so."""


class Description(JsonRenderPlugin):
    """The description as JSON, with what the framework cannot know."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, described(openapi_schema))


def described(schema: dict[str, Any]) -> dict[str, Any]:
    """The framework's description made exact, and such that programs can be generated from it."""
    components = schema["components"]
    paths = {path: _with_errors(operations) for path, operations in schema["paths"].items()}
    found = [*components["schemas"].items(), *_structs().items()]
    schemas = {NAMES.get(name, name): one for name, one in found}
    schemas = {name: {**one, "title": name} for name, one in schemas.items()}
    whole = {**schema, "paths": paths, "components": {**components, "schemas": schemas}}
    return {name: _plain(part) for name, part in whole.items()}


def _with_errors(operations: dict[str, Any]) -> dict[str, Any]:
    shape = {"application/json": {"schema": {"$ref": REFERENCE.format(name=Error.__name__)}}}
    return {
        method: operation
        | {
            "responses": operation["responses"]
            | {
                status: {"description": meaning, "content": shape}
                for status, meaning in ERRORS.items()
                if method == "post" or status not in ON_GIVING
            }
        }
        for method, operation in operations.items()
    }


@cache
def _structs() -> dict[str, Any]:
    """What a request may carry; its tag may go unsaid, for the path says it."""
    given = dict.fromkeys((*TABLE, *CAGE, *REGISTER, *COMPETITION, *BODIES, Error))
    _, found = msgspec.json.schema_components(given, ref_template=REFERENCE)
    for one in found.values():
        if "required" in one:
            one["required"] = [name for name in one["required"] if name != "do"]
    return found


def _plain(schema: Any) -> Any:
    """Without what only Python, or only the newest tools, can read."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(value) for name, value in schema.items()}
    if isinstance(pattern := plain.get("pattern"), str):
        for ours, theirs in ANCHORS.items():
            pattern = pattern.replace(ours, theirs)
        plain["pattern"] = pattern
    if isinstance(reference := plain.get("$ref"), str):
        name = reference.removeprefix(REFERENCE.format(name=""))
        plain["$ref"] = REFERENCE.format(name=NAMES.get(name, name))
    return _as_list(plain) if "prefixItems" in plain else plain


def _as_list(schema: dict[str, Any]) -> dict[str, Any]:
    """A tuple as a list of its length: generators stop at `items: false`."""
    kinds: list[Any] = []
    for kind in schema["prefixItems"]:
        if kind not in kinds:
            kinds.append(kind)
    plain = {name: value for name, value in schema.items() if name != "prefixItems"}
    return {**plain, "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}


async def only_what_is_there(response: Response[Any]) -> Response[Any]:
    """An error here has the shape that errors have everywhere."""
    if response.status_code == NotFoundException.status_code:
        raise NotFoundException
    return response


def config() -> OpenAPIConfig:
    """As JSON only: every page that would show it loads its script from elsewhere."""
    router = Router(
        "/api/schema",
        route_handlers=[],
        include_in_schema=False,
        after_request=only_what_is_there,
    )
    return OpenAPIConfig(
        title="puntobanco",
        version=__version__,
        use_handler_docstrings=True,
        components=Components(security_schemes={TOKEN: BEARER}),
        security=[{}, {TOKEN: []}],
        openapi_router=router,
        render_plugins=[Description()],
    )
