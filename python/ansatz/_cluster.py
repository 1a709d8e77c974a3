"""Ensembles in other processes: blocks of runs that Dask, Ray or any executor does, and whose arrays are put together here."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._values import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from ._lazy import np

#: The text of a scene with all that decides what it is compiled to.
Source = tuple[str, str, "str | None", tuple[str, ...], float, str]

#: So many blocks for each worker, so that none waits long for the slowest.
BLOCKS = 4


@functools.lru_cache(maxsize=16)
def compiled(source: Source) -> _native.Scene:
    """A scene in a worker, compiled once for all of its blocks."""
    text, name, folder, record, tolerance, solver = source
    return _native.Scene.compile(text, name, folder, list(record), tolerance, solver)


def do_block(source: Source, names: list[str], until: float, every: float | None, values: NDArray[np.float64]) -> dict[str, Any]:
    """The runs of a block, in one thread: the cluster decides what goes on beside it."""
    return compiled(source).ensemble(names, plain(values), until, every, 1, False, None, None)


def ensemble(
    on: Any,
    source: Source,
    names: list[str],
    values: NDArray[np.float64],
    until: float,
    every: float | None,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """What `_native.Scene.ensemble` gives, from blocks that were done elsewhere."""
    hand_out, workers = _cluster(on)
    blocks = np.array_split(values, max(1, min(len(values), BLOCKS * workers)))
    task = functools.partial(do_block, source, names, until, every)
    done, results = 0, []
    for block, result in zip(blocks, hand_out(task, blocks)):
        results.append(result)
        done += len(block)
        if progress is not None:
            progress(done, len(values))
    return _joined(results)


def _joined(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    arrays = [result["values"].reshape(result["shape"]) for result in results]
    whole = np.concatenate(arrays, axis=1)
    begins = np.cumsum([0, *(array.shape[1] for array in arrays)])
    failures = [(int(begin) + run, error) for begin, result in zip(begins, results) for run, error in result["failures"]]
    events = [events for result in results for events in result["events"]]
    return {"shape": whole.shape, "values": whole.ravel(), "events": events, "failures": failures, "fell_back": None}


def _cluster(on: Any) -> tuple[Callable[..., Any], int]:
    """How blocks are handed out, with their results in order, and to how many workers. A worker that dies loses nothing: both Dask and Ray give its
    blocks to others."""
    name = getattr(on, "__name__", "")
    if name == "ray":
        return functools.partial(_on_ray, on), max(1, int(on.cluster_resources().get("CPU", 1)))
    if name in ("dask", "distributed", "dask.distributed"):
        from distributed import get_client

        on = get_client()
    if hasattr(on, "scheduler_info"):
        return functools.partial(_on_dask, on), max(1, sum(on.nthreads().values()))
    if hasattr(on, "submit"):
        return on.map, max(1, getattr(on, "_max_workers", 1))
    raise TypeError(f"on={on!r} is none of ray, dask, a client of Dask, or an executor of concurrent.futures")


def _on_ray(ray: Any, task: functools.partial[Any], blocks: Sequence[NDArray[np.float64]]) -> Any:
    remote = ray.remote(task.func)
    yield from (ray.get(one) for one in [remote.remote(*task.args, block) for block in blocks])


def _on_dask(client: Any, task: Callable[..., Any], blocks: Sequence[NDArray[np.float64]]) -> Any:
    yield from (future.result() for future in client.map(task, blocks, pure=False))
