"""The problems of the table `precision` with SciPy's solvers: one line of CSV for each run.

Written as SciPy wants them: functions of time and state, with Jacobians where problems are stiff.
"""

import csv
import math
import pathlib
import time

import numpy as np
from scipy.integrate import solve_ivp


def pendulum(t, y):
    return [y[1], -9.81 * math.sin(y[0])]


def pendulum_seen(y):
    return [math.sin(y[0]), -math.cos(y[0])]


def van_der_pol(t, y):
    return [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]]


def van_der_pol_jacobian(t, y):
    return [[0, 1], [-2000 * y[0] * y[1] - 1, 1000 * (1 - y[0] ** 2)]]


def hires(t, y):
    y1, y2, y3, y4, y5, y6, y7, y8 = y
    bound = 280 * y6 * y8
    return [
        -1.71 * y1 + 0.43 * y2 + 8.32 * y3 + 0.0007,
        1.71 * y1 - 8.75 * y2,
        -10.03 * y3 + 0.43 * y4 + 0.035 * y5,
        8.32 * y2 + 1.71 * y3 - 1.12 * y4,
        -1.745 * y5 + 0.43 * (y6 + y7),
        -bound + 0.69 * y4 + 1.71 * y5 - 0.43 * y6 + 0.69 * y7,
        bound - 1.81 * y7,
        -bound + 1.81 * y7,
    ]


def hires_jacobian(t, y):
    j = np.zeros((8, 8))
    j[0, :3] = [-1.71, 0.43, 8.32]
    j[1, :2] = [1.71, -8.75]
    j[2, 2:5] = [-10.03, 0.43, 0.035]
    j[3, 1:4] = [8.32, 1.71, -1.12]
    j[4, 4:7] = [-1.745, 0.43, 0.43]
    a, b = 280 * y[7], 280 * y[5]
    j[5, 3:8] = [0.69, 1.71, -a - 0.43, 0.69, -b]
    j[6, 5:8] = [a, -1.81, b]
    j[7, 5:8] = [-a, 1.81, -b]
    return j


S, W, Q = 77.27, 0.161, 8.375e-6


def oregonator(t, y):
    a, b, c = y
    return [S * (b + a * (1 - Q * a - b)), (c - (1 + a) * b) / S, W * (a - c)]


def oregonator_jacobian(t, y):
    a, b, c = y
    return [[S * (1 - 2 * Q * a - b), S * (1 - a), 0], [-b / S, -(1 + a) / S, 1 / S], [W, 0, -W]]


def robertson(t, y):
    a, b, c = y
    slow, fast, middle = 0.04 * a, 3e7 * b * b, 1e4 * b * c
    return [middle - slow, slow - fast - middle, fast]


def robertson_jacobian(t, y):
    a, b, c = y
    return [[-0.04, 1e4 * c, 1e4 * b], [0.04, -6e7 * b - 1e4 * c, -1e4 * b], [0, 6e7 * b, 0]]


# Name, function, Jacobian, start, what is compared, methods, and what absolute tolerances are in units of the relative one.
PROBLEMS = [
    ("pendulum", pendulum, None, [math.pi / 2, 0], pendulum_seen, ["DOP853", "LSODA", "Radau"], 1e-3),
    ("van_der_pol", van_der_pol, van_der_pol_jacobian, [2, 0], list, ["Radau", "LSODA"], 1e-3),
    ("hires", hires, hires_jacobian, [1, 0, 0, 0, 0, 0, 0, 0.0057], list, ["Radau", "LSODA"], 1e-3),
    ("oregonator", oregonator, oregonator_jacobian, [1, 2, 3], list, ["Radau", "LSODA"], 1e-3),
    ("robertson", robertson, robertson_jacobian, [1, 0, 0], list, ["Radau", "LSODA"], [1e-8, 1e-13, 1]),
]

ENDS = {}
with open(pathlib.Path(__file__).parent.parent / "examples/published/ends.csv") as table:
    for name, *numbers in list(csv.reader(table))[1:]:
        ENDS[name] = [float(number) for number in numbers]

for name, function, jacobian, start, seen, methods, absolute in PROBLEMS:
    end, *values = ENDS[name]
    for method in methods:
        extra = {"jac": jacobian} if jacobian is not None and method != "DOP853" else {}
        # Radau takes a minute beyond.
        for power in range(4, 10 if method == "Radau" else 12):
            tolerance = 10.0**-power
            began = time.perf_counter()
            found = solve_ivp(function, (0, end), start, method=method, rtol=tolerance,
                              atol=np.multiply(absolute, tolerance), **extra)
            seconds = time.perf_counter() - began
            if not found.success:
                continue
            error = max(abs((a - b) / b) for a, b in zip(seen(found.y[:, -1]), values))
            print(f"{name},{method},{tolerance:e},{error:e},{found.nfev},{seconds:e}", flush=True)
