"""What an event changes in a competition. It never refuses: the event has already happened."""

from puntobanco.competition.events import Appliers, CompetitionEvent
from puntobanco.competition.evolve import ends, entries, play
from puntobanco.competition.state import Competition

APPLY: Appliers = {**entries.APPLY, **play.APPLY, **ends.APPLY}


def evolve(competition: Competition, event: CompetitionEvent) -> Competition:
    """The competition after one event."""
    return APPLY[type(event)](competition, event)
