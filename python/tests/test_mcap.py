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


def read(table: Path) -> list[dict[str, str]]:
    """The rows of a text, by names without units."""
    heads, *rows = csv.reader(table.open())
    return [dict(zip((head.split(" [")[0] for head in heads), row)) for row in rows]


@pytest.mark.parametrize("arguments", ["--until 2", "--until 20 --every 1e-4", "--until 1 --probe motion,ball.position"])
def test_each_row_is_a_message_at_its_time(arguments: str, tmp_path: Path) -> None:
    for name in ("run.csv", "run.mcap"):
        command = [ANSATZ, "run", "examples/bouncing_ball.anz", *arguments.split(), "--radians", "-o", str(tmp_path / name)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rows = read(tmp_path / "run.csv")
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


def test_poses_are_those_of_the_run(tmp_path: Path) -> None:
    """Frames in the world at their instants, solids on them, and the numbers of a run, all valid for the schemas in the file."""
    jsonschema = pytest.importorskip("jsonschema")
    output = tmp_path / "motion.mcap"
    arguments = ["export", "examples/double_pendulum.anz", "--to", "2", "--speed", "0.5", "--rate", "10", "-o", str(output)]
    subprocess.run([ANSATZ, *arguments], cwd=ROOT, check=True, capture_output=True)
    with output.open("rb") as file:
        seen = reader.make_reader(file)
        summary = seen.get_summary()
        channels = {channel.topic: summary.schemas[channel.schema_id].name for channel in summary.channels.values()}
        assert channels == {"/tf": "foxglove.FrameTransforms", "/scene": "foxglove.SceneUpdate", "/run": "ansatz.Row"}
        found: dict[str, list] = {topic: [] for topic in channels}
        for schema, channel, message in seen.iter_messages():
            content = json.loads(message.data)
            jsonschema.validate(content, json.loads(schema.data))
            found[channel.topic].append((message.log_time, content))
    rows = [row for _, row in found["/run"]]
    assert len(rows) == len(found["/tf"]) == 41
    # Two seconds of the scene are four of the file.
    assert [time for time, _ in found["/tf"]] == [at * 100_000_000 for at in range(41)]
    assert all(abs(row["t"] - at * 0.05) < 1e-12 for at, row in enumerate(rows))
    names = {it["child_frame_id"] for it in found["/tf"][0][1]["transforms"]}
    bobs = sorted(name for name in names if "bob" in name)
    probes = ",".join(f"{bob}.position" for bob in bobs)
    table = tmp_path / "run.csv"
    run = ["run", "examples/double_pendulum.anz", "--until", "2", "--every", "0.05", "--probe", probes, "-o", str(table)]
    subprocess.run([ANSATZ, *run], cwd=ROOT, check=True, capture_output=True)
    for row, (_, message) in zip(read(table), found["/tf"]):
        places = {it["child_frame_id"]: it for it in message["transforms"]}
        for bob in bobs:
            assert all(abs(places[bob]["translation"][axis] - float(row[f"{bob}.position.{axis}"])) < 1e-6 for axis in "xyz")
            assert abs(sum(part**2 for part in places[bob]["rotation"].values()) - 1) < 1e-12
    # What does not move on its frame is drawn once.
    drawn = [entity for _, message in found["/scene"] for entity in message["entities"]]
    on_bobs = [entity for entity in drawn if entity["frame_id"] in bobs]
    assert bobs and len(on_bobs) == len({entity["id"] for entity in on_bobs})
