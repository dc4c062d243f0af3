"""The iteration on scalings, u and v as columns of matrices, with a loop of one's own: two matrix products of NumPy's
BLAS, which is what ot.sinkhorn does for many histograms without its tests. K = exp(-C/reg) must not underflow."""
from uotbench.sinkhorn_log.problem import products, variant


def refuse(at):
    return "numpy_gemm has one K for the batch: cost must not be own" if at["cost"] == "own" else ""


@variant("K' U and K V by NumPy's BLAS, the batch as columns", needs=["numpy"], work=products, refuse=refuse)
class NumpyGemm:
    def __init__(self, problem):
        import numpy

        self.xp, self.symmetric = numpy, problem.symmetric
        costs = problem.array("C")
        self.K = numpy.exp(numpy.divide(costs, -problem.reg, out=costs), out=costs)
        self.masses = [problem.array(name) for name in ("mu", "nu")]
        self.columns = [numpy.ascontiguousarray(mass.T) for mass in self.masses]
        self.first = [numpy.ascontiguousarray(numpy.exp(log).T) for log in problem.start()]
        self.restart()

    def restart(self):
        self.u, self.v = self.first

    def iterate(self):
        mu, nu = self.columns
        v = self.step(self.v, nu, self.K.T @ self.u)
        self.u = self.step(self.u, mu, self.K @ (self.v if self.symmetric else v))
        self.v = v

    def step(self, before, mass, sums):
        return self.xp.sqrt(before * mass / sums) if self.symmetric else mass / sums

    @property
    def log_u(self):
        return self.xp.log(self.u).T

    @property
    def log_v(self):
        return self.xp.log(self.v).T

    def compiled(self, function):
        return function

    def finish(self):
        return {"log_u": self.log_u, "log_v": self.log_v}
