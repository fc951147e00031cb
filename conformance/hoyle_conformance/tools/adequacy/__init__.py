"""Adequacy: measure how good the suite is, by mutants that it must notice.

A mutant changes one cell of a table, drops one refusal, or forgets one field that an event writes. Each is checked as
any engine is (`detect`): its reasons for refusal are not compared, and it may follow any reading. A mutant that no
check notices is missing from the suite, or has a waiver with its reason (`waivers`).

To compare the codes of the reference would promise more than an engine faces. A dropped refusal is cut out of the
interpreter's own source, so a new refusal is measured as soon as it is written. A mutant that crashes is not noticed
by that: another with the same fault might not crash.
"""
