def somebody_is_there() -> bool:
    return False


def interview(suite, says, draft, new_topic): ...
