"""POT (Flamary et al. 2021) in logarithms: ot.sinkhorn with method="sinkhorn_log", an item after the other, since its
form of many histograms does the same. Every ten iterations it makes the plan for its test, and once more at the end."""
from uotbench.sinkhorn_log.problem import exponentials, variant
from uotbench.sinkhorn_log.shared.pot import PotSolve, alternates


@variant("ot.sinkhorn, method sinkhorn_log, an item after the other", needs=["numpy", "ot>=0.9.5"],
         work=exponentials(), solver=True, solves=True, copies=lambda at: 4 * at["M"] * at["N"], refuse=alternates)
class PotLog(PotSolve):
    def __init__(self, problem):
        super().__init__(problem, problem.N)
        costs, masses, first = problem.array("C"), [problem.array(name) for name in ("mu", "nu")], problem.start()
        ragged = problem.at["ragged"] == "yes"
        self.items = []
        for b, (rows, columns) in enumerate(problem.sizes() if ragged else problem.B * [(problem.M, problem.N)]):
            cost = (costs[b] if problem.own_costs else costs)[:rows, :columns]
            self.items.append({"a": masses[0][b, :rows], "b": masses[1][b, :columns], "M": cost,
                               "warmstart": (first[0][b, :rows], first[1][b, :columns])})

    def iterate(self):
        import ot

        logs = [self.called(ot.sinkhorn, **item, reg=self.problem.reg, method="sinkhorn_log", stopThr=self.threshold,
                            numItermax=self.problem.most, log=True, warn=False)[1] for item in self.items]
        self.found = [(log["log_u"], log["log_v"]) for log in logs]
        self.iterations = max(self.counted(log) for log in logs)

    def finish(self):
        import numpy

        full = [numpy.full((self.problem.B, length), -numpy.inf) for length in (self.problem.M, self.problem.N)]
        for b, potentials in enumerate(self.found):
            for to, values in zip(full, potentials):
                to[b, : len(values)] = values
        return dict(zip(("log_u", "log_v"), full))
