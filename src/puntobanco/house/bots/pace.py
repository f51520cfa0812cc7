"""The time that bots take, so that people can follow: a table's tempo, or none under load."""

from msgspec import Struct

from puntobanco.register.settings import Tempo
from puntobanco.table.state import Table
from puntobanco.words import Step

TEMPO = {
    Step.OPEN_COUP: "card_ms",
    Step.OPEN_WITHOUT_BETS: "card_ms",
    Step.TAKE_BETS: "card_ms",
    Step.CALL: "card_ms",
    Step.PASS_CARDS: "card_ms",
    Step.TURN_CARDS: "card_ms",
    Step.DEAL_CARRIED: "card_ms",
    Step.CARD_FOR_PLAYER: "card_ms",
    Step.CARD_FOR_BANKER: "card_ms",
    Step.DECLARE: "declare_ms",
    Step.CLEAR: "result_ms",
}
"""The time of the tempo that passes before each step; before others, what staff usually take."""
FIRST_CARDS = 4


class Pace(Struct, frozen=True):
    """The time bots take, in milliseconds; none under load."""

    act_ms: int = 0
    """The time between two commands of staff, where the tempo has none for it."""
    patience_ms: int = 0
    """The time that bots leave a person to act first."""
    coups: int = 10
    """The coups of a session of a bots' tournament."""
    keeps_tempo: bool = False
    """Whether the tempo of the table is kept, as management has set it."""

    def pause_ms(self, table: Table, step: Step, tempo: Tempo) -> int:
        """The time from the last row of a table until staff take the next step."""
        if not self.keeps_tempo or step not in TEMPO:
            return self.act_ms
        coup = table.coup
        dealt = coup is not None and len(coup.drawn) >= FIRST_CARDS
        if dealt and step in (Step.CARD_FOR_PLAYER, Step.CARD_FOR_BANKER):
            return tempo.third_ms
        return int(getattr(tempo, TEMPO[step]))

    def bets_ms(self, tempo: Tempo) -> int:
        """The time for bets; 0: there is no clock."""
        return tempo.bets_ms if self.keeps_tempo else 0

    def turn_ms(self, tempo: Tempo) -> int:
        """The time that a person has for a card that is theirs to turn."""
        return tempo.turn_ms if self.keeps_tempo else self.patience_ms


AT_ONCE = Pace()
LIVE = Pace(act_ms=900, patience_ms=20_000, keeps_tempo=True)
"""The pace of bots at a table that people watch or play at."""
