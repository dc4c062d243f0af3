"""A batch in NumPy: products of all items' matrices with their vectors by matmul, which calls BLAS item by item."""
from uotbench.uot.problem import elements, next_scaling, variant


@variant("K v and K' u of all items by NumPy's matmul (2 BMN elements moved)", needs=["numpy"], work=elements(2),
         batches=True)
class NumpyBatch:
    def __init__(self, problem):
        self.problem = problem
        self.K, self.a, self.b = (x.reshape(problem.B, -1, *x.shape[1:]) for x in map(problem.array, "Kab"))
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)

    def iterate(self):
        products = (self.K @ self.v[:, :, None])[:, :, 0]
        self.u = next_scaling(self.xp, self.u, self.a, products, self.problem)
        products = (self.u[:, None, :] @ self.K)[:, 0, :]
        self.v = next_scaling(self.xp, self.v, self.b, products, self.problem)

    def finish(self):
        plan = self.u[:, :, None] * self.K * self.v[:, None, :]
        return {"plan": plan.reshape(-1, plan.shape[2]), "u": self.u.reshape(-1), "v": self.v.reshape(-1)}
