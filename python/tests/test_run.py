"""Scenes and single runs."""

import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import ansatz
import numpy as np
import pytest

POLE = "scene pole\nparam start = 0.5\nx: real = start\nalways x' == x^2 / 1 [s]\nplot x"


def test_a_small_swing_has_its_period(pendulum: ansatz.Scene) -> None:
    for given, length in [("80 cm", 0.8), ("80[cm]", 0.8), (2, 2.0), (np.float32(1.5), 1.5)]:
        run = pendulum.run(until=10, every=1e-3, length=given, angle=1e-3)
        angle = run["swing.angle"]
        crossings = run.t[1:][(angle[:-1] > 0) & (angle[1:] <= 0)]
        assert abs(np.diff(crossings).mean() - 2 * np.pi * np.sqrt(length / 9.81)) < 1e-3
    assert pendulum.run(until=1, angle="60 deg").settings["angle"] == pytest.approx(np.pi / 3, rel=1e-15)


def test_arrays_are_views_that_nobody_writes(pendulum: ansatz.Scene) -> None:
    run = pendulum.run(until=1, every=0.25)
    assert list(run) == ["swing.angle", "energy"] and len(run.t) == 5
    angle = run["swing.angle"]
    assert angle.flags.c_contiguous and not angle.flags.writeable and np.shares_memory(angle, run["swing.angle"])
    with pytest.raises(ValueError):
        angle[0] = 1
    del run
    assert np.isfinite(angle).all()
    assert np.from_dlpack(angle.copy()).shape == (5,)


def test_what_is_wrong_is_told_with_code_place_and_way_out(pendulum: ansatz.Scene) -> None:
    with pytest.raises(ansatz.Error) as caught:
        ansatz.compile("scene s\nbody a { mass = 1 [s] }")
    found = caught.value.diagnostics[0]
    assert (found.severity, found.places[0].line, caught.value.code) == ("error", 2, found.code)
    for call, words in [
        (lambda: pendulum.run(lenght=2), "did you mean `length`?"),
        (lambda: pendulum.run(length="2 s"), "[s] is not a unit of what is declared in [m]"),
        (lambda: pendulum.run(angle="80 cm"), "[cm] is not a unit"),
        (lambda: pendulum.run(length=float("nan")), "not a finite number"),
        (lambda: pendulum.run(mass=-1), "negative"),
        (lambda: pendulum.with_settings(lenght=2), "did you mean `length`?"),
        (lambda: pendulum.linearize(lenght=2), "did you mean `length`?"),
    ]:
        with pytest.raises(ansatz.Error) as caught:
            call()
        assert words in str(caught.value)
        assert caught.value.code in ("unknown-setting", "bad-setting", "unphysical-value")
    with pytest.raises(KeyError, match="did you mean 'swing.angle'"):
        pendulum.run(until=1)["swing.angel"]
    with pytest.raises(TypeError, match="80 cm"):
        pendulum.run(length=object())
    for until, every in [(0, 1), (1, 0), (float("inf"), 1), (-1, 1)]:
        with pytest.raises(ValueError):
            pendulum.run(until=until, every=every)
    with pytest.raises(FileNotFoundError):
        ansatz.compile("nowhere.anz")


def test_a_run_that_fails_has_its_rows_and_a_reason() -> None:
    run = ansatz.compile(POLE).run(until=10, every=0.1)
    assert run.failure is not None and run.failure.code
    assert 1.9 <= run.t[-1] <= 2
    before = run.t < 1.85
    assert np.allclose(run["x"][before], 0.5 / (1 - 0.5 * run.t[before]), rtol=1e-6)


def test_events_have_times_and_names(ball: ansatz.Scene) -> None:
    run = ball.run(until=2)
    assert run.events[0].name == "bounce"
    assert abs(run.events[0].t - np.sqrt(2 / 9.81)) < 1e-9
    assert ball.transitions == ["bounce", "rest"]


def test_a_scene_is_pickled_as_its_text_with_its_parameters(pendulum: ansatz.Scene) -> None:
    scene = pendulum.with_settings(length="2 m")
    again = pickle.loads(pickle.dumps(scene))
    assert again.settings == {"length": 2.0}
    ends = [one.run(until=5)["swing.angle"] for one in (scene, again)]
    assert np.array_equal(*ends)
    assert not np.array_equal(ends[0], pendulum.run(until=5)["swing.angle"])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert np.array_equal(pool.submit(_angles, scene).result(), ends[0])
    error = pickle.loads(pickle.dumps(ansatz.Error("no", [ansatz.Diagnostic("a", "error", "b")])))
    assert error.code == "a" and str(error) == "no"
    run = pickle.loads(pickle.dumps(scene.run(until=5)))
    assert np.array_equal(run["swing.angle"], ends[0])


def _angles(scene: ansatz.Scene) -> np.ndarray:
    return scene.run(until=5)["swing.angle"]


def test_tables_of_others(ball: ansatz.Scene) -> None:
    run = ansatz.compile(ball.text, record=["ball.position.z", "motion"]).run(until=8)
    frame = run.to_pandas()
    assert list(frame.columns) == list(run) and frame["motion"].iloc[-1] == "resting"
    dataset = run.to_xarray()
    assert dataset["ball.position.z"].attrs["units"] == "m" and dataset.sizes["time"] == len(run.t)
    table = run.to_arrow()
    assert table.schema.field("ball.position.z").metadata == {b"unit": b"m"}
    polars = pytest.importorskip("polars")
    assert dict(run)["motion"][-1] == 1 and polars.DataFrame(run).columns == ["t", *run]
    assert polars.DataFrame(run)["ball.position.z"].to_list() == run["ball.position.z"].tolist()


def test_what_the_scene_is_can_be_asked(pendulum: ansatz.Scene) -> None:
    assert [it.name for it in pendulum.parameters] == ["length", "mass", "angle", "rate"]
    assert pendulum.outputs == {"swing.angle": "rad", "energy": "J"}
    assert "swing.angle" in pendulum.explain("equations")
    with pytest.raises(ValueError, match="none of model"):
        pendulum.explain("equation")
    assert ansatz.compile(pendulum.text, record=["bob.position"]).outputs == dict.fromkeys(
        ["bob.position.x", "bob.position.y", "bob.position.z"], "m"
    )


def test_what_is_not_used_is_not_imported() -> None:
    code = "import ansatz, sys; print(sorted({'pandas', 'gymnasium', 'xarray', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
