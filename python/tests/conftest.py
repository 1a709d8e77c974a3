from pathlib import Path

import ansatz
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def pendulum() -> ansatz.Scene:
    return ansatz.compile(ROOT / "examples" / "pendulum.anz")


@pytest.fixture(scope="session")
def ball() -> ansatz.Scene:
    return ansatz.compile(ROOT / "examples" / "bouncing_ball.anz")
