"""The family's half in Python: what a problem of `sinkhorn_log` is (problem.hpp has the formulas), and what makes a
class a variant of it.

    from uotbench.sinkhorn_log.problem import exponentials, variant

    @variant("what it is", needs=["numpy"], work=exponentials())
    class Mine:
        def __init__(self, problem)    copies what it iterates on
        def iterate(self)              one iteration, timed; or a whole solve, where `solver` is said
        def finish(self)               {"log_u": B x M, "log_v": B x N}, untimed

The variant's name is its file's. Perhaps begin() and facts(); and restart(), with which it goes to solutions: the
loop is here then, and log_u and log_v must be new arrays in each iteration. `shared/loop.py` has the loop that all
kinds of arrays share. Packages are imported in functions, so that a file without its packages still says which are
missing.
"""
import math
import os
import sys
from functools import partial
from pathlib import Path

from uotbench.finishing import Finishing
from uotbench.npy import Npy
from uotbench.variant import Variant, axis

os.environ.setdefault("KEOPS_VERBOSE", "0")  # POT imports KeOps, which says then that there is no CUDA

FIXED = axis("iterations", "integer", 100, "of a solve where stop=iterations", least=1)
ITEMS = axis("items", "text", "together", "the whole batch in one expression, or an item after the other",
             values=["together", "in_turn"])


class Problem:
    """One point and its inputs, of which every call gives a new array."""

    def __init__(self, at, folder, iterations):
        self.at, self._folder = at, folder
        self.B, self.M, self.N, self.reg = at["B"], at["M"], at["N"], at["reg"]
        self.symmetric, self.own_costs = at["scheme"] == "symmetric", at["cost"] == "own"
        self.solving = at["stop"] != "iterations"
        self.tol = at["tol"] if self.solving else 0.0
        self.most = at["max_iterations"] if self.solving else iterations or at.get("iterations")

    def has(self, name):
        return (self._folder / f"{name}.npy").exists()

    def array(self, name):
        """As a NumPy array."""
        import numpy

        numpy.seterr(all="ignore")  # log 0 is meant; the judge sees the rest
        file = Npy(self._folder / f"{name}.npy")
        return numpy.array(numpy.memmap(file.path, file.type, "r", file.offset, file.shape))

    def start(self):
        """log u and log v before the first iteration: 0, or what `warm` gives, and -inf where there is no mass."""
        import numpy

        logs = [self.array("log_mu"), self.array("log_nu")]
        given = [self.array(f"{name}0") if self.has(f"{name}0") else 0 for name in ("log_u", "log_v")]
        return [numpy.where(numpy.isneginf(log), log, first).astype(log.dtype) for log, first in zip(logs, given)]

    def sizes(self):
        """Rows and columns of each item up to the last one with mass: what `ragged` leaves of M and N."""
        return [tuple(int(masses[b].nonzero()[0][-1]) + 1 for masses in (self.array("mu"), self.array("nu")))
                for b in range(self.B)]


def next_potential(xp, before, log_mass, lse, symmetric):
    """problem.hpp's, for arrays of NumPy's kind."""
    step = log_mass - lse
    return xp.where(log_mass == -math.inf, log_mass, (before + step) / 2 if symmetric else step)


def iteration(xp, lse, symmetric, costs, log_mu, log_nu, log_u, log_v):
    """log u and log v after one more, of an item or of the batch; `costs`: -C/reg; `lse(terms, axis)`."""
    v = next_potential(xp, log_v, log_nu, lse(costs + log_u[..., :, None], -2), symmetric)
    lse_v = lse(costs + (log_v if symmetric else v)[..., None, :], -1)
    return next_potential(xp, log_u, log_mu, lse_v, symmetric), v


def change(xp, problem, masses, before, now):
    """Numbers of which the largest is what `stop` holds against tol: shared/solving.hpp's Change. `masses`, `before`
    and `now` are of the rows and of the columns."""
    moved = [xp.where(mass > 0, new - old, xp.zeros_like(mass)) for mass, old, new in zip(masses, before, now)]
    if problem.at["stop"] == "change":
        return [problem.reg * abs(by).max() for by in moved]
    # A sum of the plan was mass exp(before - full), where `full` is what the whole step leads to.
    off = [(mass * abs(xp.expm1((-2 if problem.symmetric else -1) * by))).sum(-1) for mass, by in zip(masses, moved)]
    return [(off[0] + off[1] if problem.symmetric else off[1]).max()]


class Solving:
    """A loop's kernel with a whole solve as what is timed: Solving in shared/solving.hpp."""

    def __init__(self, kernel, problem):
        self._kernel, self._problem, self.iterations = kernel, problem, 1
        self._change = kernel.compiled(partial(change, kernel.xp, problem))

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def iterate(self):
        kernel, error = self._kernel, math.inf
        kernel.restart()
        for n in range(1, self._problem.most + 1):
            before = kernel.log_u, kernel.log_v
            kernel.iterate()
            errors = [float(one) for one in self._change(kernel.masses, before, (kernel.log_u, kernel.log_v))]
            if not all(map(math.isfinite, errors)):
                raise RuntimeError(f"after {n} iterations a potential with mass is inf or no number")
            error = max(errors)
            if error < self._problem.tol:
                self.iterations = n
                return
        raise RuntimeError(no_solution(self._problem, self._problem.most, error))


def no_solution(problem, iterations, error):
    what = "the marginals are off by" if problem.at["stop"] == "marginal" else "the potentials changed by"
    return (f"no solution after {iterations} iterations: {what} {error:.3g}, not below tol; "
            "try a larger tol or max_iterations")


def width(at):
    """Bytes of an element."""
    return 8 if at["dtype"] == "f64" else 4


def _work(at, passes, **more):
    """Of an iteration that reads the costs this number of times: problem.hpp's exp_work."""
    cells, vectors = at["M"] * at["N"] * (at["B"] if at["cost"] == "own" else 1), at["B"] * (at["M"] + at["N"])
    return {"bytes_read": width(at) * (passes * cells + 2 * vectors), "bytes_written": width(at) * vectors,
            "write_allocate": 0, **more}


def exponentials(flops=4, passes=2):
    """The work model of an iteration in logarithms: at least an exponential a pair (i, j) of each half step, and a
    read of the costs for both. What a package moves besides is its own affair."""
    def work(at):
        pairs = 2 * at["B"] * at["M"] * at["N"]
        return _work(at, passes, flops=flops * pairs, operations={"exp": pairs})
    return work


def products(at):
    """The work model of an iteration that is two matrix products."""
    return _work(at, 2, flops=4 * at["B"] * at["M"] * at["N"])


def may_have_zeros(at):
    """Whether masses may be 0 at this point."""
    return at["masses"] not in ("uniform", "equal", "ones") or at["ragged"] == "yes"


class LogVariant(Variant):
    """`solver`: iterate() is a whole solve, of a package's own. `canonical(at)`: its iterates are those of the
    family's iteration, so that it can be judged after n of them. `solves`: it goes to solutions. `copies(at)`:
    elements that it holds besides the costs and the potentials. `refuse(at)`: why it cannot, in one line. `forbidden`: it
    takes pairs that cost infinity. `task`: which it is of; with barycenter its finish() returns {"barycenter": B x N}."""

    def __init__(self, name, summary, kernel, work, *, solver=False, canonical=lambda at: True, solves=None,
                 copies=lambda at: 0, refuse=lambda at: "", axes=(), costs=True, forbidden=False, task="transport",
                 **more):
        super().__init__(name, summary, axes=[*axes, *([FIXED] if solver else [])], **more)
        self._kernel, self.work, self._solver, self._canonical = kernel, work, solver, canonical
        self._solves = hasattr(kernel, "restart") if solves is None else solves
        self._copies, self._refuse, self._costs, self.task = copies, refuse, costs, task
        self._forbidden = forbidden

    def cannot(self, at):
        if at["task"] != self.task:
            makes = "plans, and no barycenters" if self.task == "transport" else "barycenters"
            return f"{self.name} makes {makes}: task must be {self.task}"
        if self._costs and at["matrix"] == "never":
            return f"{self.name} reads C, which matrix=never does not make"
        if at["stop"] != "iterations" and not self._solves:
            return f"{self.name} has no stopping test: stop must be iterations"
        if at["stop"] == "iterations" and not self._canonical(at):
            return f"{self.name}: its iterates are not the family's: stop must be marginal or change"
        if at.get("forbidden") == "yes" and not self._forbidden:
            return f"{self.name} takes finite costs: C.npy holds inf, a forbidden pair"
        return self._refuse(at)

    def per(self, at):
        return "solve" if self._solver or at["stop"] != "iterations" else "iteration"

    def iterations(self, at, kernel):
        if at["stop"] != "iterations":
            return kernel.iterations
        return at["iterations"] if self._solver else 1

    def memory(self, at):
        costs = at["M"] * at["N"] * (at["B"] if at["cost"] == "own" else 1) if self._costs else 0
        return width(at) * (costs + 4 * at["B"] * (at["M"] + at["N"]) + self._copies(at))

    def load(self, at, folder, iterations):
        problem = Problem(at, folder, iterations)
        kernel = self._kernel(problem)
        if not self._solver and problem.solving:
            kernel = Solving(kernel, problem)
        return Finishing(kernel, at["dtype"])


def variant(summary, **said):
    """Makes the class below it a variant, called as its file."""
    def register(kernel):
        file = sys.modules[kernel.__module__].__file__
        LogVariant(f"sinkhorn_log/{Path(file).stem}", summary, kernel, **said)
        return kernel
    return register
