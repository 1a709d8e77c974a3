"""What is wrong with a text, a setting or a run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """Where in a text; lines and columns count from 1."""

    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong or worth knowing. `ansatz explain CODE` tells more about its code."""

    code: str
    severity: str
    message: str
    places: list[Place] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)


class Error(Exception):
    """Why there is no scene, no run, or no next moment: all diagnostics, and the text that the command line would print."""

    def __init__(self, text: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(text, diagnostics or [])
        self.diagnostics: list[Diagnostic] = diagnostics or []

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def code(self) -> str:
        """The code of the first error, such as `unknown-name`; empty, if it has none."""
        errors = (found.code for found in self.diagnostics if found.severity == "error")
        return next(errors, "")
