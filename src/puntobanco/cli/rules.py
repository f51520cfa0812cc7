"""`puntobanco rules`: browse the rulebook."""

from cyclopts import App
from rich.padding import Padding
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.rulebook import Clause
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.paper.notation import format_notice

app = App(name="rules", version_flags=[])


@app.command(name="list")
def list_(*, document: str = "", status: str = "", json: Json = False) -> int:
    """List the clauses.

    Parameters
    ----------
    document
        Only this one: tas-2018, tas-2013, act-2015 or mbs-2017.
    status
        Only these: done, partly, planned or outside.
    json
        Print JSON.
    """
    _check_document(document or RULESETS[0])
    if status not in ("", "done", "partly", "planned", "outside"):
        raise MalformedError(f"no status {status!r}; choose done, partly, planned or outside")
    clauses = [
        clause
        for clause in rulebook.load_clauses().values()
        if document in ("", clause.document) and status in ("", clause.status)
    ]
    _print_clauses(clauses, as_json=json)
    return 0


@app.command
def search(*words: str, json: Json = False) -> int:
    """Find clauses by words in their matter, text, note or reading.

    Parameters
    ----------
    words
        What to look for, in this order; upper and lower case are alike.
    json
        Print JSON.
    """
    _print_clauses(list(rulebook.search(" ".join(words))), as_json=json)
    return 0


@app.command(name="show")
def show_(clause_id: str, /, *, json: Json = False) -> int:
    """Show one clause: what it says, what the software does about it, how it is read.

    Parameters
    ----------
    clause_id
        Such as tas-2018:14.1.
    json
        Print JSON.
    """
    clause = rulebook.find_clause(clause_id)
    tests = rulebook.tested().get(clause.id, [])
    if json:
        show.print_json(_as_dict(clause) | {"tests": tests})
        return 0
    show.console.print(Text.assemble((clause.id, "bold"), "  ", (clause.section, "dim")))
    show.console.print(clause.paraphrase)
    table = show.plain_table("", "")
    table.show_header = False
    rows = {
        "Does": ", ".join(clause.does),
        "Planned": ", ".join(clause.planned),
        "Outside": clause.outside,
        "Who": ", ".join(clause.actors),
        "Note": clause.note,
        "Reading": clause.reading,
        "Same as": clause.same_as,
        "Tests": f"named by {show.counted(len(tests), 'test')}" if tests else "",
    }
    for label, text in rows.items():
        if text:
            table.add_row(Text(label, style="dim"), text)
    show.console.print(table)
    return 0


@app.command
def compare(first: str, second: str, /, *, same: bool = False, json: Json = False) -> int:
    """Say what differs between two documents, matter by matter, with the clauses.

    Parameters
    ----------
    first
        A document, such as tas-2018.
    second
        Another, such as act-2015.
    same
        List the matters on which they agree, too.
    json
        Print JSON.
    """
    _check_document(first)
    _check_document(second)
    compared = list(rulebook.compare(first, second))
    if json:
        show.print_json(
            [
                {
                    "matter": matter.name,
                    "verdict": verdict,
                    "says": {one: matter.says.get(one) for one in (first, second)},
                    "clauses": {
                        one: (*matter.clauses.get(one, ()), *matter.see.get(one, ()))
                        for one in (first, second)
                    },
                }
                for matter, verdict in compared
            ]
        )
        return 0
    alike = sum(verdict == "same" for _, verdict in compared)
    for matter, verdict in compared:
        if verdict == "same" and not same:
            continue
        show.console.print(Text.assemble((matter.name, "bold"), "  ", (verdict, "dim")))
        for one in (first, second):
            says = matter.says.get(one, "silent")
            local_ids = (*matter.clauses.get(one, ()), *matter.see.get(one, ()))
            cited = [f"{one}:{local}" for local in local_ids]
            show.console.print(Text.assemble((f"  {one}  ", "dim"), says, " ", show.cited(cited)))
    show.console.print(f"{len(compared)} matters: {alike} the same, {len(compared) - alike} not.")
    return 0


@app.command
def coverage(*, json: Json = False) -> int:
    """Count clauses by status and by tests.

    Parameters
    ----------
    json
        Print JSON.
    """
    counted = rulebook.coverage()
    if json:
        show.print_json(counted)
        return 0
    show.console.print(f"{counted.total} clauses, named by {counted.tests} tests.")
    table = show.plain_table("Status", "Clauses", right=(1,))
    for status, number in counted.by_status.items():
        table.add_row(status, str(number))
    show.console.print(table)
    verbs = show.plain_table("The software", "does", "planned", right=(1, 2))
    for verb, counts in counted.by_verb.items():
        verbs.add_row(verb, str(counts["does"]), str(counts["planned"]))
    show.console.print(verbs)
    show.console.print(
        f"Untested: {', '.join(counted.untested) or 'none'}. "
        f"With something still planned: {len(counted.planned)}."
    )
    return 0


@app.command
def table(ruleset: str, /, *, json: Json = False) -> int:
    """Print the table of play, which must be at hand at the table at all times.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    json
        Print JSON.
    """
    play = load_ruleset(ruleset).table_of_play
    if json:
        show.print_json(play)
        return 0
    draws = ", ".join(map(str, play.player_draws))
    show.console.print(
        Text.assemble(
            show.side("player"),
            f" draws on {draws}, stands on 6 and 7. ",
            show.cited([play.player_clause]),
        )
    )
    show.console.print(
        Text.assemble(
            "A natural, 8 or 9 on either hand's first two cards, ends the coup. ",
            show.cited([play.player_natural, play.banker_natural]),
        )
    )
    show.console.print(
        Text.assemble(
            show.side("banker"),
            ", by Player's third card (– Player stood): ",
            show.cited([*play.banker_clauses, *filter(None, [play.no_card_clause])]),
        )
    )
    grid = show.plain_table("Has", *map(str, range(10)), "–", right=(0,))
    for point, row in enumerate(play.banker):
        marks = [Text(cell, style="bold" if cell == "D" else "dim") for cell in row]
        grid.add_row(str(point), *marks)
    show.console.print(grid)
    show.console.print("D draws, S stands.")
    return 0


@app.command
def notice(ruleset: str, /, *, json: Json = False) -> int:
    """Print a table notice to start from.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    json
        Print JSON.
    """
    posted = sample_notice(ruleset)
    if json:
        show.print_json(posted)
    else:
        print(format_notice(posted))
    return 0


def _check_document(name: str) -> None:
    if name not in RULESETS:
        raise MalformedError(f"no document {name[:40]!r}; choose {', '.join(RULESETS)}")


def _as_dict(clause: Clause) -> dict[str, object]:
    return {name: getattr(clause, name) for name in (*clause.__struct_fields__, "status")}


def _print_clauses(clauses: list[Clause], *, as_json: bool) -> None:
    if as_json:
        show.print_json([_as_dict(clause) for clause in clauses])
        return
    for clause in clauses:
        show.console.print(Text.assemble((clause.id, "bold"), "  ", (clause.status, "dim")))
        show.console.print(Padding(clause.paraphrase, (0, 0, 0, 2)))
    show.console.print(f"{show.counted(len(clauses), 'clause')}.")
