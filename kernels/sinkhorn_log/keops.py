"""KeOps (Charlier et al. 2021): the logsumexp of a formula in the points' coordinates, compiled for it; C is never
stored. On the CPU it is a loop in C++ with OpenMP."""
from uotbench.sinkhorn_log.problem import exponentials, variant
from uotbench.sinkhorn_log.shared.loop import Loop

NO_MASS = -1e30  # for -inf, of which KeOps' running maximum makes no number


def refuse(at):
    if at["cost"] in ("points", "grid1d", "grid2d"):
        return ""
    return f"KeOps computes costs from points: cost must be points, grid1d or grid2d, not {at['cost']}"


@variant("KeOps' logsumexp over points, C not stored", needs=["numpy", "pykeops"], work=exponentials(passes=0),
         costs=False, refuse=refuse)
class Keops(Loop):
    def __init__(self, problem):
        import numpy
        from pykeops.numpy import LazyTensor

        self.tensor = LazyTensor
        super().__init__(problem, numpy, lambda array: array, lambda terms, axis: terms.logsumexp(axis % 3)[..., 0])

    def negated_costs(self, placed):
        X, Y = (self.problem.array(name) for name in "XY")
        scale = self.problem.at["cost_scale"] / self.problem.reg
        return Costs(self.tensor(X[None, :, None, :]).sqdist(self.tensor(Y[None, None, :, :])) * -scale, self.tensor)


class Costs:
    """-C/reg, to which potentials are added."""

    def __init__(self, formula, tensor):
        self.formula, self.tensor = formula, tensor

    def __add__(self, potentials):
        import numpy

        kept = numpy.maximum(potentials, potentials.dtype.type(NO_MASS))
        return self.formula + self.tensor(numpy.ascontiguousarray(kept)[..., None])
