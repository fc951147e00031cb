"""House rules: a ruleset with some rules changed, and its checks recomputed by the interpreter."""
