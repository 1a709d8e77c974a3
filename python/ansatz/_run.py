"""One run of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import Diagnostic, Error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from ._lazy import np


class Event(NamedTuple):
    """A transition, and when it happened."""

    t: float
    name: str


class Columns(NamedTuple):
    """What is recorded: names, units, and, for modes, what their values are called."""

    names: list[str]
    units: list[str]
    words: list[list[str] | None]

    def place(self, name: str) -> int:
        """Where a column is; what is not recorded is a `KeyError` with the nearest name."""
        try:
            return self.names.index(name)
        except ValueError:
            import difflib

            near = difflib.get_close_matches(name, self.names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(self.names)}; others are named by compile(…, record=[…])"
            raise KeyError(f"{name!r} is not recorded: {hint}") from None


def frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """An array that nobody changes by mistake."""
    array.flags.writeable = False
    return array


class Named:
    """Arrays by name, as a dictionary has them. It is no `Mapping`, because those who know Arrow would then not ask for that."""

    _columns: Columns

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        raise NotImplementedError

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column; empty for plain numbers."""
        return dict(zip(self._columns.names, self._columns.units))

    @property
    def words(self) -> dict[str, list[str]]:
        """What the values of modes are called."""
        named = zip(self._columns.names, self._columns.words)
        return {name: words for name, words in named if words is not None}

    def keys(self) -> list[str]:
        """The names of what is recorded."""
        return list(self._columns.names)

    def items(self) -> list[tuple[str, NDArray[np.float64]]]:
        """Each name with its array."""
        return [(name, self[name]) for name in self]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns.names)

    def __len__(self) -> int:
        return len(self._columns.names)

    def __contains__(self, name: object) -> bool:
        return name in self._columns.names


class Slopes(Named):
    """The derivatives of what a run records by one parameter, by name."""

    def __init__(self, columns: Columns, arrays: list[NDArray[np.float64]]) -> None:
        self._columns = columns
        self._arrays = arrays

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._arrays[self._columns.place(name)]


class Run(Named):
    """The rows of a run by name: `run["swing.angle"]` is an array that cannot be written, without a copy.

    It has `keys` and `items` as a dictionary has; `run.t` has the times. A mode is recorded as the number of its value, whose names are in
    `run.words`.
    """

    def __init__(self, columns: Columns, result: dict[str, Any], settings: dict[str, float]) -> None:
        self._columns = columns
        arrays = [frozen(array) for array in result["columns"]]
        #: The times of the rows, in seconds.
        self.t: NDArray[np.float64] = arrays[0]
        self._arrays = arrays[1:]
        #: The transitions that happened.
        self.events: list[Event] = [Event(t, name) for t, name in result["events"]]
        #: What the run met that is no reason to end it.
        self.warnings: list[Diagnostic] = result["warnings"]
        #: Why it ended too soon, if it did; the rows before that are good.
        self.failure: Error | None = result["failure"]
        #: Steps, rejected trials, evaluations of the derivative, Jacobians.
        self.statistics: dict[str, int] = result["statistics"]
        #: The parameters and controls that were given, in SI units.
        self.settings = settings
        #: For each parameter by which the run was differentiated, the derivatives of all columns, in SI units.
        self.sensitivities: dict[str, Slopes] = {}

    def differentiate(self, by: list[str], result: dict[str, Any]) -> None:
        """Takes in the derivatives of the same run."""
        error, arrays = result["failure"], result["columns"][1:]
        if error is not None and (self.failure is None or error.code == "no-sensitivity"):
            raise error
        width, rows = len(self._columns.names), len(self.t)
        # A run that fails may end a row sooner or later with its derivatives.
        padded = [array[:rows] if len(array) >= rows else np.pad(array, (0, rows - len(array)), constant_values=np.nan) for array in arrays]
        for at, name in enumerate(by, start=1):
            self.sensitivities[name] = Slopes(self._columns, [frozen(array) for array in padded[at * width : (at + 1) * width]])

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._arrays[self._columns.place(name)]

    def __repr__(self) -> str:
        end = f", ended too soon: {self.failure.code}" if self.failure else ""
        last = f" to t = {self.t[-1]:g} s" if len(self.t) else ""
        return f"<run of {len(self.t)} rows{last}: {', '.join(self._columns.names)}{end}>"

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with the times as its index; modes are categories."""
        import pandas

        frame = pandas.DataFrame({name: self._cells(name, pandas) for name in self}, index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = self.units
        return frame

    def _cells(self, name: str, pandas: Any) -> Any:
        words = self.words.get(name)
        if words is None:
            return self[name]
        return pandas.Categorical.from_codes(self[name].astype(int), words)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` over `time`, with units as attributes."""
        import xarray

        variables = {name: ("time", self[name], {"units": unit}) for name, unit in self.units.items()}
        return xarray.Dataset(variables, coords={"time": ("time", self.t, {"units": "s"})}, attrs=dict(self.settings))

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` with units in the metadata of its fields."""
        import pyarrow

        fields = [pyarrow.field("t", pyarrow.float64(), metadata={"unit": "s"})]
        columns: list[Any] = [self.t]
        for name, unit in self.units.items():
            words, metadata = self.words.get(name), {"unit": unit} if unit else None
            if words is None:
                fields.append(pyarrow.field(name, pyarrow.float64(), metadata=metadata))
                columns.append(self[name])
            else:
                named = pyarrow.DictionaryArray.from_arrays(self[name].astype(np.int32), words)
                fields.append(pyarrow.field(name, named.type, metadata=metadata))
                columns.append(named)
        return pyarrow.table(columns, schema=pyarrow.schema(fields))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """What polars, DuckDB and others read without a copy; needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)
