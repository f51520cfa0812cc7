"""A tampering campaign on a whole house: what is found, and by whom, as docs/journal.md says.

Whoever tampers has the file and every tool but the house's key: numbers, links, hashes and roots
are made anew after each change. The table in the document is what this test expects, row by row.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.editions import EDITION
from puntobanco.house.checks.proof import Against, prove
from puntobanco.journal.log import EventLog
from puntobanco.journal.mac import RowMac
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, verify
from tests.kit.forgery.house import MANAGER, Forger, Kept, Tampering, kept_house, starts
from tests.kit.forgery.rows import chained, log_of, others, paths, remade, value_at, with_value
from tests.kit.house.driver import KEY
from tests.kit.journal import using
from tests.kit.places import ROOT

DOCUMENT = (ROOT / "docs" / "journal.md").read_text()
FINDERS = ("verify", "key", "root", "start")
TAMPERINGS: dict[str, Tampering] = {}


def tampering(what: str) -> Callable[[Tampering], Tampering]:
    """Names what is done as the document does."""

    def named(done: Tampering) -> Tampering:
        TAMPERINGS[what] = done
        return done

    return named


# one row


@tampering("a row changed, its hash left as it was")
def _(forger: Forger) -> None:
    at = forger.find("cage", '"cents":7000')
    forger.rewrite("cage", at, '"cents":7000', '"cents":9000')
    forger.write(anew=False)


@tampering("events, command, roles or clauses of a row changed")
def _(forger: Forger) -> None:
    at = forger.find("table-1", "wager-settled")
    won = re.compile(rb'"won_cents":\d+')
    events = won.sub(b'"won_cents":999500', forger.rows["table-1"][at].events)
    forger.edit("table-1", at, events=events)
    forger.write()


@tampering("an amount changed in command and events alike, where the rules allow it")
def _(forger: Forger) -> None:
    at = forger.find("cage", '"cents":7000')
    forger.rewrite("cage", at, '"cents":7000', '"cents":9000')
    forger.write()


@tampering("the time or the id of a command changed")
def _(forger: Forger) -> None:
    at = forger.find("table-1", "before the root")
    forger.edit("table-1", at, at_ms=1, command_id="another")
    forger.write()


@tampering("somebody else named as who gave a command, where the rules allow it")
def _(forger: Forger) -> None:
    at = forger.find("table-1", "before the root")
    forger.rewrite("table-1", at, "bot-1-table-1", "bot-2-table-1")
    forger.edit("table-1", at, actor="bot-2-table-1")
    forger.write()


@tampering("a row inserted that the rules allow")
def _(forger: Forger) -> None:
    rows = forger.rows["cage"]
    at = forger.find("cage", '"cents":5000')
    rows.insert(at + 1, replace(rows[at], command_id="forged"))
    forger.write()


@tampering("a row removed that others rest on")
def _(forger: Forger) -> None:
    del forger.rows["table-1"][forger.find("table-1", "chips-bought")]
    forger.write()


@tampering("a row removed that nothing rests on")
def _(forger: Forger) -> None:
    del forger.rows["cage"][forger.find("cage", '"cents":7000')]
    forger.write()


@tampering("a row moved to another stream")
def _(forger: Forger) -> None:
    row = forger.rows["table-1"].pop(forger.find("table-1", "before the root"))
    forger.rows["table-2"].append(replace(row, stream="table-2"))
    forger.write()


# ends, streams, the whole file


@tampering("rows cut off before the last root")
def _(forger: Forger) -> None:
    del forger.rows["cage"][forger.covered("cage") - 1 :]
    forger.write()


@tampering("rows cut off after the last root")
def _(forger: Forger) -> None:
    for stream, rows in forger.rows.items():
        del rows[forger.covered(stream) + (stream == HOUSE) :]
    forger.write(anew=False)


@tampering("rows appended after the last root that the rules allow")
def _(forger: Forger) -> None:
    rows = forger.rows["cage"]
    rows.append(replace(rows[-1], command_id="forged"))
    forger.write()


@tampering("a whole table dropped")
def _(forger: Forger) -> None:
    del forger.rows["table-2"]
    forger.write()


@tampering("a whole table dropped with all that speaks of it")
def _(forger: Forger) -> None:
    """Its trays, its chips, its shoes and the text it was opened by; later rows of the register are
    one number down, and what was looked up by them with it.
    """
    gone = forger.rows.pop("table-2")
    for made in (event for row in gone for event in json.loads(row.events)):
        if made["is"] == "cards-shuffled":
            forger.sql("DELETE FROM sealed WHERE commitment = ?", made["commitment"])
    about = b'"table-2"'
    forger.rows["cage"] = [
        row for row in forger.rows["cage"] if about not in (row.command or b"") + row.events
    ]
    kept = forger.find("register", '"at":"table-2"')
    del forger.rows["register"][kept]
    for stream, rows in forger.rows.items():
        forger.rows[stream] = [_looked_up_before(row, kept) for row in rows]
    forger.write()


def _looked_up_before(row: Row, gone: int) -> Row:
    """A row as it would be, had the register not had this one; roots speak of it, too."""
    events, envelope = json.loads(row.events), json.loads(row.command or b"null")
    for counted in [event.get("heads", {}) for event in events] + [(envelope or {}).get("by", {})]:
        if counted.get("register", 0) > gone:
            counted["register"] -= 1
    command = msgspec.json.encode(envelope) if envelope else None
    return replace(row, command=command, events=msgspec.json.encode(events))


@tampering("the whole file put back to an earlier copy")
def _(forger: Forger) -> None:
    shutil.copy(forger.kept.earlier, forger.kept.file)


@tampering("everything written anew as by a program that kept no commands and no codes")
def _(forger: Forger) -> None:
    for stream, rows in forger.rows.items():
        forger.rows[stream] = [_as_before(replace(row, command=None, mac=None)) for row in rows]
    forger.write()


def _as_before(row: Row) -> Row:
    events = json.loads(row.events)
    for event in events:
        if event["is"] == "root-recorded":
            event |= {"is": "heads-recorded"}
            del event["credentials"], event["sealed"]
    return replace(row, events=msgspec.json.encode(events))


# roots


@tampering("a root changed")
def _(forger: Forger) -> None:
    root = re.compile(rb'"root":"..')
    at = forger.find(HOUSE, "root-recorded", 2)
    forger.edit(HOUSE, at, events=root.sub(b'"root":"00', forger.rows[HOUSE][at].events))
    forger.rows[HOUSE] = chained(forger.rows[HOUSE])
    forger.write(anew=False)


@tampering("a root removed from among others")
def _(forger: Forger) -> None:
    del forger.rows[HOUSE][forger.find(HOUSE, "root-recorded", 2)]
    forger.write()


@tampering("the last root removed, and all that came after it")
def _(forger: Forger) -> None:
    for stream, rows in forger.rows.items():
        del rows[forger.covered(stream) :]
    forger.write(anew=False)


@tampering("where streams ended changed in a root")
def _(forger: Forger) -> None:
    at = forger.find(HOUSE, "root-recorded", 2)
    event = json.loads(forger.rows[HOUSE][at].events)[0]
    event["heads"]["cage"] -= 1
    forger.edit(HOUSE, at, events=msgspec.json.encode([event]))
    forger.write()


@tampering("what the house noted removed: a failed sign-in")
def _(forger: Forger) -> None:
    del forger.rows[HOUSE][forger.find(HOUSE, "sign-in-failed")]
    forger.write()


@tampering("the house's own stream dropped, roots and all")
def _(forger: Forger) -> None:
    del forger.rows[HOUSE]
    forger.write()


@tampering("a row that says the house was restored, and a cut-back house with it")
def _(forger: Forger) -> None:
    del forger.rows["cage"][forger.covered("cage") - 1 :]
    said = {"is": "house-restored", "root": "", "instead_of": forger.root.root}
    forger.rows[HOUSE].append(forger.note(said))
    forger.write()


# codes


@tampering("the code of one row cleared")
def _(forger: Forger) -> None:
    forger.sql("UPDATE rows SET mac = NULL WHERE stream = 'cage' AND seq = 5")


@tampering("the codes of all rows cleared")
def _(forger: Forger) -> None:
    forger.sql("UPDATE rows SET mac = NULL")


@tampering("the code of one row copied from another")
def _(forger: Forger) -> None:
    another = forger.rows["cage"][0].mac
    forger.sql("UPDATE rows SET mac = ? WHERE stream = 'cage' AND seq = 5", another)


# who may do what


@tampering("a patron makes themselves management")
def _(forger: Forger) -> None:
    _granted(forger, "ann", "ann", [])
    forger.write()


@tampering("somebody made management in a manager's name")
def _(forger: Forger) -> None:
    """Enrolled as staff first, as the rules want it."""
    rows = forger.rows["register"]
    row = rows[forger.find("register", '"person":"ann"')]
    enrolled = {"do": "enrol", "person": "eve", "kind": "staff"}
    happened = {"is": "person-enrolled", "person": "eve", "kind": "staff"}
    rows.append(
        _registered(forger, row, MANAGER, ["management representative"], enrolled, happened)
    )
    _granted(forger, MANAGER, "eve", ["management representative"])
    forger.write()


def _granted(forger: Forger, actor: str, person: str, roles: list[str]) -> None:
    role = "management representative"
    row = forger.rows["register"][-1]
    asked = {"do": "grant", "person": person, "role": role}
    happened = {"is": "role-granted", "person": person, "role": role}
    forger.rows["register"].append(_registered(forger, row, actor, roles, asked, happened))


def _registered(
    forger: Forger,
    row: Row,
    actor: str,
    roles: list[str],
    asked: dict[str, str],
    happened: dict[str, str],
) -> Row:
    number = len(forger.rows["register"])
    by = {"roles": roles, "register": number}
    command = msgspec.json.encode({"edition": EDITION, "by": by, "command": asked})
    events = msgspec.json.encode([happened])
    return replace(row, actor=actor, command_id=f"forged-{number}", command=command, events=events)


@tampering("a row of the register removed that gave a role")
def _(forger: Forger) -> None:
    del forger.rows["register"][forger.find("register", '"role":"cashier"')]
    forger.write()


@tampering("the text of a rule set changed in the register")
def _(forger: Forger) -> None:
    forger.rewrite("register", forger.find("register", "ruleset-kept"), "decks", "decxs")
    forger.write()


# beside the log


@tampering("the order of a shoe changed under its seal")
def _(forger: Forger) -> None:
    forger.sql("UPDATE sealed SET content = zeroblob(100)")


@tampering("sealed orders removed")
def _(forger: Forger) -> None:
    forger.sql("DELETE FROM sealed")


@tampering("a sealed value added")
def _(forger: Forger) -> None:
    forger.sql("INSERT INTO sealed VALUES ('ab', x'00', x'00')")


@tampering("a credential changed")
def _(forger: Forger) -> None:
    forger.sql("UPDATE credentials SET secret = 'known' WHERE person = 'mara'")


@tampering("a credential removed")
def _(forger: Forger) -> None:
    forger.sql("DELETE FROM credentials WHERE person = 'mara'")


@tampering("a credential added")
def _(forger: Forger) -> None:
    forger.sql("INSERT INTO credentials VALUES ('ann', 'password', 'known', 1, 0, 0)")


@tampering("an old credential put back, with a row that issues it again")
def _(forger: Forger) -> None:
    """Whoever knew it can sign in again; its digest stands in the row that issued it first."""
    pins = [event for _, event in forger.events_of(HOUSE) if event.get("kind") == "pin"]
    again = {**pins[1], "was": pins[0]["mac"]}
    forger.rows[HOUSE].append(forger.note(again))
    forger.write()
    forger.sql("UPDATE credentials SET secret = 'hashed too', set_ms = 2 WHERE person = 'ann'")


@tampering("a snapshot changed")
def _(forger: Forger) -> None:
    forger.sql("UPDATE snapshots SET state = CAST(replace(state, '1', '2') AS BLOB)")


@tampering("how often a sign-in failed changed beside a credential")
def _(forger: Forger) -> None:
    forger.sql("UPDATE credentials SET failures = 9")


@tampering("a name changed")
def _(forger: Forger) -> None:
    forger.sql("UPDATE people SET name = 'Eve'")


@tampering("a web session added")
def _(forger: Forger) -> None:
    forger.sql("INSERT INTO web_sessions VALUES ('known', 'mara', 1, 1, '', '', 0)")


# what is found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return kept_house(tmp_path_factory.mktemp("house"))


def is_found(kept: Kept, against: Against) -> bool:
    async def use(log: EventLog) -> bool:
        return prove(log, against).fault is not None

    return using(str(kept.file), use)


def found_by(kept: Kept) -> dict[str, bool]:
    noted = bytes.fromhex(kept.noted.root)
    return {
        "verify": is_found(kept, Against()),
        "key": is_found(kept, Against(key=KEY)),
        "root": is_found(kept, Against(noted=noted)),
        "start": not starts(kept),
    }


def documented() -> dict[str, dict[str, bool]]:
    """The table of the document: what was done, and who finds it."""
    section = DOCUMENT.partition("## What tampering is found")[2].partition("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:1] == "|"]
    return {
        what: dict(zip(FINDERS, [cell.startswith("found") for cell in cells], strict=True))
        for what, *cells in lines[2:]
    }


def test_an_untouched_house_is_sound_and_starts(kept: Kept, tmp_path: Path) -> None:
    copied = kept.copied(tmp_path / "house")
    against = Against(bytes.fromhex(kept.noted.root), kept.noted, KEY)
    assert not is_found(copied, against)
    assert starts(copied)


def test_the_document_tells_of_every_tampering() -> None:
    assert list(documented()) == list(TAMPERINGS)


@pytest.mark.parametrize("what", TAMPERINGS)
def test_who_finds_it_is_what_the_document_says(what: str, kept: Kept, tmp_path: Path) -> None:
    copied = kept.copied(tmp_path / "house")
    TAMPERINGS[what](Forger(copied))
    beside_key = is_found(copied, Against(beside_key=copied.noted))
    found = found_by(copied)
    assert found == documented()[what]
    assert beside_key or not found["root"]  # the root beside the key is as good as one on paper


# any change at all, before a root that was noted


TIMES = 150
"""Random changes that are tried."""


def changed_at_random(forger: Forger, chance: Random) -> str:
    """Something done to a row that the noted root covers; what it was."""
    stream = chance.choice(sorted(forger.root.heads))
    rows = forger.rows[stream]
    at = chance.randrange(forger.covered(stream))
    row = rows[at]
    done = chance.choice(
        ("actor", "at_ms", "command_id", "clauses", "events", "doubled", "removed")
    )
    if done == "removed":
        del rows[at]
    elif done == "doubled":
        rows.insert(chance.randrange(at + 1), row)
    elif done == "events" and stream != HOUSE:
        forger.edit(stream, at, events=row.events + b" ")
    elif done == "at_ms":
        forger.edit(stream, at, at_ms=row.at_ms + chance.randrange(1, 1000))
    else:
        name = "clauses" if done == "events" else done
        forger.edit(stream, at, **{name: f"{getattr(row, name)}x"})
    return f"{done} in {stream}, row {at + 1}"


def test_with_a_noted_root_nothing_before_it_changes_unseen(kept: Kept, tmp_path: Path) -> None:
    forger = Forger(kept.copied(tmp_path / "house"))
    before, chance = {stream: list(forger.rows[stream]) for stream in forger.rows}, Random(12)
    noted = bytes.fromhex(forger.root.root)
    assert verify(log_of(before), noted).fault is None
    for _ in range(TIMES):
        forger.rows = {stream: list(rows) for stream, rows in before.items()}
        done = changed_at_random(forger, chance)
        made = log_of(remade(forger.rows))
        assert verify(made).fault is None, done
        assert verify(made, noted).fault is not None, done


def test_no_forged_note_of_the_house_ends_in_a_traceback(kept: Kept, tmp_path: Path) -> None:
    """Whatever stands in its own stream, verification answers; with the key it finds it."""
    forger = Forger(kept.copied(tmp_path / "house"))
    rows, mac = forger.rows, RowMac(KEY)
    for at, row in enumerate(rows[HOUSE]):
        (event,) = json.loads(row.events)
        for path in paths(event):
            for other in (*others(value_at(event, path), set()), None, -1, "x", [], {"x": {}}):
                if other == value_at(event, path):
                    continue
                events = msgspec.json.encode([with_value(event, path, other)])
                forged = [*rows[HOUSE][:at], replace(row, events=events), *rows[HOUSE][at + 1 :]]
                log = log_of({**rows, HOUSE: chained(forged)})
                prove(log)
                assert verify(log, mac=mac).fault is not None
