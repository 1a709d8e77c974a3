"""The pile of examples/pile.anz with MuJoCo, in steps of 2 ms over four seconds.

Prints milliseconds of processor time for each step, the energy that is left in joules, and the deepest penetration in millimetres. MuJoCo knows
no restitution: its contacts are springs with dampers, here those that it has by default.
"""

import math
import time

import mujoco

WALLS = [
    ((0, 0, -0.05), (0.6, 0.6, 0.05)),
    ((-0.65, 0, 0.15), (0.05, 0.6, 0.25)),
    ((0.65, 0, 0.15), (0.05, 0.6, 0.25)),
    ((0, -0.65, 0.15), (0.7, 0.05, 0.25)),
    ((0, 0.65, 0.15), (0.7, 0.05, 0.25)),
]


def text(values):
    return " ".join(str(value) for value in values)


def body(place, shape):
    return f'<body pos="{text(place)}"><freejoint/><geom density="600" {shape}/></body>'


parts = [f'<geom type="box" pos="{text(at)}" size="{text(half)}"/>' for at, half in WALLS]
for i in range(1, 51):
    layer = (i - 1) // 5
    x, y, z = 0.21 * (i - 5 * layer - 3) + 0.01 * (layer - 5), 0.24 * (layer % 4) - 0.36, 0.2 + 0.2 * layer
    parts.append(body((x, y, z), 'type="box" size="0.07 0.05 0.06"'))
    parts.append(body((x + 0.01, -y, z), 'type="sphere" size="0.07"'))
scene = f"""<mujoco><option timestep="0.002" cone="elliptic"/><default><geom friction="0.4 0 0"/></default>
<worldbody>{"".join(parts)}</worldbody></mujoco>"""
model = mujoco.MjModel.from_xml_string(scene)
data = mujoco.MjData(model)
steps = math.ceil(4 / 0.002)
taken, deepest = 0.0, 0.0
for _ in range(steps):
    begin = time.process_time()
    mujoco.mj_step(model, data)
    taken += time.process_time() - begin
    if data.ncon:
        deepest = max(deepest, -data.contact.dist.min())
mujoco.mj_energyPos(model, data)
mujoco.mj_energyVel(model, data)
print(f"{taken / steps * 1e3:.3f} {data.energy.sum():.3f} {deepest * 1e3:.3f}")
