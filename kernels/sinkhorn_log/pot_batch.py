"""POT's ot.batch: one tensor of costs B x M x N, equal sizes, all items until the last one is done. It rescales rows
first, so it is given the transposed problem. Its scalings are f64 whatever the costs are."""
from uotbench.sinkhorn_log.problem import exponentials, no_solution, products, variant
from uotbench.sinkhorn_log.shared.pot import PotSolve, alternates, begins_everywhere
from uotbench.variant import axis

DOMAIN = axis("domain", "text", "log", "what it iterates on: potentials, or scalings", values=["log", "scalings"])


def work(at):
    return exponentials()(at) if at["domain"] == "log" else products(at)


@variant("ot.batch: bregman_log_projection_batch, or of scalings", needs=["numpy", "ot>=0.9.6"], axes=[DOMAIN],
         work=work, solver=True, solves=True, copies=lambda at: 4 * at["B"] * at["M"] * at["N"],
         refuse=lambda at: alternates(at) or begins_everywhere(at, "ot.batch"))
class PotBatch(PotSolve):
    def __init__(self, problem):
        import numpy

        super().__init__(problem, problem.N)
        costs = problem.array("C")
        costs /= -problem.reg
        self.in_log = problem.at["domain"] == "log"
        if not self.in_log:
            numpy.exp(costs, out=costs)
        shape = (problem.B, problem.N, problem.M)
        self.kernels = numpy.ascontiguousarray(numpy.broadcast_to(numpy.swapaxes(costs, -1, -2), shape))
        self.mu, self.nu = problem.array("mu"), problem.array("nu")

    def iterate(self):
        import ot.batch

        function = ot.batch.bregman_log_projection_batch if self.in_log else ot.batch.bregman_projection_batch
        found = self.called(function, self.kernels, self.nu, self.mu, max_iter=self.problem.most, tol=self.threshold)
        self.log_v, self.log_u = found["potentials"]
        self.iterations = found["n_iters"] + 1
        if self.problem.solving and self.iterations >= self.problem.most:
            raise RuntimeError(no_solution(self.problem, self.iterations, float("nan")))

    def finish(self):
        import numpy

        found = {"log_u": self.log_u, "log_v": self.log_v}
        return found if self.in_log else {name: numpy.log(values) for name, values in found.items()}
