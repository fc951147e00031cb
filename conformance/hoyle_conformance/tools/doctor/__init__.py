"""The doctor: diagnose an adapter in a few short conversations.

`hoyle check` stops an adapter at its first invalid line, because it cannot trust the lines that follow. The doctor
reads on and repeats questions in another order, and none of its responses count in a check. Each fault is a value: a
new one needs a function, a remedy and an adapter in the tests.
"""
