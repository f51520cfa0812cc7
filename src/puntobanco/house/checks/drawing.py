"""What the tests of the generator found, on record; and how one that failed is taken again."""

import asyncio

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import OVERSEES, check_house_role
from puntobanco.house.checks.generator import (
    AGAIN_BYTES,
    PROPORTION,
    REPETITION,
    GeneratorFault,
    Watched,
    heed_record,
)
from puntobanco.house.house import House
from puntobanco.house.notes import GeneratorChecked, GeneratorCleared, GeneratorFailed
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor


async def note_generator(house: House) -> None:
    """At the start and each day: test it, and put on record what was seen since the last time."""
    watch = house.chance.watch
    if watch is None:
        return
    watch.test()
    heed_record(watch, house.log)
    if watch.fault is None:
        seen = watch.seen()
        checked = GeneratorChecked(seen.tested, seen.longest, REPETITION, seen.most, PROPORTION)
        await house.note(checked)
    elif watch.is_told:
        await _tell(house, watch)  # once more, so that it stays the last word
    else:
        await note_failure(house)


async def note_failure(house: House) -> None:
    """A test that failed is on record at once, and only once."""
    watch = house.chance.watch
    if watch is not None and watch.fault is not None and not watch.is_told:
        watch.is_told = True
        await _tell(house, watch)


async def _tell(house: House, watch: Watched) -> None:
    fault = watch.fault or GeneratorFault("record")
    await house.note(GeneratorFailed(fault.test, fault.found, fault.cutoff))


async def try_again(house: House, by: Actor) -> None:
    """Test a generator that failed by a megabyte; if that passes, whoever asked for it says so on
    record, and the house draws from it again.
    """
    check_house_role(by, OVERSEES, "test-generator")
    watch = house.chance.watch
    if watch is None or watch.fault is None:
        return
    trial = watch.anew()
    await asyncio.to_thread(trial.test, AGAIN_BYTES)
    if trial.fault is not None:
        watch.fault = trial.fault
        await _tell(house, trial)
        raise Refused(Reason.GENERATOR_FAILED, CONDITIONS)
    await house.note(GeneratorCleared(by.person, trial.tested))
    watch.good_again()
