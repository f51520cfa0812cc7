"""Is what is installed what the hashed lock names? Every package, its version, its files."""

import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import Distribution, distributions
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


def installed(found: Iterable[Distribution]) -> dict[str, str]:
    """By name, the version of each package; of one that is there twice, both."""
    there: dict[str, str] = {}
    for one in found:
        name = canonicalize_name(one.name)
        there[name] = f"{there[name]} and {one.version}" if name in there else one.version
    return there


def altered(package: Distribution) -> Iterator[str]:
    """The files of a package that are not as its wheel had them, by the list that it came with."""
    for file in package.files or ():
        if file.hash is not None and _hash(Path(str(file.locate()))) != file.hash.value:
            yield f"{canonicalize_name(package.name)}: {file} is not as it was installed"


def _hash(file: Path) -> str:
    if not file.is_file():
        return ""
    return urlsafe_b64encode(sha256(file.read_bytes()).digest()).decode().rstrip("=")


def main() -> int:
    wanted = locked(Path(sys.argv[1]).read_text())
    packages = list(distributions())
    found = differences(wanted, installed(packages))
    found += [said for one in packages for said in altered(one)]
    print("\n".join(found) or f"{len(wanted)} packages are as locked")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
