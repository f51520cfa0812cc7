"""The rules for readers: anchors, plain words, only the differences, and one's place on a phone."""

import re
from pathlib import Path

import pytest

from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.server.pages.rules import clause_read, marked_pair, plainly
from puntobanco.words import COMMANDS
from tests.kit.house.kept import kept
from tests.kit.office import Office, asked
from tests.kit.places import PLAYTHROUGHS

SESSION = PLAYTHROUGHS / "tasmania-2018.session"


def words_of(page: str) -> str:
    return re.sub(r"<[^>]*>", " ", page[page.index("<main") :])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_document_has_contents_that_lead_to_every_clause(tmp_path: Path, ruleset: str) -> None:
    async def use(office: Office) -> None:
        text = (await office.get(f"/rules/{ruleset}")).text
        places = set(re.findall(r'id="([cs][^"]*)"', text))
        links = set(re.findall(r'href="#([cs][^"]*)"', text)) - {"contents"}
        assert links == places - {"contents"}
        clauses = [one for one in rulebook.load_clauses().values() if one.document == ruleset]
        assert len(places) > len(clauses)
        words = words_of(text)
        main = text[text.index("<main") :]
        badges = set(re.findall(r'class="badge[^"]*">([^<]*)<', main))
        assert badges <= {"Done for you", "A person decides", "Outside the software"}
        assert "Done for you" in words
        assert words.count("How this house reads it") == sum(bool(one.reading) for one in clauses)
        assert 'href="#contents"' in text, "the bar of a phone opens the contents without scripts"

    asked(kept(tmp_path / "house.db", SESSION), use)


def test_only_differences_are_shown_unless_all_is_asked_for(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        path = "/rules/compare?one=tas-2018&other=act-2015"
        some, whole = [(await office.get(path + more)).text for more in ("", "&all=true")]
        assert some.count('<th scope="row">') == 123
        assert whole.count('<th scope="row">') == 132
        assert 'class="same"' not in some
        assert "9 matters on which both say the same are left out" in some
        for link in re.findall(r'<a class="clause" href="/rules/([^"]*)"', whole):
            assert rulebook.find_clause(link)

    asked(kept(tmp_path / "house.db", SESSION), use)


def test_a_search_marks_the_word_and_says_when_there_is_none(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        found = (await office.get("/rules/tas-2018?q=marker")).text
        assert "<mark>marker</mark>" in found
        assert "clauses of this document speak of “marker”" in found
        nothing = (await office.get("/rules?q=%3Cscript%3E")).text
        assert "No clause speaks of “&lt;script&gt;”" in nothing
        index = words_of((await office.get("/rules")).text)
        assert not re.search(r"\btests?\b|planned", index)

    asked(kept(tmp_path / "house.db", SESSION), use)


def test_no_note_has_a_tag_of_a_command_in_it() -> None:
    tags = [tag for tag in COMMANDS if "-" in tag]
    for clause in rulebook.load_clauses().values():
        read = clause_read(clause)
        assert not any(re.search(rf"\b{tag}\b", read.does) for tag in tags), clause.id
    assert plainly("It goes on (take-back), or draw-card says it.").endswith("” says it.")


def test_words_that_differ_are_marked_where_most_are_the_same() -> None:
    one, other = marked_pair("A mixed pair pays 6 to 1", "A mixed pair pays 5 to 1")
    assert "<del>6</del>" in one
    assert "<ins>5</ins>" in other
    assert "<del>" not in marked_pair("nothing alike", "at all, in <b>any</b> word")[0]
