"""`python -m hoyle`: the command, where the folder of installed programs is not searched."""

from hoyle_conformance.cli import run

if __name__ == "__main__":
    run()
