"""Values of parameters and controls: SI floats, texts with a unit, or quantities of pint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from . import _native
else:
    from ._lazy import np

# A number and what follows it, as in `80 cm`, `80[cm]` or `1e-3`.
_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*\[?\s*([^\[\]]*?)\s*\]?\s*")


def plain(array: ArrayLike) -> NDArray[np.float64]:
    """Numbers that lie one after the other, each where a machine wants it; what came through a network may not."""
    return np.require(array, np.float64, ["C", "A"])


def to_si(native: _native.Scene, name: str, value: Any) -> float:
    """The value in SI units of what somebody gave for a parameter or a control."""
    if isinstance(value, str):
        parts = _QUANTITY.fullmatch(value)
        text = value if parts is None else f"{parts[1]}[{parts[2]}]" if parts[2] else parts[1]
        return native.value(name, text)
    if hasattr(value, "to_base_units") and hasattr(value, "magnitude"):
        # A quantity of pint: its dimension is checked by reading it with its unit.
        base = value.to_base_units()
        unit = re.sub(r"\s*\*\*\s*", "^", f"{base.units:~C}")
        return native.value(name, f"{float(base.magnitude)!r}[{unit}]" if unit else repr(float(base.magnitude)))
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r} is neither a number in SI units nor a text with a unit such as '80 cm'") from None


def to_settings(native: _native.Scene, given: dict[str, Any]) -> list[tuple[str, float]]:
    """All of them, in the order in which they were given."""
    return [(name, to_si(native, name, value)) for name, value in given.items()]
