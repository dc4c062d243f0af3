"""POT's two matrix-vector products as a loop of one's own: NumPy's BLAS, and nothing of POT's around it."""
from uotbench.uot.problem import elements, next_scaling, variant


@variant("K v and K' u by NumPy's BLAS (2 MN elements moved)", needs=["numpy"], work=elements(2),
         applies=True)
class NumpyGemv:
    def __init__(self, problem):
        self.problem = problem
        self.K, self.a, self.b = (problem.array(name) for name in "Kab")
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)

    def iterate(self):
        self.u = next_scaling(self.xp, self.u, self.a, self.K @ self.v, self.problem)
        self.v = next_scaling(self.xp, self.v, self.b, self.K.T @ self.u, self.problem)

    def finish(self):
        return {"plan": self.u[:, None] * self.K * self.v, "u": self.u, "v": self.v}
