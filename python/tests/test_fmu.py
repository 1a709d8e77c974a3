"""Units for other simulators, as FMPy sees them."""

import csv
import ctypes
import io
import os
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Model, FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Model, FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.anz"))
TOLERANCE = 1e-8
UNTIL = 2.0

# One of each kind: smooth, with constraints, stiff, with transitions, with a plan, with contact, switched.
SIMULATED = ["pendulum", "rolling_ellipsoid", "ac_circuit", "bouncing_ball", "ink_jet", "sliding_ball", "thermostat"]
EXCHANGED = ["pendulum", "rolling_ellipsoid", "double_pendulum", "three_body"]
# With transitions, with a stop, with modes of different states, with a plan, with switches.
HYBRID = ["bouncing_ball", "thermostat", "integrate_and_fire", "spring_block_1", "ball_on_steps"]


def command(*arguments: object, **environment: str) -> str:
    ansatz = os.environ.get("ANSATZ", str(ROOT / "target/debug/ansatz"))
    done = subprocess.run([ansatz, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def unit(tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("units"), {}

    def build(name: str, version: str) -> str:
        path = folder / f"{name}-{version}.fmu"
        if (name, version) not in made:
            scene = ROOT / "examples" / f"{name}.anz"
            command("build", scene, "--target", "fmu", "--fmi", version, "--until", UNTIL, "-o", path, CFLAGS="-O1")
            made[name, version] = True
        return str(path)

    return build


def reference(path: str) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(path) as archive:
        rows = list(csv.reader(io.StringIO(archive.read("documentation/reference.csv").decode())))
    table = np.array([[float(cell) for cell in row] for row in rows[1:]])
    return dict(zip(rows[0], table.T))


def agree(result: np.ndarray, expected: dict[str, np.ndarray], bound: float) -> None:
    rows = len(result["time"])
    assert rows > 1 and np.allclose(result["time"], expected["time"][:rows], atol=1e-9)
    for name in result.dtype.names:
        scale = max(1.0, np.abs(expected[name]).max())
        assert np.abs(result[name] - expected[name][:rows]).max() <= bound * scale, name


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_a_valid_description(name: str, version: str, tmp_path: Path) -> None:
    path = tmp_path / "unit.fmu"
    scene = ROOT / "examples" / f"{name}.anz"
    # No compiler is asked: it is the description that counts.
    said = command("build", scene, "--target", "fmu", "--fmi", version, "--until", "0.01", "-o", path, CC="no-compiler")
    assert "sources only" in said
    assert validate_fmu(str(path)) == []


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", SIMULATED)
def test_co_simulation_is_the_run(name: str, version: str, unit) -> None:
    path = unit(name, version)
    result = fmpy.simulate_fmu(path, fmi_type="CoSimulation", stop_time=UNTIL, output_interval=UNTIL / 200)
    agree(result, reference(path), 10 * TOLERANCE)


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", EXCHANGED)
def test_model_exchange_agrees_with_the_run(name: str, version: str, unit) -> None:
    path = unit(name, version)
    result = fmpy.simulate_fmu(
        path, fmi_type="ModelExchange", stop_time=UNTIL, output_interval=UNTIL / 200, relative_tolerance=1e-11
    )
    agree(result, reference(path), 10 * TOLERANCE)


def test_what_touches_is_not_exchanged(unit) -> None:
    assert fmpy.read_model_description(unit("sliding_ball", "3")).modelExchange is None


def exchanged(path: str) -> np.ndarray:
    return fmpy.simulate_fmu(
        path, fmi_type="ModelExchange", stop_time=UNTIL, output_interval=UNTIL / 200, relative_tolerance=1e-11
    )


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", HYBRID)
def test_hybrid_scenes_are_exchanged(name: str, version: str, unit) -> None:
    path = unit(name, version)
    expected = reference(path)
    result = exchanged(path)
    # Where something happens there is a row before it and one after it; the last of each time is after it.
    last = {round(t, 9): row for t, row in zip(result["time"], result)}
    rows = [(at, last[round(t, 9)]) for at, t in enumerate(expected["time"]) if round(t, 9) in last]
    assert len(rows) > 150
    for column in set(result.dtype.names) - {"time"}:
        scale = max(1.0, np.abs(expected[column]).max())
        worst = max(abs(row[column] - expected[column][at]) for at, row in rows)
        assert worst <= 10 * TOLERANCE * scale, (column, worst)


# A tolerance is that of each step. These forget or amplify what steps leave, so that a run at 1e-8 is up to 1e-6 away from one at 1e-12.
DELICATE = ["falling_ball", "redundant_arm_torque", "relaxation_oscillator"]


@pytest.mark.parametrize("name", DELICATE)
def test_delicate_scenes_agree_where_steps_are_short(name: str, unit, tmp_path: Path) -> None:
    table = tmp_path / "run.csv"
    scene = ROOT / "examples" / f"{name}.anz"
    command("run", scene, "--until", UNTIL, "--every", UNTIL / 200, "--tolerance", 1e-12, "--radians", "-o", table)
    heads, *cells = csv.reader(table.open())
    expected = [dict(zip((head.split(" [")[0] for head in heads), row)) for row in cells]
    for kind in ("ModelExchange", "CoSimulation"):
        result = fmpy.simulate_fmu(
            unit(name, "3"), fmi_type=kind, stop_time=UNTIL, output_interval=UNTIL / 200, relative_tolerance=1e-12
        )
        last = {round(t, 9): row for t, row in zip(result["time"], result)}
        rows = [(row, last[round(float(row["t"]), 9)]) for row in expected if round(float(row["t"]), 9) in last]
        assert len(rows) > 150
        for column in set(result.dtype.names) & set(expected[0]):
            scale = max(1.0, *(abs(float(row[column])) for row in expected))
            worst = max(abs(found[column] - float(row[column])) for row, found in rows)
            assert worst <= 10 * TOLERANCE * scale, (kind, column, worst)


def test_events_of_others_are_at_their_times(unit) -> None:
    """The lamp ignites at 80 V of 100 V, and goes out at 50 V; both voltages are exponentials."""
    times = exchanged(unit("relaxation_oscillator", "3"))["time"]
    ignites = np.log(100 / 20)
    final, decay = 100 * 5e3 / 1.005e6, 1e-6 * 1e6 * 5e3 / 1.005e6
    goes_out = ignites + decay * np.log((80 - final) / (50 - final))
    for expected in (ignites, goes_out):
        assert np.abs(times - expected).min() < 1e-8


STICKS = """scene sticks
param rough = 2 [m/s^2]
x: [m] = 0 [m]
v: [m/s] = 1 [m/s]
always x' == v
always v' == -rough * sign(v) + (if t > 1 [s] then 3 [m/s^2] else 0 [m/s^2])
plot x, v
"""


@pytest.mark.parametrize("version", ["2", "3"])
def test_what_rests_and_sets_off_does_so_in_other_hands(version: str, tmp_path: Path) -> None:
    """Friction brings it to rest after half a second; from the first second on it is drawn harder than that can hold."""
    result = exchanged(unit_of(STICKS, version, tmp_path))
    late = np.maximum(result["time"] - 1, 0)
    early = np.minimum(result["time"], 0.5)
    assert np.abs(result["v"] - (1 - 2 * early + late)).max() < 1e-8
    assert np.abs(result["x"] - (early - early**2 + late**2 / 2)).max() < 1e-8
    assert np.abs(result["time"] - 0.5).min() < 1e-8 and np.abs(result["time"] - 1).min() < 1e-12


TIMED = """scene timed
param begin = 0.7 [s]
x: [m] = 0 [m]
mode motion: rests | moves
always x' == 0 [m/s] while motion == rests
always x' == 2 [m/s] while motion == moves
when go: motion == rests and t >= begin { motion == moves }
stop when x >= 1.1 [m]
plot x
"""


@pytest.mark.parametrize("version", ["2", "3"])
def test_modes_begin_and_runs_stop_in_other_hands(version: str, tmp_path: Path) -> None:
    result = exchanged(unit_of(TIMED, version, tmp_path))
    assert abs(result["time"][-1] - 1.25) < 1e-8
    assert np.abs(result["x"] - 2 * np.maximum(result["time"] - 0.7, 0)).max() < 1e-9


def slave(path: str, version: str, **options):
    description = fmpy.read_model_description(path)
    kind = FMU3Slave if version == "3" else FMU2Slave
    made = kind(
        guid=description.guid,
        unzipDirectory=fmpy.extract(path),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="one",
    )
    made.instantiate(**options)
    if version == "3":
        made.enterInitializationMode(startTime=0.0)
    else:
        made.setupExperiment(startTime=0.0)
        made.enterInitializationMode()
    made.exitInitializationMode()
    return made, [it.valueReference for it in description.modelVariables if it.causality == "output"]


def test_transitions_end_steps_early(unit, tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    command("run", ROOT / "examples/bouncing_ball.anz", "--until", UNTIL, "--events", events, "--hash")
    expected = [float(row["t [s]"]) for row in csv.DictReader(events.open())]
    ball, _ = slave(unit("bouncing_ball", "3"), "3", eventModeUsed=True, earlyReturnAllowed=True)
    ball.updateDiscreteStates()
    ball.enterStepMode()
    time, found = 0.0, []
    while time < UNTIL - 1e-12 and len(found) < len(expected):
        event, ends, early, time = ball.doStep(time, min(0.3, UNTIL - time))
        assert not ends
        if event:
            found.append(time)
            ball.enterEventMode()
            ball.updateDiscreteStates()
            ball.enterStepMode()
    ball.terminate()
    ball.freeInstance()
    distinct = sorted(set(expected))[: len(found)]
    assert len(found) == 3 and np.abs(np.array(found) - distinct).max() < 1e-8


@pytest.mark.parametrize("version", ["2", "3"])
def test_states_are_saved_bit_for_bit_and_instances_are_apart(version: str, unit) -> None:
    read = lambda it: (it.getFloat64 if version == "3" else it.getReal)(references)  # noqa: E731
    one, references = slave(unit("pendulum", version), version)
    other, _ = slave(unit("pendulum", version), version)
    save = one.getFMUState if version == "3" else one.getFMUstate
    restore = one.setFMUState if version == "3" else one.setFMUstate
    one.doStep(0.0, 0.7)
    state = save()
    one.doStep(0.7, 0.55)
    first = read(one)
    restore(state)
    other.doStep(0.0, 0.7)
    one.doStep(0.7, 0.55)
    other.doStep(0.7, 0.55)
    assert read(one) == first == read(other)
    for it in (one, other):
        it.terminate()
        it.freeInstance()


def test_parameters_and_inputs_are_set_and_bad_ones_refused(unit) -> None:
    path = unit("pendulum", "3")
    names = [it.name for it in fmpy.read_model_description(path).modelVariables if it.causality == "parameter"]
    plain = fmpy.simulate_fmu(path, fmi_type="CoSimulation", stop_time=1.0, output_interval=0.1)
    start = {name: it.start for name in names for it in fmpy.read_model_description(path).modelVariables if it.name == name}
    changed = fmpy.simulate_fmu(
        path, fmi_type="CoSimulation", stop_time=1.0, output_interval=0.1, start_values={names[0]: float(start[names[0]]) * 1.1}
    )
    assert any(np.abs(plain[it] - changed[it]).max() > 1e-3 for it in plain.dtype.names)
    with pytest.raises(Exception):
        fmpy.simulate_fmu(path, fmi_type="CoSimulation", stop_time=1.0, start_values={names[0]: float("nan")})


DRIVEN = """scene driven
param rate = 2 [1/s]
control push in [-1, 1] [m/s] = 0 [m/s]
x: [m] = 1 [m]
always x' == -rate * x + push
plot x
"""

HALTS = """scene halts
x: [m] = 0 [m]
always x' == 1 [m/s]
stop when x >= 0.55 [m]
plot x
"""


def unit_of(text: str, version: str, folder: Path, until: float = UNTIL) -> str:
    scene, path = folder / "scene.anz", folder / "unit.fmu"
    scene.write_text(text)
    command("build", scene, "--target", "fmu", "--fmi", version, "--until", until, "-o", path, CFLAGS="-O1")
    return str(path)


@pytest.mark.parametrize("version", ["2", "3"])
def test_inputs_hold_from_step_to_step(version: str, tmp_path: Path) -> None:
    one, outputs = slave(unit_of(DRIVEN, version, tmp_path), version)
    read, write = (one.getFloat64, one.setFloat64) if version == "3" else (one.getReal, one.setReal)
    one.doStep(0.0, 1.0)
    write([2], [0.5])
    one.doStep(1.0, 1.0)
    exact = np.exp(-4.0) + 0.25 * (1 - np.exp(-2.0))
    assert abs(read(outputs)[0] - exact) < 10 * TOLERANCE
    with pytest.raises(Exception):
        write([2], [3.0])
    one.terminate()
    one.freeInstance()


def test_rates_are_those_of_the_scene(tmp_path: Path) -> None:
    path = unit_of(DRIVEN, "3", tmp_path)
    description = fmpy.read_model_description(path)
    one = FMU3Model(
        guid=description.guid,
        unzipDirectory=fmpy.extract(path),
        modelIdentifier=description.modelExchange.modelIdentifier,
        instanceName="one",
    )
    one.instantiate()
    one.enterInitializationMode(startTime=0.0)
    one.exitInitializationMode()
    one.updateDiscreteStates()
    one.enterContinuousTimeMode()
    rates = (ctypes.c_double * 1)()
    for t, x, push in [(0.0, 1.0, 0.0), (1.0, 0.3, 0.5), (0.5, -2.0, -1.0), (1.0, 0.3, 0.5)]:
        one.setTime(t)
        one.setFloat64([2], [push])
        one.setContinuousStates((ctypes.c_double * 1)(x), 1)
        one.getContinuousStateDerivatives(rates, 1)
        assert rates[0] == -2 * x + push
    one.terminate()
    one.freeInstance()


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_stop_of_the_scene_ends_the_simulation(version: str, tmp_path: Path) -> None:
    early = version == "3"
    result = fmpy.simulate_fmu(
        unit_of(HALTS, version, tmp_path),
        fmi_type="CoSimulation",
        stop_time=1.0,
        output_interval=0.1,
        use_event_mode=early,
        early_return_allowed=early,
    )
    assert abs(result["x"][-1] - 0.55) < 1e-8 and abs(result["time"][-1] - 0.55) < 1e-8


# A function of each kind in rates, a loop that is solved for on the way, a mechanism with constraints, switches, and modes.
SMOOTH = """scene smooth
param k = 1.3
control u in [-3, 3] = 0.4
x: [1] = 0.6
y: [1] = 0.3
z: [1] = 0.2
always x' == (sin(k * y) + tan(z / 3) + exp(-x) + log(1 + x^2) + k^x) / 1 [s]
always y' == (cos(x) * tanh(u) + sqrt(1 + x * y) + asin(z / 5) + sqrt(2 + x)^3) / 1 [s]
always z' == (atan2(y, 1 + x) + sinh(z) + cosh(u * y) + acos(x / 7) + atan(k * z) + t / 1 [s]) / 1 [s]
plot x * y * z, sin(x) + k * u
"""

IMPLIED = """scene implied
param k = 1.5
x: [m] = 0.7 [m]
w: [m] = 0.5 [m]
always w + w^3 / 1 [m^2] == k * x
always x' == -w / 1 [s]
plot w, w * x
"""

BARS = """scene bars
param g = 9.81 [m/s^2]
gravity g
body a { position = (free, 0, free); mass = 1 [kg] }
body b { position = (free, 0, free); mass = 2 [kg] }
always |a.position| == 1 [m]
always |b.position - a.position| == 1.5 [m]
initially a.position == (0.6, 0, -0.8) [m]
initially b.position == (1.5, 0, -2) [m]
plot a.position.x, b.position.z, energy
"""


def model(path: str, version: str):
    """An instance in Continuous-Time Mode, and how to read, write and differentiate it."""
    description = fmpy.read_model_description(path)
    kind = FMU3Model if version == "3" else FMU2Model
    one = kind(
        guid=description.guid,
        unzipDirectory=fmpy.extract(path),
        modelIdentifier=description.modelExchange.modelIdentifier,
        instanceName="one",
    )
    one.instantiate()
    if version == "3":
        one.enterInitializationMode(startTime=0.0)
        one.exitInitializationMode()
        one.updateDiscreteStates()
    else:
        one.setupExperiment(startTime=0.0)
        one.enterInitializationMode()
        one.exitInitializationMode()
        one.newDiscreteStates()
    one.enterContinuousTimeMode()
    return one, description


@pytest.mark.parametrize("version", ["2", "3"])
@pytest.mark.parametrize("name", ["smooth", "implied", "driven", "sticks", "bars", *EXCHANGED, "thermostat", "bouncing_ball"])
def test_directional_derivatives_are_those_of_differences(name: str, version: str, unit, tmp_path: Path) -> None:
    texts = {"smooth": SMOOTH, "implied": IMPLIED, "driven": DRIVEN, "sticks": STICKS, "bars": BARS}
    path = unit_of(texts[name], version, tmp_path, 0.1) if name in texts else unit(name, version)
    one, description = model(path, version)
    with zipfile.ZipFile(path) as archive:
        xml = archive.read("modelDescription.xml").decode()
    promised = ["providesDirectionalDerivative"] if version == "2" else ["providesDirectionalDerivatives", "providesAdjointDerivatives"]
    assert all(f'{name}="true"' in xml for name in promised)
    variables = description.modelVariables
    is_number = lambda it: it.type in ("Real", "Float64")  # noqa: E731
    rates = [it.variable.valueReference for it in description.derivatives]
    states = [it.variable.derivative.valueReference for it in description.derivatives]
    inputs = [it.valueReference for it in variables if it.causality in ("input", "parameter") and is_number(it)]
    outputs = [it.valueReference for it in variables if it.causality == "output" and is_number(it)]
    knowns, unknowns = states + inputs, rates + outputs
    read, write = (one.getFloat64, one.setFloat64) if version == "3" else (one.getReal, one.setReal)
    count = len(states)

    def place(values: np.ndarray) -> np.ndarray:
        one.setContinuousStates((ctypes.c_double * count)(*values[:count]), count)
        if inputs:
            write(inputs, list(values[count:]))
        return np.array(read(unknowns))

    middle = np.array(read(knowns))
    random = np.random.default_rng(7)
    for _ in range(4):
        direction = random.uniform(-1, 1, len(knowns)) * np.where(np.abs(middle) > 0, np.abs(middle), 1.0)
        step = 1e-5
        above, below = place(middle + step * direction), place(middle - step * direction)
        expected = (above - below) / (2 * step)
        place(middle)
        counted = {"nSensitivity": len(unknowns)} if version == "3" else {}
        found = np.array(one.getDirectionalDerivative(unknowns, knowns, list(direction), **counted))
        # What there was to read is there still.
        assert np.allclose(read(unknowns), place(middle), rtol=1e-12, atol=1e-12)
        scale = np.maximum(1.0, np.abs(expected))
        assert np.abs(found - expected).max() <= 2e-6 * scale.max(), (name, found, expected)
        if version == "3":
            weights = random.uniform(-1, 1, len(unknowns))
            adjoint = np.array(one.getAdjointDerivative(unknowns, knowns, list(weights), nSensitivity=len(knowns)))
            assert abs(adjoint @ direction - weights @ found) <= 1e-9 * np.abs(adjoint @ direction).max() + 1e-9
    with pytest.raises(Exception):
        one.getDirectionalDerivative([0], knowns[:1], [1.0])
    one.terminate()
    one.freeInstance()


def test_a_second_importer_computes_the_run(unit) -> None:
    """libcosim reads units with the library that PyFMI uses too; it knows FMI 2.0 and co-simulation."""
    pytest.importorskip("libcosimpy", exc_type=ImportError)
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    for name in ("pendulum", "bouncing_ball", "sliding_ball"):
        path = unit(name, "2")
        expected = reference(path)
        execution = CosimExecution.from_step_size(10_000_000)
        place = execution.add_local_slave(CosimLocalSlave(fmu_path=path, instance_name=name))
        observer = CosimObserver.create_last_value()
        execution.add_observer(observer)
        columns = {it.name.decode(): it.reference for it in execution.slave_variables(place) if it.name.decode() in expected}
        assert columns
        for at in range(20, 201, 20):
            assert execution.simulate_until(at * 10_000_000)
            found = dict(zip(columns, observer.last_real_values(place, list(columns.values()))))
            for column, value in found.items():
                scale = max(1.0, np.abs(expected[column]).max())
                assert abs(value - expected[column][at]) <= 10 * TOLERANCE * scale, (name, column, at)
