"""Functions with POT's names, arguments and results, on top of call(). log["variant"] says what solved the problem.

They differ from POT where docs/guide/call.md says so. `threads` is one more argument of each, and so are points X and Y,
whose squared distances are the costs, in place of M.
"""
import math
import warnings

import numpy

from uotbench.calling import NoSolution, call

# POT's; they come to one solution.
UNBALANCED = ("sinkhorn", "sinkhorn_knopp", "sinkhorn_stabilized", "sinkhorn_translation_invariant", "sinkhorn_reg_scaling")
BALANCED = ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized", "greenkhorn", "sinkhorn_epsilon_scaling")


def _floats(name, given):
    array = numpy.asarray(given)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: elements of type {array.dtype}; expected float32 or float64")
    return array if array.dtype in (numpy.float32, numpy.float64) else array.astype(float)


class _Costs:
    """M, or X and Y."""

    def __init__(self, M, X, Y):
        if (M is None) == (X is None) or (X is None) != (Y is None):
            raise ValueError("M: expected a matrix of costs, or None and points X and Y")
        if M is None:
            self.X, self.Y = _floats("X", X), _floats("Y", Y)
            self.given, self.shape = {"X": self.X, "Y": self.Y}, (len(self.X), len(self.Y))
        else:
            self.M = _floats("M", M)
            if self.M.ndim != 2:
                raise ValueError(f"M: shape {self.M.shape}; expected two dimensions")
            self.given, self.shape = {"C": self.M}, self.M.shape

    @property
    def matrix(self):
        if "C" in self.given:
            return self.M
        X, Y = (points.reshape(len(points), -1) for points in (self.X, self.Y))
        return ((X[:, None, :] - Y[None, :, :]) ** 2).sum(-1)

    @property
    def plane(self):
        """Whether there are points of 2 or 3 coordinates, which variants that look at several levels need."""
        return "X" in self.given and self.X.ndim == 2 and self.X.shape[1] in (2, 3)

    def masses(self, name, given, axis):
        count = self.shape[axis]
        if given is None or len(given) == 0:  # POT's convention
            return numpy.full(count, 1 / count, next(iter(self.given.values())).dtype)
        array = _floats(name, given)
        if array.shape != (count,):
            raise ValueError(f"{name}: shape {array.shape}; expected ({count},)")
        return array


def _only(name, given, known):
    if given not in known:
        raise ValueError(f"{name}: expected one of {', '.join(known)}, got {given!r}")


def sinkhorn_unbalanced(a, b, M, reg, reg_m, method="sinkhorn", reg_type="kl", c=None, warmstart=None, numItermax=1000,
                        stopThr=1e-6, verbose=False, log=False, *, threads=1, X=None, Y=None):
    """ot.sinkhorn_unbalanced."""
    _only("method", method, UNBALANCED)
    _only("reg_type", reg_type, ("kl", "entropy"))
    if c is not None:
        raise NotImplementedError("c: expected None, for which it is a b' (kl) or 1 (entropy)")
    relaxations = set(numpy.ravel(reg_m).tolist())
    if len(relaxations) != 1 or not math.isfinite(min(relaxations)):
        raise NotImplementedError(f"reg_m: expected one finite number for both marginals, got {reg_m}")
    costs = _Costs(M, X, Y)
    arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
    settings = {"reg": float(reg), "reg_m": relaxations.pop(), "reg_type": reg_type, "threads": threads}
    worth_levels = costs.plane and costs.shape[0] * costs.shape[1] >= 1 << 16
    variant = "uot/multiscale_newton" if worth_levels else "uot/one_read_sor"
    try:
        result = call(variant, plan=True, tol=float(stopThr), max_iterations=int(numItermax), **arrays, **settings)
    except NoSolution as reason:
        if "no solution after" not in str(reason):
            raise
        warnings.warn(f"sinkhorn_unbalanced: {reason}")
        result = call("uot/one_read", plan=True, iterations=int(numItermax), **arrays, **settings)
    if not log:
        return result["plan"]
    with numpy.errstate(divide="ignore"):
        logs = {"logu": numpy.log(result["u"]), "logv": numpy.log(result["v"])}
    return result["plan"], {**_said(result), "u": result["u"], "v": result["v"], **logs}


def _said(result):
    return {"variant": result["variant"], "worker": result["worker"], "niter": result["iterations"]}


def _potentials(a, b, M, reg, method, numItermax, stopThr, warn, threads, X, Y):
    """The costs, log u and log v, and what log says."""
    _only("method", method, BALANCED)
    costs = _Costs(M, X, Y)
    arrays = {"a": costs.masses("a", a, 0), "b": costs.masses("b", b, 1), **costs.given}
    single = all(array.dtype == numpy.float32 for array in arrays.values())
    settings = {"reg": float(reg), "threads": threads}
    tol = max(float(stopThr), 2e-6 if single else 1e-14)  # rounding leaves as much
    try:
        result = call("sinkhorn_log/absorbed", stop="marginal", tol=tol, max_iterations=int(numItermax), **arrays, **settings)
    except NoSolution as reason:
        if warn:
            warnings.warn(f"sinkhorn: {reason}")
        result = call("sinkhorn_log/base2", iterations=int(numItermax), **arrays, **settings)
    return costs, result["log_u"][0], result["log_v"][0], result


def sinkhorn(a, b, M, reg, method="sinkhorn", numItermax=1000, stopThr=1e-9, verbose=False, log=False, warn=True,
             warmstart=None, *, threads=1, X=None, Y=None):
    """ot.sinkhorn: in logarithms, whatever the method."""
    costs, log_u, log_v, result = _potentials(a, b, M, reg, method, numItermax, stopThr, warn, threads, X, Y)
    plan = numpy.exp(log_u[:, None] + log_v[None, :] - costs.matrix / reg)
    if not log:
        return plan
    return plan, {**_said(result), "u": numpy.exp(log_u), "v": numpy.exp(log_v), "log_u": log_u, "log_v": log_v}


def sinkhorn2(a, b, M, reg, method="sinkhorn", numItermax=1000, stopThr=1e-9, verbose=False, log=False, warn=True,
              warmstart=None, *, threads=1, X=None, Y=None):
    """ot.sinkhorn2: the cost of sinkhorn()'s plan."""
    plan, said = sinkhorn(a, b, M, reg, method, numItermax, stopThr, verbose, True, warn, warmstart, threads=threads, X=X,
                          Y=Y)
    value = float((plan * _Costs(M, X, Y).matrix).sum())
    return (value, said) if log else value


def _solved(a, b, M, center_dual, check_marginals, threads, X, Y):
    costs = _Costs(M, X, Y)
    a, b = costs.masses("a", a, 0).astype(float), costs.masses("b", b, 1).astype(float)
    if check_marginals and not abs(a.sum() - b.sum()) <= 1e-7 * abs(b.sum()):
        raise ValueError(f"b: sums to {b.sum():g}; expected {a.sum():g} as a")
    b = b * (a.sum() / b.sum()) if b.sum() > 0 else b  # POT's
    # Levels are of points, and pay where there are many.
    variant = "simplex/warm" if costs.plane and min(costs.shape) >= 1024 else "simplex/colgen"
    result = call(variant, a=a, b=b, threads=threads, **costs.given)
    arcs = result["source"] >= 0
    source, target, flow = (result[name][arcs] for name in ("source", "target", "flow"))
    if "C" in costs.given:
        lengths = costs.M[source, target].astype(float)
    else:
        lengths = ((costs.X[source] - costs.Y[target]).astype(float).reshape(len(source), -1) ** 2).sum(-1)
    u, v = result["u"], -result["v"]
    if center_dual:
        shift = (u.sum() - v.sum()) / (len(u) + len(v))
        u, v = u - shift, v + shift
    said = {**_said(result), "cost": float(flow @ lengths), "u": u, "v": v, "warning": None, "result_code": 1}
    return costs.shape, (source, target, flow), said


def _plan(shape, arcs):
    source, target, flow = arcs
    plan = numpy.zeros(shape)
    numpy.add.at(plan, (source, target), flow)
    return plan


def emd(a, b, M, numItermax=100000, log=False, center_dual=True, numThreads=1, check_marginals=True, *, X=None, Y=None):
    """ot.emd: always to the optimum."""
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, _threads(numThreads), X, Y)
    return (_plan(shape, arcs), said) if log else _plan(shape, arcs)


def emd2(a, b, M, processes=1, numItermax=100000, log=False, return_matrix=False, center_dual=True, numThreads=1,
         check_marginals=True, *, X=None, Y=None):
    """ot.emd2 for one b: the cost, without a plan of M x N unless return_matrix asks for it."""
    shape, arcs, said = _solved(a, b, M, center_dual, check_marginals, _threads(numThreads), X, Y)
    if return_matrix:
        said["G"] = _plan(shape, arcs)
    return (said["cost"], said) if log or return_matrix else said["cost"]


def _threads(given):
    import os

    return len(os.sched_getaffinity(0)) if given == "max" else int(given)


def barycenter(A, M, reg, weights=None, method="sinkhorn", numItermax=10000, stopThr=1e-4, verbose=False, log=False,
               warn=True, *, threads=1):
    """ot.barycenter: of histograms in the columns of A."""
    _only("method", method, ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"))
    A, M = _floats("A", A), _floats("M", M)
    if A.ndim != 2 or M.shape != (len(A), len(A)):
        raise ValueError(f"M: shape {M.shape}; expected ({len(A)}, {len(A)}) for A of shape {A.shape}")
    count = A.shape[1]
    weights = numpy.full(count, 1 / count, A.dtype) if weights is None else _floats("weights", weights)
    arrays = {"mu": numpy.ascontiguousarray(A.T), "C": M, "weights": weights.reshape(1, -1)}
    settings = {"reg": float(reg), "threads": threads, "task": "barycenter", "histograms": count, "B": 1, "M": len(A),
                "N": len(A)}
    try:
        result = call("sinkhorn_log/barycenter_log", stop="marginal", tol=float(stopThr), max_iterations=int(numItermax),
                      **arrays, **settings)
    except NoSolution as reason:
        if warn:
            warnings.warn(f"barycenter: {reason}")
        result = call("sinkhorn_log/barycenter_log", iterations=int(numItermax), **arrays, **settings)
    return (result["barycenter"][0], _said(result)) if log else result["barycenter"][0]
