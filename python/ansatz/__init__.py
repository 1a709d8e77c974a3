"""A physics compiler: describe a system as a textbook does, get a fast simulation program.

>>> import ansatz
>>> scene = ansatz.compile("pendulum.anz")                 # a path, or the text itself
>>> run = scene.run(until=10, every=0.01, length="80 cm")  # numbers are in SI units
>>> run["swing.angle"], run.t, run.events
>>> runs = scene.ensemble(until=10, length=numpy.linspace(1, 2, 10_000))
"""

from ._errors import Diagnostic, Error, Place
from ._ensemble import Failure, Runs
from ._run import Event, Run
from ._scene import Control, LinearModel, Parameter, Quantity, Scene, compile

__all__ = [
    "Control",
    "Diagnostic",
    "Error",
    "Event",
    "Failure",
    "LinearModel",
    "Parameter",
    "Place",
    "Quantity",
    "Run",
    "Runs",
    "Scene",
    "compile",
    "gym",
]


def __getattr__(name: str) -> object:
    # Gymnasium takes a second to import; whoever does not learn does not wait.
    if name == "gym":
        from ._gym import gym

        return gym
    raise AttributeError(f"module 'ansatz' has no attribute {name!r}")
