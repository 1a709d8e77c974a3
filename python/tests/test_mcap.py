"""Runs as MCAP files, as the package of the format reads them."""

import csv
import json
import os
import subprocess
from pathlib import Path

import pytest

reader = pytest.importorskip("mcap.reader")
ROOT = Path(__file__).parents[2]
ANSATZ = os.environ.get("ANSATZ", str(ROOT / "target" / "debug" / "ansatz"))


@pytest.mark.parametrize("arguments", ["--until 2", "--until 20 --every 1e-4", "--until 1 --probe motion,ball.position"])
def test_each_row_is_a_message_at_its_time(arguments: str, tmp_path: Path) -> None:
    for name in ("run.csv", "run.mcap"):
        command = [ANSATZ, "run", "examples/bouncing_ball.anz", *arguments.split(), "-o", str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rows = list(csv.DictReader((tmp_path / "run.csv").open()))
    with (tmp_path / "run.mcap").open("rb") as file:
        seen = reader.make_reader(file)
        assert seen.get_summary().statistics.message_count == len(rows)
        found = [(message.log_time, channel.topic, json.loads(message.data)) for _, channel, message in seen.iter_messages()]
        schema = json.loads(seen.get_summary().schemas[1].data)
    assert schema["properties"]["t"]["description"] == "in s"
    assert len(found) == len(rows)
    for (time, topic, message), row in zip(found, rows):
        assert topic == "/run" and list(message) == list(row) == list(schema["properties"])
        assert abs(time / 1e9 - float(row["t"])) < 1e-9
        for name, value in row.items():
            assert str(message[name]) == value or abs(float(message[name]) - float(value)) <= 1e-13 * abs(float(value))
