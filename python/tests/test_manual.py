"""What the manual tells people to type is carried out, and stands in notebooks."""

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)

#: Pages, the files that their scenes are, and how many blocks they have at least.
PAGES = [("python", "swing.anz", 11), ("gradients", "ball.anz", 3)]


@pytest.mark.parametrize("name, scene, least", PAGES)
def test_pages_can_be_followed(name: str, scene: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = [cell for cell in notebook(name, scene).cells if cell.cell_type == "code"]
    for count, cell in enumerate(cells):
        code = cell.source
        if code.startswith("%%writefile "):
            head, text = code.split("\n", 1)
            (tmp_path / head.split()[1]).write_text(text, encoding="utf-8")
        else:
            exec(compile(code, f"{name}, block {count}", "exec"), names)
    assert len(cells) > least


@pytest.mark.parametrize("name, scene, least", PAGES)
def test_every_page_is_a_notebook(name: str, scene: str, least: int) -> None:
    nbformat = pytest.importorskip("nbformat")
    file, made = ROOT / "docs" / "notebooks" / f"{name}.ipynb", notebook(name, scene)
    if os.environ.get("ANSATZ_BLESS"):
        file.parent.mkdir(exist_ok=True)
        nbformat.write(made, file)
    assert nbformat.read(file, as_version=4) == made, "ANSATZ_BLESS=1 writes it"


def notebook(name: str, scene: str):
    """A page as a notebook: texts, its scene as a file that is written, and what is typed."""
    nbformat = pytest.importorskip("nbformat")
    page = (ROOT / "docs" / "how-to" / f"{name}.md").read_text(encoding="utf-8")
    cells, at = [], 0

    def text(part: str) -> None:
        # Pages beside it are a folder away.
        part = re.sub(r"\]\((?!http|#)(?:\.\./)?([^)]*\.md)", lambda it: f"](../{'' if '/' in it[1] else 'how-to/'}{it[1]}", part)
        if part.strip():
            cells.append(nbformat.v4.new_markdown_cell(part.strip()))

    for block in BLOCK.finditer(page):
        kind, code = block[1], block[2].strip()
        if kind not in ("python", "ansatz"):
            continue
        text(page[at : block.start()])
        cells.append(nbformat.v4.new_code_cell(f"%%writefile {scene}\n{code}" if kind == "ansatz" else code))
        at = block.end()
    text(page[at:])
    for number, cell in enumerate(cells):
        cell["id"] = f"{name}-{number}"
    return nbformat.v4.new_notebook(cells=cells)
