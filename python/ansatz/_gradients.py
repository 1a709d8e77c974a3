"""What a run comes to as a function of parameters, with exact derivatives, for optimisers and for frameworks that differentiate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._run import Run
    from ._scene import Scene
else:
    from ._lazy import np


class Function:
    """What is recorded, as a function of some parameters: `scene.function(["length"], until=10)` makes one.

    Values are SI floats in the order of the names. What comes out has a number for each recorded quantity, at the end of the run, or, with `every`, a row of them for each
    time. A run that fails raises its error.
    """

    def __init__(self, scene: Scene, by: Sequence[str], until: float, every: float | None) -> None:
        self._scene, self.by, self._until, self._every = scene, list(by), until, every
        # What is wrong with a name is told here, not in the first run.
        scene.with_settings(**dict.fromkeys(self.by, 0.0))

    def _run(self, values: ArrayLike, by: Sequence[str]) -> Run:
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != (len(self.by),):
            raise ValueError(f"values of the shape {numbers.shape} for {len(self.by)} parameters: {', '.join(self.by)}")
        settings = dict(zip(self.by, numbers.tolist()))
        run = self._scene.run(self._until, self._until if self._every is None else self._every, sensitivities=by, **settings)
        if run.failure is not None:
            raise run.failure
        return run

    def _shaped(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        last: NDArray[np.float64] = rows[-1]
        return last if self._every is None else rows

    def __call__(self, values: ArrayLike) -> NDArray[np.float64]:
        run = self._run(values, ())
        return self._shaped(np.stack([run[name] for name in run], axis=-1))

    def value_and_jacobian(self, values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The value, and its derivatives, whose last axis is that of the parameters."""
        run = self._run(values, self.by)
        slopes = [np.stack([run.sensitivities[by][name] for by in self.by], axis=-1) for name in run]
        return self._shaped(np.stack([run[name] for name in run], axis=-1)), self._shaped(np.stack(slopes, axis=-2))

    def jacobian(self, values: ArrayLike) -> NDArray[np.float64]:
        """The derivatives by the parameters, which are the last axis; `scipy.optimize` takes it as it is."""
        return self.value_and_jacobian(values)[1]

    def jax(self) -> Callable[[Any], Any]:
        """The same for JAX: a function of an array that `jax.grad`, `jit` and `vmap` know. With 64-bit numbers (`jax_enable_x64`) nothing is rounded."""
        import jax
        import jax.numpy as jnp

        shape = self(np.array([self._default(name) for name in self.by])).shape

        def told(values: Any, *trailing: int) -> Any:
            return jax.ShapeDtypeStruct((*shape, *trailing), values.dtype)

        def value(values: Any) -> Any:
            return self(values).astype(values.dtype)

        def both(values: Any) -> Any:
            found, slopes = self.value_and_jacobian(values)
            return found.astype(values.dtype), slopes.astype(values.dtype)

        def plain(values: Any) -> Any:
            return jax.pure_callback(value, told(values), values, vmap_method="sequential")

        def forward(values: Any) -> Any:
            return jax.pure_callback(both, (told(values), told(values, len(self.by))), values, vmap_method="sequential")

        def backward(slopes: Any, gradient: Any) -> Any:
            return (jnp.tensordot(gradient, slopes, axes=gradient.ndim),)

        function = jax.custom_vjp(plain)
        function.defvjp(forward, backward)
        return lambda values: function(jnp.asarray(values, dtype=jnp.result_type(float)))

    def torch(self) -> Callable[[Any], Any]:
        """The same for PyTorch: a function of a tensor that `backward` knows. With `torch.float64` nothing is rounded."""
        import torch

        outer = self

        class Differentiated(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, values: Any) -> Any:
                found, slopes = outer.value_and_jacobian(values.detach().cpu().numpy())
                ctx.save_for_backward(torch.as_tensor(slopes, dtype=values.dtype, device=values.device))
                return torch.as_tensor(found, dtype=values.dtype, device=values.device)

            @staticmethod
            def backward(ctx: Any, gradient: Any) -> Any:
                (slopes,) = ctx.saved_tensors
                return torch.tensordot(gradient, slopes, dims=gradient.ndim)

        return lambda values: Differentiated.apply(values)

    def _default(self, name: str) -> float:
        parameters = {it.name: it.default for it in self._scene.parameters}
        controls = {it.name: it.default for it in self._scene.controls}
        return {**parameters, **controls, **self._scene.settings}[name]
