"""Ensembles on clusters that are there."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import ansatz
import numpy as np
import pytest

RESTITUTIONS = np.linspace(0.3, 0.8, 23)


def same(scene: ansatz.Scene, on: Any) -> None:
    here = scene.ensemble(until=3, every=0.5, restitution=RESTITUTIONS, height="2 m")
    there = scene.ensemble(until=3, every=0.5, restitution=RESTITUTIONS, height="2 m", on=on)
    for quantity in scene.outputs:
        assert np.array_equal(here[quantity], there[quantity])
    assert all(here.events(run) == there.events(run) for run in range(len(RESTITUTIONS)))


def test_processes_give_the_same_bits_and_name_what_fails(ball: ansatz.Scene) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        same(ball, pool)
        told: list[tuple[int, int]] = []
        runs = ball.ensemble(until=1, restitution=[0.5, 0.6, float("nan")], on=pool, progress=lambda *it: told.append(it))
        assert [failure.run for failure in runs.failures] == [2] and told[-1] == (3, 3)
        with pytest.raises(ansatz.Error, match="did you mean `height`"):
            ball.ensemble(heigth=[1, 2], on=pool)
    with pytest.raises(TypeError, match="on="):
        ball.ensemble(height=[1, 2], on="cluster")


@pytest.fixture
def dask() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask_gives_the_same_bits(ball: ansatz.Scene, dask: Any) -> None:
    import dask as module

    same(ball, dask)
    same(ball, module)


def test_a_worker_of_dask_that_is_killed_loses_nothing(ball: ansatz.Scene, dask: Any) -> None:
    restitutions = np.linspace(0.3, 0.8, 400)
    here = ball.ensemble(until=20, restitution=restitutions)
    victim = next(iter(dask.run(os.getpid).values()))

    def kill() -> None:
        time.sleep(0.2)
        os.kill(victim, signal.SIGKILL)

    threading.Thread(target=kill).start()
    there = ball.ensemble(until=20, restitution=restitutions, on=dask)
    assert np.array_equal(here["ball.position.z"], there["ball.position.z"]) and not there.failures


def test_ray_gives_the_same_bits(ball: ansatz.Scene) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        same(ball, ray)
    finally:
        ray.shutdown()
