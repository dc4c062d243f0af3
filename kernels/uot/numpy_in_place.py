"""Four passes over the plan, in place: sum rows, scale them, sum columns, scale them. What the MAP-UOT paper
(Sun, Hu, Jiang 2024, section 5.1) measures as POT; POT itself multiplies matrix and vector."""
from uotbench.uot.problem import elements, next_scaling, variant


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
        self.u, factors = self.step(self.u, self.a, self.plan.sum(axis=1))
        self.plan *= factors[:, None]
        self.v, factors = self.step(self.v, self.b, self.plan.sum(axis=0))
        self.plan *= factors

    def step(self, old, mass, sums):
        """The next scalings, and what the plan, which holds the old ones, is to be multiplied by."""
        new = next_scaling(self.xp, old, mass, sums / old, self.problem)
        return new, self.xp.where(new == 0, self.xp.zeros_like(new), new / old)

    def finish(self):
        return {"plan": self.plan}
