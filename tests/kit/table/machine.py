"""Random commands, legal and not, against every rule set: what must hold, always holds."""

from collections.abc import Callable

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.competition.secret import SecretForm, content
from puntobanco.rules.coup import Drawn, Laid, Side
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits
from puntobanco.rules.seal import commit
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.decide import decide
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.competition import betting_order
from puntobanco.table.sentences import tell
from puntobanco.table.state import Life, Phase, Table
from puntobanco.table.view import Viewer, view
from puntobanco.words import STEPS, explain, step_facts
from tests.kit.table.at import PEOPLE, At, balanced, competing, ready
from tests.kit.table.secrets import Verdict, forms, opened_for, verdicts

PATRONS = ("ann", "bob", "cy", "dee")
EVERYONE = (*PEOPLE, *PATRONS)
DEALT = tuple(DECK) * 8

TAKEN_BACK = ("no-bet-coup", "touched", "void", "end-shoe", "close-table", "closing-notice")

people = st.sampled_from(EVERYONE)
patrons = st.sampled_from(PATRONS)
boxes = st.integers(1, 4)
bets = st.sampled_from(Bet)
cents = st.sampled_from((100, 500, 2500, 10_000, 50_000, 600_000, 12_345))
sides = st.sampled_from(Side)
numbers = st.integers(1, 5)
positions = st.integers(1, 6)
cards = st.sampled_from(DECK)
notes = st.sampled_from(("", "a reason"))
limits = st.builds(Limits, st.sampled_from((100, 2500, 5000)), st.sampled_from((5000, 600_000)))

ANYTHING: st.SearchStrategy[c.TableCommand] = st.one_of(
    st.builds(c.SignOn, st.sampled_from(Role)),
    st.builds(c.SignOff),
    st.builds(c.BeginGamingDay, st.sampled_from(("monday", "tuesday"))),
    st.builds(c.GiveClosingNotice, st.just(0)),
    st.builds(c.CloseTable),
    st.builds(c.Sit, boxes, patrons),
    st.builds(c.StandAt, boxes, patrons),
    st.builds(c.Leave, patrons),
    st.builds(c.BuyIn, cents, patrons),
    st.builds(c.CashOut, cents, patrons),
    st.builds(c.AgreeLimits, patrons, st.none() | limits),
    st.builds(c.Exclude, patrons, notes),
    st.builds(c.Readmit, patrons, notes),
    st.builds(c.RequireVacate, boxes),
    st.builds(c.CheckCards, st.sampled_from(("set A", "set B")), player=st.just("ann")),
    st.builds(c.Shuffle, st.sampled_from(("", "SM-2"))),
    st.builds(c.RefuseCut, boxes),
    st.builds(c.AddWords, st.sampled_from(("so", "be it"))),
    st.builds(c.CutCards, st.sampled_from((3, 100)), st.none() | boxes),
    st.builds(c.LoadShoe),
    st.builds(c.BurnCards, st.none() | cards, st.integers(0, 3)),
    st.builds(c.ChangeCards, st.tuples(cards)),
    st.builds(c.EndShoe, notes),
    st.builds(c.CheckCardsAtEnd),
    st.builds(c.OpenCoup),
    st.builds(c.PlaceWager, boxes, bets, cents, patrons),
    st.builds(c.PlaceWager, boxes, bets, cents, patrons),
    st.builds(c.ChangeWager, boxes, bets, cents, patrons),
    st.builds(c.WithdrawWager, boxes, bets, patrons),
    st.builds(c.LayWagers, st.lists(st.builds(c.Stake, bets, cents), max_size=3).map(tuple)),
    st.builds(c.ReduceWagers),
    st.builds(c.NoMoreBets),
    st.builds(c.CloseCoup),
    st.builds(c.AllowFreeCoups, numbers, patrons),
    st.builds(c.AskNoBetCoup, patrons),
    st.builds(c.AgreeNoBetCoup, patrons),
    st.builds(c.DirectNoBetCoup),
    st.builds(c.ConsentToChange, patrons),
    st.builds(c.ApplyChange),
    st.builds(c.DropChange),
    st.builds(c.AskFaceDown, patrons) | st.builds(c.WithdrawFaceDown, patrons),
    st.builds(c.AcknowledgeFaceDown, st.sampled_from((Role.MANAGEMENT, Role.SURVEILLANCE))),
    st.builds(c.SetFaceDown, st.booleans()),
    st.builds(c.NameExposer, sides, patrons),
    st.builds(c.TurnCarried, cards),
    st.builds(c.PassCards, sides, st.just("") | patrons) | st.builds(c.SqueezeCard, positions),
    st.builds(c.DrawCard, st.none() | cards, st.sampled_from(Laid)),
    st.builds(c.RefuseCards, sides, patrons),
    *map(st.builds, (c.DealCarried, c.SeeMarker, c.SeeIndicator, c.DeclareResult, c.EndCoup)),
    st.builds(c.ReportIrregularity, st.sampled_from(Found)),
    st.builds(c.ConfirmFinding, st.booleans()),
    st.builds(c.RuleOn, st.sampled_from(("stands", "void")), notes),
    st.builds(c.VoidCoup, st.sampled_from(("disrupted", "impractical", "fraud")), notes),
    st.builds(c.VoidWagers, patrons, notes),
    st.builds(c.VoidEarlier, numbers, notes, st.none() | positions),
    st.builds(c.CorrectCard, numbers, positions, cards, notes),
    st.builds(c.CorrectWager, numbers, patrons, boxes, bets, cents | st.just(0), notes),
    st.builds(c.CorrectBurn, notes, st.none() | cards, st.integers(0, 3)),
    st.builds(c.CorrectMarker, notes),
    st.builds(c.CorrectFinding, st.sampled_from(("face-up-in-shoe", "shoe-disturbed")), notes),
    st.builds(c.CorrectExcess, numbers, notes, st.just(()) | st.tuples(st.builds(Drawn, cards))),
    st.builds(c.CorrectPayment, patrons, st.sampled_from((-500, 0, 500)), numbers, notes),
    st.builds(c.TakeBack, st.sampled_from(TAKEN_BACK), notes),
    st.builds(c.Touched, patrons),
    st.builds(c.RaiseDispute, notes, st.none(), patrons),
    st.builds(c.DecideDispute, numbers, st.just("upheld")),
    st.builds(c.RequestReview, numbers, patrons),
    st.builds(c.RecordIncident, st.sampled_from(("advice", "other", "nonsense")), notes),
    st.builds(c.Approve, numbers),
    st.builds(c.DropProposal, numbers),
    st.builds(c.AllotChips),
    st.builds(c.AskForWager, boxes, st.just(0)),
    st.builds(c.CloseWindow, boxes),
    st.builds(c.MarkAbsent, patrons, st.booleans()),
    st.builds(c.RaiseLimits),
)

OF_A_SESSION = st.one_of(
    st.builds(c.TakeSeat, patrons),
    st.builds(c.BuyIn, st.just(50_000), patrons),
    st.builds(c.CashOut, st.just(1000), patrons),
    st.builds(c.NameSubstitute, patrons, st.sampled_from(("", "dee", "ann"))),
    st.builds(c.GiveDirection, notes, patrons),
    st.builds(c.DeclareLastCoup, numbers),
    st.builds(c.EndSession, st.sampled_from(("time", "decided", "ruling")), numbers),
    st.builds(
        c.ContinueSession,
        st.sampled_from((("ann", "bob"), ("bob", "cy"))),
        st.just("more rounds"),
        numbers,
    ),
    st.builds(c.PauseSession, notes, numbers),
    st.builds(c.ResumeSession, numbers) | st.builds(c.HandOverSession, notes, numbers),
    st.builds(c.RemovePlayer, patrons, st.just("disqualified"), notes, numbers),
    st.builds(c.CorrectChips, patrons, st.sampled_from((0, 2500, 60_000)), notes),
    st.builds(c.Reinstate, patrons, notes),
    st.builds(c.RaiseLimits),
    st.builds(c.SeeIndicator),
)

NEXT: dict[str, Callable[[], c.TableCommand]] = {
    "open-coup": c.OpenCoup,
    "call": c.NoMoreBets,
    "close-coup": c.CloseCoup,
    "clear": c.EndCoup,
    "end-shoe": c.EndShoe,
    "shuffle": c.Shuffle,
    "load-shoe": c.LoadShoe,
    "check-at-end": c.CheckCardsAtEnd,
}


class TableMachine(RuleBasedStateMachine):
    """One table under random hands; a real order of cards lies in its shoe."""

    at: At
    order: list[Card]

    @initialize(
        ruleset=st.sampled_from(RULESETS),
        shuffled=st.permutations(range(60)),
        competition=st.sampled_from(("", "", "", "", "alone", "session", "session", "live")),
    )
    def begin(self, ruleset: str, shuffled: list[int], competition: str) -> None:
        if competition:
            self.at = competing(ruleset, competition, *PATRONS[:3])
        else:
            self.at = ready(ruleset, *PATRONS[:3], seats=7)
        self.order = [DEALT[place * 6] for place in shuffled] * 60
        self.forms: dict[str, c.OpenedForm] = {}

    def seen(self) -> int:
        return sum(self.at.table.pack.seen.values())

    def give(self, person: str, ask: c.TableCommand) -> list[TableEvent] | None:
        """Give a command; a refusal leaves the very same table."""
        at = self.at
        at.at_ms += 60_000
        try:
            new = decide(at.table, ask, at.by(person))
        except Refused as refused:
            explain(refused)  # every fact its text needs is there
            return None
        for event in new:
            assert "{" not in tell(event)
            at.table = evolve(at.table, event)
        at.log += new
        return new

    @rule(person=people, ask=ANYTHING)
    def anything(self, person: str, ask: c.TableCommand) -> None:
        self.give(person, ask)

    @rule(ask=ANYTHING)
    def by_someone_who_may(self, ask: c.TableCommand) -> None:
        for person in EVERYONE:
            if self.give(person, ask) is not None:
                return

    @rule(card=st.booleans(), laid=st.sampled_from((None, None, None, *Laid)))
    def draw(self, *, card: bool, laid: Laid | None) -> None:
        self.give("dan", c.DrawCard(self.order.pop() if card else None, laid))

    @rule(position=positions, person=st.sampled_from(("dan", *PATRONS)))
    def turn(self, position: int, person: str) -> None:
        self.give(person, c.TurnCard(self.order.pop(), position))

    @rule(ask=OF_A_SESSION, person=st.sampled_from(("house", "house", "cora", "dan", "ines")))
    def of_a_session(self, ask: c.TableCommand, person: str) -> None:
        self.give(person, ask)

    @rule(person=patrons, form=forms)
    def lodge(self, person: str, form: SecretForm) -> None:
        salt, text = f"{len(self.at.log):064x}", content(form)
        made = commit(bytes.fromhex(salt), text)
        self.forms[made] = c.OpenedForm(person, salt, text.decode())
        self.give("dan", c.LodgeSecret(made, person))

    @rule(person=patrons, verdict=verdicts, whose=patrons)
    def examine(self, person: str, verdict: Verdict, whose: str) -> None:
        for overseer in ("ines", "sue"):
            self.give(overseer, c.ExamineSecret(person, *verdict))  # type: ignore[arg-type]
            self.give(overseer, c.AnnounceSecrets(opened_for(self.at.table, self.forms)))
        self.give(person, c.InspectForm(whose))

    @rule(amount=cents, form=forms, verdict=verdicts, steps=st.integers(4, 20))
    def coup_with_forms(self, amount: int, form: SecretForm, verdict: Verdict, steps: int) -> None:
        self.what_is_next()
        for seat in betting_order(self.at.table) if self.at.table.coup else ():
            person = self.at.table.seated[seat]
            self.lodge(person, form)
            self.give("dan", c.PlaceWager(seat, Bet.BANKER, amount, person))
        self.give("dan", c.NoMoreBets())
        for person in PATRONS:
            self.examine(person, verdict, PATRONS[0])
            self.give("dan", c.PlaceWager(1, Bet.BANKER, 2500, person))
        for _ in range(steps):
            self.what_is_next()

    @rule(person=patrons, box=boxes, on=bets, amount=cents)
    def bet(self, person: str, box: int, on: Bet, amount: int) -> None:
        self.give(person, c.PlaceWager(box, on, amount))

    @rule()
    def what_is_next(self) -> None:
        """Play on as a dealer would who does what the table says."""
        table = self.at.table
        step = next_step(table)
        STEPS[step.step].format(**step_facts(step.facts, str))
        if step.step in NEXT:
            self.give("dan", NEXT[step.step]())
        elif step.step in ("declare", "examine-form", "tell-forms"):
            person = str(step.facts.get("person", "nobody"))
            self.give("dan", c.DeclareResult(opened_for(self.at.table, self.forms)))
            self.examine(person, ("accepted", ()), "ann")
        elif step.step in ("card-for-player", "card-for-banker", "take-bets"):
            down = table.coup is not None and table.coup.face_down
            self.give("dan", c.DrawCard(None if down else self.order.pop()))
        elif step.step == "offer-cut":
            self.give("dan", c.CutCards(100, int(str(step.facts["seat"]))))
        elif step.step == "pass-cards":
            self.give("dan", c.PassCards(Side(str(step.facts["side"]))))
        elif step.step == "deal-carried":
            assert table.coup is not None
            unknown = table.coup.carried[0].card is None and not table.coup.face_down
            self.give("dan", c.DealCarried(self.order.pop() if unknown else None))
        elif step.step == "turn-cards":
            self.turn_all()
        elif step.step == "rule":
            self.give("ines", c.ConfirmFinding(upheld=True))
            self.give("ines", c.RuleOn("void", "so it is"))
            self.approve()

    def turn_all(self) -> None:
        assert self.at.table.coup is not None
        for position, drawn in enumerate(self.at.table.coup.drawn, 1):
            if drawn.card is None:
                self.give("dan", c.TurnCard(self.order.pop(), position))

    @rule(steps=st.integers(5, 40), first=cents, second=cents)
    def play_on(self, steps: int, first: int, second: int) -> None:
        for _ in range(steps):
            self.what_is_next()
            coup = self.at.table.coup
            if coup and not coup.locked and not coup.wagers:
                self.everyone_bets(first, second)

    @precondition(lambda self: self.at.table.phase is Phase.BETTING)
    @rule(first=cents, second=cents)
    def everyone_bets(self, first: int, second: int) -> None:
        amounts = (first, second, 2500)
        bets_on = (Bet.BANKER, Bet.PLAYER, Bet.PLAYER_PAIR)
        for (seat, person), amount in zip(self.at.table.seated.items(), amounts, strict=False):
            for on in (bets_on[seat % 2], bets_on[2]):
                self.give("dan", c.PlaceWager(seat, on, amount, person))

    @precondition(lambda self: self.at.table.coup is not None and self.at.table.coup.wagers)
    @rule(more=st.booleans(), which=st.integers(0, 5), person=st.sampled_from(("dan", "")))
    def alter(self, which: int, person: str, *, more: bool) -> None:
        coup = self.at.table.coup
        assert coup is not None
        wager = coup.wagers[which % len(coup.wagers)]
        amount = wager.cents * 2 if more else max(wager.cents // 2, 1)
        who = person or wager.by
        self.give(who, c.ChangeWager(wager.box, wager.on, amount, wager.by))
        if not more:
            self.give(who, c.WithdrawWager(wager.box, wager.on, wager.by))

    def approve(self) -> None:
        for number in tuple(self.at.table.proposals):
            for person in ("dan", "ines", "mara", "cora"):
                self.give(person, c.Approve(number))

    @rule(ago=st.integers(0, 3), position=positions, card=cards, asked=st.integers(0, 5))
    def two_people(self, ago: int, position: int, card: Card, asked: int) -> None:
        number = self.at.table.coup_number - ago
        asks: tuple[c.TableCommand, ...] = (
            c.CorrectCard(number, position, card, "keyed wrong"),
            c.VoidEarlier(number, "laid wrong", position),
            c.CorrectPayment("ann", 500, max(number, 1), "paid short"),
            c.VoidCoup("fraud", "marked cards"),
            c.VoidWagers("ann", "a breach"),
            c.ChangeCards((card,)),
        )
        for person in ("dan", "ines", "sue"):
            if self.give(person, asks[asked]) is not None:
                break
        self.approve()

    @rule(
        ago=st.integers(0, 3),
        cut=st.integers(0, 2),
        more=st.lists(st.builds(Drawn, cards, st.none() | st.sampled_from(Laid)), max_size=2),
    )
    def whole_coup(self, ago: int, cut: int, more: list[Drawn]) -> None:
        """The last cards of a coup go, and others come in their place."""
        table = self.at.table
        number = table.coup_number - ago
        drawn = {record.number: record.drawn for record in table.coups}
        if table.coup is not None:
            drawn[table.coup.number] = table.coup.drawn
        was = drawn.get(number, ())
        self.give("dan", c.CorrectCoup(number, (*was[: len(was) - cut], *more), "keyed wrong"))
        self.approve()

    @rule(ago=st.integers(0, 3), asked=st.integers(0, 13), card=cards, amount=cents)
    def put_right(self, ago: int, asked: int, card: Card, amount: int) -> None:
        number = max(1, self.at.table.coup_number - ago)
        box = next(iter(self.at.table.seated), 1)
        person = self.at.table.seated.get(box, "ann")
        asks: tuple[c.TableCommand, ...] = (
            c.CorrectWager(number, person, box, Bet.PLAYER, amount, "it lay in time"),
            c.CorrectWager(number, person, box, Bet.PLAYER_PAIR, 0, "it never lay"),
            c.CorrectBurn("keyed wrong", card, 2),
            c.CorrectMarker("a joker"),
            c.CorrectFinding("face-up-in-shoe", "a reflection"),
            c.CorrectFinding("shoe-disturbed", "another shoe"),
            *(c.TakeBack("void", "by mistake", coup) for coup in (number, None)),
            c.TakeBack("end-shoe", "by mistake"),
            c.TakeBack("close-table", "by mistake"),
            c.CorrectExcess(number, "never drawn"),
            c.CorrectExcess(number, "another", (Drawn(card, Laid.PLAYER), Drawn())),
            c.VoidEarlier(number, "seen on video", cause="fraud"),
            c.VoidWagers(person, "past posting", number),
        )
        for giver in ("dan", "ines", "sue"):
            if self.give(giver, asks[asked]) is not None:
                break
        self.approve()

    @rule(least=st.sampled_from((2500, 5000)), consent=st.booleans())
    def change_limits(self, least: int, *, consent: bool) -> None:
        table = self.at.table
        assert table.notice is not None
        limits = replace(table.notice.limits, min_cents=least)
        if limits.multiple_cents is None or limits.min_cents == limits.multiple_cents:
            self.give("mara", c.PostChange(replace(table.notice, limits=limits), self.at.at_ms))
        if consent:
            for person in table.places:
                self.give(person, c.ConsentToChange())
        self.give("mara", c.ApplyChange())

    @rule()
    def squeeze(self) -> None:
        self.give("ann", c.AskFaceDown())
        self.give("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
        self.give("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
        self.give("sue", c.SetFaceDown(down=True))

    @rule()
    def no_bet_coup(self) -> None:
        self.give("ann", c.AskNoBetCoup())
        for person in self.at.table.places:
            self.give(person, c.AgreeNoBetCoup())
        self.give("sue", c.DirectNoBetCoup())

    @rule(seen=st.booleans(), laid=st.sampled_from(Laid))
    def one_too_many(self, laid: Laid, *, seen: bool) -> None:
        if self.at.table.phase is Phase.DEALING:
            self.give("dan", c.DrawCard(self.order.pop() if seen else None, laid))

    @rule(
        found=st.sampled_from(Found), person=st.sampled_from(("dan", "ines")), upheld=st.booleans()
    )
    def trouble(self, found: Found, person: str, *, upheld: bool) -> None:
        self.give(person, c.ReportIrregularity(found))
        self.give("ines", c.ConfirmFinding(upheld))

    @rule()
    def closed_by_mistake(self) -> None:
        self.give("mara", c.GiveClosingNotice(self.at.at_ms + 120_000))
        self.give("ines", c.RecordIncident("other", "a while later"))
        self.give("mara", c.CloseTable("the next table"))
        for overseer in ("ines", "sue"):
            self.give(overseer, c.TakeBack("close-table", "the wrong one"))
            self.approve()

    @rule()
    def new_shoe(self) -> None:
        self.give("dan", c.EndShoe("early"))
        self.give("dan", c.CheckCardsAtEnd())
        self.give("dan", c.CheckCards("set B", player="ann"))

    @invariant()
    def chips_are_conserved(self) -> None:
        assert balanced(self.at.table)

    @invariant()
    def cards_are_conserved(self) -> None:
        table = self.at.table
        shoe = table.shoe
        if shoe is None:
            return
        decks = table.terms.notice.decks
        assert shoe.left + shoe.drawn == 52 * decks
        left = len(table.pack.burned) + len(table.pack.between)
        left += sum(len(r.drawn) - r.begun for r in table.coups)
        if table.coup:
            left += len(table.coup.drawn) - table.coup.begun
        assert shoe.drawn == left
        assert self.seen() <= shoe.drawn
        assert all(count > 0 for count in table.pack.seen.values())

    @invariant()
    def a_shoe_is_in_step(self) -> None:
        table = self.at.table
        assert (table.shoe is None) == (table.pack.life is not Life.LOADED)
        if table.phase in (Phase.READY, Phase.PREPARING, Phase.SHUT):
            assert table.layout_cents == 0

    @invariant()
    def views_leak_nothing(self) -> None:
        table = self.at.table
        shown = msgspec.json.encode(view(table, Viewer())).decode()
        assert not any(f'"{person}"' in shown for person in EVERYONE)
        for person in PATRONS[:2]:
            seen = view(table, Viewer(person, frozenset({Role.PATRON})))
            shown = msgspec.json.encode(seen).decode()
            assert not any(f'"{other}"' in shown for other in EVERYONE if other != person)
            assert seen.floor is None
            assert seen.oversight is None
            assert seen.own is not None
            assert seen.own.chips == table.chips.get(person, 0)
        for roles in PEOPLE.values():
            view(table, Viewer("somebody", roles))

    def teardown(self) -> None:
        """Live state equals state read back from what was stored."""
        if not hasattr(self, "at"):
            return
        stored = msgspec.json.decode(msgspec.json.encode(self.at.log), type=list[TableEvent])
        table = Table()
        for event in stored:
            table = evolve(table, event)
        assert table == self.at.table
        state = msgspec.json.decode(msgspec.json.encode(table), type=Table)
        assert state == table
