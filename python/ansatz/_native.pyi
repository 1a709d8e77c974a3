"""What is not written in Python; see `ansatz.Scene` for what to use."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ._errors import Diagnostic

@final
class Scene:
    @staticmethod
    def compile(text: str, name: str, folder: str | None, record: list[str], tolerance: float, solver: str) -> Scene: ...
    @property
    def name(self) -> str: ...
    @property
    def warnings(self) -> list[Diagnostic]: ...
    def parameters(self) -> list[tuple[str, float, str, str | None]]: ...
    def controls(self) -> list[tuple[str, float, str, tuple[float, float] | None]]: ...
    def recorded(self) -> list[tuple[str, str, list[str] | None]]: ...
    def transitions(self) -> list[str]: ...
    def explain(self, stage: str | None) -> str: ...
    def value(self, name: str, text: str) -> float: ...
    def run(self, values: list[tuple[str, float]], until: float, every: float, by: list[str]) -> dict[str, Any]: ...
    def ensemble(
        self,
        names: list[str],
        values: NDArray[np.float64],
        until: float,
        every: float | None,
        threads: int,
        on_gpu: bool,
        lanes: bool | None,
        progress: Callable[[int, int], object] | None,
    ) -> dict[str, Any]: ...
    def dynamics(self, values: list[tuple[str, float]]) -> Dynamics: ...
    def linearize(self, at: str | None, values: list[tuple[str, float]]) -> dict[str, Any]: ...
    def find(self, question: str | None, values: list[tuple[str, float]]) -> tuple[str, str]: ...
    def page(self, values: list[tuple[str, float]]) -> str: ...
    def instance(self, values: list[tuple[str, float]]) -> Instance: ...

@final
class Dynamics:
    def states(self) -> list[tuple[str, str, float]]: ...
    def rates(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def jacobian(self, t: float, y: NDArray[np.float64]) -> NDArray[np.float64]: ...

@final
class Instance:
    """A scene that moves as far as it is told to."""

    @property
    def time(self) -> float:
        """The present time, in seconds."""
    @property
    def stopped(self) -> float | None:
        """When a `stop` of the scene ended the run, if one did."""
    def row(self) -> NDArray[np.float64]:
        """All recorded numbers at the present time."""
    def events(self) -> list[tuple[float, str]]:
        """The transitions that happened."""
    def set(self, name: str, value: float) -> None:
        """Sets a parameter or a control, in SI units, from now on."""
    def start(self) -> None:
        """Goes back to the start."""
    def advance(self, t: float) -> None:
        """Moves to a time, or to where a `stop` of the scene ends the run."""
    def save(self) -> Snapshot:
        """The present moment, to come back to."""
    def restore(self, snapshot: Snapshot) -> None:
        """Comes back to a moment; the run goes on from there, bit for bit."""

@final
class Snapshot: ...
