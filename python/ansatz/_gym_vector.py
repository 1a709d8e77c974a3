"""Many environments of one scene, which move in threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._gym import SceneEnv

#: What came of one environment: what is observed, the reward, whether it ended, was cut off, and what else there is to know.
Outcome = tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]


class SceneVectorEnv(gymnasium.vector.VectorEnv[NDArray[np.float64], NDArray[np.float64], NDArray[Any]]):
    """As many environments as one likes of one scene, compiled once. It does what `gymnasium.vector.SyncVectorEnv` does, in all cores."""

    def __init__(self, one: SceneEnv, num_envs: int, autoreset: AutoresetMode = AutoresetMode.NEXT_STEP) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r}: give at least one")
        self.envs = [one.another() for _ in range(num_envs)]
        self.num_envs = num_envs
        self.metadata = {**one.metadata, "autoreset_mode": autoreset}
        self._mode = autoreset
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self._threads = ThreadPoolExecutor(min(num_envs, os.cpu_count() or 1))
        self._observed = np.zeros(self.observation_space.shape or (num_envs,))
        #: Those whose episodes are over, and which have to begin anew before they move.
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins all anew, or those of `options["reset_mask"]`."""
        seeds = [seed + at for at in range(self.num_envs)] if isinstance(seed, int) else list(seed or [None] * self.num_envs)
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds are given for {self.num_envs} environments")
        rest = dict(options or {})
        mask = np.asarray(rest.pop("reset_mask", np.ones(self.num_envs, dtype=bool)), dtype=bool)
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has the shape {mask.shape}, and there are {self.num_envs} environments")
        chosen = [int(at) for at in np.flatnonzero(mask)]
        infos: dict[str, Any] = {}
        begun = self._threads.map(lambda at: self.envs[at].reset(seed=seeds[at], options=rest), chosen)
        for at, (observed, info) in zip(chosen, begun):
            self._observed[at], self._over[at] = observed, False
            infos = self._add_info(infos, info, at)
        return self._observed.copy(), infos

    def step(self, actions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Moves all of them by a step."""
        if self._mode == AutoresetMode.DISABLED and self._over.any():
            over = np.flatnonzero(self._over).tolist()
            raise RuntimeError(f"the episodes of {over} are over; begin them anew with reset(options={{'reset_mask': …}})")
        move: Callable[[int], Outcome] = self._same_step if self._mode == AutoresetMode.SAME_STEP else self._next_step
        self._asked = np.asarray(actions, dtype=np.float64).reshape(self.num_envs, -1)
        rewards, ended, cut = np.zeros(self.num_envs), np.zeros(self.num_envs, dtype=bool), np.zeros(self.num_envs, dtype=bool)
        infos: dict[str, Any] = {}
        for at, (observed, reward, terminated, truncated, info) in enumerate(self._threads.map(move, range(self.num_envs))):
            self._observed[at], rewards[at], ended[at], cut[at] = observed, reward, terminated, truncated
            infos = self._add_info(infos, info, at)
        self._over = np.zeros(self.num_envs, dtype=bool) if self._mode == AutoresetMode.SAME_STEP else ended | cut
        return self._observed.copy(), rewards, ended, cut, infos

    def _next_step(self, at: int) -> Outcome:
        if self._over[at]:
            observed, info = self.envs[at].reset()
            return observed, 0.0, False, False, info
        return self.envs[at].step(self._asked[at])

    def _same_step(self, at: int) -> Outcome:
        observed, reward, terminated, truncated, info = self.envs[at].step(self._asked[at])
        if terminated or truncated:
            final = {"final_obs": observed, "final_info": info}
            observed, info = self.envs[at].reset()
            info = {**info, **final}
        return observed, reward, terminated, truncated, info

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._threads.shutdown(wait=False)
