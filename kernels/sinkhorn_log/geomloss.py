"""GeomLoss (Feydy et al. 2019): ot.solve_batch, symmetric and with its epsilon scaling, on a tensor of costs
B x M x N. It has no stopping test (its `tol` is not read): it is given the number of iterations, found before the
timing, after which the marginals' L1 error is below tol. These are spread from the largest cost down to reg, which only
the last one has, so the error falls as one over their number: a tol of 1e-3 takes thousands. Its potentials are
relative to the masses, f = reg (log u - log mu)."""
import math

from uotbench.sinkhorn_log.problem import exponentials, no_solution, variant


def refuse(at):
    if at["stop"] == "change":
        return "GeomLoss is given a number of iterations, by the marginals: stop must be marginal"
    return "GeomLoss has a start of its own: warm must be no" if at["warm"] != "no" else ""


@variant("GeomLoss' ot.solve_batch, symmetric, with epsilon scaling", needs=["numpy", "torch", "geomloss>=0.3.1"],
         work=exponentials(), solver=True, canonical=lambda at: False, solves=True,
         copies=lambda at: 5 * at["B"] * at["M"] * at["N"], refuse=refuse)
class Geomloss:
    def __init__(self, problem):
        import torch

        torch.set_grad_enabled(False)
        self.problem = problem
        costs = torch.from_numpy(problem.array("C"))
        self.costs = costs.expand(problem.B, problem.M, problem.N).contiguous()
        self.masses = [torch.from_numpy(problem.array(name)) for name in ("mu", "nu")]
        self.logs = [torch.from_numpy(problem.array(name)) for name in ("log_mu", "log_nu")]

    def begin(self):
        """The number of iterations: from a try and the fall of the error, until they are enough."""
        self.iterations, wanted = 0, 10
        while wanted <= self.problem.most:
            self.iterations = wanted
            self.iterate()
            error = self.error()
            if error < self.problem.tol:
                return
            if error != error:
                break
            wanted = math.ceil(wanted * max(1.05, 1.02 * error / self.problem.tol))
        raise RuntimeError(no_solution(self.problem, self.iterations, error))

    def iterate(self):
        from geomloss import ot

        a, b = self.masses
        self.found = ot.solve_batch(self.costs, reg=self.problem.reg, a=a, b=b, max_iter=self.iterations)

    def potentials(self):
        found = self.found.potential_a, self.found.potential_b
        return [values / self.problem.reg + log for values, log in zip(found, self.logs)]

    def error(self):
        """The largest sum of both marginals' L1 errors."""
        u, v = self.potentials()
        plan = (u[:, :, None] + v[:, None, :] - self.costs / self.problem.reg).exp()
        rows, columns = abs(plan.sum(2) - self.masses[0]).sum(1), abs(plan.sum(1) - self.masses[1]).sum(1)
        return float((rows + columns).max())

    def finish(self):
        return {name: values.numpy() for name, values in zip(("log_u", "log_v"), self.potentials())}
