"""What the API says of itself can be read by programs that make clients from it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco.journal.log import EventLog
from tests.kit.house.driver import house_over
from tests.kit.journal import using
from tests.kit.office import office_of


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return described_api(tmp_path_factory.mktemp("house"))


def described_api(folder: Path) -> dict[str, Any]:
    async def ask(log: EventLog) -> dict[str, Any]:
        async with office_of(house_over(log)) as office:
            answer = await office.get("/api/schema/openapi.json")
            found: dict[str, Any] = answer.json()
            return found

    return using(str(folder / "house.db"), ask)


def parts(schema: object) -> Iterator[dict[str, Any]]:
    """Every object in a description, however deep."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


def test_every_reference_leads_to_a_schema_with_one_plain_name(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    assert [name for name in schemas if not name.isalnum()] == [], "give it a name in openapi.NAMES"
    assert all(schema["title"] == name for name, schema in schemas.items())
    references = {part["$ref"] for part in parts(description) if "$ref" in part}
    assert references <= {f"#/components/schemas/{name}" for name in schemas}
    assert "#/components/schemas/TableView" in references


def test_tuples_are_lists_of_their_length(description: dict[str, Any]) -> None:
    """`items: false` after `prefixItems` stops openapi-python-client."""
    assert not [part for part in parts(description) if "prefixItems" in part]
    assert not [part for part in parts(description) if part.get("items") is False]
    odds = description["components"]["schemas"]["Line"]["properties"]["odds"]["anyOf"][0]
    assert (odds["type"], odds["minItems"], odds["maxItems"]) == ("array", 2, 2)
    assert odds["items"]["type"] == "integer"


def test_every_operation_has_a_name_of_its_own(description: dict[str, Any]) -> None:
    names = [
        operation["operationId"]
        for operations in description["paths"].values()
        for operation in operations.values()
    ]
    assert len(names) == len(set(names))
    assert all(name.replace("-", "").isalnum() for name in names)
