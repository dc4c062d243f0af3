"""POT over processes by mpi4py: each multiplies its rows twice by NumPy's BLAS, and K' u is added up by one Allreduce."""
# workers: mpi4py
from uotbench.uot.problem import elements, next_scaling
from uotbench.uot.shared.ranks.over_ranks import rank_variant


@rank_variant("POT by mpi4py: two products by NumPy's BLAS, one Allreduce of N sums (2 MN elements moved)", elements(2))
class Mpi4pyGemv:
    def __init__(self, problem):
        self.problem = problem
        self.K, self.a, self.b = problem.inputs()
        self.restart()

    def restart(self):
        import numpy

        self.xp, self.u, self.v = numpy, numpy.ones_like(self.a), numpy.ones_like(self.b)

    def iterate(self):
        self.u = next_scaling(self.xp, self.u, self.a, self.K @ self.v, self.problem)
        sums = self.u @ self.K
        self.problem.add_up(sums)
        self.v = next_scaling(self.xp, self.v, self.b, sums, self.problem)

    def finish(self):
        return self.problem.whole(self.u[:, None] * self.K * self.v, self.u, self.v)
