"""The terms of a table."""

from msgspec.structs import replace

from puntobanco.rules.notice import Notice, Terms, post, sample_notice


def terms_of(ruleset: str, **choices: object) -> Terms:
    """A table under a rule set's sample notice, with some choices of its own."""
    notice: Notice = replace(sample_notice(ruleset), **choices)
    return post(notice)
