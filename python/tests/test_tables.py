"""Tables that the command line writes are read by programs of others."""

import os
import re
import subprocess
from pathlib import Path

import ansatz
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
ANSATZ = Path(os.environ.get("ANSATZ", ROOT / "target" / "debug" / "ansatz"))
pytestmark = pytest.mark.skipif(not ANSATZ.exists(), reason="the command line is not built")

parquet = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")
pandas = pytest.importorskip("pandas")


@pytest.mark.parametrize(
    "command",
    [
        "run examples/bouncing_ball.anz --until 8 --probe ball.position,motion",
        "run examples/bouncing_ball.anz --until 8 --every 1e-4",
        "sweep examples/bouncing_ball.anz --vary height=0.5..2:3 --vary restitution=0.5,0.8 --until 2 --every 0.1",
        "sweep examples/bouncing_ball.anz --vary height=0.5..2:3 --reduce first:rest,count:bounce --until 2",
        "sweep examples/pendulum.anz --vary mass=-1..1:5 --until 1",
    ],
)
def test_binary_tables_have_what_the_text_has(command: str, tmp_path: Path) -> None:
    for name in ("table.csv", "table.parquet", "table.arrow"):
        subprocess.run([ANSATZ, *command.split(), "--radians", "-o", tmp_path / name], cwd=ROOT, check=True, capture_output=True)
    text = pandas.read_csv(tmp_path / "table.csv")
    heads = list(text.columns)
    # A text says units in its heads, other files beside the names; `--radians` gives all of them the same numbers.
    text.columns = [re.sub(r" \[[^]]*\]$", "", head) for head in heads]
    for table in (parquet.read_table(tmp_path / "table.parquet"), feather.read_table(tmp_path / "table.arrow")):
        table.validate(full=True)
        assert table.column_names == list(text.columns) and table.num_rows == len(text)
        assert table.schema.field("t").metadata == {b"unit": b"s"} and "t [s]" in heads
        units = [(field.metadata or {}).get(b"unit", b"").decode() for field in table.schema]
        assert heads == [f"{name} [{unit}]" if unit else name for name, unit in zip(table.column_names, units)]
        for name in table.column_names:
            found, expected = table[name].to_pandas(), text[name]
            if name == "t":
                assert np.allclose(found, expected, rtol=1e-13, equal_nan=True)
            elif table.schema.field(name).type == "string":
                words = [None if pandas.isna(word) else str(word) for word in expected]
                assert table[name].to_pylist() == words
            else:
                assert np.array_equal(found.to_numpy(float), expected.to_numpy(float), equal_nan=True)
    polars = pytest.importorskip("polars")
    for frame in (polars.read_parquet(tmp_path / "table.parquet"), polars.read_ipc(tmp_path / "table.arrow")):
        assert frame.shape == text.shape


@pytest.mark.parametrize("example, name", [("pendulum", "length"), ("bouncing_ball", "height"), ("double_pendulum", "angle1")])
def test_the_command_line_and_python_compute_the_same_bits(example: str, name: str, tmp_path: Path) -> None:
    command = f"sweep examples/{example}.anz --vary {name}=0.5..2:7 --until 5 -o"
    subprocess.run([ANSATZ, *command.split(), tmp_path / "ends.parquet"], cwd=ROOT, check=True, capture_output=True)
    table = parquet.read_table(tmp_path / "ends.parquet")
    scene = ansatz.compile(ROOT / "examples" / f"{example}.anz")
    unit = next(it.unit for it in scene.parameters if it.name == name)
    runs = scene.ensemble(until=5, **{name: [f"{value!r} {unit}" for value in table[name].to_pylist()]})
    for quantity in scene.outputs:
        assert table[quantity].to_pylist() == runs[quantity].tolist()


def test_a_text_has_angles_in_degrees_and_says_so(tmp_path: Path) -> None:
    def table(name: str, *options: str) -> Path:
        command = [ANSATZ, "run", "examples/pendulum.anz", "--until", "2", "--every", "0.1", "-o", tmp_path / name, *options]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        return tmp_path / name

    degrees, radians = pandas.read_csv(table("degrees.csv")), pandas.read_csv(table("radians.csv", "--radians"))
    assert np.allclose(degrees["swing.angle [deg]"], np.degrees(radians["swing.angle [rad]"]), rtol=1e-14)
    assert degrees["swing.angle [deg]"][0] == pytest.approx(60)
    # What programs read has the numbers of the run.
    assert np.array_equal(parquet.read_table(table("run.parquet"))["swing.angle"].to_numpy(), radians["swing.angle [rad]"].to_numpy())
