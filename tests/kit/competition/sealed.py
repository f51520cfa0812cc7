"""The same small competition in one loop with its house: two at a table, a form each."""

from tests.kit.competition.on_web import CupOnWeb, enrol_players
from tests.kit.competition.over_http import CARDS, CONDITIONS
from tests.kit.replay import Asker

ME = "/competitions/sealed/me"
TABLE = "/tables/table-cup"
SAID = {"sure": "yes", "pad": "x"}
"""What a player confirms a form by."""


async def entering(asker: Asker) -> CupOnWeb:
    await enrol_players(asker)
    cup = CupOnWeb(asker, "sealed")
    await cup.entering(CONDITIONS)
    return cup


async def begun(cup: CupOnWeb, one: str = "p1", other: str = "p2", *, by: str = "") -> None:
    """Two have entered; their session has begun, and nobody sits yet. Where a witness is named
    lots were drawn before the seats were keyed in.
    """
    await cup.do("cora", "close-entries")
    await cup.do("cora", "designate-table", {"table": "table-cup"})
    if by:
        await cup.do("cora", "draw", {"words": [{"by": by, "words": "rain on Tuesday"}]})
    seats = {"table-cup": {"1": one, "2": other}}
    await cup.two("cora", "key-draw", {"tables": seats, "first": {"table-cup": 1}})
    await cup.do("cora", "sign-on", {"role": "competition director"})
    await cup.do("cora", "prepare-session")
    await cup.into_line()
    for who, role in (("dan", "dealer"), ("ines", "inspector")):
        await cup.asker.must(who, f"{TABLE}/sign-on", {"role": role})
    await cup.do("cora", "start-session")
    await cup.into_line()


async def seated(cup: CupOnWeb, one: str = "p1", other: str = "p2", *, by: str = "") -> None:
    """Two have entered and sit; the first coup is open, and the first of them is to bet."""
    await begun(cup, one, other, by=by)
    for name, facts in (
        *(("take-seat", {"person": person}) for person in (one, other)),
        ("check-cards", {"set_id": "set 1", "prechecked_lot": "lot 1"}),
        ("shuffle", {}),
        ("cut-cards", {"depth": 100, "seat": 1}),
        ("load-shoe", {}),
        ("open-coup", {}),
    ):
        await cup.asker.must("dan", f"{TABLE}/{name}", facts)


async def dealt(asker: Asker) -> None:
    """Face down, as Tasmania deals in a competition; then passed and turned."""
    for _ in range(4):
        await asker.must("dan", f"{TABLE}/draw-card", {})
    for side, first in (("player", 0), ("banker", 1)):
        await asker.give("dan", f"{TABLE}/pass-cards", {"side": side})
        for position in (first, first + 2):
            card = {"card": CARDS[position], "position": position + 1}
            await asker.give("dan", f"{TABLE}/turn-card", card)
