"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
TESTS = ROOT / "tests"
DATA = TESTS / "data"
PLAYTHROUGHS = DATA / "playthroughs"
STORED = DATA / "stored"
