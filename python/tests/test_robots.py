"""Robots from files, against programs that others wrote: where they are not installed, these tests are skipped."""

import os
import re
import subprocess
from pathlib import Path

import ansatz
import numpy as np
import pytest

ANSATZ = os.environ.get("ANSATZ", "ansatz")

#: Robots of the package example-robot-data: arms, a hand, quadrupeds, humanoids.
ROBOTS = [
    "double_pendulum_description/urdf/double_pendulum.urdf",
    "panda_description/urdf/panda.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "kinova_description/robots/kinova.urdf",
    "so_arm_description/urdf/so101.urdf",
    "z1_description/urdf/z1.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "solo_description/robots/solo12.urdf",
    "a1_description/urdf/a1.urdf",
    "go2_description/urdf/go2.urdf",
    "talos_data/robots/talos_left_arm.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "bolt_description/robots/bolt.urdf",
    "simple_humanoid_description/urdf/simple_humanoid.urdf",
]


def imported(file: Path, folder: Path, *options: str) -> ansatz.Scene:
    scene = folder / "robot.anz"
    subprocess.run([ANSATZ, "import", str(file), "-o", str(scene), *options], check=True, capture_output=True)
    return ansatz.compile(scene)


@pytest.mark.parametrize("file", ROBOTS)
def test_a_robot_accelerates_as_pinocchio_says(file: str, tmp_path: Path) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    path = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots" / file
    if not path.exists():
        pytest.skip("the package example-robot-data is not installed")
    # Accelerations are asked for in the mode of the start, in which joints with dry friction stick. And Pinocchio forgets what brakes followers.
    text, smooth = re.sub(r'friction="[^"]*"', 'friction="0"', path.read_text()), tmp_path / "robot.urdf"
    smooth.write_text(re.sub(r'damping="[^"]*"', 'damping="0"', text) if "<mimic" in text else text)
    path = smooth
    scene = imported(path, tmp_path)
    model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
    model.gravity.linear = np.array([0, 0, -9.81])
    data = model.createData()
    # A joint has the name of the file, but for what is no word of the language. Angles that go round are pairs to Pinocchio.
    word = {joint: "".join(c if c.isalnum() else "_" for c in joint) for joint in model.names}
    joints = [joint for joint in model.joints[1:] if joint.nv == 1 and joint.shortname() != "JointModelMimic"]
    names = [word[model.names[joint.id]] for joint in joints]
    states = scene.states
    place = [next(at for at, state in enumerate(states) if state.split(".")[0] == name and not state.endswith("'")) for name in names]
    speed = [states.index(states[at] + "'") for at in place]
    assert len(states) == 2 * len(names)
    random = np.random.default_rng(7)
    for _ in range(100):
        low = np.array([max(model.lowerPositionLimit[j.idx_q], -3) if j.nq == 1 else -3 for j in joints])
        high = np.array([min(model.upperPositionLimit[j.idx_q], 3) if j.nq == 1 else 3 for j in joints])
        wide = low < high
        values = np.where(wide, random.uniform(np.where(wide, low, -1), np.where(wide, high, 1)), random.uniform(-1, 1, len(joints)))
        rates = random.uniform(-2, 2, len(joints))
        q, v = pinocchio.neutral(model), np.zeros(model.nv)
        y = np.zeros(len(states))
        for joint, value, rate, at, fast in zip(joints, values, rates, place, speed):
            q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
            v[joint.idx_v], y[at], y[fast] = rate, value, rate
        # M(q) a + b(q, v) is what acts in the joints, where a are the accelerations that the scene has.
        y_rates, a = scene.rhs(0, y), np.zeros(model.nv)
        a[[joint.idx_v for joint in joints]] = y_rates[speed]
        found = pinocchio.rnea(model, data, q, v, a)
        acting = -np.array(model.damping) * v
        size = np.abs(pinocchio.nonLinearEffects(model, data, q, v)) + np.abs(pinocchio.crba(model, data, q)) @ np.abs(a)
        assert np.all(np.abs(found - acting) <= 1e-9 * size.max())


#: Mechanisms of the package gymnasium, whose joints all have one coordinate.
MECHANISMS = ["half_cheetah", "hopper", "walker2d", "swimmer", "inverted_pendulum", "inverted_double_pendulum", "reacher", "pusher"]


def asset(name: str) -> Path:
    gymnasium = pytest.importorskip("gymnasium")
    return Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / f"{name}.xml"


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_accelerates_as_mujoco_says(name: str, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = imported(asset(name), tmp_path)
    model = mujoco.MjModel.from_xml_path(str(asset(name)))
    flags = mujoco.mjtDisableBit
    model.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    # The air is left out, which is said.
    model.opt.density = model.opt.viscosity = 0
    data = mujoco.MjData(model)
    states = scene.states
    names = ["".join(c if c.isalnum() else "_" for c in model.joint(at).name) for at in range(model.njnt)]
    place = [next(at for at, state in enumerate(states) if state.split(".")[0] == it and not state.endswith("'")) for it in names]
    speed = [states.index(states[at] + "'") for at in place]
    assert len(states) == 2 * model.nv
    random = np.random.default_rng(7)
    for _ in range(100):
        limited = model.jnt_limited.astype(bool)
        low, high = np.where(limited, model.jnt_range[:, 0], -1), np.where(limited, model.jnt_range[:, 1], 1)
        data.qpos[:], data.qvel[:] = random.uniform(low, high), random.uniform(-2, 2, model.nv)
        y = np.zeros(len(states))
        y[place], y[speed] = data.qpos - model.qpos0, data.qvel
        data.qacc[:] = scene.rhs(0, y)[speed]
        acceleration = data.qacc.copy()
        mujoco.mj_inverse(model, data)
        masses = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, masses)
        size = np.abs(masses) @ np.abs(acceleration) + np.abs(data.qfrc_bias) + np.abs(data.qfrc_passive)
        assert np.all(np.abs(data.qfrc_inverse) <= 1e-9 * size.max())


@pytest.mark.parametrize("name", ["ant", "humanoid"])
def test_what_walks_has_the_mass_that_mujoco_gives_it(name: str, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    scene = imported(asset(name), tmp_path)
    model = mujoco.MjModel.from_xml_path(str(asset(name)))
    masses = [float(it) for it in re.findall(r"mass = ([0-9.e-]+) \[kg\]", scene.text)]
    assert np.isclose(sum(masses), model.body_mass.sum(), rtol=1e-12)
    assert len(scene.states) == model.nq + model.nv


ELL = """<mujoco model="ell"><compiler angle="radian"/>
<asset><mesh name="ell" file="ell.obj" scale="1 2 1" inertia="exact"/></asset>
<worldbody><body name="b" pos="0 0 1" euler="0.1 0.2 0.3"><joint name="h" type="hinge" axis="0 1 0"/>
  <geom type="mesh" mesh="ell" density="700" pos="0.1 0.2 0.3" euler="0.3 0.2 0.1"/>
  <geom type="mesh" mesh="ell" contype="0" conaffinity="0" mass="2" pos="0 0.1 0"/>
  <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.5" mass="0.3"/></body></worldbody></mujoco>"""


def test_a_body_of_meshes_weighs_what_mujoco_says(tmp_path: Path) -> None:
    """A prism over an L, which is not convex. MuJoCo keeps corners as numbers of 32 bits."""
    mujoco = pytest.importorskip("mujoco")
    outline = [(0, 0), (0.3, 0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0, 0.3)]
    corners = [f"v {x} {y} {z}" for z in (0, 0.2) for x, y in outline]
    faces = [(1, 3, 2), (1, 4, 3), (1, 5, 4), (1, 6, 5), (7, 8, 9), (7, 9, 10), (7, 10, 11), (7, 11, 12)]
    for at in range(6):
        after = (at + 1) % 6
        faces += [(at + 1, after + 1, after + 7), (at + 1, after + 7, at + 7)]
    (tmp_path / "ell.obj").write_text("\n".join([*corners, *(f"f {a} {b} {c}" for a, b, c in faces)]) + "\n")
    (tmp_path / "ell.xml").write_text(ELL)
    text = imported(tmp_path / "ell.xml", tmp_path).text
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "ell.xml"))
    body = text[text.index("body b") :]
    number = lambda word: np.array([float(it) for it in re.search(rf"{word} = \(?([^\[)]*)", body)[1].split(",")])  # noqa: E731
    assert np.isclose(number("mass")[0], model.body_mass[1], rtol=1e-6)
    assert np.allclose(number("position"), model.body_ipos[1], rtol=1e-6)
    (xx, yy, zz), (xy, xz, yz) = number("inertia"), number("products")
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    assert np.allclose(moments, np.sort(model.body_inertia[1]), rtol=1e-5)
