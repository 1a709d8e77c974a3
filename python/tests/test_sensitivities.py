"""Derivatives of runs, and functions of parameters that know them."""

import ansatz
import numpy as np
import pytest


def test_a_pendulum_changes_with_its_length_as_its_period_does(pendulum: ansatz.Scene) -> None:
    # The angle is a function of t / sqrt(length), so its derivative is that by the time, times -t / (2 length).
    scene = ansatz.compile(pendulum.text, record=["swing.angle", "der(swing.angle)"], tolerance=1e-10)
    run = scene.run(until=5, every=0.1, length=2, sensitivities=["length", "angle"])
    by_length = run.sensitivities["length"]
    assert np.allclose(by_length["swing.angle"], -run.t * run["der(swing.angle)"] / 4, atol=1e-8)
    assert run.sensitivities["angle"]["swing.angle"][0] == 1 and len(by_length) == 2
    assert np.array_equal(run["swing.angle"], scene.run(until=5, every=0.1, length=2)["swing.angle"])
    assert not by_length["swing.angle"].flags.writeable


def test_derivatives_go_through_impacts(ball: ansatz.Scene) -> None:
    values = {"height": 1.0, "restitution": 0.8}
    run = ball.run(until=2, every=0.25, sensitivities=list(values), **values)
    for name, value in values.items():
        below, above = (ball.run(until=2, every=0.25, **{**values, name: value + by}) for by in (-1e-6, 1e-6))
        for quantity in ("ball.position.z", "ball.velocity.z"):
            slope = (above[quantity] - below[quantity]) / 2e-6
            assert np.allclose(run.sensitivities[name][quantity], slope, rtol=1e-4, atol=1e-4)


def test_what_has_no_derivatives_says_why(pendulum: ansatz.Scene, ball: ansatz.Scene) -> None:
    with pytest.raises(ansatz.Error, match="did you mean `length`"):
        pendulum.run(until=1, sensitivities=["lenght"])
    block = "body block { position = (free, 0, 0); mass = 1 [kg] }\ninitially block.velocity.x == 1 [m/s]"
    held = f"scene s\nparam f = 5 [N]\n{block}\nforce on block = (-f * sign(block.velocity.x / 1 [m/s]), 0, 0)\nplot block.position.x"
    with pytest.raises(ansatz.Error) as caught:
        ansatz.compile(held).run(until=1, sensitivities="f")
    assert caught.value.code == "no-sensitivity"
    assert ansatz.compile(held).run(until=0.1, sensitivities="f").sensitivities["f"]["block.position.x"][-1] == pytest.approx(-0.005)


def test_a_function_of_parameters_suits_scipy(pendulum: ansatz.Scene) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    measured = pendulum.function(["length", "angle"], until=3, every=0.1)
    assert measured([1.0, 0.5]).shape == (31, 2) and measured.jacobian([1.0, 0.5]).shape == (31, 2, 2)
    truth = measured([1.3, 0.7])[:, 0]
    found = optimize.least_squares(lambda p: measured(p)[:, 0] - truth, [1.1, 0.6], jac=lambda p: measured.jacobian(p)[:, 0])
    assert np.allclose(found.x, [1.3, 0.7], rtol=1e-6)
    with pytest.raises(ValueError, match="2 parameters"):
        measured([1.0])
    with pytest.raises(ansatz.Error, match="did you mean `length`"):
        pendulum.function(["lenght"])


def test_jax_differentiates_through_runs(pendulum: ansatz.Scene) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    end = pendulum.function(["length", "angle"], until=2)
    values = np.array([1.0, 0.5])
    gradient = jax.grad(lambda p: (end.jax()(p)[0] - 0.1) ** 2)(values)
    assert np.allclose(gradient, 2 * (end(values)[0] - 0.1) * end.jacobian(values)[0])
    rows = pendulum.function(["length"], until=1, every=0.25).jax()
    assert jax.jit(rows)(np.array([1.0])).shape == (5, 2)
    assert jax.vmap(rows)(np.array([[1.0], [2.0]])).shape == (2, 5, 2)


def test_torch_differentiates_through_runs(pendulum: ansatz.Scene) -> None:
    torch = pytest.importorskip("torch")
    end = pendulum.function(["length", "angle"], until=2)
    values = torch.tensor([1.0, 0.5], dtype=torch.float64, requires_grad=True)
    ((end.torch()(values)[0] - 0.1) ** 2).backward()
    numbers = values.detach().numpy()
    assert np.allclose(values.grad.numpy(), 2 * (end(numbers)[0] - 0.1) * end.jacobian(numbers)[0])
