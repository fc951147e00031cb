"""The doctor: find out what is wrong with an adapter in a few short conversations.

`hoyle check` ends an adapter at the first wrong line, because it cannot trust what follows. The doctor reads on, and
repeats questions in another order; none of that may count as a response in a check. Each fault is a value, so a new
one is a function, a remedy and an adapter in the tests.
"""
