"""The API's description of itself: exactly what it takes, and the one shape of its errors."""

from functools import cache
from typing import Any

import msgspec
from litestar import Request, Response, Router
from litestar.exceptions import NotFoundException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from puntobanco import __version__
from puntobanco.server.api import CAGE, REGISTER, TABLE, Turning
from puntobanco.server.faults import Error
from puntobanco.server.people_api import Named, NewDevice

REFERENCE = "#/components/schemas/{name}"
ANCHORS = {r"\A": "^", r"\Z": "$"}
"""Python's, and what other languages write for the same."""
ERRORS = {
    "400": "It cannot be read; the detail says where.",
    "401": "Sign in first.",
    "403": "Not in the caller's roles, or not from there.",
    "404": "There is no such thing.",
    "409": "The rules do not let it happen now; the clause is the one that says so.",
    "413": "The request is too long.",
    "503": "The house has stopped.",
}
ON_GIVING = frozenset({"413"})
"""Only what has a body is answered so."""


class Description(JsonRenderPlugin):
    """The description as JSON, with what the framework cannot know."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, described(openapi_schema))


def described(schema: dict[str, Any]) -> dict[str, Any]:
    components = schema["components"]
    paths = {path: _with_errors(operations) for path, operations in schema["paths"].items()}
    structs = {**components["schemas"], **_structs()}
    return {**schema, "paths": paths, "components": {**components, "schemas": structs}}


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
    given = (*TABLE, *CAGE, *REGISTER, Turning, Named, NewDevice, Error)
    _, found = msgspec.json.schema_components(given, ref_template=REFERENCE)
    for one in found.values():
        if "required" in one:
            one["required"] = [name for name in one["required"] if name != "do"]
    return {name: _plain(one) for name, one in found.items()}


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _plain(value) for name, value in schema.items()}
    if isinstance(pattern := schema.get("pattern"), str):
        for ours, theirs in ANCHORS.items():
            pattern = pattern.replace(ours, theirs)
        plain["pattern"] = pattern
    return plain


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
        openapi_router=router,
        render_plugins=[Description()],
    )
