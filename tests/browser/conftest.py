"""A house and a browser for every module; a module may have a house of its own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.kit.browser import Faults, chromium
from tests.kit.web import Web, demo_house


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=10) as web:
        yield web


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def faults() -> Iterator[Faults]:
    faults = Faults()
    yield faults
    assert faults.found == []
