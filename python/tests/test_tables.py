"""Tables that the command line writes are read by programs of others."""

import os
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
        subprocess.run([ANSATZ, *command.split(), "-o", tmp_path / name], cwd=ROOT, check=True, capture_output=True)
    text = pandas.read_csv(tmp_path / "table.csv")
    for table in (parquet.read_table(tmp_path / "table.parquet"), feather.read_table(tmp_path / "table.arrow")):
        table.validate(full=True)
        assert table.column_names == list(text.columns) and table.num_rows == len(text)
        assert table.schema.field("t").metadata == {b"unit": b"s"}
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
