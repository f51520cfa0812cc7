"""Where the names live that `import puntobanco as pb` offers; each is imported when first used."""

WHERE: dict[str, str] = {
    # cards and coups
    "Card": "rules.cards:Card",
    "Coup": "rules.coup:Coup",
    "Result": "rules.coup:Result",
    "Side": "rules.coup:Side",
    "fold": "rules.drawing:fold",
    "parse_cards": "rules.cards:parse_cards",
    "parse_drawn": "rules.paper.notation:parse_drawn",
    # rule sets, notices and clauses
    "Notice": "rules.notice:Notice",
    "RULESETS": "rules.documents.ruleset:RULESETS",
    "Ruleset": "rules.documents.ruleset:Ruleset",
    "Terms": "rules.notice:Terms",
    "find_clause": "rules.documents.rulebook:find_clause",
    "load_ruleset": "rules.documents.texts:load_ruleset",
    "post": "rules.notice:post",
    "read_notice": "rules.notice:read_notice",
    "sample_notice": "rules.notice:sample_notice",
    # wagers, settlement and irregularities
    "Bet": "rules.documents.ruleset:Bet",
    "Found": "rules.irregularities:Found",
    "Settlement": "rules.settle:Settlement",
    "Wager": "rules.wagers:Wager",
    "parse_wager": "rules.paper.notation:parse_wager",
    "rule_on": "rules.irregularities:rule_on",
    "settle": "rules.settle:settle",
    "take": "rules.wagers:take",
    # shoes and roads
    "Roads": "roads:Roads",
    "Shoe": "rules.shoe:Shoe",
    "deal_shoe": "rules.paper.playthrough:deal_shoe",
    "draw_roads": "roads:draw_roads",
    "format_shoe": "rules.paper.notation:format_shoe",
    "full_set": "rules.shoe:full_set",
    "parse_results": "roads:parse_results",
    "parse_shoe": "rules.paper.notation:parse_shoe",
    "play_shoe": "rules.paper.playthrough:play_shoe",
    "shuffled": "rules.shoe:shuffled",
    # odds and simulation
    "Priced": "odds.priced:Priced",
    "Totals": "sim.run:Totals",
    "course_of": "odds.course:course_of",
    "price": "odds.priced:price",
    "read_paytable": "odds.wagers:read_paytable",
    "simulate": "sim.run:simulate",
    # a live table
    "Actor": "table.actor:Actor",
    "Role": "table.actor:Role",
    "Table": "table.state:Table",
    "commands": "table.commands:",
    "decide": "table.decide:decide",
    "events": "table.events:",
    "parse_session": "table.session:parse_session",
    "play_session": "table.session:play_session",
    "run": "table.decide:run",
    "tell": "table.sentences:tell",
    # what was kept
    "read_export": "house.lookback.exported:read_export",
    "verify_export": "house.lookback.exported:verify_export",
    # ways of saying no
    "MalformedError": "errors:MalformedError",
    "Reason": "errors:Reason",
    "Refused": "errors:Refused",
    "UnusableError": "errors:UnusableError",
}
"""The module under `puntobanco` and the name in it; without a name, the module itself."""
