"""Face-down play: what is said once bets are open, and what went wrong with the cards."""

from puntobanco.rules.coup import Side
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import one, ready
from tests.kit.table.tas import BOTH, face_down, squeezed
from tests.kit.table.verified import sound


@BOTH
@clause(*tas("9.3"))
def test_face_down_play_is_settled_while_bets_are_open(doc: str) -> None:
    """[tas-2018:9.3] Players ask until the first card; and it may be taken back."""
    at = face_down(ready(doc).bet("1 p 50, 2 b 50"))
    at.do("dan", c.SetFaceDown(down=False))
    at = face_down(at)
    at.deal("?? ?? ?? ??")
    assert one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER))).person == "ann"
    assert sound(at)


@BOTH
@clause(*tas("9.3(f)", "4.4"))
def test_both_hands_passed_to_one_player_are_on_record_as_an_error(doc: str) -> None:
    """[tas-2018:9.3(f), 4.4] It happened: the set is handled, and the coup goes on."""
    at = squeezed(doc, "1 p 50, 1 b 50, 2 b 25")
    at.do("dan", c.PassCards(Side.PLAYER))
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.BANKER, "ann")))
    assert (passed.person, passed.in_error) == ("ann", True)
    assert passed.clauses == (twin(doc, "9.3(f)"), twin(doc, "4.4"))
    assert at.table.coup is not None
    assert set(at.table.coup.held_by) == {Side.PLAYER, Side.BANKER}
    assert sound(at)
