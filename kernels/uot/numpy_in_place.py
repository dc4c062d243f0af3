"""Four passes over the plan, in place: sum rows, scale them, sum columns, scale them. What the MAP-UOT paper
(Sun, Hu, Jiang 2024, section 5.1) measures as POT; POT itself multiplies matrix and vector."""
from uotbench.uot.problem import elements, next_factors, variant


@variant("NumPy in place: the MAP-UOT paper's POT (6 MN elements moved)", needs=["numpy"],
         work=elements(read=4, written=2), matrices=2)
class NumpyInPlace:
    def __init__(self, problem):
        self.problem = problem
        self.K, self.a, self.b = (problem.array(name) for name in "Kab")
        self.plan = self.K.copy()
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)
        self.plan[...] = self.K

    def iterate(self):
        self.u, factors = next_factors(self.xp, self.u, self.a, self.plan.sum(axis=1), self.problem)
        self.plan *= factors[:, None]
        self.v, factors = next_factors(self.xp, self.v, self.b, self.plan.sum(axis=0), self.problem)
        self.plan *= factors

    def finish(self):
        return {"plan": self.plan}
