"""The two Tasmanian editions are run alike: the same course cites the twin of every clause."""

import re

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.errors import Reason
from puntobanco.table.actor import Role
from tests.kit.clauses import clause, tas
from tests.kit.competition.cup import DAY_MS, WORDS, Cup, cup_text

SECOND = "\n[secondary]\nwinners = 1\ninto = 'final'"
CITED = (
    "16.1-applicant", "16.1-player", "16.1-session", "16.1-play-off",
    "16.1-secondary-competition", "16.1-competition-director", "16.2(lead)", "16.2.1",
    "16.2.2(lead)", "16.2.2(a)", "16.2.2(b)", "16.2.2(c)", "16.2.2(d)", "16.2.2(g)",
    "16.2.3(lead)", "16.2.3(a)", "16.2.3(b)", "16.2.3(c)", "16.2.3(d)", "16.2.3(e)",
    "16.2.3(f)", "16.2.4", "16.2.5", "16.2.6", "16.2.7", "16.3.1", "16.3.2(b)", "16.3.2(d)",
    "16.3.3", "16.3.4", "16.3.5", "16.8.1", "16.8.2", "16.8.3",
)  # fmt: skip


class Course:
    """A competition in which nearly everything happens, and all clauses that it cites."""

    def __init__(self, ruleset: str) -> None:
        self.cited: list[str] = []
        self.cup = Cup(cup_text(ruleset, prizes=SECOND, ends="minutes = 10"))
        self.ruleset = ruleset

    def no(self, person: str, ask: c.CompetitionCommand) -> Reason:
        reason, cited = self.cup.refused(person, ask)
        self.cited.append(cited)
        return reason

    def run(self) -> list[str]:
        self.enter()
        self.play()
        self.end()
        for event in self.cup.log:
            self.cited += event.clauses
        return self.cited

    def enter(self) -> None:
        cup = self.cup
        for lacking in ('form = "form A"', 'terms = "at the desk"', "fee_cents = 5555"):
            bad = Cup(cup.text.replace(lacking, ""))
            bad.do("mara", c.Draft(bad.text, "spring"))
            self.cited.append(bad.refused("mara", c.Publish())[1])
        uneven = Cup(cup.text.replace("{ 1 = 2, 2 = 2 }", "6"))
        uneven.do("mara", c.Draft(uneven.text, "spring"))
        self.cited.append(uneven.refused("mara", c.Publish())[1])
        cup.entering()
        cup.do("dora", c.SetStart("heats", cup.at_ms + 20 * DAY_MS, "flood"))
        cup.do("x1", c.Apply())
        cup.do("mara", c.Refuse("x1", "barred"))
        cup.enter("w1")
        cup.do("w1", c.Withdraw())
        cup.enter("p1", "p2", "p3", "p4", "p5")
        self.no("dora", c.CloseEntries())
        cup.enter("p6", "p7", "p8")
        cup.do("mara", c.AddValue(100, "cash"))
        cup.two(c.Disqualify("p8", "never came", not_attending=True))
        cup.do("dora", c.CloseEntries())
        self.no("dora", c.Draw(WORDS))

    def play(self) -> None:
        cup = self.cup
        cup.designate("table-1", "table-2")
        three = {f"table-{n}": {1: f"p{n}"} for n in (1, 2, 3)}
        cup.do("dora", c.DesignateTable("table-3"))
        three["table-3"] |= {n: f"p{n}" for n in (4, 5, 6, 7)}
        self.no("dora", c.KeyDraw(three))
        cup.drawn()
        cup.do("dora", c.Substitute("p1", "sam"))
        cup.do("dora", c.PrepareSession())
        self.no("dora", c.StartSession())
        cup.do("dora", c.SignOn(Role.DIRECTOR))
        self.no("dora", c.StartSession())  # before the time it was moved to
        cup.at_ms += 20 * DAY_MS
        cup.do("dora", c.StartSession())
        cup.at_ms += 600_000
        cup.do("house", c.RunOut())
        first, second = (list(cup.state.now.seats[f"table-{n}"].values()) for n in (1, 2))
        self.no("dora", c.FinishEarly("table-1"))
        cup.result("table-1", dict.fromkeys(first, 1000), gone={first.pop(): "late"})
        cup.result("table-2", {p: 1000 * n for n, p in enumerate(second, 1)})
        cup.two(c.Disqualify(second[0], "hid chips"))
        self.no("dora", c.ConfirmStage())
        cup.do("dora", c.OrderPlayOff(tuple(first), "table-1"))
        self.no("dora", c.StartSession())
        cup.do("dora", c.SetPlayOffChips(200_000))
        cup.do("dora", c.StartSession())
        cup.result("table-1", {p: 1000 * n for n, p in enumerate(first, 1)})
        cup.do("dora", c.ConfirmStage())
        cup.do("dora", c.OpenSecondary("final"))
        for _ in ("secondary", "final"):
            cup.drawn().started()
            sat = cup.state.now.seats["table-1"].values()
            cup.result("table-1", {p: 1000 * n for n, p in enumerate(sat, 1)})
            cup.do("dora", c.ConfirmStage())

    def end(self) -> None:
        cup = self.cup
        cup.two(c.Rule("prizes", "too little", prizes_cents=(1, 1)))
        assert self.no("dora", c.ConfirmPlaces()) is Reason.POOL_NOT_RETURNED
        pool = 8 * 5555 - 4444 + 100
        cup.two(c.Rule("prizes", "all", prizes_cents=(pool - 100, 100)))
        (_, placed) = cup.two(c.ConfirmPlaces())
        assert isinstance(placed, e.PlacesConfirmed)
        for person in placed.prizes:
            cup.do("carol", c.PayPrize(person))
        cup.do("dora", c.PublishResults())
        assert cup.state.money.pot_cents == 0


@clause(*tas(*CITED))
def test_both_editions_are_run_by_the_same_clauses() -> None:
    """Number for number, 16 of 2018 is 15 of 2013 [tas-2018:16.2.1, tas-2013:15.2.1]."""
    new, old = Course("tas-2018").run(), Course("tas-2013").run()
    assert [re.sub(r"^tas-2018:16", "tas-2013:15", cited) for cited in new] == old
    cited = {one.partition(":")[2] for one in new}
    silent = {"16.1-play-off", "16.2.2(b)", "16.2.2(lead)", "16.2.3(lead)", "16.3.2(d)", "16.8.1"}
    assert set(CITED) - silent <= cited
