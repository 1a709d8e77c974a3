"""Environments for learners."""

import warnings

import ansatz
import numpy as np
import pytest

CART = """scene cart
param start = 0 [m]
control push in [-10, 10] [N] = 0 [N]
body cart { position = (free, 0, 0); mass = 2 [kg] }
initially cart.position.x == start
force on cart = (1, 0, 0) * push
claim near: always |cart.position.x| <= 5 [m]
"""


@pytest.fixture
def cart() -> ansatz.Scene:
    return ansatz.compile(CART)


def env(cart: ansatz.Scene, **more):
    return ansatz.gym(cart, observe=["cart.position.x", "cart.velocity.x"], act=["push"], reward="-cart.position.x^2 / 1 [m^2]", **more)


def test_the_checker_of_gymnasium_finds_nothing(cart: ansatz.Scene) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What is only recommended: ranges are those of the scene, in SI units.
        warnings.filterwarnings("ignore", message=".*(spec|infinity|For Box).*")
        check_env(env(cart, vary={"start": ("-1 m", 1)}), skip_render_check=True)


def test_a_push_moves_the_cart_as_newton_says(cart: ansatz.Scene) -> None:
    one = env(cart, step=0.1, until=1.0)
    one.reset(options={"start": 1.0})
    for step in range(1, 11):
        observed, reward, terminated, truncated, info = one.step(np.array([4.0]))
        t = 0.1 * step
        assert np.allclose(observed, [1 + t**2, 2 * t]) and reward == pytest.approx(-((1 + t**2) ** 2))
        assert not terminated and truncated == (step == 10) and info["t"] == pytest.approx(t)


def test_a_claim_that_fails_ends_the_episode_and_seeds_repeat(cart: ansatz.Scene) -> None:
    one = env(cart, step=0.5, until=100.0, vary={"start": (-1, 1)})
    first, _ = one.reset(seed=3)
    again, _ = one.reset(seed=3)
    assert np.array_equal(first, again) and not np.array_equal(first, one.reset()[0])
    for _ in range(20):
        *_, terminated, truncated, info = one.step(np.array([99.0]))
        if terminated:
            break
    assert terminated and not truncated and info["failure"].code == "claim-refuted"
    with pytest.raises(ValueError, match="it has push"):
        ansatz.gym(cart, observe=["cart.position.x"], act=["pull"], reward="1")


def test_gymnasium_makes_many_of_one(cart: ansatz.Scene) -> None:
    import gymnasium

    many = gymnasium.vector.SyncVectorEnv([lambda: env(cart, vary={"start": (-1, 1)})] * 3)
    observed, _ = many.reset(seed=1)
    assert observed.shape == (3, 2) and len(set(observed[:, 0])) == 3
    many.step(np.zeros((3, 1)))


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_a_vector_in_threads_does_what_gymnasium_does_one_by_one(cart: ansatz.Scene, autoreset: str) -> None:
    import gymnasium

    mode = gymnasium.vector.AutoresetMode[autoreset.upper()]
    options = {"step": 0.4, "until": 3.0, "vary": {"start": (-1, 1)}}
    one_by_one = gymnasium.vector.SyncVectorEnv([lambda: env(cart, **options)] * 5, autoreset_mode=mode)
    together = env(cart, **options, num_envs=5, autoreset=autoreset)
    assert together.action_space == one_by_one.action_space and together.metadata["autoreset_mode"] == mode
    begun = [many.reset(seed=4)[0] for many in (one_by_one, together)]
    assert np.array_equal(*begun)
    actions, episodes = np.random.default_rng(1), 0
    for _ in range(40):
        action = 30 * actions.uniform(-1, 1, (5, 1))
        results = [many.step(action) for many in (one_by_one, together)]
        for expected, found in zip(*(result[:4] for result in results)):
            assert np.array_equal(expected, found)
        assert results[0][4].keys() == results[1][4].keys()
        over = results[0][2] | results[0][3]
        episodes += over.sum()
        if autoreset == "disabled" and over.any():
            with pytest.raises(RuntimeError, match="reset_mask"):
                together.step(action)
            again = [many.reset(options={"reset_mask": over})[0] for many in (one_by_one, together)]
            assert np.array_equal(*again)
    assert episodes > 10
    together.close()
