"""The page of the package in an index, made from README.md when the package is built.

On such a page a relative link leads nowhere and a picture shows a hole. With the address under
which the files of a release can be read (`files` in pyproject.toml) both are made absolute;
without one, paragraphs with pictures are left out and links become their text.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)]+)\)")


def page(readme: str, files: str = "") -> str:
    r"""The text of the page.

    >>> page("![a table](docs/a.webp) and [more](docs/more.md)", "https://example.org/v1")
    '![a table](https://example.org/v1/docs/a.webp) and [more](https://example.org/v1/docs/more.md)'
    >>> page("![a table](docs/a.webp)\n\nThere is [more](docs/more.md).")
    'There is more.'
    """
    if files:
        absolute = rf"[\1]({files.rstrip('/')}/\2)"
        return LINK.sub(absolute, PICTURE.sub("!" + absolute, readme))
    shown = [part for part in readme.split("\n\n") if not PICTURE.search(part)]
    return LINK.sub(r"\1", "\n\n".join(shown))


class CustomMetadataHook(MetadataHookInterface):
    """Puts the page into the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Only the readme is ours to say."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = page(readme, self.config.get("files", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
