"""The training table: every irregularity of every document, answered by the table itself."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.rules.irregularities import Found, Ruling, Verdict, rule_on
from puntobanco.server.pages.training import label, scene_facts
from puntobanco.server.rendering import say
from puntobanco.table import events as e
from puntobanco.table.actor import Actor
from puntobanco.table.decide import decide
from puntobanco.training.felt import LaidCard, felt_after, felt_before
from puntobanco.training.kinds import Kind, Question, kinds
from puntobanco.training.questions import Asked, ask
from puntobanco.training.run import (
    answered_scenes,
    by_question,
    mark_scene,
    order,
    parse_given,
    scene_at,
    score,
    write_answers,
)
from puntobanco.training.scene import Scene, deal_scene, training_people
from puntobanco.words.scenes import STORIES, TITLES
from tests.kit.web import Web, demo_house

KINDS = {kind.name: kind for kind in kinds()}
EVERY = pytest.mark.parametrize("ruleset", RULESETS)
SECTION = {"tas-2018": "14.", "tas-2013": "14.", "act-2015": "12.", "mbs-2017": "5."}
"""Where each document speaks of irregularities."""


def answers(name: str, ruleset: str, seed: int = 0) -> dict[Question, Asked]:
    return {one.question: one for one in ask(deal_scene(KINDS[name], ruleset, seed))}


def right(name: str, ruleset: str, question: str) -> str:
    return answers(name, ruleset)[Question(question)].right


# the scenes


@EVERY
@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_every_kind_is_dealt_and_answered_under_every_document(ruleset: str, kind: Kind) -> None:
    for seed in range(8):
        scene = deal_scene(kind, ruleset, seed)
        asked = ask(scene)
        assert asked, (kind.name, seed)
        for one in asked:
            assert one.right in one.options
            assert len(set(one.options)) == len(one.options) <= 10
            shown = [label(scene, one, option) for option in one.options]
            assert len(set(shown)) == len(shown)
            assert all(cited == CONDITIONS or rulebook.find_clause(cited) for cited in one.clauses)
            assert "{" not in say(f"training.ask.{one.question}", **scene_facts(scene))
            assert say(f"training.topic.{one.question}")


def test_every_kind_has_words_and_no_words_are_without_a_kind() -> None:
    assert list(TITLES) == list(STORIES)
    assert set(TITLES) == set(KINDS)
    assert len(KINDS) == len(kinds())


@EVERY
@pytest.mark.parametrize("found", Found)
def test_every_finding_is_dealt_or_refused_where_the_document_knows_no_such_error(
    ruleset: str, found: Found
) -> None:
    scenes = [deal_scene(kind, ruleset, 0) for kind in kinds() if kind.found is found]
    named = [
        event
        for scene in scenes
        for event in (*scene.happened, *scene.events)
        if getattr(event, "found", None) is found
        or (found is Found.FOUND_LATE and isinstance(event, (e.ErrorNoted, e.EarlierCoupVoided)))
    ]
    refused = {scene.refused.reason for scene in scenes if scene.refused}
    if found is Found.BURN_FORGOTTEN and ruleset != "act-2015":  # no other document burns cards
        assert (named, refused) == ([], {Reason.BURN_IS_DONE})
    else:
        assert named


@EVERY
def test_a_run_cites_every_clause_on_irregularities_of_its_document(ruleset: str) -> None:
    section = f"{ruleset}:{SECTION[ruleset]}"
    clauses = {one for one in rulebook.load_clauses() if one.startswith(section)}
    leads = {one for one in clauses if any(other.startswith(f"{one}.") for other in clauses)}
    cited = {
        clause
        for kind in kinds()
        for seed in range(3)
        for one in ask(deal_scene(kind, ruleset, seed))
        for clause in one.clauses
    }
    assert clauses - leads <= cited


# the answers are the table's own


@EVERY
def test_what_a_scene_shows_is_what_the_table_decides(ruleset: str) -> None:
    for kind in kinds():
        scene = deal_scene(kind, ruleset, 3)
        table = scene.before
        for step in scene.steps:
            if step.refused is None:
                by = Actor(step.by, training_people(ruleset)[step.by], 72_001_000)
                assert tuple(decide(table, step.ask, by)) == step.events
            table = step.after


def test_if_the_rule_were_another_the_answer_would_be_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lenient(*found: Any) -> Ruling:
        return replace(rule_on(*found), verdict=Verdict.STANDS)

    kind = KINDS["order-unknown"]
    assert right(kind.name, "tas-2018", "coup") == "void"
    monkeypatch.setattr("puntobanco.table.decide.irregularities.rule_on", lenient)
    scene: Scene = deal_scene.__wrapped__(kind, "tas-2018", 0)
    asked = {one.question: one.right for one in ask(scene)}
    assert asked == {"coup": "stands", "who": "dealer", "next": "ordinary"}


@pytest.mark.parametrize(
    ("name", "question", "wanted"),
    [
        ("order-unknown", "coup", ("void", "ruling", "ruling", "void")),
        ("order-unknown", "who", ("overseer", "two", "two", "overseer")),
        ("found-late", "coup", ("stands", "stands", "void", "stands")),
        ("card-too-many-on-player", "left-over", ("next", "next", "next", "discarded")),
        ("card-too-many-unseen", "next", ("ordinary", "ordinary", "ordinary", "ordinary")),
        ("number-noticed-after-clearing", "coup", ("stands", "stands", "stands", "void")),
        ("burn-forgotten", "coup", ("no-error", "no-error", "stands", "no-error")),
        ("marker-out-and-tie", "next", ("none", "none", "ordinary", "ordinary")),
        ("wager-between-call-and-card", "allowed", ("yes", "yes", "no", "no")),
        ("cards-touched", "cards", ("replaced", "replaced", "kept", "kept")),
        ("wager-raised-late", "wager", ("part", "part", "part", "part")),
        ("wager-taken-away-late", "wager", ("whole", "whole", "whole", "whole")),
    ],
)
def test_the_documents_differ_where_they_differ(
    name: str, question: str, wanted: tuple[str, ...]
) -> None:
    assert tuple(right(name, ruleset, question) for ruleset in RULESETS) == wanted


# what the trainee sees


@EVERY
def test_cards_lie_where_the_dealer_laid_them_until_the_answer(ruleset: str) -> None:
    scene = deal_scene(KINDS["third-card-to-player"], ruleset, 0)
    laid, put_right = felt_before(scene.before).view.play, felt_after(scene.settled).view.play
    assert laid is not None
    assert put_right is not None
    assert (len(laid.player), len(laid.banker)) == (3, 2)
    assert (laid.player_points, laid.banker_points) == (None, None)
    assert (len(put_right.player), len(put_right.banker)) == (2, 3)


def test_a_card_on_no_hand_is_shown_and_one_unseen_has_no_name() -> None:
    scene = deal_scene(KINDS["two-cards-too-many"], "tas-2018", 0)
    felt = felt_before(scene.before)
    assert [card is None for card in felt.aside] == [True, False]
    ((_, cards),) = felt.drawn
    assert cards[4] == LaidCard(None, "nowhere")


def test_no_order_is_shown_where_nobody_knows_it(web: Web) -> None:
    for name, known in (("order-unknown", False), ("shoe-disturbed", True)):
        seed = next(one for one in range(1000) if order("tas-2018", one)[0].name == name)
        shown = page(web.client(), f"/training/tas-2018?seed={seed}")
        assert (say("training.drawn") in shown.text) is known


def test_a_seed_deals_the_same_again_and_another_seed_something_else() -> None:
    kind = KINDS["card-too-many-on-player"]
    dealt = [deal_scene.__wrapped__(kind, "act-2015", seed).before for seed in (1, 1, 2)]
    assert dealt[0] == dealt[1] != dealt[2]
    assert order("act-2015", 1) == order("act-2015", 1) != order("act-2015", 2)
    assert set(order("act-2015", 1)) == set(kinds())


# marks


@EVERY
def test_a_perfect_trainee_gets_full_marks(ruleset: str) -> None:
    given = []
    for number in range(len(kinds())):
        scene = scene_at(ruleset, 7, number)
        given.append(write_answers(scene, {one.question: one.right for one in ask(scene)}))
    done = answered_scenes(ruleset, 7, parse_given(".".join(given)))
    marks = score(done)
    assert marks.right == marks.asked == sum(map(len, given))
    assert marks.scenes == len(kinds())
    assert sum(one.asked for one in by_question(done).values()) == marks.asked


def test_wrong_answers_are_counted_as_wrong() -> None:
    for number in range(len(kinds())):
        asked = ask(scene_at("mbs-2017", 7, number))
        digits = [(one.options.index(one.right) + 1) % len(one.options) for one in asked]
        one = mark_scene("mbs-2017", 7, number, "".join(map(str, digits)))
        assert score((one,)).right == 0
        assert all(mark.given != mark.asked.right for mark in one.marked)


@pytest.mark.parametrize("written", [".", "0.", ".0", "a", "0..1", "-1", "٣", "0 1", "0." * 99])
def test_what_are_no_answers_are_refused(written: str) -> None:
    with pytest.raises(MalformedError):
        parse_given(written)


@pytest.mark.parametrize("answers", ["", "9", "99999999", "0" * 9])
def test_answers_that_do_not_fit_the_scene_are_refused(answers: str) -> None:
    with pytest.raises(MalformedError):
        mark_scene("tas-2018", 0, 0, answers)


# on the web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo")) as web:
        yield web


HTML = {"accept": "text/html"}
RADIO = re.compile(r'type="radio" name="([\w-]+)" value="([\w-]+)"')


def page(client: httpx.Client, path: str) -> httpx.Response:
    shown = client.get(path, headers=HTML, follow_redirects=True)
    assert shown.status_code == 200, (path, shown.text)
    assert "{{" not in shown.text
    return shown


def test_a_whole_run_through_the_pages_with_its_score_and_debrief(web: Web) -> None:
    client = web.client()
    shown = page(client, "/training/act-2015")
    seed, given, marks = shown.url.params["seed"], "", 0
    for number in range(len(kinds())):
        scene = scene_at("act-2015", int(seed), number)
        options = RADIO.findall(shown.text)
        assert {name for name, _ in options} == {one.question for one in ask(scene)}
        assert STORIES[scene.kind.name].partition("{")[0] in shown.text.replace("&#39;", "'")
        chosen = dict(reversed(options))  # always the first
        marks += sum(chosen[one.question] == one.right for one in ask(scene))
        form = {"seed": seed, "given": given, **chosen}
        told = client.get("/training/act-2015/answer", params=form, headers=HTML)
        assert told.status_code == 303
        shown = page(client, told.headers["location"])
        given = shown.url.params["given"]
        assert TITLES[scene.kind.name] in shown.text.replace("&#39;", "'")
        shown = page(client, f"/training/act-2015?seed={seed}&given={given}")
    assert shown.url.path.endswith("/debrief")
    total = sum(len(one) for one in given.split("."))
    words = say("training.score", right=marks, asked=total, scenes=len(KINDS), count=len(KINDS))
    assert words in shown.text
    assert shown.text.count(say("training.you-said", given="")) == total - marks


@EVERY
def test_training_is_open_to_all_and_found_from_lobby_and_rules(web: Web, ruleset: str) -> None:
    client = web.client()
    assert 'href="/training"' in page(client, "/").text
    assert f'href="/training/{ruleset}"' in page(client, "/rules").text
    assert f'href="/training/{ruleset}"' in page(client, "/training").text
    assert "training" not in page(client, "/tables/table-1").text
    first, again = (page(client, f"/training/{ruleset}?seed=5") for _ in range(2))
    assert first.text == again.text
    assert page(client, f"/training/{ruleset}/debrief?seed=5").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/training/nsw-2020", 404),
        ("/training/nsw-2020/debrief?seed=1", 404),
        ("/training/..%2Ftas-2018?seed=1", 404),
        ("/training/tas-2018?seed=x", 400),
        ("/training/tas-2018?seed=-1", 400),
        (f"/training/tas-2018?seed={10**6}", 400),
        ("/training/tas-2018?seed=" + "9" * 5000, 400),
        ("/training/tas-2018?seed=1&given=%00", 400),
        ("/training/tas-2018?seed=1&given=" + "0." * 400 + "0", 400),
        ("/training/tas-2018?seed=1&given=" + "0" * 2000, 400),
        ("/training/tas-2018/told?seed=1&given=", 400),
        ("/training/tas-2018/told?seed=1", 400),
        ("/training/tas-2018/told?seed=1&given=99999", 400),
        ("/training/tas-2018/told?given=0", 400),
        ("/training/tas-2018/debrief?seed=1&given=987654321", 400),
        ("/training/tas-2018/answer?seed=1", 400),
        ("/training/tas-2018/answer?seed=1&coup=maybe&who=me&next=x", 400),
        ("/training/tas-2018/answer?seed=1&given=" + ".".join("0" * len(KINDS)), 400),
        ("/training/tas-2018/answer?seed=1&given=%F0%9F%82%A1", 400),
    ],
)
def test_what_nobody_could_have_answered_is_an_error_like_any_other(
    web: Web, path: str, status: int
) -> None:
    answer = web.client().get(path)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"reason", "clause", "detail", "remedy", "facts"}
    shown = web.client().get(path, headers=HTML)
    assert (shown.status_code, "That did not go" in shown.text) == (status, True)
