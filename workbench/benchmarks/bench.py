"""The figures for which there are goals, measured in one run, each with its goal.

A figure is the best of several tries, since whatever else the machine does only makes it worse. Nothing here is a test:
speed is looked at, never asserted.
"""

import commands
import decisions
import sharing


def main() -> None:
    """Print every figure."""
    decisions.main()
    commands.main()
    sharing.main()


if __name__ == "__main__":
    main()
