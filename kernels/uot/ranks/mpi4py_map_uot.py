"""MAP-UOT over processes by mpi4py (Sun, Hu, Jiang 2024, section 5.4): a few rows at a time are scaled by column, summed,
scaled by row and added to the column sums while they are in cache; one Allreduce of the N sums."""
# workers: mpi4py
from uotbench.uot.problem import elements, next_factors, width
from uotbench.uot.shared.ranks.over_ranks import rank_variant

AT_ONCE = 1 << 18  # bytes of rows in work at a time: they stay in a core's own cache


@rank_variant("MAP-UOT by mpi4py: rows of NumPy in cache, one Allreduce of N sums (2 MN elements moved)",
              elements(read=1, written=1))
class Mpi4pyMapUot:
    def __init__(self, problem):
        self.problem, self.rows = problem, max(1, AT_ONCE // (problem.N * width(problem.at)))
        self.K, self.a, self.b = problem.inputs()
        self.plan = self.K.copy()
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)
        self.plan[...] = self.K
        self.factors = numpy.ones_like(self.b)

    def iterate(self):
        sums = self.xp.zeros_like(self.b)
        for first in range(0, len(self.plan), self.rows):
            part = slice(first, first + self.rows)
            rows = self.plan[part]
            rows *= self.factors
            self.u[part], factors = next_factors(self.xp, self.u[part], self.a[part], rows.sum(axis=1), self.problem)
            rows *= factors[:, None]
            sums += rows.sum(axis=0)
        self.problem.add_up(sums)
        self.v, self.factors = next_factors(self.xp, self.v, self.b, sums, self.problem)

    def finish(self):
        return self.problem.whole(self.plan * self.factors)
