"""This project's own functions as their users call them (docs/guide/call.md). Next to the native variant that is called,
this shows the overhead of a call."""
from uotbench.uot.parts.pot import rejects_damped
from uotbench.uot.problem import elements, variant
from uotbench.variant import axis


def refuse(at):
    from uotbench.libraries import library_file

    if not library_file():
        return "libuotbench.so is not built; cmake --build build/release --target call builds it"
    if at["given"] == "points" and at.get("d", 0) not in (2, 3):
        return f"given=points is for points of 2 or 3 coordinates; data is {at['data']}"
    return rejects_damped(at)


@variant("uotbench.sinkhorn_unbalanced, whole, or Solver.solve() alone", needs=["numpy"], work=elements(1), solver=True,
         canonical=False, solves=True, matrices=4, refuse=refuse,
         axes=[axis("given", "text", "costs", "what the function gets", values=["costs", "points"]),
               axis("timed", "text", "function", "function: sinkhorn_unbalanced, from arrays to plan; solver: solve() of a "
                    "Solver that exists already", values=["function", "solver"])])
class Called:
    def __init__(self, problem):
        import uotbench

        costs, kl = problem.costs()
        points = problem.at["given"] == "points"
        arrays = {"a": problem.array("a"), "b": problem.array("b")}
        arrays.update({"X": problem.array("X"), "Y": problem.array("Y")} if points else {"M": costs})
        common = {"reg": problem.reg, "reg_m": problem.reg_m, "reg_type": "kl" if kl else "entropy",
                  "threads": problem.at["threads"]}
        tol = problem.tol or 1e-6
        if problem.at["timed"] == "function":
            self.solver = None
            self.arguments = {"M": None, **arrays, **common, "numItermax": problem.most, "stopThr": tol}
            return
        levels = points and len(arrays["a"]) * len(arrays["b"]) >= 1 << 16
        arrays["C"] = arrays.pop("M", None)
        self.solver = uotbench.Solver("uot/multiscale_newton" if levels else "uot/one_read_sor", **arrays, **common, tol=tol,
                                      max_iterations=problem.most)

    def iterate(self):
        import uotbench

        if self.solver:
            self.solver.solve()
            return
        self.plan, self.log = uotbench.sinkhorn_unbalanced(**self.arguments, log=True)
        self.iterations = self.log["niter"]

    def finish(self):
        if self.solver:
            self.iterations = self.solver.iterations
            outputs = self.solver.outputs(plan=True)
            return {name: outputs[name] for name in ("plan", "u", "v")}
        return {"plan": self.plan}

    def facts(self):
        if self.solver:
            log = self.solver.facts()
            self.iterations = self.solver.iterations
            seconds = self.solver.seconds
        else:
            log, seconds = self.log, self.log["seconds"]
        return {"called": log["variant"], "worker_called": log["worker"],
                **{f"{part}_s": value for part, value in seconds.items()}}
