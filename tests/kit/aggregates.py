"""Cage and register, decided and applied in one step."""

from functools import reduce

from puntobanco.cage import decide as cage_decide
from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.commands import CageCommand
from puntobanco.cage.events import CageEvent
from puntobanco.cage.state import Cage
from puntobanco.register import decide as register_decide
from puntobanco.register import evolve as register_evolve
from puntobanco.register.commands import RegisterCommand
from puntobanco.register.events import RegisterEvent
from puntobanco.register.state import Register
from puntobanco.table.actor import Actor


def run_cage(cage: Cage, ask: CageCommand, by: Actor) -> tuple[Cage, list[CageEvent]]:
    events = cage_decide.decide(cage, ask, by)
    return reduce(cage_evolve.evolve, events, cage), events


def run_register(
    register: Register, ask: RegisterCommand, by: Actor
) -> tuple[Register, list[RegisterEvent]]:
    events = register_decide.decide(register, ask, by)
    return reduce(register_evolve.evolve, events, register), events
