"""Adequacy: how good the suite is, measured by mutants that it must detect.

A mutant changes one cell of a table, drops one refusal, or leaves one field unwritten that an event writes. It is
checked as any engine is (`mutants`): its reasons for refusal are not compared, and it may follow any reading. A mutant
that no check detects plays whole games (`whole_games`). It is a gap in the suite, or has a waiver with its reason
(`waivers.yaml`). Code mutants (`code_mutants`) change one thing in a function of the interpreter.

To compare the codes of the reference would promise more than an engine faces. A dropped refusal is cut out of the
interpreter's own source, so a new refusal is measured as soon as it is written. A mutant that crashes is not detected
by that: another with the same fault might not crash.
"""
