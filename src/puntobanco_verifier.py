#!/usr/bin/env python3
"""Check an exported table by itself: python3 puntobanco_verifier.py FILE

One file of plain Python that imports nothing of the program it checks. It follows the hash chain,
deals every coup again, works out every payout by the rule set in the file, opens every commitment,
and sees that no chip comes from nowhere. It says the first fault exactly, and exits with 0 or 1.
"""

import hashlib
import json
import sys
import tomllib
from fractions import Fraction

POINTS = {rank: min(value, 10) % 10 for value, rank in enumerate("A23456789TJQK", 1)}
FIRST = "0" * 64


class Fault(Exception):
    """The first thing found wrong."""


def must(holds, what):
    if not holds:
        raise Fault(what)


# the chain


def netstring(text):
    raw = text if isinstance(text, bytes) else str(text).encode()
    return b"%d:%b," % (len(raw), raw)


def row_hash(row):
    fields = ["puntobanco-row-1"] + [
        row[name]
        for name in (
            "stream",
            "seq",
            "at_ms",
            "actor",
            "command_id",
            "command_hash",
            "clauses",
            "events",
            "previous",
        )
    ]
    return hashlib.sha256(b"".join(map(netstring, fields))).hexdigest()


def check_link(row, stream, seq, previous):
    must(row["stream"] == stream, "belongs to another stream")
    must(row["seq"] == seq, f"is numbered {row['seq']}: a row is missing, doubled or out of place")
    must(row["previous"] == previous, "is not linked to the row before it")
    must(row["hash"] == row_hash(row), "was changed: its hash is not that of its contents")


# the game


def points(cards):
    return sum(POINTS[card[0]] for card in cards) % 10


def deal(cards, play):
    """The two hands that the sequence gives, and the side owed a card; None: nobody."""
    player, banker = list(cards[0:4:2]), list(cards[1:4:2])
    if len(cards) < 4:
        return player, banker, "banker" if len(cards) % 2 else "player"
    rest = list(cards[4:])
    naturals = set(play["naturals"])
    if points(player) in naturals or points(banker) in naturals:
        return player, banker, None
    third = 10
    if points(player) in play["player_draws"]:
        if not rest:
            return player, banker, "player"
        third = POINTS[rest[0][0]]
        player.append(rest.pop(0))
    if play["banker"][points(banker)][third] == "D":
        if not rest:
            return player, banker, "banker"
        banker.append(rest.pop(0))
    return player, banker, None


def winner(player, banker):
    if points(player) == points(banker):
        return "tie"
    return "player" if points(player) > points(banker) else "banker"


def pair_of(hand):
    first, second = hand[:2]
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect"
    return "coloured" if (first[1] in "dh") == (second[1] in "dh") else "mixed"


class Table:
    """As much of a table as it takes to work everything out again."""

    def __init__(self, rulesets):
        self.rulesets = rulesets
        self.notice = None
        self.digest = ""
        self.chips = {}
        self.layout = {}
        self.bank = 0
        self.bought = 0
        self.coups = {}
        self.live = None
        self.commitment = ""
        self.cut = 0
        self.shoe = []
        self.checked = {"results": 0, "payouts": 0, "commitments": 0}

    @property
    def rules(self):
        return self.rulesets[self.digest]

    def move(self, person, cents):
        self.chips[person] = self.chips.get(person, 0) + cents

    def spend(self, person, cents):
        must(cents <= max(0, self.chips.get(person, 0)) or cents <= 0, "spends chips nobody has")
        self.move(person, -cents)

    def apply(self, event):
        handler = getattr(self, "on_" + event["is"].replace("-", "_"), None)
        if handler:
            handler(event)

    def check_balance(self):
        held = sum(self.chips.values()) + sum(one["cents"] for one in self.layout.values())
        must(held + self.bank == self.bought, "chips come from nowhere, or are gone")

    # notices and chips

    def on_table_opened(self, event):
        self.notice = event["notice"]
        self.digest = event["opened"]["digest"]
        must(self.digest in self.rulesets, "plays by a rule set whose text is not in the file")

    def on_notice_changed(self, event):
        self.notice = event["notice"]

    def on_chips_bought(self, event):
        self.move(event["person"], event["cents"])
        self.bought += event["cents"]

    def on_chips_cashed(self, event):
        self.spend(event["person"], event["cents"])
        self.bought -= event["cents"]

    def on_chips_allotted(self, event):
        for person in event["people"]:
            self.move(person, event["cents"])
            self.bought += event["cents"]

    def on_chips_collected(self, event):
        must(event["chips"] == self.chips, "collects other chips than were there")
        self.bought -= sum(self.chips.values())
        self.chips = {}

    def on_absence_deducted(self, event):
        self.move(event["person"], -event["cents"])
        self.bank += event["cents"]

    def on_player_eliminated(self, event):
        left = self.chips.pop(event["person"], 0)
        must(left == event["left_over_cents"], "eliminates a player with other chips than they had")
        self.bought -= left

    def on_payment_corrected(self, event):
        self.move(event["person"], event["cents"])
        self.bank -= event["cents"]

    # wagers

    def on_wager_placed(self, event):
        wager = event["wager"]
        must(key(wager) not in self.layout, "lays a wager that lies already")
        self.layout[key(wager)] = wager
        self.spend(wager["by"], wager["cents"])

    def on_wager_changed(self, event):
        wager = event["wager"]
        was = self.layout.get(key(wager))
        must(was is not None, "changes a wager that does not lie")
        self.layout[key(wager)] = wager
        self.spend(wager["by"], wager["cents"] - was["cents"])

    on_wager_reduced = on_wager_made_up = on_wager_changed

    def on_wager_withdrawn(self, event):
        if event["wager"]["withdrawn"]:
            self.on_wager_changed(event)
            return
        was = self.layout.pop(key(event["wager"]), None)
        must(was is not None, "withdraws a wager that does not lie")
        self.move(was["by"], was["cents"])

    # cards

    def on_cards_shuffled(self, event):
        self.commitment, self.shoe = event.get("commitment", ""), []

    def on_cards_cut(self, event):
        self.cut = event["depth"]

    def on_cards_burned(self, event):
        first = [event["exposed"]] if event.get("exposed") else []
        self.shoe += first + [None] * event["face_down"]

    def on_coup_opened(self, event):
        self.live = event["number"]
        self.coups[self.live] = {"cards": [], "from": [], "notice": self.notice}

    def on_card_drawn(self, event):
        coup = self.coups[self.live]
        coup["from"].append(len(self.shoe))
        coup["cards"].append(event.get("card"))
        self.shoe.append(event.get("card"))

    def on_carried_dealt(self, event):
        coup = self.coups[self.live]
        coup["from"].append(None)
        coup["cards"].append(event.get("card"))

    def on_card_turned(self, event):
        self.name(self.live, event["position"] - 1, event["card"])

    def on_card_corrected(self, event):
        if event["coup"] in self.coups:
            self.name(event["coup"], event["position"] - 1, event["card"])

    def name(self, number, index, card):
        coup = self.coups[number]
        coup["cards"][index] = card
        place = coup["from"][index]
        if place is not None and place < len(self.shoe):
            self.shoe[place] = card

    def on_record_replaced(self, event):
        record = event["record"]
        if record["number"] in self.coups:
            cards = [one["card"] for one in record["drawn"]]
            self.coups[record["number"]]["cards"] = cards

    def on_commitment_opened(self, event):
        if event.get("fault") == "never opened":
            return
        text = f"{event['salt']} {' '.join(event['order'])}"
        agrees = hashlib.sha256(text.encode()).hexdigest() == self.commitment
        cut = event["order"][self.cut :] + event["order"][: self.cut]
        dealt = all(card in (None, wanted) for card, wanted in zip(self.shoe, cut))
        must(event["agrees"] == (agrees and dealt), "says of a commitment what is not so")
        self.checked["commitments"] += 1

    # results and payouts

    def hands(self, number):
        return deal(self.coups[number]["cards"], self.rules["table_of_play"])

    def on_result_declared(self, event):
        player, banker, owed = self.hands(event["number"])
        must(owed is None, f"declares a result though {owed} is owed a card")
        declared = (event["result"], event["player"], event["banker"])
        real = (winner(player, banker), points(player), points(banker))
        must(declared == real, f"declares {declared}, but the cards give {real}")
        self.checked["results"] += 1

    def on_wager_settled(self, event):
        wager, outcome = event["wager"], event["outcome"]
        stake, won = event["stake_cents"], event["won_cents"]
        must(0 <= stake <= wager["cents"], "puts more at risk than was wagered")
        taken = stake if outcome == "loses" else 0
        must(
            event["returned_cents"] == wager["cents"] - taken, "returns another amount than is due"
        )
        if outcome in ("wins", "loses", "pushes"):
            must(outcome == self.outcome(event["coup"], wager["on"]), "settles a wager wrong")
        if outcome == "wins":
            self.check_payout(event)
        else:
            must(won == 0, "pays a wager that did not win")
        if event["coup"] == self.live and key(wager) in self.layout:
            lying = self.layout.pop(key(wager))
            must(lying == wager, "settles another wager than lies there")
            self.move(wager["by"], event["returned_cents"] + won)
        else:
            self.move(wager["by"], won - taken)
        self.bank += taken - won
        self.checked["payouts"] += 1

    def outcome(self, number, on):
        player, banker, _ = self.hands(number)
        if on.endswith("-pair"):
            hand = player if on == "player-pair" else banker
            return "wins" if pair_of(hand) else "loses"
        result = winner(player, banker)
        if on == result:
            return "wins"
        return "pushes" if result == "tie" else "loses"

    def odds(self, number, on):
        """What the rule set pays, by the method and the pairs that were on the notice."""
        player, banker, _ = self.hands(number)
        notice, settlement = self.coups[number]["notice"], self.rules["settlement"]
        if on.endswith("-pair"):
            option = next(one for one in settlement["pairs"] if one["name"] == notice["pairs"])
            kind = pair_of(player if on == "player-pair" else banker)
            return next(one["odds"] for one in option["pays"] if one.get("pair") in (None, kind))
        method = next(one for one in settlement["methods"] if one["name"] == notice["method"])
        hand = {"player": player, "banker": banker}.get(on, player)
        fitting = [one for one in method["pays"] if one["on"] == on]
        special = [one for one in fitting if one.get("with_points") == points(hand)]
        return (special or [one for one in fitting if "with_points" not in one])[0]["odds"]

    def check_payout(self, event):
        paid, per = self.odds(event["coup"], event["wager"]["on"])
        must(event["odds"] == [paid, per], f"pays at {event['odds']}, not at {[paid, per]}")
        notice = self.coups[event["coup"]]["notice"]
        exact, chip = Fraction(event["stake_cents"] * paid, per), notice["chip_cents"]
        chips = exact / chip
        whole = -(-chips.numerator // chips.denominator)
        if notice["rounding"] == "down":
            whole = chips.numerator // chips.denominator
        must(event["won_cents"] == whole * chip, f"pays {event['won_cents']}, not {whole * chip}")
        breakage = Fraction(*event.get("breakage", [0, 1]))
        must(breakage == whole * chip - exact, "books another breakage than there was")

    def on_transfer_reversed(self, event):
        self.move(event["wager"]["by"], event["to_owner_cents"])
        self.bank -= event["to_owner_cents"]

    def on_coup_reopened(self, event):
        for wager in event.get("wagers", []):
            self.layout[key(wager)] = wager
            self.move(wager["by"], -wager["cents"])


class Cage:
    """Accounts and chips: money is paid in before it is spent, and slips have no gap."""

    def __init__(self):
        self.accounts = {}
        self.cash = 0
        self.out = 0
        self.slip = 0
        self.open = {}
        self.checked = {"movements": 0}

    def apply(self, event):
        kind, cents = event["is"], event.get("cents", 0)
        cash, account, out = MONEY.get(kind, (0, 0, 0))
        if kind in MONEY:
            person = event["person"]
            self.accounts[person] = self.accounts.get(person, 0) + account * cents
            self.cash += cash * cents
            self.out += out * cents
            must(self.accounts[person] >= 0, "spends money nobody has")
            self.checked["movements"] += 1
        elif kind == "slip-requested":
            must(event["number"] == self.slip + 1, f"has another slip than number {self.slip + 1}")
            self.slip = event["number"]
            self.open[self.slip] = event["person"]
        elif kind in ("slip-completed", "slip-voided"):
            asked = self.open.pop(event["number"], None)
            must(asked is not None, "closes a slip that is not open")
            voided = kind == "slip-voided"
            must(voided or asked != event["person"], "has one person at both ends of a slip")

    def check_balance(self):
        must(self.cash == sum(self.accounts.values()) + self.out, "money comes from nowhere")


MONEY = {
    "money-deposited": (1, 1, 0),
    "money-withdrawn": (-1, -1, 0),
    "chips-sold": (0, -1, 1),
    "chips-redeemed": (0, 1, -1),
}
"""What each movement does to the cash, to the account, and to the chips that are out."""


class Links:
    """A stream of which the links are all there is to check."""

    def __init__(self):
        self.checked = {"links only, for rows": 0}

    def apply(self, event):
        must(isinstance(event["is"], str), "has an event of no kind")

    def check_balance(self):
        self.checked["links only, for rows"] += 1


def key(wager):
    return wager["by"], wager["on"], wager["box"]


def read_rules(digest, text):
    """The values of a rule set, from the very text whose digest is on record."""
    found = hashlib.sha256(text.encode()).hexdigest()
    must(found == digest, "a rule set is not the text it claims to be")
    return tomllib.loads(text)


def verify(lines):
    """Check every line of an export; what was checked, or a Fault with the row's number."""
    try:
        head = json.loads(next(lines))
        must(head.get("form") == "puntobanco-export-1", "is not an export of a table")
        rules = {digest: read_rules(digest, text) for digest, text in head["rulesets"].items()}
        name = str(head["stream"])
        table = Table(rules) if name.startswith("table-") else Cage() if name == "cage" else Links()
    except (
        StopIteration,
        ValueError,
        AttributeError,
        KeyError,
        TypeError,
        RecursionError,
    ) as error:
        raise Fault("this is not an export") from error
    seq, previous = 0, FIRST
    for line in lines:
        try:
            row = json.loads(line)
            check_link(row, head["stream"], seq + 1, previous)
            for event in json.loads(row["events"]):
                table.apply(event)
            table.check_balance()
        except Fault as fault:
            raise Fault(f"row {seq + 1}: {fault}") from fault
        except (
            ValueError,
            KeyError,
            TypeError,
            IndexError,
            AttributeError,
            RecursionError,
        ) as error:
            raise Fault(f"row {seq + 1}: cannot be read ({type(error).__name__})") from error
        seq, previous = row["seq"], row["hash"]
    must(seq == head["rows"], f"the file ends after row {seq} of {head['rows']}")
    must(previous == head["head"], "the file does not end with the row it says it ends with")
    return {"rows": seq, **table.checked, "head": previous}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            found = verify(iter(file))
    except Fault as fault:
        print(f"FAULT: {fault}")
        return 1
    except (OSError, UnicodeDecodeError) as error:
        print(f"cannot read {arguments[0]}: {error}")
        return 2
    print(", ".join(f"{count} {name}" for name, count in found.items() if name != "head"))
    print(f"sound; head {found['head']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
