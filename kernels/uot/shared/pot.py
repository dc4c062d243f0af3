"""What the variants share that call a function of POT's as its users do."""
import inspect
import re
import warnings

from uotbench import packages
from uotbench.uot.problem import no_solution


def rejects_damped(at):
    """POT's iteration is the family's `unbalanced`; the two are one where fi is 1."""
    return "POT's iteration is scheme=unbalanced" if at["scheme"] == "damped" and at["fi"] != 1 else ""


def begins_elsewhere(at):
    """POT 0.8 (Debian's) begins with u = v = 1/n and not 1: only its limit is the same."""
    if at["stop"] != "change" and packages.release("ot") < (0, 9, 1):
        return (f"POT here is {packages.version('ot')}, which begins with u = v = 1/n; expected stop=change, or POT 0.9.1 or "
                "newer (tools/quickstart --with-peers)")
    return rejects_damped(at)


class PotSolve:
    """`arguments`: the function's own. Those that this version of POT does not know are left out."""

    def __init__(self, problem, function, arguments):
        known = inspect.signature(function).parameters
        self.problem, self.function = problem, function
        self.arguments = {name: value for name, value in arguments.items() if name in known}
        self.arguments.update(numItermax=problem.most, stopThr=problem.tol)
        warnings.simplefilter("ignore")  # "If reg_type = entropy, …", in every call
        warnings.filterwarnings("error", message=".*[Nn]umerical errors")  # it returns what it had before

    def begin(self):
        """How many iterations a solution takes, which is asked apart: with log=True POT computes costs, too."""
        if self.problem.solving:
            errors = self.called(log=True)[1]["err"]
            self.iterations = len(errors)
            if not self.problem.after and (not errors or not errors[-1] < self.problem.tol):
                raise RuntimeError(no_solution(len(errors), errors[-1] if errors else 1.0))

    def iterate(self):
        self.plan = self.called()

    def finish(self):
        return {"plan": self.plan}

    def called(self, **more):
        try:
            return self.function(**self.arguments, **more)
        except Warning as warning:
            where = re.search(r"numerical errors at iteration \d+", str(warning), re.IGNORECASE)
            raise RuntimeError(f"POT: {where[0].lower() if where else warning}") from None


def unbalanced(problem):
    """The arguments of POT's unbalanced solvers. reg_type is said explicitly: its default was `entropy` before
    POT 0.9.5 and is `kl` since. POT 0.8 has none, K being exp(-M/reg): there kl is a matter of the costs."""
    import numpy
    from ot import unbalanced as module

    a, b, (costs, kl) = problem.array("a"), problem.array("b"), problem.costs()
    if kl and "reg_type" not in inspect.signature(module.sinkhorn_knopp_unbalanced).parameters:
        costs -= (problem.reg * numpy.log(a[:, None] * b)).astype(costs.dtype)
    return {"a": a, "b": b, "M": costs, "reg": problem.reg, "reg_m": problem.reg_m,
            "reg_type": "kl" if kl else "entropy"}
