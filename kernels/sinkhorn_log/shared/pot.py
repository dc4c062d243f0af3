"""What the variants share that call functions of POT's as its users do."""
import re
import warnings

from uotbench.sinkhorn_log.problem import no_solution


def begins_everywhere(at, name):
    """The same limit, but other iterates."""
    from uotbench.sinkhorn_log.problem import may_have_zeros

    if at["stop"] == "iterations" and may_have_zeros(at):
        return f"{name} begins with u = 1 also where masses are 0; expected masses without zeros, or stop=marginal"
    return f"{name} begins with u = 1: warm must be no" if at["warm"] != "no" else ""


def alternates(at):
    if at["scheme"] != "alternating":
        return "POT rescales one side after the other: scheme must be alternating"
    return "POT stops by the marginals: stop must be iterations or marginal" if at["stop"] == "change" else ""


class PotSolve:
    """`threshold`: POT stops by the L2 norm of the marginal's error, and this much of it implies an L1 norm of tol."""

    def __init__(self, problem, length):
        self.problem = problem
        self.threshold = problem.tol / length**0.5
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", message=".*[Nn]umerical errors")  # it returns what it had before

    def called(self, function, *arguments, **more):
        try:
            return function(*arguments, **more)
        except Warning as warning:
            where = re.search(r"numerical errors at iteration \d+", str(warning), re.IGNORECASE)
            raise RuntimeError(f"POT: {where[0].lower() if where else warning}") from None

    def counted(self, log):
        """Iterations of the last call, which must have reached the threshold where one is sought."""
        error, count = float(log["err"][-1]), int(log["niter"]) + 1
        if self.problem.solving and not error < self.threshold:
            raise RuntimeError(no_solution(self.problem, count, error))
        return count
