"""A scene as a page that moves by itself."""

from __future__ import annotations

import functools
import importlib
import os
from pathlib import Path
from typing import Any

#: What the widget does in the notebook: one frame, which gets another page where the scene does.
_IN_THE_NOTEBOOK = """
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.allow = "fullscreen";
  frame.style.cssText = "width: 100%; border: 0; display: block";
  const fill = () => { frame.srcdoc = model.get("page"); frame.title = model.get("title"); };
  const size = () => { frame.style.height = model.get("height"); };
  model.on("change:page", fill);
  model.on("change:height", size);
  fill();
  size();
  el.append(frame);
  return () => { model.off("change:page", fill); model.off("change:height", size); };
}
export default { render };
"""


class Page:
    """The page that `ansatz build --target html` writes: notebooks show it as it is, `save` keeps it, `open` shows it in a browser."""

    def __init__(self, text: str, name: str) -> None:
        #: The page, which needs nothing else.
        self.html = text
        self.name = name

    def __repr__(self) -> str:
        return f"<page of {self.name}, {len(self.html) // 1000} kB: save(…) or open() it>"

    def widget(self, height: str = "32em") -> Any:
        """The page as a widget of Jupyter, for which `anywidget` has to be installed.

        What it shows can be changed in its place: `widget.page = scene.show(length=2).html`, `widget.height = "20em"`.
        """
        try:
            kind = _widget_class()
        except ImportError as error:
            raise RuntimeError("a widget needs the package anywidget: `pip install anywidget`") from error
        return kind(page=self.html, title=self.name, height=height)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """A widget where there are widgets; else notebooks ask for HTML. What the bundle says in plain text is what a terminal prints."""
        try:
            bundle = self.widget()._repr_mimebundle_()
        except RuntimeError:
            return None
        if bundle is None:
            return None
        data, *about = bundle if isinstance(bundle, tuple) else (bundle,)
        return ({**data, "text/plain": repr(self)}, *about) if about else {**data, "text/plain": repr(self)}

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


@functools.cache
def _widget_class() -> Any:
    """The class of widgets; it is made when the first is wanted, since importing widgets takes longer than all else here."""
    base = importlib.import_module("anywidget").AnyWidget
    text = importlib.import_module("traitlets").Unicode
    traits = {name: text("").tag(sync=True) for name in ("page", "title", "height")}
    return type("PageWidget", (base,), {"_esm": _IN_THE_NOTEBOOK, "__module__": __name__, **traits})
