"""Where at a Tasmanian table a wager may lie."""

from typing import Literal

from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import events, of, one, ready
from tests.kit.table.tas import BOTH, stand
from tests.kit.table.verified import sound


@BOTH
@clause(*tas("6.4"))
def test_a_tie_wager_may_lie_at_another_place(doc: str) -> None:
    """[tas-2018:6.4, tas-2013:6.4] Places are shared for Player and Banker alone."""
    at = ready(doc)
    for person in ("zoe", "yan"):
        stand(at, person, 1)
    at.bet("1 p 50, 2 t 50")
    for person in ("ann", "zoe", "yan"):
        placed = one(events.WagerPlaced, at.do(person, c.PlaceWager(2, Bet.TIE, 5000)))
        assert (placed.wager.by, placed.wager.box) == (person, 2)
    at.refuse("ann", c.PlaceWager(2, Bet.PLAYER, 5000), Reason.NOT_YOUR_BOX, twin(doc, "6.4"))
    at.deal("9c 9d Kh Ks")
    assert len(of(events.WagerSettled, at.do("dan", c.DeclareResult()))) == 5
    assert sound(at)


@BOTH
@clause(*tas("6.4"))
def test_a_rule_set_of_before_keeps_its_tie_wagers_at_their_places(doc: str) -> None:
    """[tas-2018:6.4] What a stored text says is what is played by it."""
    box = ready(doc).table.terms.rules.wagers.box
    assert box is not None
    assert Bet.TIE in box.unshared
    old: Literal["pairs", "nothing"] = "pairs" if doc == "tas-2018" else "nothing"
    assert Bet.TIE not in replace(box, elsewhere=old).unshared
