"""Is what is installed what the hashed lock names? Every package, its version, and hashes."""

import re
import sys
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OWN = {"puntobanco", "pip", "setuptools"}
"""This package, and what every environment begins with."""


def locked(text: str) -> dict[str, str]:
    """By name, the version that the lock has for this machine; each must have a hash."""
    found = {}
    for entry in re.sub(r"\\\n", " ", text).splitlines():
        line = entry.partition(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        wanted, *hashes = line.split("--hash=")
        if not hashes:
            raise SystemExit(f"{wanted.strip()}: the lock has no hash for it")
        one = Requirement(wanted.strip())
        if one.marker is None or one.marker.evaluate():
            found[canonicalize_name(one.name)] = str(one.specifier).removeprefix("==")
    return found


def differences(wanted: dict[str, str], there: dict[str, str]) -> list[str]:
    """What is missing, of another version, or on no list."""
    return [
        f"{name}: {wanted.get(name, 'not in the lock')}, installed {there.get(name, 'not at all')}"
        for name in sorted(wanted.keys() | there.keys() - OWN)
        if wanted.get(name) != there.get(name)
    ]


def main() -> int:
    wanted = locked(Path(sys.argv[1]).read_text())
    there = {canonicalize_name(one.name): one.version for one in distributions()}
    found = differences(wanted, there)
    print("\n".join(found) or f"{len(wanted)} packages are as locked")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
