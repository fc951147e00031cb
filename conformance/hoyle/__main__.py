"""`python -m hoyle`: the command, for systems that do not search the folder of installed programs."""

from hoyle_conformance.cli import run

if __name__ == "__main__":
    run()
