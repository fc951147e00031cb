"""An engine that thinks: the Rubicon example, which works longer on each response than Hoyle does on each check."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "adapters/python"))
import rubicon

#: So much longer, in seconds of the processor.
LONGER = 0.005
at_once = rubicon.answer


def answer(message: Mapping[str, Any]) -> Any:
    """Return the response of the example, after some work."""
    until = time.process_time() + LONGER
    while time.process_time() < until:
        pass
    return at_once(message)


rubicon.answer = answer
rubicon.main()
