"""No dead end: whatever a page links to or offers works for whoever it is shown to."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

import msgspec
import pytest

from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, CupOnWeb, enrol_players
from tests.kit.house.mid_evening import FORM, Site, mid_evening
from tests.kit.replay import Asker

PEOPLE = {
    "cora": "a competition director",
    "ann": "a patron",
    "dan": "the dealer",
    "ines": "the inspector",
    "mara": "management",
    "carol": "the cage",
    "sol": "surveillance",
    "ada": "an auditor",
    "p1": "an entrant",
    "": "a stranger",
}
"""Forms that are taken change the house: whoever is offered least by what others did comes first.
"""
EACH = {"ada": 1}
"""Pages of one route that are looked at for one person, two for most: a clause is like another.
An auditor sees what surveillance does, but for what is done at tables."""
FILES = ("/static/", "/live/", "/look", "/api/")
NAMED = re.compile(r"/do/(?:(?:cage|register)/)?[a-z-]+\Z")
"""Forms of different commands are different pages."""
GIVES = re.compile(r"/(?P<at>tables/[^/]+|competitions/[^/]+|house)/do/(?P<name>[a-z/-]+)\Z")

NOTED = re.compile(r"(?<=[^/])/note\Z")
"""An incident is noted on a page of its own."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mid_evening(tmp_path_factory.mktemp("house")) as site:
        for name, facts in (("enrol", {"kind": "staff"}), ("grant", {"role": "auditor"})):
            body = msgspec.json.encode({"person": "ada", **facts})
            assert site.give("mara", f"/api/register/{name}", body).is_success
        site.runner.run(with_competitions(site.asker))
        yield site


async def with_competitions(asker: Asker) -> None:
    """One in its heats, one that takes entries, one that was cancelled, one as a draft."""
    await enrol_players(asker)
    cups = {name: CupOnWeb(asker, name) for name in ("spring", "summer", "winter", "draft")}
    for name in ("spring", "summer", "winter"):
        await cups[name].entering(cup_text())
    await cups["draft"].do("mara", "draft", {"text": cup_text()})
    await cups["winter"].two("cora", "cancel", {"note": "too few"})
    await cups["summer"].enter("p1")
    heats = cups["spring"]
    await heats.enter("p1", "p2", "p3", "p4", "p5", "p6")
    await heats.do("cora", "close-entries")
    await heats.do("cora", "designate-table", {"table": ONE})
    await heats.do("cora", "sign-on", {"role": "competition director"})
    await heats.start()
    await heats.into_line()


IN_TAGS = re.compile(
    r"(?<![\w/-])(?:table-(?!differential)|competition-|bot-)\w+"
    r"|(?:player|banker|perfect)-pair|\brow \d|\b(?:tas|act|mbs)-20\d\d\b"
    r"|(?<!\w)[2-9TJQK][cdhs](?![\w@])|_cents|\b(?:null|undefined|NaN)\b"
)
"""Ids, tags, cards and amounts as they are stored, and developers' words: for nobody's eyes."""
TO_THE_LETTER = ("script", "style", "pre", "code", "textarea")
"""What is typed or kept to the letter is not told."""


CONTROLS = ("input", "textarea")
TYPED = ("text", "search", "number", "date", "time", "")
"""Kinds of input that somebody types into, and may see again."""
DIGITS = ("decimal", "numeric")
"""What a keyboard is asked for where no words are taken."""
SECRETS = ("code", "answer")
"""What is typed and shown to nobody again: codes of a second factor."""
TYPO = "-1x?"
"""What is no amount, number, day, card or name; as words it may pass."""


class Form:
    """A form of a page: what it sends as it stands, and what is typed into it."""

    def __init__(self, given: dict[str, str]) -> None:
        self.action = given.get("action", "")
        self.leaves = given.get("method") == "post" and "data-live" not in given
        self.sent: dict[str, str] = {}
        self.typed: list[str] = []
        self.digits: list[str] = []
        """What is typed and cannot be just any words."""
        self.needed: list[str] = []
        self.bubbles = "novalidate" not in given
        """A browser stops it with a word of its own, which goes by itself and is in its language.
        """

    def add(self, tag: str, given: dict[str, str]) -> str:
        """One more control; the name of what its text is to be, if that stands between tags."""
        name, kind = given["name"], given.get("type", "")
        if "hidden" in given or kind in ("hidden", "password") or "checked" in given:
            self.sent[name] = given.get("value", "") or (TYPO if kind == "password" else "")
            return name if tag == "textarea" else ""
        if "required" in given and name not in self.needed:
            self.needed.append(name)
        if (tag == "textarea" or kind in TYPED) and name not in SECRETS:
            self.typed.append(name)
            if given.get("inputmode") in DIGITS or kind in ("number", "time"):
                self.digits.append(name)
        return ""

    @property
    def with_typos(self) -> bytes:
        return urlencode(self.sent | dict.fromkeys(self.typed, TYPO)).encode()

    def with_typo_in(self, name: str) -> bytes:
        return urlencode(self.sent | {name: TYPO}).encode()

    def with_it(self, name: str) -> list[str]:
        """The fields of its group: where one of them is filled in, others may have to be."""
        group = name.rpartition(".")[0].partition(".")[0]
        return [one for one in self.typed if group and one.startswith(f"{group}.")]

    @property
    def left_empty(self) -> bytes:
        kept = {name: text for name, text in self.sent.items() if name not in self.needed}
        return urlencode(kept | dict.fromkeys(self.typed, "")).encode()


class Offers(HTMLParser):
    """What a page leads to: links, and forms that give something; its anchors, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.gives: list[str] = []
        self.anchors: set[str] = set()
        self.said: list[str] = []
        self.forms: list[Form] = []
        self.marked: set[str] = set()
        """Fields beside which something is said to be wrong."""
        self._in = self._kept = ""
        self._bad = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in = tag
        self.anchors.add(given.get("id", ""))
        if "field" in (classes := given.get("class", "").split()):
            self._bad = "bad" in classes
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "form":
            self.forms.append(Form(given))
            self.gives += [given.get("action", "")] if given.get("method") == "post" else []
        elif tag in CONTROLS and self.forms and given.get("name"):
            self._kept = self.forms[-1].add(tag, given)
        if given.get("name") and (self._bad or "aria-invalid" in given):
            self.marked.add(given["name"])

    def handle_endtag(self, tag: str) -> None:
        self._in = "" if tag == self._in else self._in
        self._bad = self._bad and tag != "form"

    def handle_data(self, data: str) -> None:
        if self._in == "textarea" and self._kept:
            self.forms[-1].sent[self._kept] += data
        if self._in not in TO_THE_LETTER and not set("♣♦♥♠") & set(data):  # how they are typed
            self.said += IN_TAGS.findall(data)


def route_of(path: str) -> str:
    """The route, as far as it can be told from an address: ids and numbers are left out."""
    if NAMED.search(path):
        return re.sub(r"/(tables|competitions)/[^/]+", r"/\1/*", path)
    return re.sub(r"(?<=/)(table-[^/]+|\d+|[a-z]+-\d{4}(:[^/]+)?|(?<=people/)[^/]+)", "*", path)


def walk(site: Site, who: str) -> Iterator[tuple[str, Offers]]:
    """Every page that a person comes to from the first one, link by link."""
    waiting, seen, routes = deque([("/", "")]), {"/"}, Counter[str]()
    while waiting:
        path, before = waiting.popleft()
        answer = site.ask("GET", path, who or None, accept="text/html")
        if answer.is_redirect and not (who and "/sign-in" in answer.headers["location"]):
            path = answer.headers["location"]
            answer = site.ask("GET", path, who or None, accept="text/html")
        assert answer.status_code == 200, f"{who}: {path} from {before}: {answer.status_code}"
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        offers = Offers()
        offers.feed(answer.text)
        yield path, offers
        for link in offers.links:
            to = urlsplit(urljoin(path, link))
            if to.netloc or to.path.startswith(FILES) or not to.path:
                continue
            address = to.path + (f"?{to.query}" if to.query else "")
            route = route_of(to.path)
            if address not in seen and routes[route] < EACH.get(who, 2):
                seen.add(address)
                routes[route] += 1
                waiting.append((address, path))


def may(site: Site, who: str, at: str) -> set[str]:
    """The commands that somebody can give at a place now."""
    places = [f"/api/{at}"] if at != "house" else ["/api/cage", "/api/register"]
    found: set[str] = set()
    for place in places:
        prefix = f"{place.rpartition('/')[2]}/" if at == "house" else ""
        answer = site.ask("GET", f"{place}/may", who or None).json()
        found |= {f"{prefix}{one['command']}" for one in answer if one["possible"]}
    return found


def test_what_is_stored_is_told_apart_from_what_people_read() -> None:
    page = Offers()
    page.feed(
        "<p>4000 on banker-pair, row 772: 4h at table-9 by tas-2018</p>"
        "<pre>banker-pair</pre><p>10♣</p>"
    )
    assert page.said == ["banker-pair", "row 7", "4h", "table-9", "tas-2018"]


ELSEWHERE = re.compile("/(sign-in|odds|training|competitions)")
"""Where a single field, a choice of a drill or a competition's form may be left to the browser."""
BESIDE = re.compile(r'class="error"|data-summary|class="field bad')
"""What is wrong, beside its field; or above the form, where it is no field's."""


def forms_that_lose(site: Site, who: str, forms: dict[str, Form]) -> Iterator[str]:
    """Each form is sent with a slip of the pen in all that is typed. What is refused must come back
    as it was typed, with what is wrong; words may pass, for a slip in them is none.
    """
    sent = {"accept": "text/html", "content_type": FORM, "origin": "http://house.test"}
    for to, form in forms.items():
        answer = site.ask("POST", to, who or None, form.with_typos, **sent)
        page = answer.text
        if answer.is_error and not (TYPO in page and BESIDE.search(page) and "<form" in page):
            yield f"{to} answers {answer.status_code}"
        for name in form.digits:
            answer = site.ask("POST", to, who or None, form.with_typo_in(name), **sent)
            marked = marked_on(answer.text)
            if answer.status_code not in (400, 409) or name not in marked:
                yield f"{to} answers {answer.status_code} and says nothing beside {name}"
            elif others := (marked & {*form.typed}) - {name, *form.needed, *form.with_it(name)}:
                yield f"{to} says what is wrong with {name} beside {others}"


def forms_that_bubble(site: Site, who: str, forms: dict[str, Form]) -> Iterator[str]:
    """What must be said and was left empty is said beside its field, not by the browser's bubble,
    which has its own language and goes by itself.
    """
    sent = {"accept": "text/html", "content_type": FORM, "origin": "http://house.test"}
    for to, form in forms.items():
        if form.bubbles:
            yield f"{to}: a browser stops {form.needed}"
        answer = site.ask("POST", to, who or None, form.left_empty, **sent)
        if not answer.is_error or form.needed[0] not in marked_on(answer.text):
            yield f"{to} answers {answer.status_code}: nothing is said beside {form.needed[0]}"


def marked_on(page: str) -> set[str]:
    offers = Offers()
    offers.feed(page)
    return offers.marked


@pytest.mark.parametrize("who", PEOPLE, ids=PEOPLE.values())
def test_every_link_every_action_and_every_refused_form_leads_on(site: Site, who: str) -> None:
    pages, can, offered, forms = 0, dict[str, set[str]](), 0, dict[str, Form]()
    for path, offers in walk(site, who):
        pages += 1
        forms |= {one.action or path: one for one in offers.forms if one.leaves}
        dead = [
            link for link in offers.links if link.startswith("#") and link[1:] not in offers.anchors
        ]
        assert not dead, f"{who}: {path} has no {dead}"
        assert not offers.said, f"{who}: {path} says {offers.said}"
        for action in offers.gives:
            gives = GIVES.search(NOTED.sub("/do/record-incident", urlsplit(action).path))
            if gives is None:
                continue
            offered += 1
            if gives["at"] not in can:
                can[gives["at"]] = may(site, who, gives["at"])
            assert gives["name"] in can[gives["at"]], f"{who}: {path} offers {action}"
    assert pages > (20 if who else 10)
    assert offered or who in ("", "sol", "ada", "carol")  # the till has forms of its own
    once = {route_of(to): (to, form) for to, form in forms.items()}
    each = dict(once.values())
    needing = {to: one for to, one in each.items() if one.needed and not ELSEWHERE.match(to)}
    assert not list(forms_that_bubble(site, who, needing))
    typing = {to: form for to, form in each.items() if form.typed}
    assert not list(forms_that_lose(site, who, typing))
