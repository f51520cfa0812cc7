"""What is installed by extras or comes with the system, and what to say where it is missing."""

from importlib.util import find_spec

EXTRA_OF = {
    "argon2": "server",
    "cryptography": "server",
    "distributed": "cluster",
    "fido2": "server",
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
    "zxcvbn": "server",
}
"""By module, the extra that brings it."""
SYSTEM = ("fcntl", "resource")
"""What Linux and macOS have and Windows has not; to run a house takes both, and `uvloop`."""
ELSEWHERE = (
    "a house is run on Linux or macOS, and this system is neither (it has no {lacking!r}): a file"
    " could not be locked for one process alone. Here you can do everything else, such as verify"
    " and report; to run a house on Windows, use its subsystem for Linux"
)


def wanted(error: ImportError) -> str:
    """What to install for a module that is not there, or where else to go; nothing where neither
    would help.

    >>> wanted(ModuleNotFoundError("No module named 'numba'", name="numba"))
    "this wants the extra 'sim': pip install 'puntobanco[sim]'"
    """
    if isinstance(error.__cause__, ImportError):  # what is behind it says which module it was
        return wanted(error.__cause__)
    module = (error.name or "").partition(".")[0]
    lacking = next((one for one in SYSTEM if find_spec(one) is None), "")
    if lacking and module in {*SYSTEM, "uvloop"}:
        return ELSEWHERE.format(lacking=lacking)
    extra = EXTRA_OF.get(module)
    return f"this wants the extra {extra!r}: pip install 'puntobanco[{extra}]'" if extra else ""
