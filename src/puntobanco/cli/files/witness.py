"""`puntobanco witness`: follow a house's roots from elsewhere, sign them and keep them."""

import asyncio
import os
from pathlib import Path
from typing import Annotated
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec
from cyclopts import Parameter

from puntobanco.cli import show
from puntobanco.cli.keys import load_key, write_secret
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.chain import Fault
from puntobanco.journal.seal import KEY_BYTES
from puntobanco.journal.witness.following import Ask, SeenSoFar, short_form, taken_up
from puntobanco.journal.witness.shown import ShownRoot
from puntobanco.journal.witness.testimony import SeenRoot, public_key_of, read_testimony, sign

PATIENCE_S = 30
MOST_BYTES = 2**24
Token = Annotated[str, Parameter(env_var="PUNTOBANCO_TOKEN", show_env_var=True)]


def witness(
    *,
    to: Path,
    of: str = "",
    token: Token = "",
    every: int = 60,
    once: show.Flag = False,
    at: int | None = None,
) -> int:
    """Follow a house's roots from elsewhere: see that each extends the last, sign it, keep it.

    Exits with 1, naming stream and row, when the house shows another past than it did. Without
    --of it prints the last root that was kept, short enough to be read to another witness.

    Parameters
    ----------
    to
        The file to keep them in; the witness's own key stands beside it, as FILE.key.
    of
        The address of the house, such as https://house.example.
    token
        A token of scope `read` of somebody who oversees the house, such as an auditor.
    every
        Seconds between two looks.
    once
        Look once, and end.
    at
        Without --of: print the root that this row of the house records, for another witness may
        have seen a later one.
    """
    testimony = read_testimony(to) if to.exists() else None
    if not of:
        return _show(testimony.lines if testimony else (), at)
    if not of.startswith(("https://", "http://")):
        raise MalformedError("--of is an address that begins with https://")
    key = _own_key(to.with_name(f"{to.name}.key"))
    print(f"witness {public_key_of(key)}")
    following = _Following(to, key, testimony.seen if testimony else SeenSoFar())
    return asyncio.run(following.run(_asking(of.rstrip("/"), token), every, once=once))


class _Following:
    """One witness at work."""

    def __init__(self, to: Path, key: bytes, seen: SeenSoFar) -> None:
        self._to, self._key, self._seen = to, key, seen

    async def run(self, ask: Ask, every: int, *, once: bool) -> int:
        while True:
            try:
                fault = self._look(ask)
            except UnusableError as error:
                if once:
                    raise
                show.errors.print(f"not reached: {error}")
                fault = None
            if fault or once:
                return 1 if fault else 0
            await CLOCK.sleep(every)

    def _look(self, ask: Ask) -> Fault | None:
        taken = None
        for taken in taken_up(self._seen, ask):
            if isinstance(taken, Fault):
                print(f"FAULT: {taken}")
                return taken
            shown, self._seen = taken
            self._keep(shown)
        print(f"house row {self._seen.row}: root {short_form(self._seen.root)}", flush=True)
        return None

    def _keep(self, shown: ShownRoot) -> None:
        line = sign(shown, CLOCK.wall_ms(), self._key)
        with self._to.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _own_key(file: Path) -> bytes:
    if not file.exists():
        write_secret(file, CHANCE.some_bytes(KEY_BYTES).hex() + "\n")
    return load_key(file)


def _asking(of: str, token: str) -> Ask:
    def ask(row: int) -> tuple[ShownRoot, ...]:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        request = Request(f"{of}/api/house/roots?since={row}", headers=headers)  # noqa: S310
        try:
            with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310  an address of http
                return msgspec.json.decode(answer.read(MOST_BYTES), type=tuple[ShownRoot, ...])
        except HTTPError as error:
            error.close()
            said = "it wants a token of somebody who oversees the house"
            raise UnusableError(f"{of}: {said if error.code in {401, 403} else error}") from error
        except (URLError, OSError) as error:
            raise UnusableError(f"{of}: {getattr(error, 'reason', error)}") from error
        except msgspec.DecodeError as error:
            raise UnusableError(f"{of}: no roots of a house: {error}") from error

    return ask


def _show(lines: tuple[SeenRoot, ...], at: int | None) -> int:
    chosen = [line for line in lines if at in {None, line.shown.row}]
    if not chosen:
        nothing = (
            "no root was kept yet; --of names the house to follow, such as https://house.example"
        )
        raise UnusableError("no such root was kept" if lines else nothing)
    line = chosen[-1]
    print(f"house row {line.shown.row}: root {short_form(line.shown.root)}")
    print(f"witness {line.key}")
    return 0
