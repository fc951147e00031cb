import pytest

import hoyle


@pytest.fixture(scope="session")
def bezique() -> hoyle.Rules:
    return hoyle.rules("bezique-hoyle")


@pytest.fixture(scope="session")
def piquet() -> hoyle.Rules:
    return hoyle.rules("piquet-hoyle")


@pytest.fixture
def game(bezique: hoyle.Rules) -> hoyle.Game:
    return hoyle.Game(bezique)
