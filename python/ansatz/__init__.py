"""A physics compiler: describe a system as a textbook does, get a fast simulation program.

>>> import ansatz
>>> scene = ansatz.compile("pendulum.anz")                 # a path, or the text itself
>>> run = scene.run(until=10, every=0.01, length="80 cm")  # numbers are in SI units
>>> run["swing.angle"], run.t, run.events
>>> runs = scene.ensemble(until=10, length=numpy.linspace(1, 2, 10_000))
"""

from ._answers import Answer, Answers
from ._errors import Diagnostic, Error, Place
from ._ensemble import Failure, Runs
from ._gradients import Function
from ._page import Page
from ._run import Event, Run, Slopes
from ._scene import Control, LinearModel, Parameter, Quantity, Scene, compile

__all__ = [
    "Answer",
    "Answers",
    "Control",
    "Diagnostic",
    "Error",
    "Event",
    "Failure",
    "Function",
    "LinearModel",
    "Page",
    "Parameter",
    "Place",
    "Quantity",
    "Run",
    "Runs",
    "Scene",
    "Slopes",
    "compile",
    "gym",
]


def __getattr__(name: str) -> object:
    # Gymnasium takes a second to import; whoever does not learn does not wait.
    if name == "gym":
        from ._gym import gym

        return gym
    raise AttributeError(f"module 'ansatz' has no attribute {name!r}")
