"""Equations that are copied for SymPy are read by SymPy, and say what is known of them."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

sympy = pytest.importorskip("sympy")

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.anz"))
FORMS = ["lagrangian", "newton-euler", "state-space", "derivation"]


def copied(scene: str, form: str, notation: str) -> str:
    command = [os.environ.get("ANSATZ", "ansatz"), "explain", f"examples/{scene}.anz", "--equations", form, "--as", notation]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def read(text: str) -> list[Any]:
    """The equations, with what they speak of put into the names of SymPy."""
    names: dict[str, Any] = {}
    exec(text, names)
    lines = [line for line in text.splitlines() if line.startswith("Eq(")]
    return [eval(line, names) for line in lines]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scene", EXAMPLES)
def test_every_copy_is_read(scene: str, form: str) -> None:
    assert read(copied(scene, form, "sympy"))


def test_a_copy_is_the_equation_of_the_books() -> None:
    """The pendulum: θ'' = -(g/l) sin θ, whatever form it stands in."""
    (motion, *_) = read(copied("pendulum", "lagrangian", "sympy"))
    g, length, angle, faster = sympy.symbols("g length swing_angle swing_angle_ddot")
    (solved,) = sympy.solve(motion, faster)
    assert sympy.simplify(solved + g / length * sympy.sin(angle)) == 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scene", EXAMPLES)
def test_every_copy_is_set_by_typst(scene: str, form: str) -> None:
    typst = pytest.importorskip("typst")
    lines = [line.strip() for line in copied(scene, form, "typst").splitlines()]
    text = "\n\n".join(f"$ {line} $" for line in lines if line and not line.startswith("//"))
    assert typst.compile(text.encode(), format="pdf")
