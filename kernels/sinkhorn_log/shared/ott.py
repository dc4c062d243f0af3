"""What the variants share that call OTT-JAX (Cuturi et al. 2022): its linear Sinkhorn, a batch by vmap or an item
after the other, from the family's start. It stops by the marginals' L1 norm, tested every ten iterations."""
from uotbench.sinkhorn_log.problem import ITEMS, no_solution
from uotbench.sinkhorn_log.shared.xla import Device
from uotbench.variant import axis
from uotbench.xla_device import DEVICE, has_device

MOMENTUM = axis("momentum", "number", 1, "length of a step; above 1: over-relaxation (Thibault et al. 2021)", least=0.1,
                most=1.99)
AXES = [DEVICE, ITEMS, MOMENTUM]


def canonical(at):
    return at["momentum"] == 1


def refuse(at):
    if at["stop"] == "change":
        return "OTT stops by the marginals: stop must be iterations or marginal"
    if at["scheme"] == "symmetric" and at["momentum"] != 1:
        return "scheme=symmetric is OTT's momentum of 1/2: momentum must be 1"
    return has_device(at)


class OttSolve:
    """`geometry(costs, item)`: OTT's; `in_log`: its lse_mode; `more`: of Sinkhorn's arguments."""

    def __init__(self, problem, in_log, **more):
        from ott.problems.linear import linear_problem
        from ott.solvers.linear import acceleration, sinkhorn

        self.problem = problem
        device = Device(problem.at)
        self.jax, self.facts = device.jax, device.facts
        every = 10 if problem.most % 10 == 0 else 1  # its default; it makes whole multiples only
        momentum = acceleration.Momentum(value=0.5 if problem.symmetric else problem.at["momentum"])
        solver = sinkhorn.Sinkhorn(lse_mode=in_log, inner_iterations=every, threshold=problem.tol, momentum=momentum,
                                   min_iterations=0 if problem.solving else problem.most, max_iterations=problem.most,
                                   parallel_dual_updates=problem.symmetric, **more)
        self.inputs = self.placed_inputs(device.placed, in_log)

        def solved(costs, mu, nu, u, v):
            out = solver(linear_problem.LinearProblem(self.geometry(costs), mu, nu), (u, v))
            return out.f / problem.reg, out.g / problem.reg, out.n_iters, out.converged, out.errors
        self.solved = self.jax.jit(self.batched(solved))

    def placed_inputs(self, placed, in_log):
        """C, mu, nu and the start: potentials, or scalings."""
        logs = [placed(log) for log in self.problem.start()]
        first = [self.problem.reg * log if in_log else self.jax.numpy.exp(log) for log in logs]
        return [placed(self.problem.array(name)) for name in ("C", "mu", "nu")] + first

    def batched(self, solved):
        own = self.problem.own_costs
        if self.problem.at["items"] == "together":
            return self.jax.vmap(solved, in_axes=(0 if own else None, 0, 0, 0, 0))
        if own:
            return lambda *arrays: self.jax.lax.map(lambda item: solved(*item), arrays)
        return lambda costs, *vectors: self.jax.lax.map(lambda item: solved(costs, *item), vectors)

    def geometry(self, costs):
        from ott.geometry import geometry

        return geometry.Geometry(costs, epsilon=self.problem.reg)

    def iterate(self):
        self.log_u, self.log_v, counts, converged, errors = self.solved(*self.inputs)
        self.iterations = int(counts.max())
        if self.problem.solving and not bool(converged.all()):
            last = float(errors[~converged][0][errors[~converged][0] != -1][-1])
            raise RuntimeError(no_solution(self.problem, self.iterations, last))

    def synchronize(self):
        self.jax.block_until_ready((self.log_u, self.log_v))

    def finish(self):
        return {"log_u": self.log_u, "log_v": self.log_v}
