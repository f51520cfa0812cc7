"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TESTS = ROOT / "tests"
DATA = TESTS / "data"
PLAYTHROUGHS = DATA / "playthroughs"
STORED = DATA / "stored"


def _in_a_house(file: Path) -> bool:
    """On paper a table can be opened for a competition without a session, in a house it cannot."""
    head = file.read_text()
    return ("[open.conditions]" in head) == ("[open.session]" in head)


HOUSE_SESSIONS = [file for file in sorted(PLAYTHROUGHS.glob("*.session")) if _in_a_house(file)]
"""The written sessions that can be played at a table of a house."""
