"""The family's iteration on arrays of NumPy's kind, as one writes it with a logsumexp at hand: what NumPy, JAX,
PyTorch and KeOps share."""
from uotbench.sinkhorn_log.problem import iteration


class Loop:
    """`xp`: the package's functions. `placed`: a NumPy array there. `lse(terms, axis)`: its logsumexp."""

    def __init__(self, problem, xp, placed, lse):
        self.problem, self.xp, self.lse = problem, xp, lse
        self.in_turn = problem.at.get("items") == "in_turn"
        self.costs = self.negated_costs(placed)
        self.masses = [placed(problem.array(name)) for name in ("mu", "nu")]
        self.logs = [placed(problem.array(name)) for name in ("log_mu", "log_nu")]
        self.first = [placed(log) for log in problem.start()]
        self.restart()

    def negated_costs(self, placed):
        """-C/reg: M x N, or B x M x N."""
        costs = self.problem.array("C")
        costs /= -self.problem.reg
        return placed(costs)

    def restart(self):
        self.log_u, self.log_v = self.first

    def step(self, *arrays):
        return iteration(self.xp, self.lse, self.problem.symmetric, *arrays)

    def iterate(self):
        if not self.in_turn:
            self.log_u, self.log_v = self.step(self.costs, *self.logs, self.log_u, self.log_v)
            return
        shared = None if self.problem.own_costs else self.costs
        items = [self.step(self.costs[b] if shared is None else shared, *(log[b] for log in self.logs), self.log_u[b],
                           self.log_v[b]) for b in range(self.problem.B)]
        self.log_u, self.log_v = map(self.xp.stack, zip(*items))

    def compiled(self, function):
        """As this package runs it best."""
        return function

    def finish(self):
        return {"log_u": self.log_u, "log_v": self.log_v}


def terms(at):
    """Elements of the tensor -C/reg + log u, of all items or of one, and of what a logsumexp makes of it."""
    return 2 * at["M"] * at["N"] * (1 if at["items"] == "in_turn" else at["B"])
