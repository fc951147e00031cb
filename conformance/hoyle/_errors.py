"""The errors of the library: one tree, each with a stable code, the place, and the remedy."""


class HoyleError(Exception):
    """An error of the library: its stable `code`, the `message`, the `place` that it is about, and the `remedy`.

    The place and the remedy are empty if there is none.
    """

    def __init__(self, code: str, message: str, place: str = "", remedy: str = "") -> None:
        self.code, self.message, self.place, self.remedy = code, message, place, remedy
        super().__init__(code, message, place, remedy)

    def __str__(self) -> str:
        said = f"{self.place}: {self.message}" if self.place else self.message
        return f"{said}. {self.remedy}".rstrip() if self.remedy else said


class UnknownNameError(HoyleError):
    """There is no ruleset, option, rule, reading, scenario, check or seat of this name."""


class RulesError(HoyleError):
    """These rules cannot be played: a file of house rules has a mistake, or rules do not fit together."""


class NotationError(HoyleError):
    """A text or a JSON value does not spell an action, a position or a game."""


class NotNowError(HoyleError):
    """This makes no sense at this point of the game, such as `undo` before the first action."""


class EngineError(HoyleError):
    """An engine cannot be checked, because it does not introduce itself as the protocol requires."""


class IllegalActionError(HoyleError):
    """The rules refuse an action; the game is as before. `code` is the reason, as scenarios name it; `action` is the
    action in words of the notation, and `clauses` are the clauses behind the refusal."""

    def __init__(self, *said: str, action: str = "", clauses: tuple[str, ...] = ()) -> None:
        super().__init__(*said)
        self.action, self.clauses = action, clauses
