"""Taking in the routes of a house: what each path answers, without looking at all for each one."""

import pytest
from litestar import Router, get, post, put
from litestar.handlers import HTTPRouteHandler

from puntobanco.server.app import Application


@get("/tables", sync_to_thread=False)
def seen() -> None: ...


@post("/tables", sync_to_thread=False)
def opened() -> None: ...


@put("/tables", sync_to_thread=False)
def changed() -> None: ...


def others(number: int) -> list[HTTPRouteHandler]:
    def told() -> None: ...

    return [get(f"/{at}", sync_to_thread=False)(told) for at in range(number)]


def test_what_a_path_answers_is_known_by_every_method_that_came_to_it() -> None:
    app = Application([seen, *others(3), opened, Router("/room", route_handlers=[seen]), changed])
    kept = app.route_handler_method_map
    assert kept == Router.route_handler_method_map.fget(app)  # type: ignore[attr-defined]
    assert set(kept["/tables"]) == {"GET", "POST", "PUT", "OPTIONS"}
    assert set(kept["/room/tables"]) == {"GET", "OPTIONS"}


def test_all_routes_are_not_looked_through_for_each_one(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Router] = []
    whole = Router.route_handler_method_map.fget  # type: ignore[attr-defined]

    def through(app: Router) -> object:
        looked.append(app)
        return whole(app)

    monkeypatch.setattr(Router, "route_handler_method_map", property(through))
    Application([seen, *others(20), opened, changed], openapi_config=None)
    assert len(looked) == 1  # for the path that came to answer another method
