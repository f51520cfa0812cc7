"""What the conditions of a competition add to an ordinary table.

The same commands, under stricter conditions: one wager a seat, in order, fixed once made; the
minimum on every coup; absence and elimination. An ordinary table passes through here untouched.
"""

from puntobanco.table.decide.competition import handover, order, presence, removal, secrets, session
from puntobanco.table.events import Decides

DECIDE: Decides = {
    **handover.DECIDE,
    **order.DECIDE,
    **presence.DECIDE,
    **removal.DECIDE,
    **secrets.DECIDE,
    **session.DECIDE,
}
