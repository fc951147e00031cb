import pytest

import hoyle
from games import sent

TREE = {
    "EngineError": hoyle.EngineError,
    "IllegalActionError": hoyle.IllegalActionError,
    "NotNowError": hoyle.NotNowError,
    "NotationError": hoyle.NotationError,
    "RulesError": hoyle.RulesError,
    "UnknownNameError": hoyle.UnknownNameError,
}


@pytest.mark.parametrize("name", TREE)
def test_every_error_is_a_hoyle_error(name: str) -> None:
    assert TREE[name].__base__ is hoyle.HoyleError
    assert sorted(TREE) == sorted(each for each in hoyle.__all__ if each.endswith("Error") and each != "HoyleError")


def test_message_has_place_and_remedy() -> None:
    error = hoyle.HoyleError("some-code", "this is wrong", "there", "Do that.")
    assert str(error) == "there: this is wrong. Do that."
    assert str(hoyle.HoyleError("some-code", "this is wrong")) == "this is wrong"
    assert str(hoyle.HoyleError("some-code", "this is wrong", remedy="Do that.")) == "this is wrong. Do that."


def test_error_crosses_a_process_with_everything_in_it() -> None:
    raised = hoyle.IllegalActionError("must-win", "no", "there", "Do that.", "A play KS", ("a/b/c",))
    error = sent(raised)
    assert str(error) == str(raised)
    assert (error.code, error.action, error.clauses) == ("must-win", "A play KS", ("a/b/c",))
    other = sent(hoyle.NotationError("bad-text", "no", "there", "Do that."))
    assert (other.code, other.message, other.place, other.remedy) == ("bad-text", "no", "there", "Do that.")
