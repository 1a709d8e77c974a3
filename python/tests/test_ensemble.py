"""Many runs."""

import os
import signal
import subprocess
import sys
import threading

import ansatz
import numpy as np
import pytest


def test_every_run_has_the_bits_that_it_has_alone(pendulum: ansatz.Scene, ball: ansatz.Scene) -> None:
    for scene, name, values in [(pendulum, "length", np.linspace(1, 2, 7)), (ball, "restitution", np.linspace(0.3, 0.8, 6))]:
        whole = [scene.ensemble(until=3, every=0.5, threads=threads, **{name: values}) for threads in (1, 3)]
        ends = scene.ensemble(until=3, **{name: values})
        for run, value in enumerate(values):
            alone = scene.run(until=3, every=0.5, **{name: value})
            for quantity in scene.outputs:
                assert all(np.array_equal(runs[quantity][run], alone[quantity]) for runs in whole)
                assert ends[quantity][run] == alone[quantity][-1]
            assert np.array_equal(whole[0].t[run], alone.t)
            assert whole[0].events(run) == alone.events


def test_stiff_runs_and_others_have_their_own_solvers() -> None:
    scene = ansatz.compile("scene s\nparam rate = 1 [1/s]\nx: real = 2\nalways x' == -rate * (x - cos(t * 1 [rad/s]))\nplot x")
    rates = [1.0, 1e6]
    for until in (2, 10):
        runs = scene.ensemble(until=until, rate=rates)
        for run, rate in enumerate(rates):
            alone = scene.run(until=until, rate=rate)
            assert runs["x"][run] == alone["x"][-1]
            assert (alone.statistics["jacobians"] > 0) == (rate > 1e3)


def test_arrays_are_broadcast_and_views_of_one(pendulum: ansatz.Scene) -> None:
    runs = pendulum.ensemble(until=1, every=0.5, length=np.linspace(1, 2, 3)[:, None], angle=[0.1, 0.2], mass="2 kg")
    assert runs["swing.angle"].shape == runs.t.shape == (6, 3)
    assert runs.varied["angle"].tolist() == [0.1, 0.2] * 3
    assert not runs["energy"].flags.writeable and np.shares_memory(runs["energy"], runs._values)
    assert pendulum.ensemble(until=1, length=["80 cm", "2 m"]).varied["length"].tolist() == [0.8, 2.0]
    assert pendulum.with_settings(angle=0.5).ensemble(until=1)["swing.angle"].shape == (1,)
    with pytest.raises(ValueError, match="do not broadcast"):
        pendulum.ensemble(length=[1, 2], angle=[1, 2, 3])
    with pytest.raises(ansatz.Error, match="did you mean `length`"):
        pendulum.ensemble(lenght=[1, 2])
    with pytest.raises(MemoryError, match="GB"):
        pendulum.ensemble(until=1e6, every=1e-4, length=np.linspace(1, 2, 10_000))


def test_runs_that_fail_are_named_and_the_others_stand() -> None:
    scene = ansatz.compile("scene pole\nparam start = 0.5\nx: real = start\nalways x' == x^2 / 1 [s]\nplot x")
    runs = scene.ensemble(until=10, every=1, start=[0.01, 0.5, float("nan"), 0.02])
    assert [failure.run for failure in runs.failures] == [1, 2]
    assert runs.failures[0].error.code and "finite" in str(runs.failures[1].error)
    assert runs.failed.tolist() == [False, True, True, False]
    assert np.isfinite(runs["x"][[0, 3]]).all() and np.isnan(runs["x"][1, 3:]).all() and np.isnan(runs["x"][2]).all()
    assert runs["x"][3, -1] == pytest.approx(0.02 / (1 - 0.2), rel=1e-6)


def test_transitions_are_counted(ball: ansatz.Scene) -> None:
    heights = np.array([0.5, 1.0, 2.0])
    runs = ball.ensemble(until=1.5, height=heights)
    assert np.allclose(runs.first("bounce"), np.sqrt(2 * heights / 9.81), atol=1e-9)
    assert (runs.count("bounce") >= 1).all() and np.isnan(runs.first("rest")).all()


def test_tables_of_others(pendulum: ansatz.Scene) -> None:
    runs = pendulum.ensemble(until=1, every=0.5, length=[1.0, 2.0])
    frame = runs.to_pandas()
    assert frame["run"].tolist() == [0, 0, 0, 1, 1, 1] and frame["length"].tolist() == [1.0] * 3 + [2.0] * 3
    assert runs.to_arrow().schema.field("swing.angle").metadata == {b"unit": b"rad"}
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(runs)["swing.angle"].to_list() == runs["swing.angle"].ravel().tolist()
    dataset = runs.to_xarray()
    assert dict(dataset.sizes) == {"run": 2, "time": 3} and dataset["length"].values.tolist() == [1.0, 2.0]


def test_other_threads_of_python_go_on_and_progress_is_told(pendulum: ansatz.Scene) -> None:
    inside, told = threading.Event(), []

    def look(done: int, runs: int) -> None:
        told.append((done, runs))
        # Only if the interpreter is free can the other thread set this.
        assert inside.wait(10)

    other = threading.Timer(0.01, inside.set)
    other.start()
    pendulum.ensemble(until=1, length=np.linspace(1, 2, 20), progress=look)
    assert told[-1] == (20, 20) and len(told) == 20


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("call", ["scene.run(until=1e9, every=1e9)", "scene.ensemble(until=1e9, length=[1, 2, 3])"])
def test_ctrl_c_ends_what_would_take_days(pendulum: ansatz.Scene, call: str) -> None:
    code = f"import ansatz\nscene = ansatz.compile({pendulum.text!r})\nprint('begun', flush=True)\n{call}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
