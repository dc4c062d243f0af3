"""Functions with POT's names, arguments and results, on top of call(). log["variant"] says what solved the problem,
log["seconds"] what took how long.

They differ from POT where docs/guide/call.md says so. `threads` is one more argument of each, and so are points X and Y,
whose squared distances are the costs, in place of M.

    >>> import uotbench
    >>> uotbench.emd2([.5, .5], [.5, .5], [[0., 1.], [1., .5]])
    0.25
"""
from __future__ import annotations

import math
import os
import time
import warnings
from typing import Any, Iterator

import numpy

from uotbench.calling import NoSolution, Solver, as_array, call, result_of

Array = numpy.ndarray[Any, Any]

# POT's; they come to one solution.
UNBALANCED = ("sinkhorn", "sinkhorn_knopp", "sinkhorn_stabilized", "sinkhorn_translation_invariant", "sinkhorn_reg_scaling")
BALANCED = ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized", "greenkhorn", "sinkhorn_epsilon_scaling")


# Points of 2 or 3 coordinates are solved from coarser levels if there are at least this many: `uotbench run --sweep
# call_sizes.json` measures from where on this is faster.
LEAST_PAIRS = 1 << 16  # `multiscale_free` instead of `one_read_sor`. An estimate: not measured
# `warm` instead of `colgen`. Times of `warm` over those of `colgen`: .47 at 1000 points, .27 at 3000 (two threads,
# docs/results/simplex.md); with cost=integer 1.05 at 100, .68 at 300, .55 at 1000 (results/evidence/explain.jsonl.gz). So a
# smaller limit may be better.
LEAST_POINTS = 1024


def _floats(name: str, given: Any) -> Array:
    array = as_array(name, given)
    return array if array.dtype in (numpy.float32, numpy.float64) else array.astype(float)


class _Costs:
    """M, or X and Y."""

    def __init__(self, M: Any, X: Any, Y: Any) -> None:
        if (M is None) == (X is None) or (X is None) != (Y is None):
            raise ValueError("M: expected a matrix of costs, or None and points X and Y")
        if M is None:
            self.given = {"X": _floats("X", X), "Y": _floats("Y", Y)}
            self.shape = (len(self.given["X"]), len(self.given["Y"]))
        else:
            self.given = {"C": _floats("M", M)}
            if self.given["C"].ndim != 2:
                raise ValueError(f"M: shape {self.given['C'].shape}; expected two dimensions")
            self.shape = (len(self.given["C"]), self.given["C"].shape[1])

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
        if given is None or len(given) == 0:  # POT's convention
            return numpy.full(count, 1 / count, next(iter(self.given.values())).dtype)
        array = _floats(name, given)
        if array.shape != (count,):
            raise ValueError(f"{name}: shape {array.shape}; expected ({count},)")
        return array


def _only(name: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}, got {given!r}")


def _said(result: dict[str, Any]) -> dict[str, Any]:
    return {"variant": result["variant"], "worker": result["worker"], "niter": result["iterations"],
            "seconds": result["seconds"]}


def _reached(function: str, warn: bool, variant: str, numItermax: int, plan: bool, given: dict[str, Any]) -> dict[str, Any]:
    """call(); where numItermax is too small a warning says so, and the last iterate is the result."""
    solver = Solver(variant, max_iterations=int(numItermax), **given)
    try:
        solver.solve()
    except NoSolution as reason:
        if solver.iterations < int(numItermax):  # it ended for another reason
            raise
        if warn:
            warnings.warn(f"{function}: {reason}")
    return result_of(solver, plan)


Start = tuple[Any, Any]
LEAST_LOG = -1e4  # in place of the logarithm of 0


def _start(warmstart: Start | None, costs: _Costs, single: bool, unit: float = 1) -> dict[str, Array]:
    """The arrays that a solve starts from, of potentials in this unit."""
    if warmstart is None:
        return {}
    if len(warmstart) != 2:
        raise ValueError(f"warmstart: {len(warmstart)} arrays; expected the potentials of a and those of b")
    given = {}
    for name, potentials, count in zip(("log_u0", "log_v0"), warmstart, costs.shape):
        logs = numpy.maximum(_floats("warmstart", potentials) / unit, LEAST_LOG)
        if logs.shape != (count,) or not numpy.isfinite(logs).all():
            raise ValueError(f"warmstart: an array of shape {logs.shape}; expected ({count},) and finite numbers")
        given[name] = logs.astype(numpy.float32 if single else float)
    return given


def _is_single(arrays: dict[str, Array]) -> bool:
    return all(array.dtype == numpy.float32 for array in arrays.values())


def _histograms(b: Any, warmstart: Any) -> list[tuple[Array, Start | None]] | None:
    """Several b in the columns of a matrix, each with where it starts: from the columns of two matrices or, as POT's
    sinkhorn_log has it, one pair of a list. None: b is one."""
    if b is None or len(b) == 0:
        return None
    b = _floats("b", b)
    if b.ndim != 2:
        return None
    if warmstart is None:
        return [(column, None) for column in b.T]
    if all(isinstance(pair, (tuple, list)) for pair in warmstart):
        starts = list(warmstart)
    else:
        starts = list(zip(*(_floats("warmstart", matrix).T for matrix in warmstart)))
    if len(starts) != b.shape[1]:
        raise ValueError(f"warmstart: of {len(starts)} histograms; expected {b.shape[1]}")
    return list(zip(b.T, starts))


class _Entropic:
    """A plan exp(log u + log v - costs / reg), of which a few rows at a time are made."""

    def __init__(self, costs: _Costs, reg: float, log: dict[str, Any]) -> None:
        self.costs, self.reg, self.log = costs, reg, log
        self.log_u, self.log_v = log["log_u"], log["log_v"]

    def rows(self) -> Iterator[tuple[slice, Array, Array]]:
        """Rows, their costs, and their part of the plan."""
        for rows, costs in self.costs.blocks():
            part = costs / -self.reg
            part += self.log_u[rows, None]
            part += self.log_v
            yield rows, costs, numpy.exp(part, out=part)

    def plan(self) -> Array:
        start = time.perf_counter()
        plan = numpy.empty(self.costs.shape, self.log_u.dtype)
        for rows, _, part in self.rows():
            plan[rows] = part
        self.log["seconds"]["outputs"] += time.perf_counter() - start
        return plan

    def cost(self) -> float:
        return float(sum((part * costs).sum(dtype=float) for _, costs, part in self.rows()))

    def whole_log(self) -> dict[str, Any]:
        return {**self.log, "u": numpy.exp(self.log_u), "v": numpy.exp(self.log_v)}


def _costs_of_all(solved: list[_Entropic]) -> tuple[Array, dict[str, Any]]:
    """Of several histograms: the cost of each plan, and what POT's log has, a column a histogram."""
    costs = numpy.array([one.cost() for one in solved])
    logs = [one.whole_log() for one in solved]
    log = {name: numpy.stack([each[name] for each in logs], 1) for name in ("u", "v", "log_u", "log_v")}
    seconds = {part: sum(each["seconds"][part] for each in logs) for part in logs[0]["seconds"]}
    return costs, {**logs[0], "niter": max(each["niter"] for each in logs), "seconds": seconds, **log}


def sinkhorn_unbalanced(a: Any, b: Any, M: Any, reg: float, reg_m: Any, method: str = "sinkhorn", reg_type: str = "kl",
                        c: None = None, warmstart: Any = None, numItermax: int = 1000, stopThr: float = 1e-6,
                        verbose: bool = False, log: bool = False, *, threads: int = 1, X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn_unbalanced."""
    _only("method", method, UNBALANCED)
    _only("reg_type", reg_type, ("kl", "entropy"))
    if c is not None:
        raise NotImplementedError("c: expected None, for which it is a b' (kl) or 1 (entropy)")
    relaxations = set(numpy.ravel(reg_m).tolist())
    if len(relaxations) != 1 or not math.isfinite(min(relaxations)):
        raise NotImplementedError(f"reg_m: expected one finite number for both marginals, got {reg_m}")
    costs = _Costs(M, X, Y)

    def solved(b: Any, start: Start | None, reg_type: str, plan: bool) -> dict[str, Any]:
        arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
        given = {"tol": float(stopThr), "reg": float(reg), "reg_m": min(relaxations), "reg_type": reg_type,
                 "threads": threads, **arrays, **_start(start, costs, _is_single(arrays))}
        worth_levels = costs.plane and costs.shape[0] * costs.shape[1] >= LEAST_PAIRS and start is None
        variant = "uot/multiscale_free" if worth_levels else "uot/one_read_sor"
        try:
            return _reached("sinkhorn_unbalanced", True, variant, numItermax, plan, given)
        except (NoSolution, ValueError) as error:
            if start is not None or not plan:
                raise
            try:  # right where K, u or v leave the range of their type
                return _reached("sinkhorn_unbalanced", True, "uot/one_read_stabilised", numItermax, plan, given)
            except (NoSolution, ValueError):
                raise error from None

    if several := _histograms(b, warmstart):
        # As POT, whose reg_type is for one b.
        results = [solved(column, start, "entropy", False) for column, start in several]
        losses, logs = _costs_of_all([_Entropic(costs, float(reg), {**_said(each), **_logarithms(each)}) for each in results])
        logs["logu"], logs["logv"] = logs.pop("log_u"), logs.pop("log_v")
        return (losses, logs) if log else losses
    result = solved(b, warmstart, reg_type, True)
    if not log:
        return result["plan"]
    logs = _logarithms(result)
    return result["plan"], {**_said(result), "u": result["u"], "v": result["v"], "logu": logs["log_u"],
                            "logv": logs["log_v"]}


def _logarithms(result: dict[str, Any]) -> dict[str, Array]:
    if "u" not in result:
        raise NoSolution("u and v are more than their type holds; expected log=False, or float64 arrays")
    with numpy.errstate(divide="ignore"):
        return {"log_u": numpy.log(result["u"]), "log_v": numpy.log(result["v"])}


class _Balanced(_Entropic):
    """Entropic transport, solved."""

    def __init__(self, a: Any, b: Any, costs: _Costs, reg: float, method: str, numItermax: int, stopThr: float, warn: bool,
                 warmstart: Start | None, threads: int) -> None:
        _only("method", method, BALANCED)
        arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
        single = _is_single(arrays)
        tol = max(float(stopThr), 2e-6 if single else 1e-14)  # rounding leaves as much
        unit = float(reg) if method in ("sinkhorn_stabilized", "sinkhorn_epsilon_scaling") else 1  # of their potentials
        result = _reached("sinkhorn", warn, "sinkhorn_log/absorbed", numItermax, False,
                          {"stop": "marginal", "tol": tol, "reg": float(reg), "threads": threads, **arrays,
                           **_start(warmstart, costs, single, unit)})
        super().__init__(costs, float(reg), {**_said(result), "log_u": result["log_u"][0], "log_v": result["log_v"][0]})


def sinkhorn(a: Any, b: Any, M: Any, reg: float, method: str = "sinkhorn", numItermax: int = 1000, stopThr: float = 1e-9,
             verbose: bool = False, log: bool = False, warn: bool = True, warmstart: Any = None, *, threads: int = 1,
             X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn: in logarithms, whatever the method."""
    costs = _Costs(M, X, Y)
    if several := _histograms(b, warmstart):
        losses, logs = _costs_of_all([_Balanced(a, column, costs, reg, method, numItermax, stopThr, warn, start, threads)
                                      for column, start in several])
        return (losses, logs) if log else losses
    solved = _Balanced(a, b, costs, reg, method, numItermax, stopThr, warn, warmstart, threads)
    plan = solved.plan()
    return (plan, solved.whole_log()) if log else plan


def sinkhorn2(a: Any, b: Any, M: Any, reg: float, method: str = "sinkhorn", numItermax: int = 1000, stopThr: float = 1e-9,
              verbose: bool = False, log: bool = False, warn: bool = True, warmstart: Any = None, *, threads: int = 1,
              X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn2: the cost of sinkhorn()'s plan, of which a few rows at a time are made."""
    if _histograms(b, warmstart):
        return sinkhorn(a, b, M, reg, method, numItermax, stopThr, verbose, log, warn, warmstart, threads=threads, X=X, Y=Y)
    solved = _Balanced(a, b, _Costs(M, X, Y), reg, method, numItermax, stopThr, warn, warmstart, threads)
    value = solved.cost()
    return (value, solved.whole_log()) if log else value


Arcs = tuple[Array, Array, Array]


def _solved(a: Any, b: Any, M: Any, center_dual: bool, check_marginals: bool, threads: int, X: Any,
            Y: Any) -> tuple[tuple[int, ...], Arcs, dict[str, Any]]:
    costs = _Costs(M, X, Y)
    a, b = costs.masses("a", a, 0).astype(float), costs.masses("b", b, 1).astype(float)
    if check_marginals and not abs(a.sum() - b.sum()) <= 1e-7 * abs(b.sum()):
        raise ValueError(f"b: sums to {b.sum():g}; expected {a.sum():g} as a")
    b = b * (a.sum() / b.sum()) if b.sum() > 0 else b  # POT's
    variant = "simplex/warm" if costs.plane and min(costs.shape) >= LEAST_POINTS else "simplex/colgen"
    given: dict[str, Any] = {"a": a, "b": b, "threads": threads, **costs.given}
    result = call(variant, **given)
    arcs = result["source"] >= 0
    source, target, flow = (result[name][arcs] for name in ("source", "target", "flow"))
    if "C" in costs.given:
        lengths = costs.given["C"][source, target].astype(float)
    else:
        apart = (costs.given["X"][source] - costs.given["Y"][target]).astype(float)
        lengths = (apart.reshape(len(source), -1) ** 2).sum(-1)
    u, v = result["u"], -result["v"]
    if center_dual:
        shift = (u.sum() - v.sum()) / (len(u) + len(v))
        u, v = u - shift, v + shift
    said = {**_said(result), "cost": float(flow @ lengths), "u": u, "v": v, "warning": None, "result_code": 1,
            "source": source, "target": target, "flow": flow}
    return costs.shape, (source, target, flow), said


def _plan(shape: tuple[int, ...], arcs: Arcs) -> Array:
    source, target, flow = arcs
    plan = numpy.zeros(shape)
    numpy.add.at(plan, (source, target), flow)
    return plan


def emd(a: Any, b: Any, M: Any, numItermax: int = 100000, log: bool = False, center_dual: bool = True,
        numThreads: int | str = 1, check_marginals: bool = True, *, X: Any = None, Y: Any = None) -> Any:
    """ot.emd: always to the optimum."""
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, _threads(numThreads), X, Y)
    return (_plan(shape, arcs), said) if log else _plan(shape, arcs)


def emd2(a: Any, b: Any, M: Any, processes: int = 1, numItermax: int = 100000, log: bool = False,
         return_matrix: bool = False, center_dual: bool = True, numThreads: int | str = 1, check_marginals: bool = True, *,
         X: Any = None, Y: Any = None) -> Any:
    """ot.emd2: the cost, and with log or return_matrix what POT's log has; as in POT a list of them for several b in the
    columns of a matrix. The plan's cells above 0 are log's source, target and flow; a whole one of M x N is made only if
    return_matrix asks for it."""
    if several := _histograms(b, None):
        return [emd2(a, column, M, processes, numItermax, log, return_matrix, center_dual, numThreads, check_marginals,
                     X=X, Y=Y) for column, _ in several]
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, _threads(numThreads), X, Y)
    if return_matrix:
        said["G"] = _plan(shape, arcs)
    return (said["cost"], said) if log or return_matrix else said["cost"]


def _threads(given: int | str) -> int:
    return len(os.sched_getaffinity(0)) if given == "max" else int(given)


def barycenter(A: Any, M: Any, reg: float, weights: Any = None, method: str = "sinkhorn", numItermax: int = 10000,
               stopThr: float = 1e-4, verbose: bool = False, log: bool = False, warn: bool = True, *,
               threads: int = 1) -> Any:
    """ot.barycenter: of histograms in the columns of A."""
    _only("method", method, ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"))
    A, M = _floats("A", A), _floats("M", M)
    if A.ndim != 2 or M.shape != (len(A), len(A)):
        raise ValueError(f"M: shape {M.shape}; expected ({len(A)}, {len(A)}) for A of shape {A.shape}")
    count = A.shape[1]
    weights = numpy.full(count, 1 / count, A.dtype) if weights is None else _floats("weights", weights)
    given: dict[str, Any] = {"mu": numpy.ascontiguousarray(A.T), "C": M, "weights": weights.reshape(1, -1),
                             "reg": float(reg), "threads": threads, "task": "barycenter", "histograms": count, "B": 1,
                             "M": len(A), "N": len(A)}
    result = _reached("barycenter", warn, "sinkhorn_log/barycenter_log", numItermax, False,
                      {"stop": "marginal", "tol": float(stopThr), **given})
    return (result["barycenter"][0], _said(result)) if log else result["barycenter"][0]
