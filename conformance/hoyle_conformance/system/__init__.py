"""The operating system: the only package, with the supervisor and the sandbox, that asks which one it is.

Each module is about one kind of difference. Each function does on every system what its docstring says.
"""
