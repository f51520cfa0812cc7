"""The documentation site: the Markdown of this repository, and a reference made from docstrings.

The source is the whole checkout, so that links between files mean the same here and in an editor:
`make docs`, or `sphinx-build -W -c docs/site . FOLDER`.
"""

import ast
import inspect
import re
from importlib import import_module
from pkgutil import walk_packages
from textwrap import dedent
from typing import get_origin

from sphinx.application import Sphinx

from puntobanco import __version__

project = "puntobanco"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/site/index"
include_patterns = ["*.md", "docs/**"]
exclude_patterns = ["docs/pictures", "docs/templates", "src", "tests", "build", ".*"]
"""The last ones hold no page, and thousands of files that would each be held against the first."""
html_theme = "furo"
html_title = f"puntobanco {__version__}"
html_copy_source = html_show_sourcelink = html_show_copyright = False

myst_heading_anchors = 4
autodoc_default_options = {"members": True, "no-value": True}
autodoc_typehints = "none"  # signatures are written as in the source, see below
toc_object_entries = False
suppress_warnings = ["ref.python"]  # a name that two modules have is left without a link
autodoc_member_order = "bysource"
default_role = "code"  # a word between backticks in a docstring is code, as in Markdown
napoleon_google_docstring = False

MODULES = re.compile(r"^<!-- modules of (\S+) -->$", re.MULTILINE)
INTERNAL = re.compile(r"\.(decide|evolve|checks|bots|access)\.")
"""Rooms that only their own package enters, and whose inside is nobody's promise."""


def setup(app: Sphinx) -> None:
    """Fill in the modules of the reference, and write signatures as the source does."""
    app.connect("source-read", _list_modules)
    app.connect("autodoc-process-signature", _as_written)
    app.connect("autodoc-skip-member", _is_left_out)


def _is_left_out(
    _app: Sphinx, what: str, _name: str, member: object, skip: bool, _options: object
) -> bool | None:
    """Leave out type aliases: written out in full they are longer than what uses them."""
    return True if skip or (what == "module" and get_origin(member) is not None) else None


def _as_written(
    _app: Sphinx, what: str, _name: str, member: object, _options: object, *shown: str | None
) -> tuple[str | None, str | None]:
    """A signature with the names of its types: one union here has a hundred members.

    A class has none, for its fields are listed below it.
    """
    if what in {"class", "exception"}:
        return None, None
    try:
        source = ast.parse(dedent(inspect.getsource(inspect.unwrap(member))))  # type: ignore[arg-type]
    except (TypeError, OSError, SyntaxError):
        return shown[0], shown[1]
    function = source.body[0]
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return shown[0], shown[1]
    if what == "method" and function.args.args:
        del function.args.args[0]
    returns = None if function.returns is None else ast.unparse(function.returns)
    return f"({ast.unparse(function.args)})", returns


def _list_modules(_app: Sphinx, _page: str, source: list[str]) -> None:
    source[0] = MODULES.sub(lambda found: _reference(found[1]), source[0])


def _reference(name: str) -> str:
    """A heading and the docstrings of each module below this one, and of itself."""
    package = import_module(name)
    below = walk_packages(getattr(package, "__path__", ()), f"{name}.")
    modules = [name, *(found.name for found in below if not INTERNAL.search(found.name))]
    return "\n\n".join(
        f"## {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n```" for module in modules
    )
