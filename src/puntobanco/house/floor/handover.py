"""A shift's handover sheet: all that is open when one shift goes and the next one comes."""

from msgspec import Struct

from puntobanco.cage.state import Slip
from puntobanco.house.floor.incidents import Incident, IncidentLog
from puntobanco.house.floor.now import FloorWatch, TableAtGlance
from puntobanco.house.house import House
from puntobanco.house.lookback.tonight import Tonight, hold_tonight

SHIFT_MS = 8 * 3_600_000
"""How long a shift looks back, unless somebody says otherwise."""


class TableHandedOver(Struct, frozen=True):
    """One table that is open, or on which something is."""

    now: TableAtGlance
    tonight: Tonight
    warned: tuple[str, ...]
    excluded: tuple[str, ...]
    owing: dict[str, int]
    """Who owes the bank, in cents."""


class Handover(Struct, frozen=True):
    """All that is open, and the incidents of the shift."""

    at_ms: int
    since_ms: int
    tables: tuple[TableHandedOver, ...]
    slips: dict[int, Slip]
    """Fills and credits that were asked for and not completed."""
    incidents: tuple[Incident, ...]

    @property
    def waits(self) -> int:
        return sum(len(one.now.waits) for one in self.tables)


def hand_over(
    house: House,
    watch: FloorWatch,
    log: IncidentLog,
    tables: frozenset[str],
    since_ms: int | None = None,
) -> Handover:
    """What is open now at these tables, and what was noted since."""
    at_ms = house.time.now_ms()
    since_ms = at_ms - SHIFT_MS if since_ms is None else since_ms
    names = sorted(tables & house.tables.keys())
    handed = sorted((_table(house, watch, name) for name in names), key=lambda one: one.now.place)
    slips = house.cage.state.slips.items()
    return Handover(
        at_ms,
        since_ms,
        tuple(one for one in handed if one.now.phase != "shut" or one.owing),
        {number: slip for number, slip in slips if slip.table in names},
        tuple(one for one in log.all(names) if one.at_ms >= since_ms),
    )


def _table(house: House, watch: FloorWatch, name: str) -> TableHandedOver:
    state = house.tables[name].state
    return TableHandedOver(
        watch.table(name),
        hold_tonight(house, name),
        tuple(sorted(state.warned)),
        tuple(sorted(state.excluded)),
        {person: -cents for person, cents in state.chips.items() if cents < 0},
    )
