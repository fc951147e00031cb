"""The operating system. Apart from the supervisor and the sandbox, only this package distinguishes between systems.

Each module is about one kind of difference. Each function behaves on every system as its docstring says.
"""
