"""`puntobanco program`: is what runs here what was released, and what is it made of?"""

from importlib.metadata import Distribution, distributions

from puntobanco import __version__
from puntobanco.cli import show
from puntobanco.house.checks.program import NAME, check_program


def program(*, sbom: show.Flag = False, json: show.Json = False) -> int:
    """Hold every file of the program against the list that it was installed with.

    Exits with 1 and the names of files that differ.

    Parameters
    ----------
    sbom
        Instead: a bill of materials (CycloneDX 1.6, as JSON) of all that is installed here.
    json
        For a check: one JSON object.
    """
    if sbom:
        show.print_json(bill_of_materials())
        return 0
    found = check_program()
    if json:
        show.print_json(found)
        return int(bool(found.differ))
    for name in found.differ:
        print(f"DIFFERS: {name}")
    held = "held against its list" if found.listed else "no list to hold them against: a checkout"
    print(f"puntobanco {found.version}: {show.counted(found.files, 'file')}, {held}")
    print(f"digest {found.digest}")
    return int(bool(found.differ))


def bill_of_materials() -> dict[str, object]:
    """All that is installed beside the program, by name, as CycloneDX has it."""
    found = {one.name.lower().replace("_", "-"): one for one in distributions()}
    parts = [_component(name, found[name]) for name in sorted(found) if name != NAME]
    own = {"type": "application", "bom-ref": NAME, "name": NAME, "version": __version__}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
    }


def _component(name: str, found: Distribution) -> dict[str, object]:
    address = f"pkg:pypi/{name}@{found.version}"
    made: dict[str, object] = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": found.version,
        "purl": address,
    }
    if "License-Expression" in found.metadata:
        made["licenses"] = [{"expression": found.metadata["License-Expression"]}]
    return made
