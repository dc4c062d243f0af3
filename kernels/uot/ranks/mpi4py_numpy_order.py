"""Four passes over the plan, in place, over processes by mpi4py: what the MAP-UOT paper (Sun, Hu, Jiang 2024, section 5.4)
measures as POT on a cluster."""
# workers: mpi4py
from uotbench.uot.problem import elements, next_factors
from uotbench.uot.shared.ranks.over_ranks import rank_variant


@rank_variant("NumPy in place by mpi4py: the MAP-UOT paper's POT, one Allreduce of N sums (6 MN elements moved)",
              elements(read=4, written=2))
class Mpi4pyNumpyOrder:
    def __init__(self, problem):
        self.problem = problem
        self.K, self.a, self.b = problem.inputs()
        self.plan = self.K.copy()
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)
        self.plan[...] = self.K

    def iterate(self):
        self.u, factors = next_factors(self.xp, self.u, self.a, self.plan.sum(axis=1), self.problem)
        self.plan *= factors[:, None]
        sums = self.plan.sum(axis=0)
        self.problem.add_up(sums)
        self.v, factors = next_factors(self.xp, self.v, self.b, sums, self.problem)
        self.plan *= factors

    def finish(self):
        return self.problem.whole(self.plan)
