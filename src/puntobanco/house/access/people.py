"""Names, contacts, credentials and web sessions: ordinary tables, corrected and erased at need.

Who may do what stands in the register; here is only what the journal must not hold for ever.
"""

from msgspec import Struct
from msgspec.structs import astuple

from puntobanco.journal.log import EventLog

ONCE, USED = "once:", "used:"
"""Before the hash of a secret: what works once, and what did. The hash stays, so that whoever comes
with it again can be told so; it is under the roots like any other."""


class Person(Struct, frozen=True):
    """How a person is called and reached."""

    person: str
    name: str = ""
    contact: str = ""


class Credential(Struct, frozen=True):
    """What a person signs in with, hashed; and how often somebody failed since the last time.

    Of a passkey it is how often its device says that it was used, below zero, for these are no
    failures; and when the challenge was given that it answered last.
    """

    person: str
    kind: str
    secret: str
    set_ms: int
    failures: int = 0
    failed_ms: int = 0

    @property
    def hashed(self) -> str:
        """The secret's hash, without what is said of it."""
        return self.secret.removeprefix(ONCE).removeprefix(USED)

    @property
    def is_once(self) -> bool:
        """Printed on a slip, and not used yet."""
        return self.secret.startswith(ONCE)

    @property
    def is_used(self) -> bool:
        """Printed on a slip that has been used: it is good for nothing any more."""
        return self.secret.startswith(USED)


class WebSession(Struct, frozen=True):
    """Somebody signed in; the token is stored hashed."""

    token: str
    person: str
    began_ms: int
    seen_ms: int
    scope: str = ""
    """What it is good for, if not for everything."""
    place: str = ""
    """The one table a device is good for; empty for a person."""
    until_ms: int = 0
    """When a token ends, used or not; 0 where only idleness and age end a session."""


SESSION = "token, person, began_ms, seen_ms, scope, place, until_ms"


PUT_CREDENTIAL = (
    "INSERT INTO credentials VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (person, kind)"
    " DO UPDATE SET secret = excluded.secret, set_ms = excluded.set_ms,"
    " failures = excluded.failures, failed_ms = excluded.failed_ms"
)
ERASE = tuple(
    f"DELETE FROM {table} WHERE person = ?"  # noqa: S608
    for table in ("people", "credentials", "web_sessions", "aliases", "training", "sign_ins")
)
"""All that is personal; the id in the journal says nothing by itself."""


SIGN_INS_MS = 400 * 86_400_000
"""How long it is kept when and from where somebody signed in."""
LAST_SIGN_INS = "SELECT person, max(at_ms) FROM sign_ins GROUP BY person"


PUT_ERASED = "INSERT INTO erased VALUES (?, ?) ON CONFLICT DO NOTHING"


class People:
    """The ordinary tables of a house."""

    def __init__(self, log: EventLog) -> None:
        self._run = log.ordinary
        self._wipe = log.wipe
        self.unwiped = False
        """Something was erased that may still be in the files."""

    def put(self, person: Person) -> None:
        """Write a name down, or correct it."""
        self._run(
            "INSERT INTO people VALUES (?, ?, ?) ON CONFLICT (person)"
            " DO UPDATE SET name = excluded.name, contact = excluded.contact",
            *(person.person, person.name, person.contact),
        )

    def get(self, person: str) -> Person:
        """A person's name, or their id where there is none any more."""
        rows = self._run("SELECT person, name, contact FROM people WHERE person = ?", person)
        return Person(*rows[0]) if rows else Person(person)

    def all(self) -> dict[str, Person]:
        rows = self._run("SELECT person, name, contact FROM people ORDER BY person")
        return {row[0]: Person(*row) for row in rows}

    def is_erased(self, person: str) -> bool:
        return bool(self._run("SELECT 1 FROM erased WHERE person = ?", person))

    def erased(self) -> set[str]:
        """Everybody whose name was erased."""
        return {row[0] for row in self._run("SELECT person FROM erased")}

    def came_back(self, person: str) -> None:
        """Somebody is a stranger no more: they are called by what is written down of them now."""
        self._run("DELETE FROM erased WHERE person = ?", person)

    def alias(self, person: str) -> str:
        """What a patron is called at a table; empty: by the number of the seat."""
        rows = self._run("SELECT alias FROM aliases WHERE person = ?", person)
        return str(rows[0][0]) if rows else ""

    def aliases(self) -> dict[str, str]:
        return {row[0]: row[1] for row in self._run("SELECT person, alias FROM aliases")}

    def put_alias(self, person: str, alias: str) -> None:
        """Write an alias down; an empty one is forgotten."""
        self._run("DELETE FROM aliases WHERE person = ?", person)
        if alias:
            self._run("INSERT INTO aliases VALUES (?, ?)", person, alias)

    def wipe(self) -> None:
        """Out of the files too; a house that runs tries again until it is."""
        self.unwiped = not self._wipe()

    def credential(self, person: str, kind: str) -> Credential | None:
        columns = "person, kind, secret, set_ms, failures, failed_ms"
        rows = self._run(
            f"SELECT {columns} FROM credentials WHERE person = ? AND kind = ?",  # noqa: S608
            *(person, kind),
        )
        return Credential(*rows[0]) if rows else None

    def credentials(self, person: str) -> dict[str, Credential]:
        """All of a person, by kind."""
        columns = "person, kind, secret, set_ms, failures, failed_ms"
        rows = self._run(
            f"SELECT {columns} FROM credentials WHERE person = ? ORDER BY kind",  # noqa: S608
            person,
        )
        return {row[1]: Credential(*row) for row in rows}

    def locked(self, failures: int) -> list[str]:
        """Whose account has had so many failures, by any way of signing in."""
        asked = "SELECT DISTINCT person FROM credentials WHERE failures >= ? ORDER BY person"
        return [str(row[0]) for row in self._run(asked, failures)]

    def begin(self, session: WebSession) -> None:
        self._run(
            "INSERT INTO web_sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
            *astuple(session),
        )

    def signed_in(self, person: str, now_ms: int, address: str) -> None:
        """When and from where somebody signed in; the last time is kept, others for a while."""
        self._run(
            "INSERT INTO sign_ins VALUES (?, ?, ?) ON CONFLICT DO NOTHING", person, now_ms, address
        )
        self._run(
            "DELETE FROM sign_ins WHERE person = ? AND at_ms < ?", person, now_ms - SIGN_INS_MS
        )

    def sign_ins(self, person: str) -> list[tuple[int, str]]:
        """When and from which address somebody signed in, the oldest first."""
        said = "SELECT at_ms, address FROM sign_ins WHERE person = ? ORDER BY at_ms"
        return [(int(row[0]), str(row[1])) for row in self._run(said, person)]

    def last_sign_ins(self) -> dict[str, int]:
        """When each person signed in last."""
        return {row[0]: int(row[1]) for row in self._run(LAST_SIGN_INS)}

    def session(self, token: str) -> WebSession | None:
        rows = self._run(f"SELECT {SESSION} FROM web_sessions WHERE token = ?", token)  # noqa: S608
        return WebSession(*rows[0]) if rows else None

    def sessions_of(self, person: str) -> list[WebSession]:
        """Where a person is signed in, the oldest first; not the devices they made."""
        rows = self._run(
            f"SELECT {SESSION} FROM web_sessions"  # noqa: S608
            " WHERE person = ? AND place = '' ORDER BY began_ms, token",
            person,
        )
        return [WebSession(*row) for row in rows]

    def devices(self) -> list[WebSession]:
        """Tokens of scanners, shoes and displays."""
        rows = self._run(
            f"SELECT {SESSION} FROM web_sessions"  # noqa: S608
            " WHERE place <> '' ORDER BY place, began_ms"
        )
        return [WebSession(*row) for row in rows]

    def seen(self, token: str, now_ms: int) -> None:
        self._run("UPDATE web_sessions SET seen_ms = ? WHERE token = ?", now_ms, token)

    def end(self, token: str) -> None:
        self._run("DELETE FROM web_sessions WHERE token = ?", token)

    def failed(self, person: str, kind: str, now_ms: int) -> None:
        """One failure more."""
        self._run(
            "UPDATE credentials SET failures = failures + 1, failed_ms = ?"
            " WHERE person = ? AND kind = ?",
            *(now_ms, person, kind),
        )

    def cleared(self, person: str, kind: str) -> None:
        """No failure counts any more."""
        self._run("UPDATE credentials SET failures = 0 WHERE person = ? AND kind = ?", person, kind)

    def used_at(self, person: str, kind: str, at_ms: int) -> None:
        """When the last code that was used was of: none is good twice."""
        self._run(
            "UPDATE credentials SET failed_ms = ? WHERE person = ? AND kind = ?",
            *(at_ms, person, kind),
        )

    def counted(self, held: Credential, at_ms: int, count: int) -> bool:
        """A passkey was used; not if it was once more meanwhile, in whichever process."""
        done = self._run(
            "UPDATE credentials SET failures = ?, failed_ms = ? WHERE person = ? AND kind = ?"
            " AND secret = ? AND failures = ? AND failed_ms = ? RETURNING kind",
            *(count, at_ms, held.person, held.kind, held.secret, held.failures, held.failed_ms),
        )
        return bool(done)

    def forget_sessions(self, before_ms: int) -> None:
        """Forget sessions older than this moment; devices go on."""
        self._run("DELETE FROM web_sessions WHERE began_ms < ? AND place = ''", before_ms)

    def end_sessions(self, person: str) -> None:
        """Sign a person out; the devices they made go on."""
        self._run("DELETE FROM web_sessions WHERE person = ? AND place = ''", person)

    def end_all(self, person: str) -> None:
        """Sign a person out everywhere."""
        self._run("DELETE FROM web_sessions WHERE person = ?", person)
