"""Many runs of a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import Error
from ._run import Columns, Event, Named, frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from ._lazy import np


class Failure(NamedTuple):
    """A run that ended too soon: which, and why."""

    run: int
    error: Error


class Runs(Named):
    """The rows of many runs: `runs["swing.angle"]` has the dimensions `(run, time)`, or `(run,)` if only the ends were kept.

    Arrays cannot be written, and are views of one array. Where a run ended before the others, what would follow is not a number.
    """

    def __init__(self, columns: Columns, result: dict[str, Any], varied: dict[str, NDArray[np.float64]], kept: bool) -> None:
        self._columns = columns
        quantities, runs, times = result["shape"]
        shape = (quantities, runs, times) if kept else (quantities, runs)
        self._values: NDArray[np.float64] = frozen(result["values"]).reshape(shape)
        self._kept: Sequence[list[tuple[float, str]]] | None = result["events"]
        #: What each run had of what varies, in SI units.
        self.varied: dict[str, NDArray[np.float64]] = {name: frozen(array) for name, array in varied.items()}
        #: How many runs went side by side in each thread.
        self.lanes: int = result.get("lanes", 1)
        #: The runs that ended too soon; the others stand.
        self.failures: list[Failure] = [Failure(run, error) for run, error in result["failures"]]

    @property
    def t(self) -> NDArray[np.float64]:
        """The times of the rows of each run, with the dimensions of what is recorded."""
        times: NDArray[np.float64] = self._values[0]
        return times

    @property
    def _events(self) -> Sequence[list[tuple[float, str]]]:
        if self._kept is None:
            raise RuntimeError("a GPU keeps no events; make these runs without on='cuda'")
        return self._kept

    @property
    def failed(self) -> NDArray[np.bool_]:
        """For each run, whether it ended too soon."""
        failed = np.zeros(self._values.shape[1], dtype=bool)
        failed[[failure.run for failure in self.failures]] = True
        return failed

    def events(self, run: int) -> list[Event]:
        """The transitions of a run."""
        return [Event(t, name) for t, name in self._events[run]]

    def first(self, transition: str) -> NDArray[np.float64]:
        """For each run the first time of a transition; not a number, where it did not happen."""
        times = ([t for t, name in events if name == transition] for events in self._events)
        return np.array([found[0] if found else np.nan for found in times])

    def count(self, transition: str) -> NDArray[np.int64]:
        """For each run how often a transition happened."""
        return np.array([sum(name == transition for _, name in events) for events in self._events], dtype=np.int64)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        column: NDArray[np.float64] = self._values[1 + self._columns.place(name)]
        return column

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} of which failed" if self.failures else ""
        return f"<{self._values.shape[1]} runs{failed}: {', '.join(self._columns.names)}>"

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a row for each row of each run: its number, what varies, the time, what is recorded."""
        import pandas

        _, runs, *times = self._values.shape
        rows = times[0] if times else 1
        number = np.repeat(np.arange(runs), rows)
        ours = "run_number" if "run" in self.varied or "run" in self._columns.names else "run"
        data = {ours: number, **{name: values[number] for name, values in self.varied.items()}, "t": self.t.ravel()}
        data.update({name: self[name].ravel() for name in self})
        frame = pandas.DataFrame(data)
        frame.attrs["units"] = self.units
        return frame.dropna(subset=["t"]).reset_index(drop=True)

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` with the columns of `to_pandas`, and units in the metadata of its fields."""
        import pyarrow

        frame = self.to_pandas()
        units = {"t": "s", **self.units}
        fields = [
            pyarrow.field(name, pyarrow.from_numpy_dtype(frame[name].dtype), metadata={"unit": units[name]} if units.get(name) else None)
            for name in frame.columns
        ]
        return pyarrow.table([frame[name].to_numpy() for name in frame.columns], schema=pyarrow.schema(fields))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """What polars, DuckDB and others read; needs pandas and pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over `run`, and over `time` if rows were kept; what varies are coordinates of `run`."""
        import xarray

        dims = ("run", "time")[: self._values.ndim - 1]
        variables = {name: (dims, self[name], {"units": unit}) for name, unit in self.units.items()}
        coords: dict[str, Any] = {name: ("run", values) for name, values in self.varied.items()}
        if len(dims) == 2 and len(self.t) and bool(np.all(self.t == self.t[0])):
            coords["time"] = ("time", self.t[0], {"units": "s"})
        else:
            coords["t"] = (dims, self.t, {"units": "s"})
        return xarray.Dataset(variables, coords=coords)
