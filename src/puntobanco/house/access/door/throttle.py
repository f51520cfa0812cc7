"""Guesses at secrets are slowed down, by place and by account apart.

A place is an address, or a browser that is known: it has signed in as this person before, or
management has enrolled it as a station. Whoever guesses from elsewhere makes only strangers wait:
in a known browser its owner is always let in. Tries with a code of a second factor are counted
apart and never shut, for a guess at both is hopeless. What is said and counted here hangs on what
was typed alone, never on whether there is such a person.
"""

from collections import OrderedDict, deque
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS

ALARM_AT, LOCK_AT = 3, 10
WAIT_MS, LONGEST_WAIT_MS = 1000, 60_000
"""After the third failure the next try must wait, twice as long each time; a known browser's owner,
and whoever has a code with it, never longer than this."""
MOST_FAILED, WITHIN_MS = 50, 10 * 60_000
"""Failures within this time, whoever they were for, after which an address must wait as long."""
FORGOTTEN_MS = 24 * 3_600_000
"""After so long without another, failures of a place count no more."""
MOST_KEPT = 20_000
"""Places and addresses remembered at a time; the one longest quiet goes first."""
IPV6_SITE = 64
"""Bits of an IPv6 address that are one customer's; the rest they choose themselves."""


class CameFrom(Struct, frozen=True):
    """Where somebody tries to sign in."""

    address: str = ""
    known: str = ""
    """What a known browser, a station or a session is counted under; empty: a stranger's."""
    coded: bool = False
    """Whether a code of a second factor came with the password."""

    @property
    def site(self) -> str:
        """What strangers' tries from there are counted under."""
        return f"code {site_of(self.address)}" if self.coded else site_of(self.address)

    @property
    def name(self) -> str:
        return self.known or self.site

    @property
    def slowed_ms(self) -> int:
        """How long the address must wait after too many failures."""
        return LONGEST_WAIT_MS if self.coded else WITHIN_MS


def site_of(address: str) -> str:
    """The part of an address that its owner cannot change at will.

    >>> site_of("203.0.113.9"), site_of("::ffff:203.0.113.9")
    ('203.0.113.9', '203.0.113.9')
    >>> site_of("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), IPV6_SITE), strict=False))


class Tried(Struct):
    """Failures of one place at one name, and when the last was."""

    failures: int = 0
    at_ms: int = 0


class Throttle:
    """The failures of places. Those of an account, by strangers, are kept with its secret."""

    def __init__(self) -> None:
        self._tried: OrderedDict[tuple[str, str], Tried] = OrderedDict()
        self._failed: OrderedDict[str, deque[int]] = OrderedDict()
        """By address, when guesses from there failed."""

    def check(self, place: CameFrom, person: str, now_ms: int) -> None:
        """Refuse a try that comes too soon; the same for whoever is there and whoever is not."""
        tried = self._of(place, person, now_ms)
        if not place.known:
            self._check_address(place, now_ms)
            if tried.failures >= LOCK_AT and not place.coded:
                raise Refused(Reason.SIGN_IN_LOCKED, CONDITIONS, person=person)
        if tried.failures >= ALARM_AT:
            wait_ms = WAIT_MS << min(tried.failures - ALARM_AT, LOCK_AT)
            if place.known or place.coded:
                wait_ms = min(wait_ms, LONGEST_WAIT_MS)
            _wait(tried.at_ms + wait_ms - now_ms)

    def _check_address(self, place: CameFrom, now_ms: int) -> None:
        failed = self._failed.get(place.site, deque())
        if len(failed) >= MOST_FAILED:
            _wait(failed[-1] + place.slowed_ms - now_ms)
            failed.clear()
        while failed and now_ms - failed[0] >= WITHIN_MS:
            failed.popleft()

    def count(self, place: CameFrom, person: str, now_ms: int) -> int:
        """Count a try as failed, before it is known: of many at once none goes uncounted."""
        tried = self._of(place, person, now_ms)
        tried.failures, tried.at_ms = tried.failures + 1, now_ms
        self._tried[place.name, person] = tried
        self._tried.move_to_end((place.name, person))
        _keep(self._tried)
        if not place.known:
            self._failed.setdefault(place.site, deque()).append(now_ms)
            self._failed.move_to_end(place.site)
            _keep(self._failed)
        return tried.failures

    def reaches_most(self, place: CameFrom) -> bool:
        """Whether the address has just made so many failures that it must wait."""
        return not place.known and len(self._failed.get(place.site, ())) == MOST_FAILED

    def forgive(self, place: CameFrom, person: str) -> None:
        """The try was right: it was no failure, and those before it count no more."""
        self._tried.pop((place.name, person), None)
        if failed := None if place.known else self._failed.get(place.site):
            failed.pop()

    def counts(self, person: str) -> bool:
        """Whether a failure at this name counts, wherever it was made."""
        return any(name == person for _, name in self._tried)

    def forget(self, person: str) -> None:
        """No failure at this name counts any more, wherever it was made."""
        for key in [key for key in self._tried if key[1] == person]:
            del self._tried[key]

    def _of(self, place: CameFrom, person: str, now_ms: int) -> Tried:
        tried = self._tried.get((place.name, person))
        return tried if tried and now_ms - tried.at_ms <= FORGOTTEN_MS else Tried()


def _wait(left_ms: int) -> None:
    if left_ms > 0:
        raise Refused(Reason.SIGN_IN_WAIT, CONDITIONS, seconds=-(-left_ms // 1000))


def _keep(kept: OrderedDict[str, deque[int]] | OrderedDict[tuple[str, str], Tried]) -> None:
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
