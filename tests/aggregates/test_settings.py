"""Settings of the house: on record, management's, and never unreadable."""

from base64 import b64encode

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.colours import READABLE, contrast, ink_on, readable_on
from puntobanco.errors import Reason, Refused
from puntobanco.register import commands as m
from puntobanco.register.events import RegisterEvent
from puntobanco.register.settings import (
    FELT_INKS,
    USUAL_CHIPS,
    ChipKind,
    Look,
    Settings,
    TableLook,
    Tempo,
)
from puntobanco.register.state import Register
from puntobanco.table.actor import Actor, Role
from puntobanco.words import one_line
from tests.kit.aggregates import png, run_register

MANAGER = Actor("mara", frozenset({Role.MANAGEMENT}), 0)
COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def after(*asks: m.RegisterCommand) -> Settings:
    """The settings of a house after these commands, read back from what was stored."""
    register = Register()
    for ask in asks:
        register, events = run_register(register, ask, MANAGER)
        for event in events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=RegisterEvent) == event
    return register.settings


def refused(ask: m.RegisterCommand, by: Actor = MANAGER) -> Reason:
    with pytest.raises(Refused) as caught:
        run_register(Register(), ask, by)
    reason = caught.value.reason
    assert reason is Reason.MALFORMED or "{" not in one_line(caught.value)
    return reason


def test_what_is_not_set_is_as_usual() -> None:
    usual = Settings()
    assert (usual.look, usual.chips, usual.tempo_of("table-1")) == (Look(), USUAL_CHIPS, Tempo())
    assert Tempo().result_ms >= 5000
    assert [chip.cents // 100 for chip in usual.chips] == [1, 5, 25, 100, 500, 1000, 5000]


def test_the_look_is_set_whole_and_the_logo_stays() -> None:
    logo = m.SetLogo(png())
    now = after(logo, m.SetLook("The Harbour", "AUD", "#20634a", "#aa3300"))
    assert now.look == Look("The Harbour", "AUD", "#20634a", "#aa3300", logo.png)
    assert after(logo, m.SetLook("A"), m.SetLook()).look == Look(logo=logo.png)
    assert after(logo, m.SetLogo()).look == Look()


def test_a_table_has_a_name_a_felt_and_a_tempo_of_its_own() -> None:
    slow, quick = Tempo(bets_ms=30_000), Tempo(card_ms=300)
    asks = (
        m.NameTable("table-1", "Green Room", "#123c2d"),
        m.SetTempo("", slow),
        m.SetTempo("table-1", quick),
    )
    now = after(*asks)
    assert now.table_look("table-1") == TableLook("Green Room", "#123c2d")
    assert now.table_look("table-2") == TableLook()
    assert (now.tempo_of("table-1"), now.tempo_of("table-2")) == (quick, slow)
    assert after(*asks, m.SetTempo("table-1")).tempo_of("table-1") == slow
    assert after(*asks, m.SetTempo(), m.SetTempo("table-1")).tempo == {}


def test_chips_rise_and_come_back_to_the_usual_ones() -> None:
    own = (ChipKind(500, "#bf2730"), ChipKind(2500, "#1d8653", "#000000"))
    assert after(m.SetChips(own)).chips == own
    assert after(m.SetChips(own), m.SetChips()).chips == USUAL_CHIPS
    assert refused(m.SetChips(own[::-1])) is Reason.CHIPS_NOT_RISING
    assert refused(m.SetChips((own[0], own[0]))) is Reason.CHIPS_NOT_RISING
    many = tuple(ChipKind(cents, "#000000") for cents in range(1, 12))
    assert refused(m.SetChips(many)) is Reason.MALFORMED


@pytest.mark.parametrize(
    "ask",
    [
        m.SetLook(currency="aud"),
        m.SetLook(felt="green"),
        m.SetLook(felt="#20634A"),
        m.SetLook(" blank"),
        m.SetLook("x" * 41),
        m.SetLogo("<svg/>"),
        m.NameTable(""),
        m.NameTable('t"] { } '),
        m.SetTempo("", Tempo(card_ms=0)),
        m.SetTempo("", Tempo(bets_ms=10**9)),
    ],
    ids=repr,
)
def test_what_is_out_of_bounds_is_refused(ask: m.RegisterCommand) -> None:
    assert refused(ask) is Reason.MALFORMED


@pytest.mark.parametrize("ask", [m.SetLook(), m.SetLogo(), m.SetChips(), m.SetTempo()], ids=repr)
def test_settings_are_management_s(ask: m.RegisterCommand) -> None:
    others = frozenset(Role) - {Role.MANAGEMENT}
    assert refused(ask, Actor("dan", others, 0)) is Reason.NOT_YOUR_ROLE


def test_a_currency_is_one_there_is() -> None:
    assert after(m.SetLook(currency="CHF")).look.currency == "CHF"
    assert refused(m.SetLook(currency="XYZ")) is Reason.NO_SUCH_CURRENCY


@given(COLOURS)
def test_a_felt_is_taken_exactly_if_what_is_written_on_it_can_be_read(felt: str) -> None:
    readable = all(contrast(felt, ink) >= READABLE for ink in FELT_INKS)
    for ask in (m.SetLook(felt=felt), m.NameTable("table-1", felt=felt)):
        if readable:
            after(ask)
        else:
            assert refused(ask) is Reason.FELT_TOO_LIGHT


@given(COLOURS, COLOURS)
def test_an_accent_can_be_read_and_written_on(colour: str, ground: str) -> None:
    assert contrast(ink_on(colour), colour) >= READABLE
    shade = readable_on(ground, colour, ink_on(ground))
    assert contrast(shade, ground) >= READABLE


@pytest.mark.parametrize(
    "made",
    [
        png(after=b"<script>"),
        png()[:-8] + "AAAA" + png()[-4:],
        png(width=1025),
        png(height=0),
        png()[: len(png()) // 2 // 4 * 4],
        b64encode(b"GIF89a").decode(),
        b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode(),
        "A",
    ],
    ids=["trailing", "checksum", "wide", "flat", "cut", "gif", "svg", "no base64"],
)
def test_a_logo_is_a_whole_png(made: str) -> None:
    assert refused(m.SetLogo(made)) is Reason.NOT_A_PICTURE
