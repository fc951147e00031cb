"""JSON as strictly as YAML: a key stands once, numbers are numbers, and nothing is nested deeper than anybody means."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

_TOO_DEEP: Final = "it is nested too deep"


def read_json(text: str) -> Any:
    """What a JSON text says; raises ValueError, with the reason in words, where it is none."""
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
        raise ValueError(f"the key {json.dumps(twice)} stands in it twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
