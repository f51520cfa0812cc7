"""The one catalogue of what people read is complete."""

import re
import string

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.words import REFUSALS, explain, one_line


def test_every_reason_has_words() -> None:
    assert list(REFUSALS) == list(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_words_say_what_happened_and_what_to_do(reason: Reason) -> None:
    words = REFUSALS[reason]
    fields = [name for text in words for _, name, _, _ in string.Formatter().parse(text) if name]
    refused = Refused(reason, "tas-2018:4.1", **dict.fromkeys(fields, "7"))
    happened, remedy = explain(refused)
    assert re.match(r"[a-z0-9]", happened)
    assert not happened.endswith(".")
    assert re.fullmatch(r"[A-Z7](.*[.7])?", remedy)
    assert one_line(refused) == f"{happened} [tas-2018:4.1]. {remedy}"
