"""The one catalogue of what people read is complete."""

import re
import string

import pytest

import puntobanco as pb
from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.sentences import in_currency
from puntobanco.words import AMOUNTS, REFUSALS, explain, one_line
from tests.kit.places import ROOT


def test_every_reason_has_words() -> None:
    assert list(REFUSALS) == list(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_words_say_what_happened_and_what_to_do(reason: Reason) -> None:
    words = REFUSALS[reason]
    fields = [name for text in words for _, name, _, _ in string.Formatter().parse(text) if name]
    refused = Refused(reason, "tas-2018:4.1", **dict.fromkeys(fields, "7"))
    happened, remedy = explain(refused)
    assert re.match(r"[a-z0-9“]", happened)
    assert not happened.endswith(".")
    assert re.fullmatch(r"[A-Z7](.*[.7])?", remedy)
    assert one_line(refused) == f"{happened} [tas-2018:4.1]. {remedy}"


def test_every_amount_that_a_refusal_names_is_known_as_one() -> None:
    """Else pages would show it without the house's currency."""
    given = set[str]()
    for file in (ROOT / "src").rglob("*.py"):
        for refusal in re.findall(r"Refused\(\s*Reason\.(?:[^()]|\([^()]*\))*\)", file.read_text()):
            given |= set(re.findall(r"(\w+)=money\(", refusal))
    assert given
    assert given <= AMOUNTS


def test_sentences_write_amounts_in_the_houses_currency_and_counts_as_they_are() -> None:
    placed = pb.events.WagerPlaced(pb.Wager(3, pb.Bet.PLAYER, 125_000, "ann"))
    assert "1250 on" in pb.tell(placed)
    assert "$1,250 on" in pb.tell(placed, in_currency("AUD"))
    refused = Refused(Reason.NOT_ENOUGH_CHIPS, CONDITIONS, has="12.50", wanted="100", on="tie")
    assert "$12.50" in explain(refused, "AUD").happened
    assert "$" not in explain(refused).happened
