"""Forms of secret wagers at a table, each with a salt of its own."""

from hypothesis import strategies as st

from puntobanco.rules.competition.secret import FormFault, SecretForm, content
from puntobanco.rules.seal import commit
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.secrets import unopened
from puntobanco.table.state import Table
from tests.kit.table.at import At

FORM = SecretForm("500", "five hundred", "b")


forms = st.builds(
    SecretForm,
    st.sampled_from(("100", "25", "50", "60", "9999", "12.34", "")),
    st.sampled_from(("one hundred", "twenty-five", "fifty", "sixty", "nothing to read")),
    st.sampled_from(("p", "b", "b", "t", "?")),
)
verdicts = st.sampled_from(
    (("accepted", ()), ("accepted", ()), ("sent-back", (FormFault.ABOVE_MAXIMUM,)))
)
Verdict = tuple[str, tuple[FormFault, ...]]


def opened_for(table: Table, sealed: dict[str, c.OpenedForm]) -> tuple[c.OpenedForm, ...]:
    """The forms that are still to be told, as the house would open them."""
    due = unopened(table) if table.coup is not None and table.is_contest else {}
    return tuple(sealed[form.commitment] for form in due.values())


class Forms:
    """The house's part: it seals forms, and opens those that are to be told."""

    def __init__(self, at: At) -> None:
        self.at = at
        self.sealed: dict[str, c.OpenedForm] = {}

    def sealing(self, person: str, form: SecretForm = FORM) -> c.LodgeSecret:
        salt, text = f"{len(self.sealed):064x}", content(form)
        made = commit(bytes.fromhex(salt), text)
        self.sealed[made] = c.OpenedForm(person, salt, text.decode())
        return c.LodgeSecret(made, person)

    def lodge(self, person: str, form: SecretForm = FORM) -> list[TableEvent]:
        return self.at.do("dan", self.sealing(person, form))

    def accept(self, *people: str) -> None:
        for person in people:
            self.at.do("ines", c.ExamineSecret(person, "accepted"))

    def opened(self) -> tuple[c.OpenedForm, ...]:
        return opened_for(self.at.table, self.sealed)

    def declare(self) -> list[TableEvent]:
        return self.at.do("dan", c.DeclareResult(self.opened()))
