"""Scenes as environments of Gymnasium, for those who learn to control them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._errors import Error
from ._scene import Scene
from ._values import to_si

if TYPE_CHECKING:
    from ._gym_vector import SceneVectorEnv

__all__ = ["SceneEnv", "gym"]

Varied = Mapping[str, tuple[Any, Any]]
Autoreset = Literal["next_step", "same_step", "disabled"]


@overload
def gym(
    scene: Scene, observe: Sequence[str], act: Sequence[str], reward: str, *, step: float = ..., until: float = ..., vary: Varied | None = ...
) -> SceneEnv: ...
@overload
def gym(
    scene: Scene,
    observe: Sequence[str],
    act: Sequence[str],
    reward: str,
    *,
    step: float = ...,
    until: float = ...,
    vary: Varied | None = ...,
    num_envs: int,
    autoreset: Autoreset = ...,
) -> SceneVectorEnv: ...
def gym(
    scene: Scene,
    observe: Sequence[str],
    act: Sequence[str],
    reward: str,
    *,
    step: float = 0.02,
    until: float = 10.0,
    vary: Varied | None = None,
    num_envs: int | None = None,
    autoreset: Autoreset = "next_step",
) -> SceneEnv | SceneVectorEnv:
    """A scene as an environment: `observe` and `reward` are expressions of the language, `act` names controls.

    Controls are held for `step` seconds. A claim of the scene that fails, a `stop`, or a run that cannot go on ends an episode (`terminated`);
    `until` cuts it off (`truncated`). What is in `vary` is drawn evenly between two values at each reset. With `num_envs` it is a vector of so many
    environments, which move in threads; `autoreset` says when one that is over begins anew, as `gymnasium.vector.AutoresetMode` has it.
    """
    one = SceneEnv(scene, observe, act, reward, step=step, until=until, vary=vary)
    if num_envs is None:
        return one
    from ._gym_vector import SceneVectorEnv

    return SceneVectorEnv(one, num_envs, gymnasium.vector.AutoresetMode[autoreset.upper()])


class SceneEnv(gymnasium.Env[NDArray[np.float64], NDArray[np.float64]]):
    """A scene whose controls are actions; `ansatz.gym` makes one."""

    metadata = {"render_modes": []}

    def __init__(
        self,
        scene: Scene,
        observe: Sequence[str],
        act: Sequence[str],
        reward: str,
        *,
        step: float,
        until: float,
        vary: Varied | None,
    ) -> None:
        if not (0 < step <= until < float("inf")):
            raise ValueError(f"step={step!r}, until={until!r} make no episode; give positive times")
        text, name, folder, _, tolerance, solver = scene._source
        # The reward is recorded behind what is observed.
        self.scene = Scene(text, name, folder, (*observe, reward), tolerance, solver, scene.settings)
        self._seconds, self._until, self._steps = step, until, 0
        native = self.scene._native
        self._vary = {name: (to_si(native, name, low), to_si(native, name, high)) for name, (low, high) in (vary or {}).items()}
        self._act = [self._control(name) for name in act]
        columns = self.scene.outputs
        ranges = [control.range or (-np.inf, np.inf) for control in self._act]
        bounds = np.array(ranges, dtype=np.float64).reshape(len(self._act), 2)
        self.action_space = gymnasium.spaces.Box(bounds[:, 0], bounds[:, 1], dtype=np.float64)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(columns) - 1,), dtype=np.float64)
        self._instance = self.scene.instance()

    def another(self) -> SceneEnv:
        """One more of the same scene, with numbers of its own to draw."""
        other = copy.copy(self)
        other._instance, other._np_random, other._np_random_seed = self.scene.instance(), None, None
        return other

    def _control(self, name: str) -> Any:
        known = {control.name: control for control in self.scene.controls}
        if name not in known:
            raise ValueError(f"the scene has no control {name!r}; it has {', '.join(known) or 'none: declare one with `control`'}")
        return known[name]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Begins anew; `options` may have parameters of this episode."""
        super().reset(seed=seed)
        drawn = {name: float(self.np_random.uniform(low, high)) for name, (low, high) in self._vary.items()}
        settings = {**drawn, **(options or {})}
        self._instance, self._steps = self.scene.instance(**settings), 0
        row = self._instance.row()
        return row[:-1], {"t": 0.0, **drawn}

    def step(self, action: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Holds the controls for a step. Actions beyond their range are brought back to it."""
        low, high = self.action_space.low, self.action_space.high  # type: ignore[attr-defined]
        held = np.clip(np.asarray(action, dtype=np.float64).reshape(len(self._act)), low, high)
        self._steps += 1
        info: dict[str, Any] = {}
        terminated = False
        try:
            for control, value in zip(self._act, held):
                self._instance.set(control.name, float(value))
            self._instance.advance(min(self._steps * self._seconds, self._until))
            terminated = self._instance.stopped is not None
        except Error as error:
            terminated, info["failure"] = True, error
        row = self._instance.row()
        info["t"] = self._instance.time
        truncated = not terminated and self._steps * self._seconds >= self._until * (1 - 1e-12)
        return row[:-1], float(row[-1]), terminated, truncated, info
