"""JSON as strict as the YAML: a key occurs once, numbers are numbers, and nesting has a limit.

As in JSON Schema, a number without a fraction is whole, however it is written.
"""

import json
from collections import Counter
from collections.abc import Sequence
from math import isinf
from typing import Any, Final

_TOO_DEEP: Final = "it is nested too deeply"
#: The characters of a number that are shown.
_SHOWN: Final = 40


def read_json(text: str) -> Any:
    """Return the value of a JSON text; raises ValueError, with the reason in words, if it is not valid."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg.lower()}, at character {error.pos + 1})") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {json.dumps(twice)} appears twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _number(text: str) -> int | float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"the number {text[:_SHOWN]} is too large")
    return int(value) if value.is_integer() else value


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number, parse_float=_number)
