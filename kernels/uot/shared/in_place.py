"""Four passes over the plan, in place: sum rows, scale them, sum columns, scale them (MAP-UOT, Fig. 1), in NumPy or what
takes its place."""
from uotbench.uot.problem import next_factors


class InPlace:
    """Of arrays K, a and b that are there already, and xp, their package."""

    def restart(self):
        self.u, self.v = self.xp.ones_like(self.a), self.xp.ones_like(self.b)
        self.plan[...] = self.K

    def iterate(self):
        self.u, factors = next_factors(self.xp, self.u, self.a, self.plan.sum(axis=1), self.problem)
        self.plan *= factors[:, None]
        self.v, factors = next_factors(self.xp, self.v, self.b, self.plan.sum(axis=0), self.problem)
        self.plan *= factors
