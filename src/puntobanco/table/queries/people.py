"""Who must be there before a coup begins; whether the rules a table is played by are known."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import by_digest
from puntobanco.table.actor import Role
from puntobanco.table.state import Table


def ever_here(table: Table) -> frozenset[str]:
    """Everybody who is known to have been at the table since it was opened: here now, with chips,
    or there when the bets of a coup closed.
    """
    bettors = [line.wager.by for record in table.coups for line in record.lines]
    then = [person for _, held in table.closes for person in held.places]
    return frozenset((*table.places, *table.chips, *bettors, *then))


def text_lost(table: Table) -> Refused | None:
    """Why nothing can be decided at a table whose rule set's text nobody has."""
    opened, notice = table.opened, table.notice
    if opened is None or notice is None or by_digest(opened.digest) is not None:
        return None
    digest = opened.digest[:12]
    return Refused(Reason.TEXT_LOST, CONDITIONS, ruleset=notice.ruleset, digest=digest)


def staff_missing(table: Table) -> tuple[tuple[Role, str], ...]:
    """The roles without which no coup begins and that nobody has signed on in, with the clause.

    An inspector always [tas-2018:3]; a dealer and a casino supervisor [act-2015:d.dealer,
    d.casino-supervisor]; in a competition its director [tas-2018:16.2.7].
    """
    rules, present = table.terms.rules, {there.role for there in table.staff}
    wanted = [(Role(duty.role), duty.clause) for duty in rules.staff]
    if table.is_contest and not table.contest.directors:
        wanted.append((Role.DIRECTOR, rules.competition.director))
    return tuple((role, clause) for role, clause in wanted if role not in present)


def incident_kinds(table: Table) -> dict[str, str]:
    """The clause of each kind of incident; some offend against a competition's rules alone
    [act-2015:15.12, tas-2018:16.7.6].
    """
    if table.notice is None:
        return {}
    rules = table.terms.rules
    return {**rules.people.incidents, **(rules.competition.incidents if table.is_contest else {})}
