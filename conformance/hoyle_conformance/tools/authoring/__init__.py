"""Writing files of the suite: scenario drafts, ledgers of texts, and adapter templates."""
