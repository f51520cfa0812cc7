"""What a soak came to, in lines, and what of it is not as it must be."""

from collections.abc import Iterator
from statistics import median

from bench.soak.figures import at_part
from bench.soak.plan import WORDS
from bench.soak.run import NEVER, Outcome
from bench.soak.servers import Sample

DRIFT, GROWTH, RESUMED_S = 1.2, 0.05, 5.0
"""The most by which the last part may be slower than the first, by which memory may grow, and the
seconds within which play goes on nineteen times of twenty."""
MOST_SHOWN = 3
MOST_LEFT_OPEN = 20
"""Connections come and go: so many files more may be open by chance."""
WARM_S, LONG_S = 60.0, 300.0
"""A process is warm after the first; only one that lives for the second as well is measured."""


def told(outcome: Outcome) -> Iterator[str]:
    tally, found = outcome.tally, outcome.found
    yield (
        f"commands   {len(tally.acknowledged):,} acknowledged, {tally.refused.total():,} refused,"
        f" {tally.again:,} tries made again"
    )
    yield (
        f"on record  {found.lost} lost, {found.doubled} doubled; {found.rows:,} rows,"
        f" {found.coups:,} coups, {found.fault or 'verified and decided again: sound'}"
    )
    for kind, took in outcome.figures.resumed.items():
        yield (
            f"{WORDS[kind]:<24} {len(took):>4} times; play goes on after {median(took):.1f} s,"
            f" p95 {at_part(took, 95):.1f} s, at most {max(took):.1f} s"
        )
    for what, first, last in _parts(outcome):
        yield (
            f"{what:<24} p99 {at_part(first, 99):.0f} ms in the first part,"
            f" {at_part(last, 99):.0f} ms in the last, of {len(first):,} and {len(last):,}"
        )
    for number, lives in enumerate(outcome.lives, 1):
        yield f"server {number}   {_grown_in_words(lives)}; {len(lives)} processes"
    seen = outcome.seen
    yield (
        f"watchers   came again {outcome.came_back:,} times; {seen.missed:,} of {seen.looked:,}"
        f" rows not seen; {seen.differ} of {seen.compared:,} pages other than a new one"
    )
    yield (
        f"servers    ended by themselves {outcome.gone_alone} times, with"
        f" {len(outcome.tracebacks)} tracebacks"
    )


def wrong_with(outcome: Outcome, *, record_only: bool) -> Iterator[str]:
    """What did not hold; on a busy machine perhaps only what does not hang on how quick it is."""
    tally, found = outcome.tally, outcome.found
    if found.lost or found.doubled or found.fault:
        yield f"{found.lost} lost, {found.doubled} doubled, {found.fault or 'sound'}"
    if outcome.seen.missed or outcome.seen.differ:
        yield f"{outcome.seen.missed} rows not seen, {outcome.seen.differ} pages not as they are"
        yield from outcome.seen.differed[:MOST_SHOWN]
    for number, lives in enumerate(outcome.lives, 1):
        alone = len(outcome.lives) == 1
        if (kept := left_open(lives, alone=alone)) > MOST_LEFT_OPEN:
            yield f"server {number}: {kept} files more are open than at first"
    for answer, times in tally.wrong.items():
        yield f"{times} times: {answer}"
    if outcome.gone_alone:
        yield f"servers ended by themselves {outcome.gone_alone} times"
    yield from (f"Traceback{said}" for said in outcome.tracebacks[:MOST_SHOWN])
    for kind, took in outcome.figures.resumed.items():
        if NEVER in took:
            yield f"{WORDS[kind]}: play never went on"
    if not record_only:
        yield from _too_slow(outcome)


def _too_slow(outcome: Outcome) -> Iterator[str]:
    for kind, took in outcome.figures.resumed.items():
        if at_part(took, 95) > RESUMED_S:
            yield f"{WORDS[kind]}: play goes on after {at_part(took, 95):.1f} s at p95"
    for what, first, last in _parts(outcome):
        if at_part(last, 99) > DRIFT * at_part(first, 99):
            yield f"{what}: the last part is slower than the first"
    for number, lives in enumerate(outcome.lives, 1):
        if (grown := growth(lives)) and grown[1] > (1 + GROWTH) * grown[0]:
            yield f"server {number}: its memory grew"


def _parts(outcome: Outcome) -> Iterator[tuple[str, list[float], list[float]]]:
    first, last = outcome.figures.took["first"], outcome.figures.took["last"]
    yield "until answered", first.answers, last.answers
    yield "until seen by a watcher", first.views, last.views


def growth(lives: list[list[Sample]]) -> tuple[float, float] | None:
    """Kilobytes of the process that lived longest, once it was warm and at its end."""
    longest = max(lives, key=_length_s)
    if _length_s(longest) < WARM_S + LONG_S:
        return None
    warm = [one.kilobytes for one in _warm(longest)]
    some = max(1, len(warm) // 10)
    return median(warm[:some]), median(warm[-some:])


def left_open(lives: list[list[Sample]], *, alone: bool) -> int:
    """The files more that the process that lived longest has open at its end than once warm; of a
    short life only where it is the only server: whoever watched a killed one comes to the other.
    """
    longest = max(lives, key=_length_s)
    warm = _warm(longest)
    some = max(1, len(warm) // 10)
    if not warm or not (alone or _length_s(longest) > WARM_S):
        return 0
    return int(median(one.files for one in warm[-some:]) - median(one.files for one in warm[:some]))


def _warm(life: list[Sample]) -> list[Sample]:
    """What a process took, once it was warm; all of it where it did not live so long."""
    return [one for one in life if one.at - life[0].at > WARM_S] or life


def _length_s(life: list[Sample]) -> float:
    return life[-1].at - life[0].at if life else 0


def _grown_in_words(lives: list[list[Sample]]) -> str:
    longest, grown = max(lives, key=_length_s), growth(lives)
    if not longest:
        return "was never measured"
    cpu = (longest[-1].cpu_s - longest[0].cpu_s) / max(_length_s(longest), 1)
    minutes = _length_s(longest) / 60
    files = f"{longest[0].files} to {longest[-1].files} files"
    if grown is None:
        return f"lived {minutes:.1f} minutes at most, {longest[-1].kilobytes // 1024} MB, {files}"
    first, last = grown
    return (
        f"{first / 1024:.0f} to {last / 1024:.0f} MB ({last / first - 1:+.1%}), {files},"
        f" {cpu:.0%} of a core in {minutes:.1f} minutes"
    )
