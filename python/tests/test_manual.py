"""What the manual tells people to type is carried out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_for_python_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    count = 0
    for kind, text in BLOCK.findall((ROOT / "docs" / "how-to" / "python.md").read_text(encoding="utf-8")):
        if kind == "ansatz":
            (tmp_path / "swing.anz").write_text(text, encoding="utf-8")
        if kind == "python":
            exec(compile(text, f"block {count}", "exec"), names)
            count += 1
    assert count >= 9
