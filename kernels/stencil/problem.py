"""The family's half in Python: what a problem of `stencil` is (problem.hpp has the formulas), and what makes a class
a variant of it.

    from uotbench.stencil.problem import variant

    @variant("what it is", needs=["numpy"], models=["heat2d"])
    class Mine:
        def __init__(self, problem)    takes the fields that it begins with from problem.start()
        def restart(self)              back to them, untimed
        def iterate(self)              one time step, timed
        def finish(self)               the result's arrays in the order of OUTPUTS, untimed

The variant's name is its file's. Without `models` it has all. `shared/arrays.py` has the formulas as operations on
whole arrays, which all kinds of arrays share.
"""
import sys
from pathlib import Path

from uotbench.npy import Npy
from uotbench.variant import Variant

ELEMENT_WISE = ("copy", "scale", "axpy", "xpxpyn")
FLOWS = ("ns2d", "predictor", "corrector")
SOUND = 10.0  # speed of sound, in lid speeds

# Of a cell and step: arrays read, written, written without being read; flops of the formulas in shared/arrays.py, and
# alpha, the flops of the publication's; array elements that the formulas read. shared/work.hpp counts the same.
_COSTS = {"copy": (1, 1, 1, 0, 0, 1), "scale": (1, 1, 1, 1, 1, 1), "axpy": (2, 1, 0, 2, 2, 2),
          "heat1d": (1, 1, 1, 4, 6, 3), "heat2d": (1, 1, 1, 6, 8, 5), "predictor": (3, 3, 3, 44, 46, 13),
          "corrector": (6, 3, 0, 50, 52, 16), "ns2d": (9, 6, 3, 94, 98, 29)}


def inputs(model):
    """The arrays that a problem begins with."""
    if model in ELEMENT_WISE:
        return ["X"] if model in ("copy", "scale") else ["X", "Y0"]
    if model in FLOWS:
        return ["U0", "V0", "P0"] + (["Us", "Vs", "Ps"] if model == "corrector" else [])
    return ["T0"]


def outputs(model):
    return ["U", "V", "P"] if model in FLOWS else ["Y" if model in ELEMENT_WISE else "T"]


def width(at):
    """Bytes of an element."""
    return 8 if at["dtype"] == "f64" else 4


def factors(at):
    """What a step multiplies by, as numbers of NumPy's in the dtype: shared/point_numbers.hpp's."""
    import numpy

    nx, ny = at["nx"], at["ny"]
    real = numpy.float64 if at["dtype"] == "f64" else numpy.float32
    found = {"a": at["a"], "r": at["r"]}
    if at["model"] in FLOWS:
        least = min(1 / (nx - 1), 1 / (ny - 1))
        dt, nu = min(at["courant"] * least / SOUND, .1 * at["Re"] * least * least), 1 / at["Re"]
        found |= {"dt_dx": dt * (nx - 1), "dt_dy": dt * (ny - 1), "nu_dx": nu * dt * (nx - 1) * (nx - 1),
                  "nu_dy": nu * dt * (ny - 1) * (ny - 1), "c2_dx": SOUND * SOUND * dt * (nx - 1),
                  "c2_dy": SOUND * SOUND * dt * (ny - 1)}
    return {name: real(value) for name, value in found.items()}


class Problem:
    """One point and its inputs, of which every call gives new arrays."""

    def __init__(self, at, folder):
        self.at, self.model, self._folder = at, at["model"], folder
        self.factors = factors(at)

    def start(self):
        """nx x ny arrays of NumPy's, in the order of inputs()."""
        import numpy

        numpy.seterr(all="ignore")  # the judge sees what is wrong
        files = [Npy(self._folder / f"{name}.npy") for name in inputs(self.model)]
        return [numpy.array(numpy.memmap(file.path, file.type, "r", file.offset, file.shape)) for file in files]


class StencilVariant(Variant):
    def __init__(self, name, summary, kernel, *, models=(), copies=lambda at: 2, refuse=lambda at: "", **more):
        """`copies(at)`: arrays that it holds in addition to the inputs and what they are replaced by."""
        super().__init__(name, summary, **more)
        self._kernel, self._models, self._copies, self._refuse = kernel, models, copies, refuse

    def cannot(self, at):
        if self._models and at["model"] not in self._models:
            return f"{self.name} has no {at['model']}: it has {', '.join(self._models)}"
        return self._refuse(at)

    def memory(self, at):
        return width(at) * at["nx"] * at["ny"] * (2 * len(inputs(at["model"])) + self._copies(at))

    def work(self, at):
        """Of one sweep a stage: what a fused program would do. What else a package moves is its own affair."""
        terms = at["terms"]
        read, written, fetched, flops, alpha, named = (
            (2, 1, 0, terms, terms, 2) if at["model"] == "xpxpyn" else _COSTS[at["model"]])
        cells, array = at["nx"] * at["ny"], width(at) * at["nx"] * at["ny"]
        if at.get("device") == "gpu":
            fetched = 0  # its stores fetch no lines first
        return {"flops": flops * cells, "bytes_read": read * array, "bytes_written": written * array,
                "write_allocate": fetched * array,
                "element": {"elements": cells, "flops": alpha, "memory": read + written, "cached": named - read}}

    def load(self, at, folder, iterations):
        return Finishing(self._kernel(Problem(at, folder)), at)


class Finishing:
    """A kernel whose finish() writes files."""

    def __init__(self, kernel, at):
        self._kernel, self._at = kernel, at
        self.iterate = kernel.iterate  # timed: not looked up anew

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def finish(self, folder):
        import numpy

        names = outputs(self._at["model"])
        for name, values in zip(names, self._kernel.finish()):
            Npy(Path(folder) / f"{name}.npy").write(
                numpy.ascontiguousarray(values, "<f8" if self._at["dtype"] == "f64" else "<f4"))
        return names


def variant(summary, **said):
    """Makes the class below it a variant, called as its file."""
    def register(kernel):
        file = sys.modules[kernel.__module__].__file__
        StencilVariant(f"stencil/{Path(file).stem}", summary, kernel, **said)
        return kernel
    return register
