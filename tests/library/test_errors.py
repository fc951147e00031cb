import hoyle
from games import sent


def test_message_has_place_and_remedy() -> None:
    error = hoyle.HoyleError("some-code", "this is wrong", "there", "Do that.")
    assert str(error) == "there: this is wrong. Do that."
    assert str(hoyle.HoyleError("some-code", "this is wrong")) == "this is wrong"
    assert str(hoyle.HoyleError("some-code", "this is wrong", remedy="Do that.")) == "this is wrong. Do that."


def test_error_crosses_a_process_with_everything_in_it() -> None:
    raised = hoyle.IllegalActionError("must-win", "no", "there", "Do that.", action="A play KS", clauses=("a/b/c",))
    error = sent(raised)
    assert str(error) == str(raised)
    assert (error.code, error.action, error.clauses) == ("must-win", "A play KS", ("a/b/c",))
