"""What is installed by extras, and what to say where one is missing."""

EXTRA_OF = {
    "argon2": "server",
    "cryptography": "server",
    "distributed": "cluster",
    "jinja2": "server",
    "litestar": "server",
    "llvmlite": "sim",
    "matplotlib": "plot",
    "numba": "sim",
    "numpy": "sim",
    "prometheus_client": "server",
    "psycopg": "postgres",
    "pyarrow": "arrow",
    "segno": "server",
    "uvicorn": "server",
    "uvloop": "server",
}
"""By module, the extra that brings it."""


def wanted(error: ImportError) -> str:
    """What to install for a module that is not there; nothing where no extra brings it.

    >>> wanted(ModuleNotFoundError("No module named 'numba'", name="numba"))
    "this wants the extra 'sim': pip install 'puntobanco[sim]'"
    """
    if isinstance(error.__cause__, ImportError):  # what is behind it says which module it was
        return wanted(error.__cause__)
    extra = EXTRA_OF.get((error.name or "").partition(".")[0])
    return f"this wants the extra {extra!r}: pip install 'puntobanco[{extra}]'" if extra else ""
