"""The documentation site: built without a warning, no link dead, nothing asked of the network."""

import fcntl
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.kit.places import ROOT

RESOURCES = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src")}
"""What a page loads by itself; an ordinary link is followed only by whoever reads it."""


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in {"href", "src"} and value:
                self.links.append((tag, name, value))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The site, where any warning would be an error; workers share it, for it takes a minute."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "site"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "html" / "index.html").exists():
            build(folder)
    return folder / "html"


def build(folder: Path) -> None:
    built = folder / "html"
    asked = ["-q", "-W", "--keep-going", "-c", "docs/site", "-d", str(folder / "read")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *asked, ".", str(built)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file.read_text("utf-8")) for file in site.rglob("*.html")}


def test_no_link_is_dead(pages: dict[Path, Page]) -> None:
    dead = [
        f"{file.name}: {link}"
        for file, page in pages.items()
        for _, _, link in page.links
        if not urlsplit(link).scheme and not _leads_somewhere(file, link, pages)
    ]
    assert dead == []


def _leads_somewhere(file: Path, link: str, pages: dict[Path, Page]) -> bool:
    place = urlsplit(link)
    target = (file.parent / unquote(place.path)).resolve() if place.path else file
    if not target.exists():
        return False
    return not place.fragment or target not in pages or unquote(place.fragment) in pages[target].ids


def test_pages_ask_nothing_of_the_network(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {
        link
        for page in pages.values()
        for tag, name, link in page.links
        if (tag, name) in RESOURCES
    }
    assert [link for link in loaded if urlsplit(link).scheme or link.startswith("//")] == []
    for style in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", style.read_text("utf-8"))


def test_every_document_of_the_checkout_is_in_it(site: Path) -> None:
    for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        assert (site / document.relative_to(ROOT)).with_suffix(".html").exists()


def test_the_reference_and_the_search_know_what_the_package_has(
    site: Path, pages: dict[Path, Page]
) -> None:
    reference = set[str]().union(
        *(page.ids for file, page in pages.items() if file.parent.name == "api")
    )
    for name in (
        "puntobanco.rules.settle.settle",
        "puntobanco.rules.drawing.fold",
        "puntobanco.table.commands.PlaceWager",
        "puntobanco.odds.distribution.distribution",
        "puntobanco.sim.coups.play_coups",
        "puntobanco.journal.log.EventLog",
    ):
        assert name in reference
    index = (site / "searchindex.js").read_text("utf-8")
    assert "docs/odds" in index
    assert '"commiss"' in index or "commiss:" in index  # a word by its stem
