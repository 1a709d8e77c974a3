"""The equations of motion, for solvers of others."""

import ansatz
import numpy as np
import pytest


def test_the_equations_of_a_pendulum_are_those_of_the_textbook(pendulum: ansatz.Scene) -> None:
    scene = pendulum.with_settings(length=2)
    angle, rate = 0.7, 0.3
    assert np.allclose(scene.rhs(0, [angle, rate]), [rate, -9.81 / 2 * np.sin(angle)], rtol=1e-14)
    assert np.allclose(scene.jacobian(0, [angle, rate]), [[0, 1], [-9.81 / 2 * np.cos(angle), 0]], rtol=1e-14)
    assert len(scene.states) == 2 and scene.start[0] == pytest.approx(np.pi / 3)
    # Numbers that lie at an odd place, or apart from one another.
    bytes_ = np.frombuffer(b"x" + np.array([angle, rate]).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert np.array_equal(scene.rhs(0, bytes_), scene.rhs(0, np.array([angle, 0, rate])[::2]))
    with pytest.raises(ansatz.Error, match="3 numbers for 2 states"):
        scene.rhs(0, [1, 2, 3])


def test_switches_are_on_the_side_of_the_given_state() -> None:
    block = "body b { position = (free, 0, 0); mass = 1 [kg] }\ninitially b.position.x == 1 [m]"
    pull = "force on b = (if b.position.x > 0.3 [m] then 5 [N] else -3 [N], 0, 0)"
    rub = "force on b = (-sign(b.velocity.x / 1 [m/s]) * 1 [N], 0, 0)"
    scene = ansatz.compile(f"scene s\n{block}\n{pull}\n{rub}\nplot b.position.x")
    found = [scene.rhs(0, state)[1] for state in ([1, 0.5], [0.1, 0.5], [0.1, -0.5], [1, -0.5])]
    assert found == [4, -4, -2, 6]


def test_solvers_of_scipy_find_the_same_motion(pendulum: ansatz.Scene) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    run = pendulum.run(until=5, every=0.5)
    for method, options in [("DOP853", {}), ("Radau", {"jac": pendulum.jacobian})]:
        found = integrate.solve_ivp(pendulum.rhs, (0, 5), pendulum.start, method, run.t, rtol=1e-9, atol=1e-9, **options)
        assert np.allclose(found.y[0], run["swing.angle"], atol=1e-6)


def test_a_linear_model_has_the_frequency_of_small_swings(pendulum: ansatz.Scene) -> None:
    model = pendulum.linearize("equilibrium", length=2)
    assert np.allclose(np.abs(np.linalg.eigvals(model.A).imag), np.sqrt(9.81 / 2))
    assert model.B.shape == (2, 0) and model.outputs[0].name == "swing.angle"
    with pytest.raises(ValueError):
        pendulum.linearize("somewhere")


def test_an_instance_goes_as_far_as_it_is_told(pendulum: ansatz.Scene) -> None:
    instance = pendulum.instance(length=2)
    instance.advance(1.0)
    saved, row = instance.save(), instance.row()
    # Its steps may be others than those of a run, which knows its end.
    assert row[0] == pytest.approx(pendulum.run(until=10, every=1, length=2)["swing.angle"][1], abs=1e-6)
    instance.advance(2.0)
    later = instance.row()
    instance.restore(saved)
    assert instance.time == 1.0 and np.array_equal(instance.row(), row)
    instance.advance(2.0)
    assert np.array_equal(instance.row(), later)
    with pytest.raises(ansatz.Error, match="a run goes forwards"):
        instance.advance(0.5)
