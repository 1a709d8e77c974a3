"""Examples as units in other hands: FMPy finds nothing wrong, and simulates what `ansatz run` computes, events included. `ANSATZ_EVERY_UNIT=1 python -m pytest
python/tests/test_every_unit.py` takes all of them, in about half an hour; otherwise it is some of each kind."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402
from test_fmu import ROOT, TOLERANCE, UNTIL, command  # noqa: E402

EXAMPLES = sorted((ROOT / "examples").glob("*.anz")) + sorted((ROOT / "examples/published").glob("*.anz"))
# Friction and rest, a plan, loops, a sampled controller, a transition, and stiff equations.
SAMPLE = ["hand", "redundant_arm", "linked_pendula", "sampled_balance", "ink_jet", "oregonator"]
TAKEN = [it for it in EXAMPLES if os.environ.get("ANSATZ_EVERY_UNIT") or it.stem in SAMPLE]

# FMPy's integrator ends with too many steps there, at 1e-8 too. Their co-simulation is compared.
BEYOND_CVODE = ["four_bars", "squeezer"]
# A guard holds for 0.2 us only, and whoever compares signs where steps end does not see it; the manual says so. Their co-simulation is compared.
TOO_SHORT = ["traffic_control"]


def run(scene: Path, folder: Path, tolerance: float) -> tuple[list[dict[str, float]], list[float]]:
    """Rows, and the instants of transitions."""
    table, events = folder / "run.csv", folder / "events.csv"
    common = ("run", scene, "--until", UNTIL, "--tolerance", tolerance)
    command(*common, "--every", UNTIL / 200, "--radians", "-o", table)
    try:
        command(*common, "--events", events, "--hash")
    except AssertionError as refused:
        assert "nothing in this scene has a time of its own" in str(refused)
        return rows_of(table), []
    return rows_of(table), [row["t"] for row in rows_of(events)]


def rows_of(table: Path) -> list[dict[str, float]]:
    """Each number by the name of its column, whose head has its unit too."""
    with table.open() as rows:
        return [{head.split(" [")[0]: number(cell) for head, cell in row.items()} for row in csv.DictReader(rows)]


def number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:  # a mode, by its name
        return float("nan")


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("scene", TAKEN, ids=lambda it: it.stem)
def test_an_example_is_the_same_in_other_hands(scene: Path, version: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.fmu"
    command("build", scene, "--target", "fmu", "--fmi", version, "--until", 0.01, "-o", path, CFLAGS="-O1")
    assert validate_fmu(str(path)) == []
    description = fmpy.read_model_description(path)
    assert description.coSimulation is not None
    kinds = [("CoSimulation", TOLERANCE)]
    if description.modelExchange is not None and scene.stem not in BEYOND_CVODE + TOO_SHORT:
        # Where errors grow, two methods agree only if both are far better than what is asked for.
        kinds.append(("ModelExchange", 1e-12))
    for kind, tolerance in kinds:
        expected, events = run(scene, tmp_path, tolerance)
        result = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=UNTIL, output_interval=UNTIL / 200, relative_tolerance=tolerance)
        times = result["time"]
        # At an event there is a row before it and one after it, and it may fall on an instant of the table.
        near = [(row, result[np.abs(times - row["t"]) < 1e-9]) for row in expected]
        assert sum(len(rows) > 0 for _, rows in near) >= len(expected) - 1
        for column in (set(result.dtype.names) & set(expected[0])) - {"time"}:
            scale = max(1.0, *(abs(row[column]) for row in expected if np.isfinite(row[column])), 0.0)
            for row, rows in near:
                if len(rows) and np.isfinite(row[column]):
                    away = np.abs(rows[column] - row[column]).min()
                    assert away <= 10 * TOLERANCE * scale, (kind, column, row["t"], away)
        if kind == "ModelExchange":
            for event in events:
                assert np.abs(times - event).min() <= 1e-8 or event > times[-1] + 1e-9, event
