"""Who is kept apart: listed, drawn and checked on pages; told to nobody who is not in charge."""

from pathlib import Path

import msgspec

from puntobanco.competition.queries import apart_listed
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.paperwork import draws_on_record
from puntobanco.rules.competition.draw import Certificate, check, sit_together
from tests.kit.clauses import clause
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import ONE, TWO, CupOnWeb, enrol_players, on_web, page, post_form
from tests.kit.replay import Asker

AT = "/competitions/cup"
SEVEN = tuple(f"p{number}" for number in range(1, 8))
TEXT = cup_text(top='apart = { who = "members of one household", most = 2 }')
GROUPS = (("p1", "p6"), ("p2", "p5"))
EVERYWHERE = (
    *(AT, f"{AT}/event", f"{AT}/draws.json?draw=1", f"{AT}/me", f"{AT}/board"),
    *(f"{AT}/papers/certificate", f"{AT}/papers/entry-form", f"{AT}/data/draw.csv"),
    *(f"/api{AT}", f"/api{AT}/event", f"/api{AT}/draws", f"/api{AT}/data/draw", f"/api{AT}/me"),
)


@clause("act-2015:15.4(f)", "act-2015:15.7")
def test_a_list_is_kept_from_a_form_drawn_with_and_told_to_nobody(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        await enrol_players(asker)
        cup = CupOnWeb(asker, "cup")
        await cup.entering(TEXT)
        await cup.enter(*SEVEN)
        assert "Nobody is listed yet" in await page(asker, "cora", f"{AT}/draw")
        typed = {"groups@groups": "p6, p1\r\n\r\np2 p5\r\n"}
        wrong = await post_form(
            asker, "cora", f"{AT}/do/keep-apart", **{"groups@groups": "p1 p6 p2"}
        )
        assert "groups of 2 to 2" in wrong.text
        assert (await post_form(asker, "p1", f"{AT}/do/keep-apart", **typed)).status_code == 403
        kept = await post_form(asker, "cora", f"{AT}/do/keep-apart", **typed)
        assert kept.status_code == 303, kept.text
        assert cup.state.apart.groups == GROUPS
        assert len(cup.state.apart.salt) == 64
        assert "p1 p6\np2 p5" in await page(asker, "cora", f"{AT}/do/keep-apart")
        print_ = apart_listed(cup.state).hash
        assert print_[:8] in await page(asker, "", AT), "its fingerprint is public before the draw"
        numbered = {"groups@groups": "1 6\r\n2, p5"}
        kept = await post_form(asker, "cora", f"{AT}/do/keep-apart", **numbered)
        assert kept.status_code == 303, kept.text
        assert cup.state.apart.groups == GROUPS, "by the numbers of their entries, too"
        print_ = apart_listed(cup.state).hash
        await cup.do("cora", "close-entries")
        for table in (ONE, TWO):
            await cup.do("cora", "designate-table", {"table": table})
        said = {"words@spoken": "wendy: rain on Tuesday", "back": f"{AT}/draw"}
        assert (await post_form(asker, "cora", f"{AT}/do/draw", **said)).status_code == 303
        seats = [list(sat.values()) for sat in cup.state.now.seats.values()]
        assert sit_together(seats, GROUPS) is None
        text = await page(asker, "cora", f"{AT}/draw")
        for shown in ("members of one household", "keeps everybody apart", "follow from it ✓"):
            assert shown in text, shown
        await told_to_nobody(asker, cup)
        (whole,) = draws_on_record(asker.house.log, cup.state, whole=True)
        assert whole.apart == GROUPS
        assert whole.certificate is not None
        assert whole.certificate.apart == (
            ("entry-0001", "entry-0006"),
            ("entry-0002", "entry-0005"),
        )
        assert check(whole.certificate) == ()
        assert audit(asker.house.log).fault is None

    on_web(tmp_path, play)


async def told_to_nobody(asker: Asker, cup: CupOnWeb) -> None:
    """Salt and list are in nothing that others than staff are given; the fingerprint is."""
    for who in ("", "p1", "p6", "dan"):
        for path in EVERYWHERE:
            headers = {**asker.headers(who or None), "Accept": "text/html"}
            text = (await asker.client.get(path, headers=headers)).text
            assert cup.state.apart.salt not in text, (who, path)
            assert '"apart":[["' not in text, (who, path)
    file = await asker.client.get(f"{AT}/draws.json?draw=1")
    made = msgspec.json.decode(file.content, type=Certificate)
    assert made.people == tuple(f"entry-{number:04}" for number in range(1, 8)), "and no ids"
    assert (made.format, made.apart, made.salt) == ("puntobanco-draw-2", (), "")
    assert check(made) == ()
    paper = await page(asker, "", f"{AT}/papers/certificate")
    assert f"order {made.order} of those drawn" in paper
    assert "members of one household" in await page(asker, "p1", f"{AT}/papers/entry-form")
