"""numpy, imported when it is first used: it takes longer than all else that an import of this package does."""

from __future__ import annotations

import importlib
from typing import Any


class Lazy:
    """Stands for a module until something of it is wanted."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


np = Lazy("numpy")
