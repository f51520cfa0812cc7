"""Kinds of tables to open: the house's own, and three that come with the program for each document.

Those that come with it are the document's sample notice with other limits. Approvals are nobody's
to make up, so they are left empty.
"""

from msgspec.structs import replace

from puntobanco.register.settings import Preset, Settings
from puntobanco.rules.documents.texts import for_money, load_ruleset
from puntobanco.rules.notice import Limits, Notice, sample_notice

SHIPPED: dict[str, tuple[tuple[int, int], tuple[int, int], int]] = {
    "low": ((10_00, 1_000_00), (5_00, 100_00), 60_000_00),
    "main": ((25_00, 5_000_00), (5_00, 500_00), 250_000_00),
    "high": ((500_00, 50_000_00), (100_00, 5_000_00), 2_000_000_00),
}
"""By name: least and most on Player and Banker, the same on Tie and pairs, and the tray."""


def shipped_presets(ruleset: str) -> dict[str, Preset]:
    """The presets that every house starts with under a document.

    >>> list(shipped_presets("tas-2018"))
    ['low', 'main', 'high']
    """
    if ruleset not in for_money():
        return {}
    plain = replace(sample_notice(ruleset), table_approval="", pairs_approval="")
    return {
        name: Preset(_with_limits(plain, main, side), tray)
        for name, (main, side, tray) in SHIPPED.items()
    }


def _with_limits(notice: Notice, main: tuple[int, int], side: tuple[int, int]) -> Notice:
    multiple = notice.limits.multiple_cents
    at_side = Limits(*side, multiple)
    low = main[0] < notice.limits.min_cents
    required = load_ruleset(notice.ruleset).settlement.pairs_required
    pairs = notice.pairs if required or not low else ""
    return replace(
        notice,
        limits=Limits(*main, multiple),
        tie_limits=at_side,
        pairs=pairs,
        pairs_limits=at_side if pairs else None,
    )


def presets_under(settings: Settings, ruleset: str) -> dict[str, Preset]:
    """The house's own presets under a document, then those that come with the program."""
    own = {name: one for name, one in settings.presets.items() if one.notice.ruleset == ruleset}
    shipped = shipped_presets(ruleset)
    return own | {name: one for name, one in shipped.items() if name not in own}
