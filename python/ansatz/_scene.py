"""Compiled scenes."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _cluster, _native
from ._answers import Answers
from ._ensemble import Runs
from ._errors import Diagnostic
from ._gradients import Function
from ._page import Page
from ._run import Columns, Run
from ._values import plain, to_settings, to_si

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
else:
    from ._lazy import np


class Parameter(NamedTuple):
    """A number that is given before a run; the default is in SI units."""

    name: str
    default: float
    unit: str
    description: str | None


class Control(NamedTuple):
    """A number that may be set while a scene runs; default and range are in SI units."""

    name: str
    default: float
    unit: str
    range: tuple[float, float] | None


class Quantity(NamedTuple):
    """A state, an input or an output, and its value."""

    name: str
    value: float


class LinearModel(NamedTuple):
    """x′ = A x + B u, y = C x + D u near a state."""

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    D: NDArray[np.float64]
    states: list[Quantity]
    inputs: list[Quantity]
    outputs: list[Quantity]


def compile(
    source: str | os.PathLike[str],
    *,
    record: Sequence[str] = (),
    tolerance: float = 1e-8,
    solver: str = "auto",
    name: str = "scene",
    folder: str | os.PathLike[str] | None = None,
) -> Scene:
    """Compiles a scene: a path that ends in `.anz`, or the text itself.

    `record` names what runs record, any expressions of the language; what the scene plots, if there are none. `tolerance` is the relative error
    of a step, `solver` one of `auto`, `explicit`, `implicit`. Raises `ansatz.Error` with all diagnostics if something is wrong with the text.
    """
    if isinstance(source, os.PathLike) or str(source).endswith(".anz"):
        path = Path(source)
        text, name = path.read_text(encoding="utf-8"), str(path)
        folder = path.parent if folder is None else folder
    else:
        text = str(source)
    return Scene(text, name, None if folder is None else str(folder), tuple(record), tolerance, solver)


class Scene:
    """A compiled scene; `ansatz.compile` makes one. Scenes can be pickled: what is kept is the text with its parameters."""

    def __init__(
        self,
        text: str,
        name: str,
        folder: str | None,
        record: tuple[str, ...],
        tolerance: float,
        solver: str,
        settings: dict[str, float] | None = None,
    ) -> None:
        self._source = (text, name, folder, record, tolerance, solver)
        self._native = _native.Scene.compile(text, name, folder, list(record), tolerance, solver)
        recorded = self._native.recorded()
        self._columns = Columns([it[0] for it in recorded], [it[1] for it in recorded], [it[2] for it in recorded])
        #: Parameters and controls that all runs have, unless they are given others; in SI units.
        self.settings: dict[str, float] = dict(settings or {})
        self._equations: _native.Dynamics | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (*self._source, self.settings)

    def __repr__(self) -> str:
        return f"<scene {self.name}: {', '.join(it.name for it in self.parameters)}>"

    @property
    def name(self) -> str:
        """What the scene is called."""
        return self._native.name

    @property
    def text(self) -> str:
        """The text of the scene."""
        return self._source[0]

    @property
    def parameters(self) -> list[Parameter]:
        """The numbers that can be given before a run."""
        return [Parameter(*it) for it in self._native.parameters()]

    @property
    def controls(self) -> list[Control]:
        """The numbers that can be set while it runs."""
        return [Control(*it) for it in self._native.controls()]

    @property
    def outputs(self) -> dict[str, str]:
        """The names of what is recorded, with their units."""
        return dict(zip(self._columns.names, self._columns.units))

    @property
    def transitions(self) -> list[str]:
        """The names of the transitions that may happen."""
        return self._native.transitions()

    @property
    def warnings(self) -> list[Diagnostic]:
        """What there is to know about the text that is no error."""
        return self._native.warnings

    def explain(self, stage: str | None = None) -> str:
        """What a stage of the compiler made of the scene: model, equations, automaton, plan, program, kernel or code; all in short, if none is named."""
        return self._native.explain(stage)

    def with_settings(self, **settings: Any) -> Scene:
        """The same scene, whose runs have other parameters and controls unless they are given others still."""
        scene = object.__new__(Scene)
        scene.__dict__.update(self.__dict__)
        scene.settings = {**self.settings, **dict(to_settings(self._native, settings))}
        scene._equations = None
        # An unknown name is told here, not in the first run.
        for name in settings:
            self._native.value(name, "0")
        return scene

    def run(self, until: float = 10.0, every: float | None = None, *, sensitivities: Sequence[str] = (), **settings: Any) -> Run:
        """Runs the scene from its start, `until` so many seconds, with a row `every` so many (a two-hundredth of the run, if nobody says).

        Other keywords are parameters and controls: floats in SI units, texts such as `"80 cm"`, or quantities of pint. A run that fails on its
        way raises nothing: `run.failure` says why, and the rows before are good. What cannot begin raises `ansatz.Error`.

        `sensitivities` names parameters and controls by which all that is recorded is differentiated: `run.sensitivities["length"]["swing.angle"]`
        has a derivative for each row, at its time. They are integrated with the run, exactly but for the tolerance, and follow it through events; where they
        are not known, `ansatz.Error` says why.
        """
        every = until / 200 if every is None else every
        _times(until, every)
        values = {**self.settings, **dict(to_settings(self._native, settings))}
        given, by = list(values.items()), [sensitivities] if isinstance(sensitivities, str) else list(sensitivities)
        run = Run(self._columns, self._native.run(given, float(until), float(every), []), values)
        if by:
            run.differentiate(by, self._native.run(given, float(until), float(every), by))
        return run

    def function(self, by: Sequence[str], until: float = 10.0, every: float | None = None) -> Function:
        """What a run comes to as a function of some parameters, with exact derivatives: for `scipy.optimize`, JAX (`.jax()`) and PyTorch (`.torch()`)."""
        _times(until, until if every is None else every)
        return Function(self, by, until, every)

    def find(self, question: str | None = None, **settings: Any) -> Answers:
        """The answers to a question, such as `boat.speed` or `boat.speed given steady(boat)`, from the laws that reach it; without one, to those that the scene
        asks itself. What cannot be answered yet has no answers: `print` them to see what would close it."""
        values = {**self.settings, **dict(to_settings(self._native, settings))}
        return Answers(*self._native.find(question, list(values.items())))

    def show(self, **settings: Any) -> Page:
        """The scene as a page that moves by itself: a notebook shows it, `.save("swing.html")` keeps it, `.open()` opens a browser."""
        values = {**self.settings, **dict(to_settings(self._native, settings))}
        return Page(self._native.page(list(values.items())), self.name)

    def _repr_html_(self) -> str | None:
        try:
            return self.show()._repr_html_()
        except RuntimeError:
            return None

    def ensemble(
        self,
        until: float = 10.0,
        every: float | None = None,
        *,
        threads: int | None = None,
        on: Any = None,
        lanes: bool | None = None,
        progress: bool | Callable[[int, int], object] = False,
        **settings: ArrayLike | str,
    ) -> Runs:
        """Runs the scene many times, in all cores, while other threads of Python go on; Ctrl-C ends it.

        Keywords are parameters and controls, as arrays that are broadcast against one another, flattened; what is one number is the same for all.
        With `every`, all rows are kept and arrays have the dimensions `(run, time)`, else the last row of each run alone. Every run has the bits
        that `scene.run` gives. Where it pays and a C compiler is there, each thread makes several runs side by side in the vectors of the processor;
        `lanes=True` does so in any case, `lanes=False` never, and `runs.lanes` says how many. `on` hands blocks of runs to a cluster that is there: `on=ray`, `on=dask` (the modules), a client of Dask, or an
        executor of `concurrent.futures`. `on="cuda"` makes the runs on a GPU by NVIDIA, where events are not kept and the energy is not watched; without one it
        warns, and the processor makes them. Runs that fail are in `runs.failures`; the others stand. `progress=True` draws a bar on standard error; a function
        is called with how many runs are done, and how many there are.
        """
        _times(until, until if every is None else every)
        fixed, varied = dict(self.settings), {}
        for name, value in settings.items():
            array = _array(self._native, name, value)
            if array.ndim == 0:
                fixed[name] = float(array)
            else:
                fixed.pop(name, None)
                varied[name] = array
        try:
            broadcast = np.broadcast_arrays(*varied.values()) if varied else [np.zeros(1)]
        except ValueError:
            shapes = ", ".join(f"{name}: {array.shape}" for name, array in varied.items())
            raise ValueError(f"these shapes do not broadcast: {shapes}; for a grid use numpy.meshgrid") from None
        runs = broadcast[0].size
        columns = {name: np.ascontiguousarray(array.ravel()) for name, array in zip(varied, broadcast)}
        table = [*columns.values(), *(np.full(runs, value) for value in fixed.values())]
        values = plain(np.stack(table, axis=1)) if table else np.zeros((runs, 0))
        rows = 1 if every is None else int(np.ceil(until / every)) + 1
        _room(8 * runs * rows * (1 + len(self._columns.names)), every)
        names, seconds = [*columns, *fixed], None if every is None else float(every)
        told = _bar if progress is True else progress or None
        if on is None or on == "cuda":
            result = self._native.ensemble(names, values, float(until), seconds, threads or os.cpu_count() or 1, on is not None, lanes, told)
            if result["fell_back"]:
                warnings.warn(f"not on a GPU: {result['fell_back']}; the processor makes the runs", RuntimeWarning, stacklevel=2)
            if result["without_lanes"]:
                warnings.warn(f"not side by side: {result['without_lanes']}", RuntimeWarning, stacklevel=2)
        else:
            # What is wrong with a name is told here, not by every worker.
            self._native.ensemble(names, values[:0], float(until), seconds, 1, False, None, None)
            result = _cluster.ensemble(on, self._source, names, values, float(until), seconds, told)
        return Runs(self._columns, result, columns, every is not None)

    @property
    def states(self) -> list[str]:
        """The names of the states of `rhs` and `jacobian`."""
        return [name for name, _, _ in self._dynamics().states()]

    @property
    def start(self) -> NDArray[np.float64]:
        """The states at the start of a run."""
        return np.array([value for _, _, value in self._dynamics().states()])

    def rhs(self, t: float, y: ArrayLike) -> NDArray[np.float64]:
        """The rates of the states, y′ = f(t, y), as SciPy and others want them; in the mode in which the scene starts.

        States that do not satisfy the constraints are not moved onto them. What switches (`if`, `sign`, `abs`) is on the side on which the states are; at a border itself, on the
        lower one.
        """
        return self._dynamics().rates(float(t), plain(y))

    def jacobian(self, t: float, y: ArrayLike) -> NDArray[np.float64]:
        """The derivatives of the rates (rows) by the states (columns), from the expressions of the scene: exact but for rounding."""
        states = plain(y)
        return self._dynamics().jacobian(float(t), states).reshape(len(states), len(states))

    def linearize(self, at: str | None = None, **settings: Any) -> LinearModel:
        """The linear model near the start (`at="initial"`), near an equilibrium (`at="equilibrium"`), or near whichever of them suits."""
        values = {**self.settings, **dict(to_settings(self._native, settings))}
        found = self._native.linearize(at, list(values.items()))
        states, inputs, outputs = ([Quantity(*it) for it in found[kind]] for kind in ("states", "inputs", "outputs"))
        shapes = {"A": (len(states),) * 2, "B": (len(states), len(inputs)), "C": (len(outputs), len(states)), "D": (len(outputs), len(inputs))}
        A, B, C, D = (np.array(found[name], dtype=float).reshape(shape) for name, shape in shapes.items())
        return LinearModel(A, B, C, D, states, inputs, outputs)

    def instance(self, **settings: Any) -> _native.Instance:
        """The scene as something that moves as far as it is told to: `advance`, `set`, `row`, `save`, `restore`."""
        values = {**self.settings, **dict(to_settings(self._native, settings))}
        return self._native.instance(list(values.items()))

    def _dynamics(self) -> _native.Dynamics:
        if self._equations is None:
            self._equations = self._native.dynamics(list(self.settings.items()))
        return self._equations


def _times(until: float, every: float) -> None:
    if not (0 < until < float("inf") and 0 < every < float("inf")):
        raise ValueError(f"until={until!r}, every={every!r} make no run; give positive times")


def _array(native: _native.Scene, name: str, value: Any) -> NDArray[np.float64]:
    """What somebody gave for a parameter, as an array in SI units; lists may have texts with units."""
    if isinstance(value, str) or hasattr(value, "to_base_units"):
        return np.asarray(to_si(native, name, value))
    if isinstance(value, (list, tuple)) and any(isinstance(one, str) for one in value):
        return np.array([to_si(native, name, one) for one in value])
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r} is no array of numbers") from None


def _room(needed: int, every: float | None) -> None:
    """Refuses a result that does not fit into the memory."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return
    if needed > free:
        hint = "take fewer runs" if every is None else "keep the last rows alone (no `every`), or fewer of them"
        raise MemoryError(f"the result would take {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; {hint}, or record less")


def _bar(done: int, runs: int) -> None:
    width = 30
    if done < runs and done % max(1, runs // 200):
        return
    full = width * done // runs
    sys.stderr.write(f"\r  {'█' * full}{'░' * (width - full)} {done} of {runs} runs" + ("\n" if done == runs else ""))
    sys.stderr.flush()
