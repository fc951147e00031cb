"""House rules: a ruleset of the suite with a few rules changed, and what becomes of its checks under them."""
