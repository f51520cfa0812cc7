"""A wheel carries the rulebook as one compressed file: most of that text is read seldom."""

from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RULEBOOK = "puntobanco/rules/documents/rulebook"
AT = (1980, 1, 1, 0, 0, 0)
"""The same moment for every file, so that the same texts make the same wheel."""


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Packs the folder beside `rulebook.py`, which reads either."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """A checkout that is installed in place keeps its folder."""
        if version != "standard":
            return
        packed = Path(self.directory) / "rulebook.zip"
        packed.parent.mkdir(parents=True, exist_ok=True)
        with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted((Path(self.root) / "src" / RULEBOOK).iterdir()):
                info = ZipInfo(file.name, AT)
                archive.writestr(info, file.read_bytes(), ZIP_DEFLATED, 9)
        build_data["force_include"][str(packed)] = f"{RULEBOOK}.zip"

    def finalize(self, version: str, _build_data: dict[str, Any], _artifact: str) -> None:
        """Only the wheel is left."""
        if version == "standard":
            (Path(self.directory) / "rulebook.zip").unlink(missing_ok=True)
