"""This project's own functions as their users call them (docs/guide/call.md). Next to the native variant that they choose,
these cases show what a call costs."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.pot import rejects_damped
from uotbench.variant import axis


def refuse(at):
    if at["given"] == "points" and at.get("d", 0) not in (2, 3):
        return f"given=points needs points of 2 or 3 coordinates, got {at.get('d', 0)}; expected data=points"
    return rejects_damped(at)


@variant("uotbench.sinkhorn_unbalanced; or call(); or Solver.solve() alone", needs=["numpy", "libuotbench"], work=elements(1),
         solver=True, solves=True, canonical=False, matrices=4, refuse=refuse,
         axes=[axis("given", "text", "costs", "what is given to the function", values=["costs", "points"]),
               axis("timed", "text", "function", "function: sinkhorn_unbalanced(), which returns the plan; call: call() of the "
                    "kernel that it chooses, without a plan; solver: solve() of a Solver that exists",
                    values=["function", "call", "solver"])])
class Called:
    """It stops by its own test alone, as its users' calls do, so no state on the way can be asked of it."""

    def __init__(self, problem):
        import warnings

        import uotbench

        warnings.filterwarnings("error", message=".*no solution after")
        self.problem, self.solver, self.result = problem, None, {}
        if problem.at["given"] == "points":
            costs, kl = None, problem.at["reg_type"] == "kl"
            given = {"X": problem.array("X"), "Y": problem.array("Y")}
        else:
            costs, kl = problem.costs()
            given = {}
        given.update(a=problem.array("a"), b=problem.array("b"), reg=problem.reg, reg_m=problem.reg_m,
                     reg_type="kl" if kl else "entropy", threads=problem.at["threads"])
        tol, most = problem.at["tol"], problem.at["max_iterations"]
        self.function = {**given, "M": costs, "stopThr": tol, "numItermax": most, "log": True}
        if problem.at["timed"] == "function":
            return
        self.solve()
        self.call = {**given, "variant": self.result["variant"], "C": costs, "tol": tol, "max_iterations": most}
        if problem.at["timed"] == "solver":
            self.solver = uotbench.Solver(**self.call)
            self.iterate = self.solver.solve  # nothing of this file is timed

    def iterate(self):
        import uotbench

        if self.problem.at["timed"] == "call":
            self.result = uotbench.call(**self.call)
        else:
            self.solve()

    def solve(self):
        import uotbench

        try:
            plan, self.result = uotbench.sinkhorn_unbalanced(**self.function)
        except UserWarning as warning:
            raise RuntimeError(str(warning)) from None
        self.result["plan"] = plan

    @property
    def iterations(self):
        if self.solver:
            return self.solver.iterations
        return self.result["iterations" if self.problem.at["timed"] == "call" else "niter"]

    def finish(self):
        found = self.solver.outputs(plan=True) if self.solver else self.result
        if "plan" not in found:
            found["plan"] = found["u"][:, None] * self.problem.array("K") * found["v"]
        return {name: found[name] for name in ("plan", "u", "v")}

    def facts(self):
        found = {**self.solver.facts(), "seconds": self.solver.seconds} if self.solver else self.result
        return {"called": found["variant"], "worker_called": found["worker"],
                **{f"{part}_seconds": value for part, value in found["seconds"].items() if value}}  # 0: not done yet
