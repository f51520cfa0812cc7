"""One table of the house in a line, as lists of all tables have it."""

from msgspec import Struct

from puntobanco.register.settings import Settings, Tempo
from puntobanco.roads import Bead, format_results
from puntobanco.rules.coup import Result, pairs_of
from puntobanco.rules.notice import Notice
from puntobanco.table.state import Phase, Table


class ListedTable(Struct, frozen=True):
    """One table of the house, in a list of all tables."""

    table: str
    phase: Phase
    notice: Notice | None
    seats_free: int
    coup: int
    results: tuple[Result, ...]
    """The results of this shoe."""
    beads: str = ""
    """The same with their pairs, as `parse_results` reads them."""
    name: str = ""
    """What the table is called; its id where it has no name."""
    tempo: Tempo = Tempo()
    """How long bots and the house's own shoe take."""
    taken: tuple[int, ...] = ()
    """The seats at which somebody sits."""
    until_ms: int | None = None
    """When the time for bets is over, if there is a clock."""
    result: Result | None = None
    """Of the coup that lies on the table."""
    face_down: bool = False
    """Cards are dealt face down."""
    play_cents: int = 0
    """Play chips that everybody is given, worth nothing; 0: the table is for money."""
    coup_ms: int | None = None
    """How long a coup takes by the tempo; None: people deal, and take what time they take."""
    competition: str = ""
    """The competition that is played here, whose seats are drawn; empty: anybody may sit down."""


def listed_table(name: str, table: Table, settings: Settings, *, bots_deal: bool) -> ListedTable:
    seats = table.notice.seats if table.notice else 0
    beads = [Bead(one.result, pairs_of(one.drawn)) for one in table.coups if one.result]
    coup = table.coup
    return ListedTable(
        name,
        table.phase,
        table.notice,
        seats - len(table.seated),
        table.coup_number,
        tuple(bead.result for bead in beads),
        format_results(beads),
        settings.called(name),
        tempo := settings.tempo_of(name),
        tuple(sorted(table.seated)),
        coup.until_ms if coup and not coup.time_over else None,
        coup.result if coup else None,
        table.face_down.on,
        table.play_cents,
        tempo.coup_ms if bots_deal else None,
        table.conditions.competition if table.conditions and table.is_open else "",
    )
