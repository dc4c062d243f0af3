"""The family's half in Python: what a problem of `uot` is (problem.hpp has the formulas), and what makes a class a
variant of it.

    from uotbench.uot.problem import elements, variant

    @variant("what it is", needs=["numpy"], work=elements(2))
    class Mine:
        def __init__(self, problem)    copies what it iterates on
        def iterate(self)              one iteration, timed; or a whole solve, where `solver` is said
        def finish(self)               {"plan": M x N, and perhaps "u": M, "v": N}, untimed

One that says `batches=True` gets arrays of B problems, one below the other: K of B M x N, and so on.

The variant's name is its file's. Perhaps begin() and facts(); and restart(), with which it goes to solutions: the
loop is here then, and u and v must be new arrays in each iteration, never changed in place. Packages are imported
in functions, so that a file without its packages still says which are missing.
"""
import math
import sys
from pathlib import Path

from uotbench.finishing import Finishing
from uotbench.npy import Npy
from uotbench.variant import Variant, axis

FIXED = axis("iterations", "integer", 100, "of a solve where stop=iterations", least=1)


class Problem:
    """One point and its inputs, of which every call gives a new copy."""

    def __init__(self, at, folder, iterations):
        self.at, self._folder = at, folder
        self.B, self.M, self.N, self.fi, self.reg = items(at), at["M"], at["N"], at["fi"], at["reg"]
        self.damped, self.solving = at["scheme"] == "damped", at["stop"] == "change"
        self.after = at.get("stop_after")  # a solve is stopped there, to be judged: its test says nothing then
        self.tol = at["tol"] if self.solving and not self.after else 0.0
        self.most = self.after or (at["max_iterations"] if self.solving else iterations or at.get("iterations"))

    def numbers(self, name):
        """As an array.array, in the order of the file."""
        return Npy(self._folder / f"{name}.npy").numbers()

    def array(self, name):
        """As a NumPy array."""
        import numpy

        numpy.seterr(all="ignore")  # 0/0 is meant; the judge sees the rest
        file = Npy(self._folder / f"{name}.npy")
        return numpy.array(numpy.memmap(file.path, file.type, "r", file.offset, file.shape))

    @property
    def reg_m(self):
        """Of which fi = reg_m / (reg_m + reg); so large that fi is 1 where it is."""
        return 1e300 if self.fi == 1 else self.fi * self.reg / (1 - self.fi)

    def costs(self):
        """C and whether K is exp(-C/reg) times a b': the costs where they are given, those of K elsewhere."""
        if self.solving and (self._folder / "C.npy").exists():
            return self.array("C"), self.at["reg_type"] == "kl"
        import numpy

        K = self.array("K")
        return numpy.negative(numpy.multiply(numpy.log(K, out=K), self.reg, out=K), out=K), False


def next_scaling(xp, scaling, mass, sums, problem):
    """(mass / sum)^fi with 0/0 = 0, for arrays of NumPy's kind: problem.hpp's next_scaling."""
    step = (mass / sums) ** problem.fi
    return xp.where(mass == 0, xp.zeros_like(mass), scaling ** (1 - problem.fi) * step if problem.damped else step)


def next_factors(xp, old, mass, sums, problem):
    """The next scalings, and what a plan that holds the old ones, and has these sums, is to be multiplied by."""
    new = next_scaling(xp, old, mass, sums / old, problem)
    return new, xp.where(new == 0, xp.zeros_like(new), new / old)


def change(before, now):
    """POT's stopping test (ot.unbalanced.sinkhorn_knopp_unbalanced): solving.hpp's Change."""
    return 0.5 * sum(float(abs(new - old).max()) / max(float(abs(new).max()), float(abs(old).max()), 1.0)
                     for old, new in zip(before, now))


class Solving:
    """A loop's kernel with a whole solve as what is timed: Solving in solving.hpp."""

    def __init__(self, kernel, problem):
        self._kernel, self._problem, self.iterations = kernel, problem, 1

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def iterate(self):
        kernel, error = self._kernel, math.inf
        kernel.restart()
        for n in range(1, self._problem.most + 1):
            before = copied(kernel.u), copied(kernel.v)  # a kernel may change them in place
            kernel.iterate()
            error = change(before, (kernel.u, kernel.v))
            if not math.isfinite(error):
                raise RuntimeError(f"after {n} iterations a scaling is inf or no number: {self._problem.at['dtype']} "
                                   "does not hold this problem's; try a larger reg")
            if error < self._problem.tol or n == self._problem.after:
                self.iterations = n
                return
        raise RuntimeError(no_solution(self._problem.most, error))


def copied(values):
    return values.copy() if hasattr(values, "copy") else values.clone()


def no_solution(iterations, error, what="the last one changed u and v by"):
    if not math.isfinite(error):
        return f"no solution: no number any more after {iterations} iterations; try a larger reg or dtype=f64"
    return (f"no solution after {iterations} iterations: {what} {error:.3g}, not below tol; "
            "try a larger tol or max_iterations")


def items(at):
    """Problems of a point's batch."""
    return at.get("B", 1)


def width(at):
    """Bytes of an element."""
    return 8 if at["dtype"] == "f64" else 4


def elements(read, written=0, flops=4):
    """The work model of an iteration that reads and writes this number of elements for each cell of the matrix."""
    def work(at):
        cells = items(at) * at["M"] * at["N"]
        return {"flops": flops * cells, "bytes_read": read * width(at) * cells,
                "bytes_written": written * width(at) * cells, "write_allocate": 0}
    return work


class UotVariant(Variant):
    """`solver`: iterate() is a whole solve, of a package's own. `canonical`: its iterates are those of the family's
    iteration, so that it can be judged after n of them. `solves`: it has a stopping test. `matrices`: how many of
    the size of K it holds. `refuse(at)`: why it cannot, in one line. `problem`: what the kernel takes. `applies`: applications may have
    it scale their matrix (shared/applications/application.py)."""

    def __init__(self, name, summary, kernel, work, *, solver=False, canonical=True, solves=None, matrices=1,
                 refuse=lambda at: "", problem=Problem, applies=False, batches=False, axes=(),
                 **more):
        super().__init__(name, summary, axes=[*axes, *([FIXED] if solver and canonical else [])], **more)
        self._kernel, self.work, self._solver, self._canonical = kernel, work, solver, canonical
        self._solves = hasattr(kernel, "restart") if solves is None else solves
        self._matrices, self._refuse, self._problem, self._applies = matrices, refuse, problem, applies
        self._batches = batches

    def cannot(self, at):
        if items(at) > 1 and not self._batches:
            return f"{self.name} takes one problem a call: B must be 1"
        if at["application"] > 0 and not self._applies:
            return f"{self.name} makes iterations alone: application must be 0"
        if at.get("warm", "no") != "no":
            return f"{self.name} starts from u = v = 1: warm must be no"
        if at["matrix"] == "never":
            return f"{self.name} reads K, which matrix=never does not make"
        if at["stop"] == "change" and not self._solves:
            return f"{self.name} has no stopping test; expected stop=iterations"
        if at["stop"] != "change" and not self._canonical:
            return f"{self.name}: its iterates are not POT's; expected stop=change"
        return self._refuse(at)

    def per(self, at):
        return "solve" if self._solver or at["stop"] == "change" or at["application"] > 0 else "iteration"

    def parts(self, at):
        if at["application"] == 0:
            return super().parts(at)
        from uotbench.uot.shared.applications.application import parts_of

        return parts_of(at)

    def iterations(self, at, kernel):
        if at["application"] > 0:
            return at["application"]
        if at["stop"] == "change":
            return kernel.iterations
        return at["iterations"] if self._solver else 1

    def memory(self, at):
        matrices = self._matrices + (3 if at["application"] > 0 else 0)  # costs, K, and the plan times something
        return width(at) * items(at) * (matrices * at["M"] * at["N"] + 4 * (at["M"] + at["N"]))

    def load(self, at, folder, iterations):
        if at["application"] > 0:
            from uotbench.uot.shared.applications.application import Application

            return Finishing(Application(at, folder, self._kernel, self._solver), at["dtype"])
        problem = self._problem(at, folder, iterations)
        kernel = self._kernel(problem)
        if not self._solver and self.per(at) == "solve":
            kernel = Solving(kernel, problem)
        return Finishing(kernel, at["dtype"])


def variant(summary, **said):
    """Makes the class below it a variant, called as its file."""
    def register(kernel):
        file = sys.modules[kernel.__module__].__file__
        UotVariant(f"uot/{Path(file).stem}", summary, kernel, **said)
        return kernel
    return register
