"""POT's two matrix-vector products by NumPy."""
from uotbench.uot.problem import elements, next_scaling, variant


@variant("K v and K' u by NumPy", needs=["numpy"], work=elements(2))
class Mine:
    def __init__(self, problem):
        import numpy

        self.xp, self.problem = numpy, problem
        self.K = problem.array("K")
        self.a, self.b = problem.array("a"), problem.array("b")
        self.restart()

    def restart(self):
        self.u, self.v = self.xp.ones_like(self.a), self.xp.ones_like(self.b)

    def iterate(self):
        self.u = next_scaling(self.xp, self.u, self.a, self.K @ self.v, self.problem)
        self.v = next_scaling(self.xp, self.v, self.b, self.K.T @ self.u, self.problem)

    def finish(self):
        return {"plan": self.u[:, None] * self.K * self.v, "u": self.u, "v": self.v}
