"""Pictures: cards, chips, the felt and the roads as SVG, drawn from plain values."""
