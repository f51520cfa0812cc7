"""Papers: what stands on each, and who may have it."""

import re
from pathlib import Path

import msgspec
import pytest

from puntobanco.rules.competition.draw import Certificate, check
from puntobanco.rules.competition.spelled import spell_cents, words_cents
from puntobanco.server.pages.competitions.papers.shelf import PAPERS
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, WORDS, CupOnWeb, on_web, page
from tests.kit.competition.papers import drawn_by, tasmanian, to_its_end
from tests.kit.replay import Asker

AT = "/competitions/cup/papers"
EVERYBODY = ("", "p1", "dan", "ines", "carol", "cora", "mara", "otto")
STAFF = ("dan", "ines", "carol", "cora", "mara", "otto")
FOR = {
    "entry-form": EVERYBODY,
    "table-sign": EVERYBODY,
    "certificate": EVERYBODY,
    "sign-in": STAFF,
    "seat-slips": STAFF,
    "secret-form": STAFF,
    "score-sheet": STAFF,
    "results": ("cora", "mara", "otto"),
}
"""Who may print what; a receipt is the cage's and its owner's."""


async def _who_may(asker: Asker, path: str) -> tuple[str, ...]:
    found = []
    for who in EVERYBODY:
        headers = {**asker.headers(who or None), "Accept": "text/html"}
        answer = await asker.client.get(path, headers=headers)
        assert answer.status_code in (200, 302, 403, 404), (who, path, answer.status_code)
        if answer.status_code == 200:
            found.append(who)
    return tuple(found)


@clause(*tas("16.2.2(lead)", "16.6.2", "16.4.6", "16.5.3"))
def test_each_paper_says_what_it_must_to_whoever_may_have_it(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await tasmanian(asker)
        for name, people in FOR.items():
            assert await _who_may(asker, f"{AT}/{name}") == people, name
        assert {*FOR, "receipt"} == {*PAPERS}
        said = {
            "entry-form": ("6 to 12", "55.55", "up to 7 March 2026", "60, 40 % of the pool",
                           "16.3.2(a)", "2 of each table", "in units of 100", "200 to 4,000",
                           "version 1", "http://house.test/competitions/cup"),
            "secret-form": ("Secret Wager Form", "Seat No", "as approved by the Gaming Board"),
            "table-sign": ("Cup 1", "2,000", "After the indicator card", "4,000", "16.4.6"),
            "certificate": ("rain on Tuesday", "every lot agrees", "Sable", "Entry 3"),
            "sign-in": ("Person Number3", "Sable", "Signature"),
            "seat-slips": ("Sable", "Person Number3", "Saturday 14 March 2026, 18:00"),
            "score-sheet": ("each begins with 10,000", "sheet 2 of 2"),
            "results": ("Sable", "by lot, both agreed", "Lotte, Entry 3", "In the pot"),
        }  # fmt: skip
        for name, words in said.items():
            text = await page(asker, "cora", f"{AT}/{name}")
            for word in words:
                assert word in text, (name, word)
        sign = await page(asker, "cora", f"{AT}/table-sign?stage=final")
        assert "Starts" not in sign, "no time is set for the final"
        assert 'class="under">Final<' in sign
        for name in ("certificate", "results"):
            assert "Person Number" not in await page(asker, "cora", f"{AT}/{name}"), name
        by_name = await page(asker, "cora", f"{AT}/seat-slips?by=name")
        called = re.findall(r'seat-slip"><b>([^<]+)', by_name)
        assert called == sorted(called)
        assert len(called) == 6
        for who in EVERYBODY:
            shelf = await page(asker, who, AT)
            links = re.findall(rf'href="{AT}/([\w-]+)"', shelf)
            assert {*links} == {name for name, people in FOR.items() if who in people}, who
        await to_its_end(cup)
        assert await _who_may(asker, f"{AT}/receipt?person=p1&of=prize") == (
            *("p1", "carol", "mara", "otto"),
        )
        prize = await page(asker, "carol", f"{AT}/receipt?person=p1&of=prize")
        for word in ("180.97", "One hundred and eighty dollars and ninety-seven cents", "Number1"):
            assert prize.count(word) == 2, word
        refund = await page(asker, "p7", f"{AT}/receipt?of=refund&width=roll")
        assert "Refund receipt" in refund
        assert "55.55" in refund
        assert "Done by" in refund, "p7 withdrew on a phone: no cashier paid it"
        assert "Cashier" not in refund
        await page(asker, "p7", f"{AT}/receipt?person=p1&of=prize", 404)
        await page(asker, "carol", f"{AT}/receipt?person=p2&of=prize", 404)
        await page(asker, "carol", f"{AT}/receipt?person=p1&of=nothing", 404)
        await page(asker, "cora", f"{AT}/nothing", 404)

    on_web(tmp_path, play)


@clause("act-2015:15.3", "act-2015:15.9", "act-2015:15.25(1)")
def test_canberra_has_its_own_papers(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await tasmanian(asker)
        cup = await drawn_by(asker, "act", cup_text("act-2015"), 5)
        form = await page(asker, "", "/competitions/act/papers/entry-form")
        for word in ("GRC 15/2026", "none, unless the event is cancelled", "the place is forfeited",
                     "more rounds are played", "beside the fee", "15.4(c)"):  # fmt: skip
            assert word in form, word
        assert "Secret wagers" not in form
        await page(asker, "cora", "/competitions/act/papers/secret-form", 404)
        results = await page(asker, "mara", "/competitions/act/papers/results")
        assert ">Commission</td>" in results, "beside the fee, and in the pot"
        assert "(5)" not in results, "a count of entries is not one of fees that were taken"
        seats = {ONE: {n: f"p{n}" for n in range(1, 6)}}
        await cup.two("cora", "key-draw", {"tables": seats, "first": {ONE: 1}})
        await cup.do("cora", "commit-draw")
        await cup.do("cora", "draw", WORDS)
        file = "/competitions/act/draws.json?draw=3"
        assert file in await page(asker, "", "/competitions/act/event")
        certificate = await page(asker, "", "/competitions/act/papers/certificate")
        assert f"http://house.test{file}" in certificate
        drawn = await asker.client.get(file)
        assert check(msgspec.json.decode(drawn.content, type=Certificate)) == ()
        await page(asker, "", "/competitions/act/draws.json?draw=2", 404)  # keyed in by two people
        drafted = CupOnWeb(asker, "later")
        await drafted.do("mara", "draft", {"text": cup_text()})
        assert "nothing to print yet" in await page(asker, "mara", "/competitions/later/papers")
        await page(asker, "mara", "/competitions/later/papers/entry-form", 404)

    on_web(tmp_path, play)


@pytest.mark.parametrize("cents", [1, 99, 100, 1_10, 12_042_50, 1_000_000_00, 987_654_321_09])
def test_an_amount_in_words_is_the_amount(cents: int) -> None:
    assert words_cents(spell_cents(cents)) == cents
