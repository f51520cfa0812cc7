"""Conditions held against their rule set and against themselves: every fault, with its clause.

A competition opens only once nothing is missing and nothing is wrong [tas-2018:16.2.2(lead),
act-2015:15.3]. Canberra's approved conditions prevail over rules 1 to 14 [act-2015:15.5], never
over the tournament section itself: one entry, seats by ballot and the whole pool always hold.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    StageConditions,
    exact_percent,
    read_moment,
)
from puntobanco.rules.competition.money import (
    entry_pool,
    kept_percent,
    not_returned,
    to_be_added,
)
from puntobanco.rules.competition.ways import OPTIONS, leftover_open, notice_of, ways_of
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset
from puntobanco.rules.notice import Limits, faults
from puntobanco.words import explain, money
from puntobanco.words.conditions import CONDITION_ADVICE, CONDITION_FAULTS


class ConditionFault(Brief, frozen=True):
    """One thing that is missing or wrong: where, by which clause, and what to do."""

    item: str
    clause: str
    kind: str
    wrong: str
    remedy: str

    @property
    def says(self) -> str:
        return f"{self.item}: {self.wrong} [{self.clause}]. {self.remedy}"


def faults_of(conditions: CompetitionConditions, rules: Ruleset) -> tuple[ConditionFault, ...]:
    """Everything that is missing, then everything that is wrong, in the order of the file."""
    missing = tuple(_missing(conditions, rules))
    wrong = (
        *_head_faults(conditions, rules),
        *_entry_faults(conditions, rules),
        *_prize_faults(conditions, rules),
        *_secondary_faults(conditions, rules),
        *_stages_faults(conditions, rules),
        *_play_faults(conditions, rules),
        *_apart_faults(conditions, rules),
    )
    named = {fault.item for fault in missing}
    return tuple(dict.fromkeys((*missing, *(one for one in wrong if one.item not in named))))


def _fault(item: str, clause: str, kind: str, **facts: object) -> ConditionFault:
    words = CONDITION_FAULTS[kind]
    facts = {"item": item, **facts}
    return ConditionFault(
        item, clause, kind, words.wrong.format(**facts), words.remedy.format(**facts)
    )


def item_clause(item: str, rules: Ruleset) -> str:
    """The clause by which an item is settled; `stage.heats.ends` is found as `stage.ends`."""
    entry = rules.competition.entry
    words = item.split(".")
    return entry.disclosed.get(".".join((*words[:1], *words[1:][-1:])), entry.otherwise)


def _missing(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """Name every required item that is not there [tas-2018:16.2.2(a)-16.2.2(i)]."""
    entry, table = conditions.entry, conditions.table
    there: dict[str, object] = {
        "name": conditions.name.strip(),
        "start": conditions.start,
        "table": table,
        "table.decks": table is None or table.decks,
        "table.method": table is None or table.method,
        "entry.form": entry.form.strip(),
        "entry.terms": entry.terms.strip(),
        "entry.fee_cents": entry.fee_cents is not None,
        "entry.min": entry.min,
        "entry.max": entry.max,
        "prizes": conditions.prizes.places,
        "stage": conditions.stage,
    }
    for number, stage in enumerate(conditions.stage, 1):
        where = f"stage.{stage.name or number}"
        there |= {
            f"{where}.name": stage.name.strip(),
            f"{where}.seats": stage.seats,
            f"{where}.allotment_cents": stage.allotment_cents,
            f"{where}.ends": stage.ends.given,
            f"{where}.limits": stage.limits != Limits(0, 0),
        }
    for item, value in there.items():
        if not value:
            yield _fault(item, item_clause(item, rules), "missing")
    approval = rules.competition.entry.approval
    if approval and not conditions.approval.strip():
        yield _fault("approval", approval, "approval-missing")


def _head_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    competition = rules.competition
    if conditions.chips == "cash" and not competition.cash_chips:
        yield _fault("chips", competition.chips, "cash-not-allowed")
    if conditions.table and conditions.table.pairs and competition.one_wager:
        yield _fault("table.pairs", competition.one_wager, "pairs-not-played")


def _entry_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    entry, says = conditions.entry, rules.competition.entry
    yield from _kept_faults(conditions, rules)
    if entry.max and entry.min > entry.max:
        clause = item_clause("entry.min", rules)
        yield _fault("entry.min", clause, "min-above-max", least=entry.min, most=entry.max)
    if entry.re_entries and says.one_entry:
        yield _fault("entry.re_entries", says.one_entry, "one-entry")
    late = entry.until != "start" and bool(conditions.start)
    if late and says.late_entry and read_moment(entry.until) > read_moment(conditions.start):
        yield _fault("entry.until", says.late_entry, "late-entry")
    yield from _refund_faults(conditions, rules)


def _kept_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """What the operator keeps, in the words of the document that bounds it [tas-2018:16.2.1]."""
    entry, prizes = conditions.entry, rules.competition.prizes
    if entry.fee_cents is None:
        return
    retained, most = exact_percent(entry.retained_percent), prizes.retained_percent
    kept = kept_percent(entry.fee_cents, retained, entry.commission_cents, entry.commission)
    if most is not None and kept > most:
        item = "entry.retained_percent" if retained else "entry.commission_cents"
        facts = {"kept": f"{float(kept):g}", "most": most}
        yield _fault(item, prizes.retained, "retained-too-much", **facts)
    elif entry_pool(entry, 1).pool_cents < 0:
        fee = money(entry.fee_cents)
        yield _fault("entry.commission_cents", prizes.commission, "commission-above-fee", fee=fee)


def _refund_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """A document's days may be bettered, never worsened; where fees are kept, they are kept."""
    says, days = rules.competition.entry, conditions.entry.refund_days
    if days is None or says.refund_open:
        return
    if says.refund_days is None:
        remedy = "Leave refund_days out."
    elif days > says.refund_days:
        remedy = f"Give {says.refund_days} or fewer."
    else:
        return
    yield _fault("entry.refund_days", says.withdrawn, "refund-days", days=days, remedy=remedy)


def _prize_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    prizes = conditions.prizes
    if prizes.list_cents and prizes.percent:
        yield _fault("prizes", item_clause("prizes", rules), "list-and-percent")
    total = sum(map(exact_percent, prizes.percent), Fraction(0))
    if prizes.percent and total != 100:
        clause = rules.competition.prizes.divided
        yield _fault("prizes.percent", clause, "percent-not-100", total=f"{float(total):g}")


def _secondary_faults(
    conditions: CompetitionConditions, rules: Ruleset
) -> Iterator[ConditionFault]:
    names = [stage.name for stage in conditions.stage]
    into = conditions.secondary.into
    if conditions.secondary.winners and names and into not in names:
        clause = rules.competition.stages.secondary
        allowed = ", ".join(names)
        yield _fault("secondary.into", clause, "no-such-stage", name=into, allowed=allowed)


def _stages_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    seen = set[str]()
    yield from _start_faults(conditions, rules)
    for number, stage in enumerate(conditions.stage, 1):
        where = f"stage.{stage.name or number}"
        if stage.name in seen:
            yield _fault(f"{where}.name", item_clause("stage", rules), "same-name", name=stage.name)
        seen.add(stage.name)
        yield from _seat_faults(where, stage, rules)
        yield from _session_faults(where, stage, conditions, rules)
        yield from _rise_faults(where, stage, conditions, rules)
        yield from _notice_faults(where, stage, conditions, rules)


def _start_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """The first stage starts when the competition does, and each other one later."""
    clause, before = item_clause("start", rules), conditions.start
    for number, stage in enumerate(conditions.stage, 1):
        if not stage.start or not before:
            continue
        item, then, last = f"stage.{stage.name or number}.start", stage.start, read_moment(before)
        if number == 1 and read_moment(then) != last:
            yield _fault(item, clause, "first-start", then=then, start=before)
        elif number > 1 and read_moment(then) <= last:
            yield _fault(item, clause, "start-not-later", then=then, before=before)
        before = stage.start


def _seat_faults(where: str, stage: StageConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    seats = rules.table.seats
    if seats and stage.seats > max(seats.any_of):
        allowed = " or ".join(map(str, seats.any_of))
        facts = {"seats": stage.seats, "allowed": allowed}
        yield _fault(f"{where}.seats", seats.clause, "seats-too-many", **facts)
    if stage.seats and stage.least > stage.seats:
        clause = rules.competition.stages.tables
        facts = {"least": stage.least, "seats": stage.seats}
        yield _fault(f"{where}.least", clause, "least-above-seats", **facts)


def _session_faults(
    where: str, stage: StageConditions, conditions: CompetitionConditions, rules: Ruleset
) -> Iterator[ConditionFault]:
    stages, given = rules.competition.stages, stage.ends.given
    if len(given) > 1:
        yield _fault(f"{where}.ends", stages.ends, "ends-by-one", given=" and ".join(given))
    elif given and given[0] not in stages.ends_by:
        allowed = " or ".join(stages.ends_by)
        yield _fault(f"{where}.ends", stages.ends, "ends-by", given=given[0], allowed=allowed)
    own = rules.competition.secret is not None or stages.secrets_open
    if stage.secrets and not own and not conditions.play.secret_wagers:
        yield _fault(f"{where}.secrets", CONDITIONS, "secrets-not-provided")
    chip = conditions.table.chip_cents if conditions.table else 1
    amount, clause = stage.allotment_cents, item_clause("stage.allotment_cents", rules)
    if chip and amount % chip:
        facts: dict[str, object] = {"amount": money(amount), "chip": money(chip)}
        yield _fault(f"{where}.allotment_cents", clause, "allotment-not-in-chips", **facts)
    elif amount < stage.limits.min_cents:
        facts = {"amount": money(amount), "least": money(stage.limits.min_cents)}
        yield _fault(f"{where}.allotment_cents", clause, "allotment-below-minimum", **facts)


def _rise_faults(
    where: str, stage: StageConditions, conditions: CompetitionConditions, rules: Ruleset
) -> Iterator[ConditionFault]:
    """Limits rise only to what was announced, and only rise [tas-2018:16.5.3]."""
    clause = item_clause("stage.raised", rules)
    tie = stage.tie_limits or (conditions.table and conditions.table.tie_limits) or stage.limits
    if stage.raised and not _above(stage.raised, stage.limits):
        yield _fault(f"{where}.raised", clause, "raise-not-above")
    if stage.raised_tie and not _above(stage.raised_tie, tie):
        yield _fault(f"{where}.raised_tie", clause, "raise-not-above")
    if stage.raised_tie and not stage.raised:
        yield _fault(f"{where}.raised_tie", clause, "raise-without-tie")
    if stage.raised and ways_of(conditions.play, rules)["indicator"].value != "yes":
        yield _fault(f"{where}.raised", clause, "raise-without-indicator")


def _above(raised: Limits, before: Limits) -> bool:
    low, high = raised.min_cents - before.min_cents, raised.max_cents - before.max_cents
    return low >= 0 and high >= 0 and low + high > 0


def _notice_faults(
    where: str, stage: StageConditions, conditions: CompetitionConditions, rules: Ruleset
) -> Iterator[ConditionFault]:
    """What the notice of the stage's tables would be refused for, before and after the rise."""
    table = conditions.table
    if not (table and table.decks and table.method and stage.limits != Limits(0, 0)):
        return  # that these are missing is said already
    notice = notice_of(conditions, stage, rules)
    after = replace(
        notice,
        limits=stage.raised or notice.limits,
        tie_limits=stage.raised_tie or notice.tie_limits,
    )
    said = set[str]()
    refusals = [("limits", refused) for refused in faults(notice, rules)]
    refusals += [("raised", refused) for refused in faults(after, rules)]
    for name, refused in refusals:
        wrong, remedy = explain(refused)
        if wrong not in said and refused.reason != "seats_not_allowed":
            item = f"{where}.{name}" if "limits" in wrong else "table"
            facts = {"wrong": wrong, "remedy": remedy}
            yield _fault(item, refused.clause, "notice", **facts)
        said.add(wrong)


def _play_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """A document's own way is not open to conditions, except where it only allows it."""
    for name in OPTIONS:
        asked, own = getattr(conditions.play, name), rules.competition.play.get(name)
        if asked and own and asked != own.way and not own.may:
            facts = {"asked": asked, "own": own.way}
            yield _fault(f"play.{name}", own.clause, "not-this-way", **facts)


def apart_clause(rules: Ruleset) -> str:
    """The clause by which groups of players are restricted, where the document has one."""
    return rules.competition.conduct.groups or CONDITIONS


def _apart_faults(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[ConditionFault]:
    """A list of those kept apart says whom it names, and how many they are at most."""
    apart, clause = conditions.apart, apart_clause(rules)
    if apart.most and not apart.who.strip():
        yield _fault("apart.who", clause, "apart-whom")
    if apart.who.strip() and apart.most < 2:
        yield _fault("apart.most", clause, "apart-most")


def advice_on(conditions: CompetitionConditions, rules: Ruleset) -> tuple[str, ...]:
    """What is allowed and yet worth knowing before the conditions are published."""
    return (
        *(said for stage in conditions.stage for said in _stage_advice(stage, conditions, rules)),
        *_prize_advice(conditions, rules),
        *_silence_advice(conditions, rules),
    )


def _stage_advice(
    stage: StageConditions, conditions: CompetitionConditions, rules: Ruleset
) -> Iterator[str]:
    """A unit whose win the chips cannot pay is paid rounded; a unit of twenty chips avoids it."""
    table = conditions.table
    unit = stage.limits.multiple_cents or stage.limits.min_cents
    if table is None or not unit or not table.chip_cents:
        return
    name, chip = stage.name, table.chip_cents
    method = next((m for m in rules.settlement.methods if m.name == table.method), None)
    for pays in method.pays if method else ():
        won, staked = pays.odds
        if (unit * won) % (staked * chip):
            facts = {"won": won, "staked": staked, "way": table.rounding.value}
            facts |= {"unit": money(unit), "chip": money(chip), "such": money(staked * chip)}
            yield CONDITION_ADVICE["unit"].format(stage=name, **facts)
    if stage.allotment_cents % unit:
        yield CONDITION_ADVICE["allotment-not-in-units"].format(stage=name, unit=money(unit))
    if stage.limits.min_cents % unit:
        yield CONDITION_ADVICE["minimum-not-in-units"].format(stage=name, unit=money(unit))


def _prize_advice(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[str]:
    """A list of amounts stays as it is while the pool grows with every entry."""
    entry, listed = conditions.entry, conditions.prizes.list_cents
    if not listed or entry.fee_cents is None:
        return
    pools = [
        (entries, entry_pool(entry, entries, conditions.prizes.added_cents).pool_cents)
        for entries in range(entry.min, entry.max + 1)
    ]
    for entries, pool in pools[:1]:
        if added := to_be_added(pool, listed):
            facts = {"entries": entries, "pool": money(pool), "added": money(added)}
            yield CONDITION_ADVICE["list-above-pool"].format(**facts)
    for entries, pool in pools:
        if short := not_returned(pool, listed, rules):
            facts = {"entries": entries, "pool": money(pool), "clause": short.clause}
            yield CONDITION_ADVICE["list-below-pool"].format(**facts)
            return


def _silence_advice(conditions: CompetitionConditions, rules: Ruleset) -> Iterator[str]:
    """What the document is silent about, and the conditions decide."""
    last = conditions.stage[-1:]
    if last and (last[0].advance or last[0].wild):
        yield CONDITION_ADVICE["advance-in-final"]
    secrets = any(stage.secrets for stage in conditions.stage)
    if secrets and rules.competition.secret is None:
        yield CONDITION_ADVICE["secrets-by-conditions"]
    ways = [
        f"{name} {way.value}"
        for name, way in ways_of(conditions.play, rules).items()
        if way.by_conditions
    ]
    if ways:
        yield CONDITION_ADVICE["ways-by-conditions"].format(ways=", ".join(ways))
    if leftover_open(rules) and not (conditions.table and conditions.table.leftover):
        yield CONDITION_ADVICE["leftover"]
    if rules.competition.entry.prevail:
        yield CONDITION_ADVICE["prevail"].format(clause=rules.competition.entry.prevail)
