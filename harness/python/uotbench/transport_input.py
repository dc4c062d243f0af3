"""What the functions of transport.py are given: checked, as arrays of call(), and named in messages as POT names it."""
from __future__ import annotations

import contextlib
import math
import os
import re
from typing import Any, Iterator

import numpy

from uotbench.calling import NoSolution, as_array

Array = numpy.ndarray[Any, Any]

# Patterns in messages of call(), and POT's names of the same.
_NAMES = [(r" for (?:B|M)=\d+, .*", ""), (r"\bC\b", "M"), (r"\btol\b", "stopThr"), (r"\bmax_iterations\b", "numItermax"),
          (r"\blog_[uv]0\b", "warmstart"), (r"\bdtype=f64", "float64 arrays")]
_NAMES_IN = {
    "sinkhorn": [(r"\b(?:a|mu)\[0\]", "a"), (r"\b(?:b|nu)\[0\]", "b"), (r"\b(?:a|mu)\[0,", "a["), (r"\b(?:b|nu)\[0,", "b[")],
    "emd": [(r"^threads\b", "numThreads")],
    "barycenter": [(r"\bmu\[(\d+),(\d+)\]", r"A[\2,\1]"), (r"\bmu\[(\d+)\]", r"A[:,\1]"), (r"\bmu\b", "A"),
                   (r"\bweights\[0,", "weights["), (r"\bweights\[0\]", "they")],
}


def in_pots_names(function: str, message: str) -> str:
    for pattern, name in _NAMES + _NAMES_IN.get(function, []):
        message = re.sub(pattern, name, message)
    return message


@contextlib.contextmanager
def pots_names(function: str) -> Iterator[None]:
    """Errors of call() and Solver in POT's names."""
    try:
        yield
    except (NoSolution, ValueError) as error:
        raise type(error)(in_pots_names(function, str(error))) from None


def floats(name: str, given: Any) -> Array:
    """Raises TypeError or, of masked elements, ValueError."""
    if isinstance(given, numpy.ma.MaskedArray) and numpy.any(given.mask):
        raise ValueError(f"{name}: some elements are masked; expected none")
    array = numpy.asarray(as_array(name, given))  # no numpy.matrix, whose * is another
    return array if array.dtype in (numpy.float32, numpy.float64) else array.astype(float)


class Costs:
    """M, or X and Y."""

    def __init__(self, M: Any, X: Any, Y: Any) -> None:
        if (M is None) == (X is None) or (X is None) != (Y is None):
            raise ValueError("M: expected a matrix of costs, or None and points X and Y")
        self.given = {"C": floats("M", M)} if X is None else {"X": floats("X", X), "Y": floats("Y", Y)}
        for name, array in self.given.items():
            if array.ndim != 2 and (name == "C" or array.ndim != 1):
                raise ValueError(f"{'M' if name == 'C' else name}: shape {array.shape}; expected two dimensions")
            if array.size == 0:
                raise ValueError(f"{'M' if name == 'C' else name}: shape {array.shape}; expected some elements")
        sides = list(self.given.values())
        self.shape = (len(sides[0]), len(sides[1]) if M is None else sides[0].shape[1])

    def blocks(self) -> Iterator[tuple[slice, Array]]:
        """Rows, and their costs: about a MiB each, so that from points no whole matrix is made."""
        if "C" in self.given:
            M = self.given["C"]
        else:
            X, Y = (self.given[name].reshape(len(self.given[name]), -1) for name in ("X", "Y"))
        height = max(1, (1 << 17) // max(1, self.shape[1]))
        for first in range(0, self.shape[0], height):
            rows = slice(first, min(first + height, self.shape[0]))
            if "C" in self.given:
                yield rows, M[rows]
                continue
            costs = numpy.zeros((rows.stop - first, len(Y)), X.dtype)
            for x, y in zip(X.T, Y.T):
                costs += (x[rows, None] - y) ** 2
            yield rows, costs

    @property
    def plane(self) -> bool:
        """Whether there are points of 2 or 3 coordinates, which variants that look at several levels need."""
        return "X" in self.given and self.given["X"].ndim == 2 and self.given["X"].shape[1] in (2, 3)

    def masses(self, name: str, given: Any, axis: int) -> Array:
        count = self.shape[axis]
        array = floats(name, [] if given is None else given)
        if array.ndim > 0 and len(array) == 0:  # POT's convention
            return numpy.full(count, 1 / count, next(iter(self.given.values())).dtype)
        if array.shape != (count,):
            raise ValueError(f"{name}: shape {array.shape}; expected ({count},)")
        return array


def other_sums(a: Array, b: Array) -> str:
    """What to say of masses whose sums differ in the first 6 decimals, which POT compares."""
    of_a, of_b = a.sum(dtype=float), b.sum(dtype=float)
    return "" if abs(of_a - of_b) < 1.5e-6 * max(1, of_b) else f"b: sums to {of_b:.10g}; expected {of_a:.10g} as a"


def scaled(a: Array, b: Array) -> Array:
    """b with the sum of a, where both are above 0."""
    of_a, of_b = float(a.sum(dtype=float)), float(b.sum(dtype=float))
    if not (0 < of_a < math.inf and 0 < of_b < math.inf):
        return b
    same: Array = b * b.dtype.type(of_a / of_b)
    return same


def one_of(name: str, given: str, known: tuple[str, ...]) -> str:
    """In small letters."""
    if str(given).lower() not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}, got {given!r}")
    return given.lower()


def threads_of(given: int | str) -> int:
    return len(os.sched_getaffinity(0)) if given == "max" else int(given)


Start = tuple[Any, Any]
LEAST_LOG = -1e4  # in place of the logarithm of 0


def start_arrays(warmstart: Start | None, costs: Costs, single: bool, unit: float = 1) -> dict[str, Array]:
    """The arrays that a solve starts from, of potentials in this unit."""
    if warmstart is None:
        return {}
    if len(warmstart) != 2:
        raise ValueError(f"warmstart: {len(warmstart)} arrays; expected the potentials of a and those of b")
    given = {}
    for name, potentials, count in zip(("log_u0", "log_v0"), warmstart, costs.shape):
        logs = numpy.maximum(floats("warmstart", potentials) / unit, LEAST_LOG)
        if logs.shape != (count,) or not numpy.isfinite(logs).all():
            raise ValueError(f"warmstart: an array of shape {logs.shape}; expected ({count},) and finite numbers")
        given[name] = logs.astype(numpy.float32 if single else float)
    return given


def is_single(arrays: dict[str, Array]) -> bool:
    return all(array.dtype == numpy.float32 for array in arrays.values())


def histograms(b: Any, warmstart: Any) -> list[tuple[Array, Start | None]] | None:
    """Several b in the columns of a matrix, each with where it starts: from the columns of two matrices or, as POT's
    sinkhorn_log has it, one pair of a list. None: b is one."""
    if b is None:
        return None
    b = floats("b", b)
    if b.ndim != 2:
        return None
    if warmstart is None:
        return [(column, None) for column in b.T]
    if all(isinstance(pair, (tuple, list)) for pair in warmstart):
        starts = list(warmstart)
    else:
        starts = list(zip(*(floats("warmstart", matrix).T for matrix in warmstart)))
    if len(starts) != b.shape[1]:
        raise ValueError(f"warmstart: of {len(starts)} histograms; expected {b.shape[1]}")
    return list(zip(b.T, starts))
