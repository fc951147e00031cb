"""Questions in players' words, understood and answered from the rule books."""
