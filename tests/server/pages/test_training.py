"""The training table: every irregularity of every document, answered by the table itself."""

import html
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
from puntobanco.server.pages.training.drill import label, scene_facts
from puntobanco.server.rendering import say
from puntobanco.table import events as e
from puntobanco.table.actor import Actor
from puntobanco.table.decide import decide
from puntobanco.training.felt import LaidCard, felt_after, felt_before
from puntobanco.training.kinds import Kind, Question, Topic, kinds, of_topic
from puntobanco.training.questions import Asked, ask
from puntobanco.training.run import (
    SCENES,
    SEEDS,
    answered_scenes,
    by_question,
    mark_scene,
    order,
    parse_given,
    passed,
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
        seed = next(one for one in range(1000) if order("tas-2018", kinds(), one)[0].name == name)
        shown = page(web.client(), f"/training/tas-2018/mixed?seed={seed}")
        assert (say("training.drawn") in shown.text) is known


def test_a_seed_deals_the_same_again_and_another_seed_something_else() -> None:
    kind = KINDS["card-too-many-on-player"]
    dealt = [deal_scene.__wrapped__(kind, "act-2015", seed).before for seed in (1, 1, 2)]
    assert dealt[0] == dealt[1] != dealt[2]
    pool = kinds()
    assert order("act-2015", pool, 1) == order("act-2015", pool, 1) != order("act-2015", pool, 2)


@pytest.mark.parametrize("topic", Topic)
def test_a_set_of_ten_has_each_kind_of_its_topic_before_any_comes_again(topic: Topic) -> None:
    """And one that comes again is dealt with other cards."""
    pool = of_topic(topic)
    ten = order("tas-2018", pool, 3)
    assert len(ten) == SCENES
    assert set(ten) == set(pool) if len(pool) <= SCENES else len(set(ten)) == SCENES
    if len(pool) < SCENES:
        again = scene_at("tas-2018", pool, 3, len(pool))
        first = scene_at("tas-2018", pool, 3, 0)
        assert again.kind == first.kind
        assert again == deal_scene(first.kind, "tas-2018", 3 + SEEDS)


def test_every_kind_is_of_a_topic_and_no_topic_is_empty() -> None:
    assert sum(len(of_topic(topic)) for topic in Topic) == len(kinds())
    assert all(len(of_topic(topic)) >= 4 for topic in Topic)


@EVERY
def test_a_perfect_trainee_gets_full_marks(ruleset: str) -> None:
    given, pool = [], kinds()
    for number in range(SCENES):
        scene = scene_at(ruleset, pool, 7, number)
        given.append(write_answers(scene, {one.question: one.right for one in ask(scene)}))
    done = answered_scenes(ruleset, pool, 7, parse_given(".".join(given)))
    marks = score(done)
    assert marks.right == marks.asked == sum(map(len, given))
    assert marks.scenes == SCENES
    assert passed(done)
    assert not passed(done[:-1])
    assert sum(one.asked for one in by_question(done).values()) == marks.asked


def test_wrong_answers_are_counted_as_wrong() -> None:
    for number in range(SCENES):
        asked = ask(scene_at("mbs-2017", kinds(), 7, number))
        digits = [(one.options.index(one.right) + 1) % len(one.options) for one in asked]
        one = mark_scene("mbs-2017", kinds(), 7, number, "".join(map(str, digits)))
        assert score((one,)).right == 0
        assert all(mark.given != mark.asked.right for mark in one.marked)


@pytest.mark.parametrize("written", [".", "0.", ".0", "a", "0..1", "-1", "٣", "0 1", "0." * 99])
def test_what_are_no_answers_are_refused(written: str) -> None:
    with pytest.raises(MalformedError):
        parse_given(written)


@pytest.mark.parametrize("answers", ["", "9", "99999999", "0" * 9])
def test_answers_that_do_not_fit_the_scene_are_refused(answers: str) -> None:
    with pytest.raises(MalformedError):
        mark_scene("tas-2018", kinds(), 0, 0, answers)


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


def answer_set(client: httpx.Client, path: str, *, rightly: bool) -> tuple[httpx.Response, int]:
    """Go through a set of ten; the page at its end, and how many scenes were all right."""
    shown, right = page(client, path), 0
    ruleset, topic = shown.url.path.split("/")[2:4]
    pool = kinds() if topic == "mixed" else of_topic(Topic(topic))
    for number in range(SCENES):
        scene = scene_at(ruleset, pool, int(shown.url.params["seed"]), number)
        asked = ask(scene)
        options = RADIO.findall(shown.text)
        assert {name for name, _ in options} == {one.question for one in asked}
        assert STORIES[scene.kind.name].partition("{")[0] in shown.text.replace("&#39;", "'")
        chosen = {one.question.value: one.right for one in asked}
        if not rightly:
            chosen = {one.question.value: one.options[0] for one in asked}
        right += all(chosen[one.question] == one.right for one in asked)
        action = shown.text.partition("data-train")[0].rpartition('action="')[2].partition('"')[0]
        told = client.post(action.replace("&amp;", "&"), data=chosen, headers=HTML)
        assert told.status_code == 303, told.text
        shown = page(client, told.headers["location"])
        assert TITLES[scene.kind.name] in shown.text.replace("&#39;", "'")
        shown = page(client, str(shown.url).replace("/told", ""))
    assert shown.url.path.endswith("/debrief")
    return shown, right


def test_a_whole_set_through_the_pages_with_its_score_and_debrief(web: Web) -> None:
    shown, right = answer_set(web.client(), "/training/act-2015/mixed", rightly=False)
    assert say("training.of-ten", right=right, count=SCENES) in shown.text
    assert say("training.you-said", given="") in shown.text


def test_chips_of_a_competition_have_no_sign_of_a_currency(web: Web) -> None:
    def main_of(path: str) -> str:
        return page(web.client(), path).text.partition("<main")[2]

    for seed in range(3):
        cup, first = "/training/tas-2018/competition", of_topic(Topic.COMPETITION)
        given = "0" * len(ask(scene_at("tas-2018", first, seed, 0)))
        assert "$" not in main_of(f"{cup}?seed={seed}&given=")
        assert "$" not in main_of(f"{cup}/told?seed={seed}&given={given}")
    assert "$" in main_of("/training/tas-2018/wagers?seed=1&given=")


def test_progress_weak_spots_and_the_certificate_are_each_persons_own(web: Web) -> None:
    dealer, course = web.client("dealer"), "/training/act-2015"
    assert "Left: 8" in page(dealer, course).text
    answer_set(dealer, f"{course}/wagers", rightly=False)
    shown = page(dealer, course).text
    assert say("training.not-yet") in shown
    assert say("training.weak.ten") in shown
    which = shown.partition(f'href="{course}/weak')[2].partition('"')[0]
    weak = page(dealer, f"{course}/weak{which}")
    assert weak.url.path == f"{course}/weak"
    refused = dealer.get(f"{course}/certificate", headers=HTML)
    assert (refused.status_code, "8 sets of this course" in refused.text) == (409, True)
    for topic in Topic:
        end, right = answer_set(dealer, f"{course}/{topic}", rightly=True)
        assert right == SCENES
        assert say("training.set-passed", topic=say(f"training.topic-of.{topic}")) in end.text
    paper = page(dealer, f"{course}/certificate").text
    assert say("training.certificate.says") in paper
    assert "Dealer" in paper
    assert "Left: 8" in page(web.client("inspector"), course).text
    assert "Left: 8" in page(dealer, "/training/tas-2018").text
    assert say("training.anonymous") in page(web.client(), course).text


def test_a_set_that_was_left_goes_on_where_it_was_left(web: Web) -> None:
    """From the course, on any machine; of a wrong answer it is kept that it was wrong."""
    deputy, course, topic = web.client("deputy"), "/training/mbs-2017", Topic.WAGERS
    kinds_of = of_topic(topic)
    given: list[str] = []
    for number, rightly in enumerate((True, False, True)):
        asked = ask(scene_at("mbs-2017", kinds_of, 11, number))
        chosen = {
            one.question.value: one.right
            if rightly
            else next(option for option in one.options if option != one.right)
            for one in asked
        }
        sent = f"{course}/{topic}/answer?seed=11&given={'.'.join(given)}"
        told = deputy.post(sent, data=chosen, headers=HTML)
        given = told.headers["location"].partition("given=")[2].partition("&")[0].split(".")
    link = f'href="{course}/{topic}/on"'
    assert link in page(deputy, course).text
    assert link not in page(web.client("manager"), course).text
    on = page(deputy, f"{course}/{topic}/on")
    assert on.url.params["seed"] == "11"
    assert say("training.leave.kept") in on.text
    assert [len(one) for one in on.url.params["given"].split(".")] == [len(one) for one in given]
    assert [set(one) == {"x"} for one in on.url.params["given"].split(".")] == [False, True, False]
    assert on.text.count('<i class="y">') == 2
    assert on.text.count('<i class="n">') == 1
    debrief = page(deputy, str(on.url).replace("?", "/debrief?"))
    assert say("training.not-kept") in debrief.text
    strangers = web.client().get(f"{course}/{topic}/on", headers=HTML)
    assert strangers.headers["location"] == f"{course}/{topic}"


def test_an_answer_is_kept_once(web: Web) -> None:
    """Whoever goes back and answers better has still answered as they did."""
    cashier, at = web.client("cashier"), "/training/tas-2018/shoe"
    first = scene_at("tas-2018", of_topic(Topic.SHOE), 4, 0)
    right = {one.question.value: one.right for one in ask(first)}
    wrong = {
        one.question.value: next(option for option in one.options if option != one.right)
        for one in ask(first)
    }
    for chosen in (wrong, right):
        assert cashier.post(f"{at}/answer?seed=4", data=chosen, headers=HTML).status_code == 303
    assert TITLES[first.kind.name] in page(cashier, "/training/tas-2018").text.replace("&#39;", "'")


WRITTEN = {
    "title": "Saturday's fifth card",
    "story": "The third card of Player was laid on Banker.",
    "before": "bets\ndealer: draw {five:....b}",
    "then": "finish",
    "asks": "coup result",
}


def test_a_trainer_writes_a_scene_that_the_table_answers(web: Web) -> None:
    inspector, dealer = web.client("inspector"), web.client("dealer")
    write = "/training/tas-2018/write"
    form = html.unescape(page(inspector, write).text)
    assert all(TITLES[kind.name] in form for kind in kinds())
    assert "\n".join(KINDS["shoe-disturbed"].before) in form
    assert dealer.get(write, headers=HTML).status_code == 403
    assert dealer.post(write, data=WRITTEN, headers=HTML).status_code == 403
    assert inspector.post(write, data=WRITTEN, headers=HTML).status_code == 303
    course = page(inspector, "/training/tas-2018").text.replace("&#39;", "'")
    assert WRITTEN["title"] in course
    shown = page(dealer, "/training/tas-2018/house")
    assert WRITTEN["story"] in shown.text
    assert {name for name, _ in RADIO.findall(shown.text)} == {"coup", "result"}
    remove = re.search(r'action="(/training/tas-2018/write/\w+/remove)"', course)
    assert remove
    assert dealer.post(remove[1], headers=HTML).status_code == 403
    assert inspector.post(remove[1], headers=HTML).status_code == 303
    assert dealer.get("/training/tas-2018/house", headers=HTML).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"then": ""},
        {"before": "bets\ndealer: fly"},
        {"before": "dealer: open-coup\ndealer: open-coup"},
        {"before": "bets\ndealer: draw {nothing}"},
        {"before": "bets\ndealer: draw {five.__class__}"},
        {"before": "bets\ndealer: draw {0}"},
        {"before": "\n".join(["bets"] * 50)},
        {"before": "x" * 500},
        {"asks": "left-over cards"},
        {"title": "x" * 100},
    ],
)
def test_a_scene_that_cannot_be_dealt_comes_back_as_it_was_typed(
    web: Web, wrong: dict[str, str]
) -> None:
    manager = web.client("manager")
    answer = manager.post("/training/tas-2018/write", data=WRITTEN | wrong, headers=HTML)
    assert answer.status_code == 400, answer.text
    assert 'role="alert"' in answer.text
    assert not re.search(r"\bline \d", answer.text), "nobody has typed the lines before"
    for path, text in (WRITTEN | wrong).items():
        assert (f'id="field-{path}-error"' in answer.text) == (path in wrong), path
        assert all(line in html.unescape(answer.text) for line in text.split())


@EVERY
def test_training_is_open_to_all_and_found_from_lobby_and_rules(web: Web, ruleset: str) -> None:
    client = web.client()
    assert 'href="/training"' in page(client, "/").text
    assert f'href="/training/{ruleset}"' in page(client, "/rules").text
    assert f'href="/training/{ruleset}"' in page(client, "/training").text
    assert "training" not in page(client, "/tables/table-1").text
    first, again = (page(client, f"/training/{ruleset}/shoe?seed=5") for _ in range(2))
    assert first.text == again.text
    assert page(client, f"/training/{ruleset}/shoe/debrief?seed=5").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/training/nsw-2020", 404),
        ("/training/nsw-2020/shoe/debrief?seed=1", 404),
        ("/training/..%2Ftas-2018/shoe?seed=1", 404),
        ("/training/tas-2018/nothing?seed=1", 404),
        ("/training/tas-2018/weak?seed=1", 404),
        ("/training/tas-2018/weak?seed=1&of=nothing", 404),
        ("/training/tas-2018/mixed?seed=x", 400),
        ("/training/tas-2018/mixed?seed=-1", 400),
        (f"/training/tas-2018/mixed?seed={10**6}", 400),
        ("/training/tas-2018/mixed?seed=" + "9" * 5000, 400),
        ("/training/tas-2018/mixed?seed=1&given=%00", 400),
        ("/training/tas-2018/mixed?seed=1&given=" + "0." * 400 + "0", 400),
        ("/training/tas-2018/mixed?seed=1&given=" + "0" * 2000, 400),
        ("/training/tas-2018/mixed/told?seed=1&given=", 400),
        ("/training/tas-2018/mixed/told?seed=1", 400),
        ("/training/tas-2018/mixed/told?seed=1&given=99999", 400),
        ("/training/tas-2018/mixed/told?given=0", 400),
        ("/training/tas-2018/mixed/debrief?seed=1&given=987654321", 400),
    ],
)
def test_what_nobody_could_have_answered_is_an_error_like_any_other(
    web: Web, path: str, status: int
) -> None:
    answer = web.client().get(path)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"reason", "clause", "detail", "remedy", "facts"}
    shown = web.client().get(path, headers=HTML)
    assert (shown.status_code, "That did not work" in shown.text) == (status, True)


@pytest.mark.parametrize(
    ("query", "chosen"),
    [
        ("seed=1", {}),
        ("seed=1", {"coup": "maybe", "who": "me", "next": "x"}),
        ("seed=1&given=" + ".".join("0" * SCENES), {"coup": "void"}),
        ("seed=1&given=%F0%9F%82%A1", {"coup": "void"}),
    ],
)
def test_what_is_no_answer_is_refused(web: Web, query: str, chosen: dict[str, str]) -> None:
    answer = web.client("dealer").post(f"/training/tas-2018/mixed/answer?{query}", data=chosen)
    assert answer.status_code == 400, answer.text
