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
import time
import warnings
from typing import Any, Iterator

import numpy

from uotbench.calling import NoSolution, Solver, call, result_of
from uotbench.transport_input import (Array, Costs, Start, floats, histograms, in_pots_names, is_single, one_of, other_sums,
                                      pots_names, scaled, start_arrays, threads_of)

# POT's; they come to one solution.
UNBALANCED = ("sinkhorn", "sinkhorn_knopp", "sinkhorn_stabilized", "sinkhorn_translation_invariant", "sinkhorn_reg_scaling")
BALANCED = ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized", "greenkhorn", "sinkhorn_epsilon_scaling")
IN_COSTS = ("sinkhorn_stabilized", "sinkhorn_epsilon_scaling")  # their potentials: reg log u and reg log v
LEAST_STOP = 1e-15  # the smallest `tol` of call()

# Points of 2 or 3 coordinates are solved from coarser levels if there are at least this many: `uotbench run --sweep
# call_sizes.json` (docs/results/call.md; AMD EPYC, Zen 4, one thread, reg .05): calls with `multiscale_free` take 1.10 (float32) and
# 1.78 times (float64) as long as with `one_read_sor` for 256 x 256 points, .37 and .58 times for 512 x 512; `warm` takes
# 1.00 times as long as `colgen` for 256 points on each side, .62 and .83 times (2 and 3 coordinates) for 512.
LEAST_PAIRS = 512 * 512  # `multiscale_free` instead of `one_read_sor`
LEAST_POINTS = 512  # `warm` instead of `colgen`


def _said(result: dict[str, Any]) -> dict[str, Any]:
    return {"variant": result["variant"], "worker": result["worker"], "niter": result["iterations"],
            "seconds": result["seconds"]}


def _reached(function: str, warn: bool, variant: str, numItermax: int, stopThr: float, plan: bool,
             given: dict[str, Any]) -> dict[str, Any]:
    """call(); where numItermax is too small a warning says so, and the last iterate is the result."""
    with pots_names(function):
        solver = Solver(variant, max_iterations=int(numItermax), tol=max(float(stopThr), LEAST_STOP), **given)
        try:
            solver.solve()
        except NoSolution as reason:
            if solver.iterations < int(numItermax):  # it ended for another reason
                raise
            if warn:
                warnings.warn(f"{function}: {in_pots_names(function, str(reason))}")
        return result_of(solver, plan)


class _Entropic:
    """A plan exp(log u + log v - costs / reg), of which a few rows at a time are made."""

    def __init__(self, costs: Costs, reg: float, log: dict[str, Any]) -> None:
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
        return float(sum((part * numpy.where(part > 0, costs, 0)).sum(dtype=float)  # costs may be infinite
                         for _, costs, part in self.rows()))

    def whole_log(self) -> dict[str, Any]:
        return {**self.log, "u": numpy.exp(self.log_u), "v": numpy.exp(self.log_v)}


def _costs_of_all(solved: list[_Entropic]) -> tuple[Array, dict[str, Any]]:
    """Of several histograms: the cost of each plan, and what POT's log has, a column a histogram."""
    costs = numpy.array([one.cost() for one in solved])
    logs = [one.whole_log() for one in solved]
    log = {name: numpy.stack([each[name] for each in logs], 1) for name in ("u", "v", "log_u", "log_v")}
    seconds = {part: sum(each["seconds"][part] for each in logs) for part in logs[0]["seconds"]}
    if "err" in logs[0]:
        log["err"] = [math.hypot(*(each["err"][-1] for each in logs))]
    return costs, {**logs[0], "niter": max(each["niter"] for each in logs), "seconds": seconds, **log}


def sinkhorn_unbalanced(a: Any, b: Any, M: Any, reg: float, reg_m: Any, method: str = "sinkhorn", reg_type: str = "kl",
                        c: None = None, warmstart: Any = None, numItermax: int = 1000, stopThr: float = 1e-6,
                        verbose: bool = False, log: bool = False, *, threads: int = 1, X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn_unbalanced."""
    one_of("method", method, UNBALANCED)
    reg_type = one_of("reg_type", reg_type, ("kl", "entropy"))
    if c is not None:
        raise NotImplementedError("c: expected None, for which it is a b' (kl) or 1 (entropy)")
    relaxations = set(numpy.ravel(reg_m).tolist())
    if len(relaxations) != 1 or not math.isfinite(min(relaxations)):
        raise NotImplementedError(f"reg_m: expected one finite number for both marginals, got {reg_m}")
    costs = Costs(M, X, Y)

    def solved(b: Any, start: Start | None, reg_type: str, plan: bool) -> dict[str, Any]:
        arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
        given = {"reg": float(reg), "reg_m": min(relaxations), "reg_type": reg_type, "threads": threads, **arrays,
                 **start_arrays(start, costs, is_single(arrays))}
        worth_levels = costs.plane and costs.shape[0] * costs.shape[1] >= LEAST_PAIRS and start is None
        variant = "uot/multiscale_free" if worth_levels else "uot/one_read_sor"
        try:
            return _reached("sinkhorn_unbalanced", True, variant, numItermax, stopThr, plan, given)
        except (NoSolution, ValueError) as error:
            if start is not None or not plan:
                raise
            try:  # right where K, u or v leave the range of their type
                return _reached("sinkhorn_unbalanced", True, "uot/one_read_stabilised", numItermax, stopThr, plan, given)
            except (NoSolution, ValueError):
                raise error from None

    if several := histograms(b, warmstart):
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

    def __init__(self, a: Any, b: Any, costs: Costs, reg: float, method: str, numItermax: int, stopThr: float, warn: bool,
                 warmstart: Start | None, threads: int) -> None:
        method = one_of("method", method, BALANCED)
        arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
        single = is_single(arrays)
        tol = max(float(stopThr), 2e-6 if single else 1e-14)  # rounding leaves as much
        text = other_sums(arrays["a"], arrays["b"])
        # With other sums POT's iterations tend to the same plan, but never pass its stopping test.
        arrays["b"] = self.b = scaled(arrays["a"], arrays["b"])
        self.columns = numpy.zeros(len(self.b))
        unit = float(reg) if method in IN_COSTS else 1
        result = _reached("sinkhorn", warn, "sinkhorn_log/absorbed", numItermax, tol, False,
                          {"stop": "marginal", "reg": float(reg), "threads": threads, **arrays,
                           **start_arrays(warmstart, costs, single, unit)})
        if warn and text:
            warnings.warn(f"sinkhorn: {text}; b is scaled")
        super().__init__(costs, float(reg), {**_said(result), "log_u": result["log_u"][0], "log_v": result["log_v"][0]})

    def rows(self) -> Iterator[tuple[slice, Array, Array]]:
        self.columns[:] = 0
        for rows, costs, part in super().rows():
            self.columns += part.sum(0)
            yield rows, costs, part

    def whole_log(self) -> dict[str, Any]:
        """After plan() or cost()."""
        return {**super().whole_log(), "err": [float(numpy.linalg.norm(self.columns - self.b))]}


def _with_pots_names(log: dict[str, Any], method: str, reg: float) -> dict[str, Any]:
    """And with the other keys of POT's method."""
    log = {**log, "n_iter": log["niter"]}
    if method.lower() in IN_COSTS:
        alpha, beta = reg * log["log_u"], reg * log["log_v"]
        log.update(logu=log["log_u"], logv=log["log_v"], alpha=alpha, beta=beta, warmstart=(alpha, beta))
    return log


def sinkhorn(a: Any, b: Any, M: Any, reg: float, method: str = "sinkhorn", numItermax: int = 1000, stopThr: float = 1e-9,
             verbose: bool = False, log: bool = False, warn: bool = True, warmstart: Any = None, *, threads: int = 1,
             X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn: in logarithms, whatever the method."""
    costs = Costs(M, X, Y)
    if several := histograms(b, warmstart):
        losses, logs = _costs_of_all([_Balanced(a, column, costs, reg, method, numItermax, stopThr, warn, start, threads)
                                      for column, start in several])
        return (losses, _with_pots_names(logs, method, float(reg))) if log else losses
    solved = _Balanced(a, b, costs, reg, method, numItermax, stopThr, warn, warmstart, threads)
    plan = solved.plan()
    return (plan, _with_pots_names(solved.whole_log(), method, float(reg))) if log else plan


def sinkhorn2(a: Any, b: Any, M: Any, reg: float, method: str = "sinkhorn", numItermax: int = 1000, stopThr: float = 1e-9,
              verbose: bool = False, log: bool = False, warn: bool = False, warmstart: Any = None, *, threads: int = 1,
              X: Any = None, Y: Any = None) -> Any:
    """ot.sinkhorn2: the cost of sinkhorn()'s plan, of which a few rows at a time are made."""
    if histograms(b, warmstart):
        return sinkhorn(a, b, M, reg, method, numItermax, stopThr, verbose, log, warn, warmstart, threads=threads, X=X, Y=Y)
    solved = _Balanced(a, b, Costs(M, X, Y), reg, method, numItermax, stopThr, warn, warmstart, threads)
    value = solved.cost()
    return (value, _with_pots_names(solved.whole_log(), method, float(reg))) if log else value


Arcs = tuple[Array, Array, Array]


def _solved(a: Any, b: Any, M: Any, center_dual: bool, check_marginals: bool, threads: int, X: Any,
            Y: Any) -> tuple[tuple[int, ...], Arcs, dict[str, Any]]:
    costs = Costs(M, X, Y)
    a, b = costs.masses("a", a, 0).astype(float), costs.masses("b", b, 1).astype(float)
    if check_marginals and (text := other_sums(a, b)):
        raise ValueError(text)
    variant = "simplex/warm" if costs.plane and min(costs.shape) >= LEAST_POINTS else "simplex/colgen"
    given: dict[str, Any] = {"a": a, "b": scaled(a, b), "threads": threads, **costs.given}
    with pots_names("emd"):
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
        numThreads: int | str = 1, check_marginals: bool = True, potentials_init: Any = None, *, X: Any = None,
        Y: Any = None) -> Any:
    """ot.emd: always to the optimum, wherever it starts."""
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, threads_of(numThreads), X, Y)
    return (_plan(shape, arcs), said) if log else _plan(shape, arcs)


def emd2(a: Any, b: Any, M: Any, processes: int = 1, numItermax: int = 100000, log: bool = False,
         return_matrix: bool = False, center_dual: bool = True, numThreads: int | str = 1, check_marginals: bool = True,
         potentials_init: Any = None, *, X: Any = None, Y: Any = None) -> Any:
    """ot.emd2: the cost, and with log or return_matrix a list of it and what POT's log has; as in POT a list of them for
    several b in the columns of a matrix. The plan's cells above 0 are log's source, target and flow; a whole one of M x N
    is made only if return_matrix asks for it."""
    if several := histograms(b, None):
        return [emd2(a, column, M, processes, numItermax, log, return_matrix, center_dual, numThreads, check_marginals,
                     potentials_init, X=X, Y=Y) for column, _ in several]
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, threads_of(numThreads), X, Y)
    if return_matrix:
        said["G"] = _plan(shape, arcs)
    return [said["cost"], said] if log or return_matrix else said["cost"]


def barycenter(A: Any, M: Any, reg: float, weights: Any = None, method: str = "sinkhorn", numItermax: int = 10000,
               stopThr: float = 1e-4, verbose: bool = False, log: bool = False, warn: bool = True, *,
               threads: int = 1) -> Any:
    """ot.barycenter: of histograms in the columns of A."""
    one_of("method", method, ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"))
    A, M = floats("A", A), floats("M", M)
    if A.ndim != 2 or A.size == 0:
        raise ValueError(f"A: shape {A.shape}; expected histograms in its columns")
    if M.shape != (len(A), len(A)):
        raise ValueError(f"M: shape {M.shape}; expected ({len(A)}, {len(A)}) for A of shape {A.shape}")
    count = A.shape[1]
    weights = numpy.full(count, 1 / count, A.dtype) if weights is None else floats("weights", weights)
    if weights.shape != (count,):
        raise ValueError(f"weights: shape {weights.shape}; expected ({count},)")
    given: dict[str, Any] = {"mu": numpy.ascontiguousarray(A.T), "C": M, "weights": weights.reshape(1, -1),
                             "reg": float(reg), "threads": threads, "task": "barycenter", "histograms": count, "B": 1,
                             "M": len(A), "N": len(A), "stop": "marginal"}
    result = _reached("barycenter", warn, "sinkhorn_log/barycenter_log", numItermax, stopThr, False, given)
    return (result["barycenter"][0], _said(result)) if log else result["barycenter"][0]
