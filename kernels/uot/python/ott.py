"""OTT-JAX (Cuturi et al. 2022): its linear Sinkhorn with tau_a = tau_b = fi, which is the family's problem. It
rescales columns first, so it is given the transposed problem; and u = v = 1 to begin with, also where masses are
zero (it would take 0 there). With stop=change it stops by its own test, the L1
norm of the dual's gradient below tol, every ten iterations."""
from uotbench.uot.problem import elements, no_solution, variant
from uotbench.uot.shared.xla_arrays import OnDevice
from uotbench.variant import axis
from uotbench.xla_device import DEVICE, has_device

AXES = [
    DEVICE,
    axis("domain", "text", "log", "what it iterates on: potentials, its default, or scalings", values=["log", "scalings"]),
    axis("accelerated", "text", "no", "momentum with a weight that it adapts, or Anderson's of depth 5",
         values=["no", "momentum", "anderson"]),
    axis("recenter", "text", "never", "translation-invariant steps; needs domain=log", values=["never", "always"]),
]


def accelerated(how):
    """OTT's own ways: Lehmann's momentum, which it adapts once, by its first two errors; Anderson's of depth 5."""
    from ott.solvers.linear import acceleration

    if how == "momentum":
        return {"momentum": acceleration.Momentum(start=20)}
    return {"anderson": acceleration.AndersonAcceleration(memory=5, refresh_every=1)} if how == "anderson" else {}


def refuse(at):
    if at["accelerated"] != "no" and (at["domain"] != "log" or at["stop"] != "change"):
        return f"accelerated={at['accelerated']} is for domain=log and stop=change"
    if at["scheme"] == "damped" and at["fi"] != 1:
        return "OTT's iteration is scheme=unbalanced"
    if at["recenter"] == "always" and at["domain"] != "log":
        return "OTT recenters potentials: recenter=always needs domain=log"
    if at["recenter"] == "always" and at["stop"] != "change":
        return "recenter=always: its iterates are not POT's; expected stop=change"
    return has_device(at)


@variant("OTT-JAX's sinkhorn, whole, from K or costs to plan", needs=["numpy", "jax", "ott"], axes=AXES,
         work=elements(2), solver=True, solves=True, matrices=4, refuse=refuse)
class Ott(OnDevice):
    def __init__(self, problem):
        from ott.geometry import geometry
        from ott.problems.linear import linear_problem
        from ott.solvers.linear import sinkhorn

        super().__init__(problem)
        if problem.at["accelerated"] != "no":  # OTT mixes Python's numbers in, which must not be f64 then
            self.jax.config.update("jax_enable_x64", problem.at["dtype"] == "f64")
        # Costs also where K is given: OTT raises a kernel matrix to a power in every product, which takes longer.
        costs, kl = problem.costs()
        weights = problem.reg * self.jax.numpy.log(self.a[:, None] * self.b) if kl else 0
        self.costs = (self.placed(costs) - weights).T
        # Its default; it makes whole multiples only, and where a solve is stopped takes the next.
        every = 10 if problem.most % 10 == 0 or problem.after else 1
        self.stops_every, most = every, -(-problem.most // every) * every
        solver = sinkhorn.Sinkhorn(inner_iterations=every, lse_mode=problem.at["domain"] == "log", threshold=problem.tol,
                                   min_iterations=most if problem.after or not problem.solving else 0,
                                   max_iterations=most, recenter_potentials=problem.at["recenter"] == "always",
                                   **accelerated(problem.at["accelerated"]))

        def solved(costs, a, b):
            shape = geometry.Geometry(costs, epsilon=problem.reg)
            first = tuple(map(self.jax.numpy.zeros_like if solver.lse_mode else self.jax.numpy.ones_like, (b, a)))
            out = solver(linear_problem.LinearProblem(shape, b, a, tau_a=problem.fi, tau_b=problem.fi), first)
            return out.matrix.T, out.n_iters, out.converged, out.errors
        self.solved = self.jax.jit(solved)

    def iterate(self):
        self.plan, count, converged, errors = self.solved(self.costs, self.a, self.b)
        if self.problem.solving and not self.problem.after and not converged:
            raise RuntimeError(no_solution(int(count), float(errors[errors != -1][-1]), "the dual's gradient is"))
        self.iterations = int(count)

    def synchronize(self):
        self.plan.block_until_ready()

    def finish(self):
        return {"plan": self.plan}
