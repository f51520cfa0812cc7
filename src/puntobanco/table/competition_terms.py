"""What makes a table the table of a competition's session, and the forms that lie at it."""

from typing import Annotated, Literal

from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.rules.competition.conditions import PlayConditions, SessionEnds
from puntobanco.rules.competition.secret import FormFault
from puntobanco.rules.notice import Limits
from puntobanco.rules.wagers import Wager


class Conditions(Brief, frozen=True, forbid_unknown_fields=True):
    """What makes a table a competition table; the clauses are in the rule set."""

    competition: Annotated[str, Meta(min_length=1, max_length=80)]
    chips: Literal["competition", "cash"]
    allotment_cents: Annotated[int, Meta(ge=1, le=10**12)]
    first_seat: Annotated[int, Meta(ge=1, le=14)] | None = None
    """Who bets first, where the document leaves it to a draw."""
    raised_limits: Limits | None = None
    """Announced beforehand, to hold once the indicator card has come out."""
    face_down: bool = True


class SessionTerms(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One session of a competition at this table, as its published conditions have it."""

    id: Annotated[str, Meta(min_length=1, max_length=80)]
    """The stage, and which of its sessions: `heats`, `final play-off 1`."""
    ends: SessionEnds = SessionEnds()
    """After so many coups, shoes or minutes [tas-2018:16.1-session, act-2015:d.session]; none of
    them: a card says how many coups [tas-2018:16.8.3], or the director."""
    kind: Literal["session", "play-off", "more-rounds"] = "session"
    secrets: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Secret wagers that each player may make [tas-2018:16.6.1]."""
    wager_seconds: Annotated[int, Meta(ge=0, le=3600)] = 0
    """The time for a wager that was announced; 0: none [tas-2018:16.4.7]."""
    final: bool = False
    raised_tie: Limits | None = None
    """Tie limits that were announced with the raised ones [tas-2018:16.5.3]."""
    play: PlayConditions = PlayConditions()
    """How it is played where the document leaves that to the conditions."""


Player = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9_.@+-]+\Z")]
Players = Annotated[tuple[Player, ...], Meta(max_length=14)]
SessionCents = Annotated[int, Meta(ge=-(10**13), le=10**13)]
SessionNote = Annotated[str, Meta(max_length=500)]
SessionCount = Annotated[int, Meta(ge=0, le=10**9)]


class SessionStanding(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A session as it stands between two coups, to go on at another table."""

    session: Annotated[str, Meta(min_length=1, max_length=80)]
    seats: Annotated[dict[Annotated[int, Meta(ge=1, le=14)], Player], Meta(max_length=14)]
    """Who was drawn for which seat, those who are out or gone among them."""
    chips: Annotated[dict[Player, SessionCents], Meta(max_length=14)]
    limits: Limits
    """Those that hold now, raised or not."""
    tie_limits: Limits | None = None
    puck: Annotated[int, Meta(ge=1, le=14)] | None = None
    first_seat: Annotated[int, Meta(ge=1, le=14)] | None = None
    starts_ms: Annotated[int, Meta(ge=0, le=10**14)] = 0
    coups: SessionCount = 0
    """Coups that counted."""
    dealt: SessionCount = 0
    """Coups that were dealt, counted or not."""
    shoes: SessionCount = 0
    """Shoes that were finished."""
    to_play: SessionCount | None = None
    last: bool = False
    continued: Annotated[str, Meta(max_length=80)] = ""
    expected: Players = ()
    absent: Players = ()
    directed: Players = ()
    hiding: Players = ()
    order_warned: Players = ()
    late: Annotated[dict[Player, SessionCents], Meta(max_length=14)] = {}
    substitutes: Annotated[dict[Player, SessionNote], Meta(max_length=14)] = {}
    out: Annotated[dict[Player, SessionCents], Meta(max_length=14)] = {}
    left_over: Annotated[dict[Player, SessionCents], Meta(max_length=14)] = {}
    gone: Annotated[dict[Player, SessionNote], Meta(max_length=14)] = {}
    secrets_left: Annotated[dict[Player, SessionCents], Meta(max_length=14)] = {}
    indicator_out: bool = False
    rides: Annotated[tuple[Wager, ...], Meta(max_length=50)] = ()
    """Wagers on the hands that a Tie left lying."""


class Lodged(Brief, frozen=True):
    """The form of a secret wager that lies for the coup in play [tas-2018:16.6.6]."""

    seat: int
    commitment: str
    verdict: Literal["", "accepted", "sent-back"] = ""
    returned: int = 0
    """How often a form of this player was sent back."""
    reasons: tuple[FormFault, ...] = ()
    """What it was sent back for."""
    announced: bool = False
    wager: Wager | None = None
    """What it was deemed to be, once announced."""
    due_cents: int = 0
    """What is still to be taken for it."""


class ShownForm(Brief, frozen=True):
    """A form that was announced, for players to look at [tas-2018:16.6.9]."""

    coup: int
    person: str
    seat: int
    figures: str
    words: str
    on: str
    wager: Wager | None


class Contest(Brief, frozen=True):
    """What a competition table keeps besides: whose turn, who is absent, who is out."""

    puck: int | None = None
    asked: int | None = None
    until_ms: int | None = None
    time_over: bool = False
    """It is on record that this time has run out."""
    restricted: frozenset[int] = frozenset()
    """Seats whose time is over: the minimum only."""
    absent: frozenset[str] = frozenset()
    eliminated: frozenset[str] = frozenset()
    allotted: bool = False
    indicator_out: bool = False
    bank_before_cents: int = 0
    """The bank's gain in money when the table was opened for the competition."""
    drawn: dict[int, str] = {}
    """Who was given which seat for the session; a seat stays its player's, or void."""
    directors: frozenset[str] = frozenset()
    """Who is signed on as director in the competition itself."""
    starts_ms: int = 0
    first_seat: int | None = None
    expected: frozenset[str] = frozenset()
    """Players who have not taken their seats yet."""
    late: dict[str, int] = {}
    """For how many coups a player who is late has been deducted."""
    missed: frozenset[str] = frozenset()
    """Players who came when their turn in the coup in play had passed."""
    jumped: frozenset[int] = frozenset()
    """Seats that have wagered out of turn in the coup in play."""
    substitutes: dict[str, str] = {}
    """Who plays for whom, by the player's name."""
    directed: frozenset[str] = frozenset()
    """Players who are away, and about whom the director has ruled."""
    hiding: frozenset[str] = frozenset()
    """Players who were found hiding chips."""
    order_warned: frozenset[str] = frozenset()
    """Told that another wager out of order may be declared void."""
    rides: tuple[Wager, ...] = ()
    """Wagers on the hands that a Tie left lying."""
    before: int = 0
    """Coups that the table had dealt before the session began."""
    shoe_before: int = 0
    coups: int = 0
    """Coups of the session that count: wagers were taken, and it stands."""
    to_play: int | None = None
    """Coups that a card has given."""
    last: bool = False
    """The coup in play, or the next, is the session's last."""
    over: str = ""
    """Why the session has ended."""
    paused: str = ""
    handed_over: str = ""
    """The table to which the session was handed over, as it stood then."""
    handed: SessionStanding | None = None
    continued: str = ""
    """The name of the rounds in which some play on until they are level no more."""
    out: dict[str, int] = {}
    """Who was eliminated, in which coup of the session."""
    left_over: dict[str, int] = {}
    """What they had left."""
    gone: dict[str, str] = {}
    """Who was removed, and why."""
    cashed: dict[str, int] = {}
    """Chips worth money that players have cashed since the session ended."""
    secrets_left: dict[str, int] = {}
    """Secret wagers that each player may still make; nobody is named where there are none."""
    secrets_used: dict[int, dict[str, int]] = {}
    """By coup, who has made one, and what was taken for it."""
    shown: tuple[ShownForm, ...] = ()
    """The forms of the last coup that had any."""
