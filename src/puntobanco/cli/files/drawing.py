"""Drawing to a file: SVG by ourselves, PNG and PDF with matplotlib."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from puntobanco.errors import MalformedError
from puntobanco.odds.plot import COLOURS, Panel, svg

PICTURES = (".png", ".pdf")


def check_drawable(file: Path) -> None:
    """Refuse a drawing that cannot be made before anything is worked out for it."""
    if file.suffix.lower() in PICTURES:
        _matplotlib()
    elif file.suffix.lower() != ".svg":
        raise MalformedError(f"cannot draw {str(file)[-40:]!r}: name it .svg, .png or .pdf")


def draw_panels(file: Path, title: str, along: str, panels: Sequence[Panel]) -> None:
    """Draw panels below one another, in the form that the file's name asks for."""
    check_drawable(file)
    if file.suffix.lower() == ".svg":
        file.write_text(svg(title, along, panels), "utf-8")
    else:
        _picture(file, title, along, panels)


def _matplotlib() -> Any:
    try:
        mpl = import_module("matplotlib")
    except ImportError as error:
        raise MalformedError(
            "a plot as PNG or PDF needs matplotlib: pip install 'puntobanco[plot]'; .svg does not"
        ) from error
    mpl.use("Agg")
    return import_module("matplotlib.pyplot")


def _picture(file: Path, title: str, along: str, panels: Sequence[Panel]) -> None:
    plt = _matplotlib()
    figure, every = plt.subplots(
        len(panels),
        figsize=(9, 3.5 * len(panels)),
        sharex=True,
        layout="constrained",
        squeeze=False,
    )
    for panel, axes in zip(panels, every[:, 0], strict=True):
        look: dict[str, Any] = {} if panel.named else {"color": COLOURS[0], "alpha": 0.45}
        for name, values in panel.series.items():
            label = name.replace("$", r"\$")  # between dollars matplotlib would set mathematics
            axes.plot(panel.xs[: len(values)], values, label=label, linewidth=1.4, **look)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set(ylabel=panel.up)
        if panel.named and axes.lines[2:]:
            axes.legend(frameon=False)
    every[0, 0].set(title=title)
    every[-1, 0].set(xlabel=along)
    figure.savefig(file)
    plt.close(figure)
