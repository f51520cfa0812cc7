"""A small competition over HTTP: two play a final of one coup, with one secret wager each.

The house itself opens the table, seats everyone and takes the result.
"""

import time
from collections.abc import Callable
from typing import Any

import httpx

from tests.kit.web import Web, give, grant

CONDITIONS = """
name = "Under seal"
ruleset = "tas-2018"
start = "2096-03-14T18:00:00+11:00"
table = { layout = "midi", decks = 8, method = "commission", chip_cents = 500 }
entry = { form = "A", terms = "at the desk", fee_cents = 5555, min = 2, max = 4 }
prizes = { percent = [75, 25] }

[[stage]]
name = "final"
seats = 9
allotment_cents = 100000
ends = { coups = 1 }
secrets = 1
limits = { min_cents = 10000, max_cents = 50000, multiple_cents = 500 }
"""
CUP, TABLE = "/competitions/sealed", "/tables/table-cup"
FORM = {"figures": "250", "words": "two hundred and fifty", "on": "p"}
CARDS = ("9c", "Kh", "Kd", "7s")
"""Player has 9, Banker 7: nobody draws."""
PATIENCE = 300


class Floor:
    """The people of the demo, and what they ask of the house."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.director = "auditor"

    def ask(self, who: str, path: str, facts: Any = None) -> httpx.Response:
        return give(self.web.client(who), path, facts)

    def do(self, who: str, path: str, facts: Any = None) -> Any:
        answer = self.ask(who, path, facts)
        assert answer.status_code == 200, (who, path, answer.text)
        return answer.json()

    def refused(self, who: str, path: str, facts: Any = None) -> str:
        answer = self.ask(who, path, facts)
        assert 400 <= answer.status_code < 500, (who, path, answer.text)
        return str(answer.json()["reason"])

    def cup(self, who: str = "manager") -> Any:
        return self.web.client(who).get(f"/api{CUP}").json()["view"]

    def table(self, who: str = "dealer") -> Any:
        return self.web.client(who).get(f"/api{TABLE}").json().get("view")

    def wait(self, until: Callable[[], bool]) -> None:
        """The house does what is due between competition and table by itself."""
        for _ in range(PATIENCE):
            if until():
                return
            time.sleep(0.1)
        raise AssertionError((self.cup(), self.table()))

    def step(self) -> tuple[str, dict[str, Any]]:
        following = self.table()["next"] or {"step": "", "facts": {}}
        return following["step"], following["facts"]


def entered_conditions(floor: Floor, text: str = CONDITIONS) -> None:
    """Conditions by two people, and entries open."""
    grant(floor.web, floor.director, "competition director")
    floor.do("manager", f"{CUP}/draft", {"text": text})
    floor.do("manager", f"{CUP}/publish")
    assert floor.refused("manager", f"{CUP}/approve", {"proposal": 1}) == "same_person"
    floor.do(floor.director, f"{CUP}/approve", {"proposal": 1})
    assert floor.refused("player", f"{CUP}/apply") == "wrong_phase"
    floor.do(floor.director, f"{CUP}/open-entries")


def entered(floor: Floor, text: str = CONDITIONS) -> None:
    """The same, two entries, a draw keyed in by two people."""
    entered_conditions(floor, text)
    for person in ("player", "guest"):
        floor.do(person, f"{CUP}/apply")
        assert floor.refused(person, f"{CUP}/accept", {"person": person}) == "not_your_role"
        floor.do("cashier", f"{CUP}/accept", {"person": person})
        floor.do(person, f"{CUP}/endorse", {"version": 1})
        floor.do(person, f"{CUP}/pay-entry")
    assert floor.refused("guest", f"{CUP}/withdraw", {"person": "player"}) == "not_yourself"
    floor.do(floor.director, f"{CUP}/close-entries")
    floor.do(floor.director, f"{CUP}/designate-table", {"table": "table-cup"})
    seats = {"table-cup": {"1": "player", "2": "guest"}}
    drawn = {"tables": seats, "first": {"table-cup": 1}}
    floor.do(floor.director, f"{CUP}/key-draw", drawn)
    floor.do("manager", f"{CUP}/approve", {"proposal": 2})


def started(floor: Floor) -> None:
    assert floor.refused(floor.director, f"{CUP}/start-session") == "director_not_signed_on"
    floor.do(floor.director, f"{CUP}/sign-on", {"role": "competition director"})
    floor.do(floor.director, f"{CUP}/prepare-session")
    floor.wait(lambda: floor.table() is not None and floor.table()["phase"] != "shut")
    for who, role in (("dealer", "dealer"), ("inspector", "inspector")):
        floor.do(who, f"{TABLE}/sign-on", {"role": role})
    floor.do(floor.director, f"{CUP}/start-session")
    floor.wait(lambda: bool(floor.table("manager")["floor"]["people"]))
    for person in ("player", "guest"):
        floor.do("dealer", f"{TABLE}/take-seat", {"person": person})
    made_ready(floor)


def made_ready(floor: Floor) -> None:
    asks: dict[str, tuple[str, dict[str, Any]]] = {
        "check-cards": ("check-cards", {"set_id": "set 1", "prechecked_lot": "lot 1"}),
        "shuffle": ("shuffle", {}),
        "offer-cut": ("cut-cards", {"depth": 100, "seat": 1}),
        "staff-cut": ("cut-cards", {"depth": 100}),
        "load-shoe": ("load-shoe", {}),
        "burn": ("burn-cards", {"face_down": 1}),
    }
    for _ in range(12):
        step, _ = floor.step()
        if step not in asks:
            return
        name, facts = asks[step]
        floor.do("dealer", f"{TABLE}/{name}", facts)


def dealt(floor: Floor) -> None:
    """Face down, as Tasmania deals in a competition; then passed and turned."""
    for _ in range(30):
        step, facts = floor.step()
        if step in ("card-for-player", "card-for-banker"):
            floor.do("dealer", f"{TABLE}/draw-card")
        elif step == "pass-cards":
            floor.do("dealer", f"{TABLE}/pass-cards", {"side": facts["side"]})
        elif step == "turn-cards":
            turn(floor, str(facts["side"]))
        else:
            return


def turn(floor: Floor, side: str) -> None:
    first = 0 if side == "player" else 1
    for position in (first, first + 2):
        card = {"card": CARDS[position], "position": position + 1}
        floor.ask("dealer", f"{TABLE}/turn-card", card)
