"""Every coup of a journal, read row by row; and reports of a journal."""

from collections.abc import Iterable, Iterator

from puntobanco.house.figures.check import settings_in
from puntobanco.house.figures.projection import reading_of
from puntobanco.house.figures.report import By, Figures, ReportAsked, report
from puntobanco.house.lookback.past_coup import PastCoup, PastCoups
from puntobanco.house.stream import TABLE
from puntobanco.journal.log import EventLog


def coups_in(log: EventLog, streams: Iterable[str] | None = None) -> Iterator[PastCoup]:
    """Every coup of every table, in order."""
    for stream in streams if streams is not None else log.streams():
        if stream.startswith(TABLE):
            past = PastCoups()
            for row in log.read(stream):
                past.read(row)
            yield from past.coups.values()


def lines_of(log: EventLog, by: By, table: str = "") -> list[Figures]:
    settings = settings_in(log)
    return report(reading_of(log, settings), ReportAsked(by, table=table), settings).lines
