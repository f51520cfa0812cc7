"""The one catalogue of what people read is complete."""

import re
from collections import Counter
from string import Formatter
from typing import Any

import pytest

import puntobanco as pb
from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import Found
from puntobanco.table.sentences import in_currency
from puntobanco.words import AMOUNTS, COMMANDS, REFUSALS, explain, one_line, pages
from puntobanco.words.competition import COMPETITION_COMMANDS
from puntobanco.words.pages import PAGES
from tests.kit.places import ROOT


def test_no_words_take_the_place_of_others() -> None:
    """Dictionaries are laid over one another: what two of them had, one page said wrongly."""
    whole = {name: words for name, words in vars(pages).items() if name.isupper()}
    parts = [words for name, words in whole.items() if name != "PAGES"]
    named = Counter(key for words in {id(one): one for one in parts}.values() for key in words)
    assert not [key for key, times in named.items() if times > 1]


def test_every_reason_has_words() -> None:
    assert list(REFUSALS) == list(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_words_say_what_happened_and_what_to_do(reason: Reason) -> None:
    words = REFUSALS[reason]
    fields = [name for text in words for _, name, _, _ in Formatter().parse(text) if name]
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


@pytest.mark.parametrize(
    ("reason", "facts", "told"),
    [
        (Reason.ABOVE_MAXIMUM, {"most": "5000", "least": "25", "amount": "6000"}, "25 to 5,000"),
        (Reason.BET_NOT_OFFERED, {"on": "tie", "allowed": "player, banker-pair"}, "Banker pair"),
        (Reason.BET_NOT_OFFERED, {"on": "player-pair", "allowed": ""}, "on Player pair is not"),
        (Reason.TOO_MANY_COPIES, {"card": "Tc", "copies": 9, "decks": 8}, "9 copies of 10♣"),
        (Reason.NO_TRAY, {"table": "table-9"}, "Table 9 has no tray"),
        (Reason.COUP_INCOMPLETE, {"owed": "banker"}, "Banker is owed"),
    ],
)
def test_a_refusal_has_no_tag_in_it(reason: Reason, facts: dict[str, Any], told: str) -> None:
    known = {
        name: "" for text in REFUSALS[reason] for _, name, _, _ in Formatter().parse(text) if name
    }
    assert told in " ".join(explain(Refused(reason, CONDITIONS, **{**known, **facts})))


TAG = re.compile(
    rf"(?<![\w-])({'|'.join(tag for tag in {**COMMANDS, **COMPETITION_COMMANDS} if '-' in tag)})\b"
)


def test_nothing_that_people_read_names_a_command_by_its_tag() -> None:
    read = [*PAGES.values(), *(text for words in REFUSALS.values() for text in words)]
    read += [text for one in COMMANDS.values() for text in (one.title, one.when)]
    assert [text for text in read if TAG.search(text)] == []


@pytest.mark.parametrize("found", Found)
def test_what_was_found_is_told_in_words(found: Found) -> None:
    said = explain(Refused(Reason.NOT_FOUND_HERE, CONDITIONS, found=found))
    assert f"({found})" not in said.happened
