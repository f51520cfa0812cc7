"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TESTS = ROOT / "tests"
DATA = TESTS / "data"
PLAYTHROUGHS = DATA / "playthroughs"
STORED = DATA / "stored"


def _in_a_house(file: Path) -> bool:
    """On paper a table can be opened for a competition without a session, and a holder can name the
    card they turn; in a house neither can be.
    """
    said = file.read_text()
    held = "squeeze-card" in said  # the cards of the house's own shoe, which it alone can name
    return not held and ("[open.conditions]" in said) == ("[open.session]" in said)


HOUSE_SESSIONS = [file for file in sorted(PLAYTHROUGHS.glob("*.session")) if _in_a_house(file)]
"""The written sessions that can be played at a table of a house."""
