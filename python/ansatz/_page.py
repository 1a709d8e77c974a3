"""A scene as a page that moves by itself."""

from __future__ import annotations

import os
from pathlib import Path


class Page:
    """The page that `ansatz build --target html` writes: notebooks show it as it is, `save` keeps it, `open` shows it in a browser."""

    def __init__(self, text: str, name: str) -> None:
        #: The page, which needs nothing else.
        self.html = text
        self.name = name

    def __repr__(self) -> str:
        return f"<page of {self.name}, {len(self.html) // 1000} kB: save(…) or open() it>"

    def _repr_html_(self) -> str:
        import html

        frame = 'style="width: 100%; height: 32em; border: 0" allow="fullscreen"'
        return f'<iframe srcdoc="{html.escape(self.html)}" title="{html.escape(self.name)}" {frame}></iframe>'

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file."""
        file = Path(path)
        file.write_text(self.html, encoding="utf-8")
        return file

    def open(self) -> Path:
        """Shows the page in a browser, from a file that stays among the temporary ones."""
        import tempfile
        import webbrowser

        file = self.save(Path(tempfile.mkdtemp(prefix="ansatz-")) / f"{self.name}.html")
        webbrowser.open(file.as_uri())
        return file
