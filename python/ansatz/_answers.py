"""Answers to questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """One value of what is asked; a question may have several."""

    #: What is asked, as it is written.
    asked: str
    #: In SI units; three numbers of a vector.
    value: float | list[float]
    unit: str
    #: Whether the motion nearby comes back to it; None if there is none, or that cannot be said.
    stable: bool | None
    #: Whether a run from the start of the scene comes to it; None if none was made.
    reached: bool | None
    #: When a run has it, if an instant is asked for.
    instant: float | None
    #: Whether it is proven that there are no others.
    complete: bool
    #: Other unknowns that were found with it.
    unknowns: dict[str, float]
    #: The change of the value, relative to it, for a relative change of each parameter.
    sensitivity: dict[str, float]


class Answers:
    """All answers to a question, in the order of `ansatz ask`. `print` shows them with the laws that were used, and why others were not."""

    def __init__(self, text: str, data: str) -> None:
        import json

        self._text = text
        #: All that `ansatz ask --json` says: laws, assumptions, what is not used and why, dead ends.
        self.details: dict[str, Any] = json.loads(data)
        self._all = [Answer(**{name: one[name] for name in Answer._fields}) for one in self.details["answers"]]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, at: int) -> Answer:
        return self._all[at]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        found = ", ".join(f"{one.asked} = {one.value} {one.unit}".rstrip() for one in self._all)
        return f"<answers: {found or 'none; print them to see why'}>"
