"""One command of every kind: as written here where it matters, else made from its fields."""

from collections.abc import Callable
from typing import Any, get_args

from msgspec import inspect

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import SessionStanding

NINE = Card("9c")


GIVEN: tuple[c.TableCommand, ...] = (
    c.OpenTable(sample_notice("tas-2018"), "monday", "shoe 1", effective="today"),
    c.BeginGamingDay("tuesday"),
    c.Sit(5),
    c.BuyIn(100, "ann"),
    c.CashOut(100, "ann"),
    c.AgreeLimits("ann"),
    c.Exclude("ann", ""),
    c.Readmit("ann", ""),
    c.CheckCards("set B"),
    c.CutCards(100),
    c.ChangeCards((NINE,)),
    c.EndShoe("why"),
    c.PlaceWager(1, Bet.PLAYER, 2500),
    c.ChangeWager(1, Bet.PLAYER, 2500),
    c.PostChange(sample_notice("tas-2018"), 0),
    c.AcknowledgeFaceDown(Role.MANAGEMENT),
    c.SetFaceDown(down=True),
    c.DrawCard(NINE),
    c.TurnCard(NINE, 1),
    c.ReportIrregularity(Found.FOREIGN_CARD),
    c.HoldClocks(1),
    c.ConfirmFinding(upheld=True),
    c.RuleOn("void", ""),
    c.VoidCoup("fraud", ""),
    c.VoidWagers("ann", ""),
    c.CorrectCard(1, 1, NINE, ""),
    c.CorrectCoup(1, (), ""),
    c.CorrectWager(2, "ann", 1, Bet.TIE, 10_000, ""),
    c.CorrectBurn(""),
    c.CorrectMarker(""),
    c.CorrectFinding("face-up-in-shoe", ""),
    c.CorrectExcess(1, "", (Drawn(NINE),)),
    c.CorrectPayment("ann", 100, 1, ""),
    c.TakeBack("touched", "", person="ann"),
    c.Touched("ann"),
    c.RaiseDispute("why"),
    c.DecideDispute(1, "so"),
    c.RecordIncident("other", ""),
    c.MarkAbsent("ann"),
    c.BeginSession({1: "ann"}, 1),
    c.TakeOverSession(SessionStanding("heats", {1: "ann"}, {"ann": 1}, Limits(1, 2)), 1),
    c.LodgeSecret("0" * 64),
)


def example(kind: type[Any]) -> Any:
    """A command with nothing but what it must have, each field as small as its bounds let it be."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return kind(**{field.name: _least(field.type) for field in info.fields if field.required})


LEAST: dict[type[inspect.Type], Callable[[Any], Any]] = {
    inspect.Metadata: lambda kind: _least(kind.type),
    inspect.IntType: lambda kind: 1 if kind.ge is None else kind.ge,
    inspect.StrType: lambda kind: "x" * (kind.min_length or 0),
    inspect.BoolType: lambda _kind: False,
    inspect.EnumType: lambda kind: next(iter(kind.cls)),
    inspect.LiteralType: lambda kind: kind.values[0],
    inspect.StructType: lambda kind: example(kind.cls),
    inspect.UnionType: lambda kind: None if kind.includes_none else _least(kind.types[0]),
    inspect.VarTupleType: lambda kind: (_least(kind.item_type),) * (kind.min_length or 0),
}
"""The smallest value of each kind of field; for another kind, write an example above."""


def _least(kind: inspect.Type) -> Any:
    return LEAST[type(kind)](kind)


ASKS: tuple[c.TableCommand, ...] = (
    *GIVEN,
    *(example(kind) for kind in get_args(c.TableCommand) if kind not in map(type, GIVEN)),
)
