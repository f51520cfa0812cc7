"""Secrets: what a password or PIN must be, how fresh ones are made, and how they are hashed."""

import asyncio
import logging
import shlex
import subprocess
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Literal, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Credential
from puntobanco.house.virtual_shoe import Chance
from puntobanco.rules.documents.ruleset import CONDITIONS

LEAST_PASSWORD, MOST_PASSWORD = 15, 256
LEAST_SCORE, MOST_LOOKED_AT = 3, 72
"""Of 0 to 4: from 3 on it takes more than a hundred million guesses, by what is usually tried; of a
long one only its beginning is looked at, which takes 40 ms."""
OWN_CHECK_S = 10
"""Seconds for the operator's own check."""
PIN_DIGITS = 6
Kind = Literal["password", "pin", "card"]
LOG = logging.getLogger(__name__)
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that is easily taken for another."""
HASHERS = ThreadPoolExecutor(1, "hasher")
OF_STRANGERS = ThreadPoolExecutor(1, "strangers")
"""Strangers' guesses are hashed apart: nobody who is known waits behind them."""
Value = TypeVar("Value")
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
NOBODY = HASHER.hash("nobody has this password")
"""Checked when there is no such person, so that the answer takes as long."""


def in_thread(
    work: Callable[..., Value], *args: object, hashers: ThreadPoolExecutor = HASHERS
) -> Awaitable[Value]:
    """Hashing takes long, and must wait for nobody else's work."""
    return asyncio.get_running_loop().run_in_executor(hashers, partial(work, *args))


def check_password(password: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        facts = {"least": LEAST_PASSWORD, "most": MOST_PASSWORD}
        raise Refused(Reason.PASSWORD_TOO_SHORT, CONDITIONS, **facts)


async def check_chosen(password: str, own_check: str, *about: str) -> None:
    """Refuse a password that somebody chose and others would soon guess: one of the common ones,
    words about its owner, keys in a row; or that the operator's own check refuses.
    """
    check_password(password)
    guessed = await in_thread(_score, password, about) < LEAST_SCORE
    if guessed or (own_check and not await in_thread(_passes, own_check, password)):
        raise Refused(Reason.PASSWORD_GUESSED, CONDITIONS)


def _score(password: str, about: tuple[str, ...]) -> int:
    from zxcvbn import zxcvbn  # noqa: PLC0415  its lists are long, and seldom needed

    found = zxcvbn(password[:MOST_LOOKED_AT], [word for word in about if word])
    return int(found["score"])


def _passes(command: str, password: str) -> bool:
    """Whether the operator's command takes a password, which it reads; if it cannot be run, none is
    taken.
    """
    try:
        done = subprocess.run(  # noqa: S603  by a setting of whoever runs the house
            shlex.split(command), input=password.encode(), capture_output=True,
            timeout=OWN_CHECK_S, check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError):
        LOG.exception("the check of passwords could not be run")
        return False
    return done.returncode == 0


async def is_password_of(held: Credential | None, password: str) -> bool:
    """Whether somebody at the machine knows a person's password, which is their own and no slip's;
    no try is counted.
    """
    if held is None or held.is_once:
        return False
    return await in_thread(matches, "password", held.hashed, password)


def kind_of(secret: str) -> Kind:
    """A PIN is `PIN_DIGITS` digits and nothing else; a password is always longer."""
    return "pin" if len(secret) == PIN_DIGITS and secret.isdigit() else "password"


def is_easy(pin: str) -> bool:
    """One digit over and over, or digits in a row: the first that anybody tries.

    >>> is_easy("444444"), is_easy("345678"), is_easy("398174")
    (True, True, False)
    """
    return len(set(pin)) == 1 or any(pin in row for row in ("01234567890", "09876543210"))


def passphrase(chance: Chance, groups: int = 5) -> str:
    """Groups of four out of 31 letters: five are 99 bits, which nobody will guess."""
    letters = (LETTERS[chance.below(len(LETTERS))] for _ in range(4 * groups))
    return "-".join("".join(islice(letters, 4)) for _ in range(groups))


def matches(kind: Kind, stored: str, secret: str) -> bool:
    if kind == "card":
        return stored == token_digest(secret)
    try:
        return HASHER.verify(stored, secret)
    except (VerificationError, InvalidHashError):
        return False


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
