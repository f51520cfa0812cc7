"""Files of one line each, written as they come: CSV, Parquet or Arrow by the file's ending."""

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from puntobanco.errors import MalformedError
from puntobanco.sim.columns import NOTHING, Column, Named

Columns: TypeAlias = Mapping[str, Column]
Write: TypeAlias = Callable[[Columns], None]


def tidy_file(file: Path) -> AbstractContextManager[Write]:
    """A file to write columns to, slice after slice; it is whole when the block is left."""
    form = FORMS.get(file.suffix.lower())
    if form is None:
        raise MalformedError(
            f"cannot write lines to {str(file)[-40:]!r}: name it .csv, .parquet or .arrow"
        )
    return form(file)


@contextmanager
def _csv_file(file: Path) -> Iterator[Write]:
    with file.open("w", newline="", encoding="utf-8") as out:
        lines = csv.writer(out, lineterminator="\n")

        def write(columns: Columns) -> None:
            if not out.tell():
                lines.writerow(columns)
            lines.writerows(zip(*map(_cells, columns.values()), strict=True))

        yield write


def _cells(column: Column) -> list[Any]:
    if isinstance(column, Named):
        return column.words()
    if column.dtype == np.bool_:
        return Named(column.astype(np.uint8), ("false", "true")).words()
    cells: list[Any] = column.tolist()
    return cells


def _arrow_file(file: Path, module: str, opener: str) -> AbstractContextManager[Write]:
    try:
        arrow: Any = import_module("pyarrow")
        opens: Any = getattr(import_module(module), opener)
    except ImportError as error:
        raise MalformedError(
            "Parquet and Arrow need pyarrow: pip install 'puntobanco[arrow]'; .csv does not"
        ) from error
    return _batches(file, arrow, opens)


@contextmanager
def _batches(file: Path, arrow: Any, opens: Any) -> Iterator[Write]:
    with file.open("wb") as out, ExitStack() as until_left:
        writer: Any = None

        def write(columns: Columns) -> None:
            nonlocal writer
            lines = arrow.table({name: _array(arrow, column) for name, column in columns.items()})
            writer = writer or until_left.enter_context(opens(out, lines.schema))
            writer.write_table(lines)

        yield write


def _array(arrow: Any, column: Column) -> Any:
    """Words are kept once in a dictionary, and an empty cell is null."""
    if not isinstance(column, Named):
        return arrow.array(column)
    codes = arrow.array(column.codes.astype(np.int8), mask=column.codes == NOTHING)
    return arrow.DictionaryArray.from_arrays(codes, list(column.names))


FORMS: dict[str, Callable[[Path], AbstractContextManager[Write]]] = {
    ".csv": _csv_file,
    ".parquet": partial(_arrow_file, module="pyarrow.parquet", opener="ParquetWriter"),
    ".arrow": partial(_arrow_file, module="pyarrow.ipc", opener="new_file"),
}
