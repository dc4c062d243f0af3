"""This project's own ot.sinkhorn as its users call it (docs/guide/call.md): from arrays to the plan, an item after the
other. Next to the native variant that it chooses, this shows what a call costs."""
from uotbench.sinkhorn_log.problem import exponentials, variant
from uotbench.sinkhorn_log.shared.pot import alternates, begins_everywhere


def refuse(at):
    if at["ragged"] == "yes":
        return "uotbench.sinkhorn takes one problem a call: ragged must be no"
    return alternates(at) or begins_everywhere(at, "uotbench.sinkhorn")


@variant("uotbench.sinkhorn, whole, an item after the other", needs=["numpy", "libuotbench"], work=exponentials(), solver=True,
         solves=True, canonical=lambda at: False, copies=lambda at: 3 * at["M"] * at["N"], refuse=refuse)
class CalledSinkhorn:
    def __init__(self, problem):
        import warnings

        warnings.filterwarnings("error", message=".*no solution after")
        costs, masses = problem.array("C"), [problem.array(name) for name in ("mu", "nu")]
        settings = {"reg": problem.reg, "stopThr": problem.tol, "numItermax": problem.most,
                    "threads": problem.at["threads"], "log": True}
        self.items = [{"a": masses[0][b], "b": masses[1][b], "M": costs[b] if problem.own_costs else costs, **settings}
                      for b in range(problem.B)]

    def iterate(self):
        import uotbench

        try:
            self.logs = [uotbench.sinkhorn(**item)[1] for item in self.items]
        except UserWarning as warning:
            raise RuntimeError(str(warning)) from None
        self.iterations = max(log["niter"] for log in self.logs)

    def finish(self):
        import numpy

        return {name: numpy.stack([log[name] for log in self.logs]) for name in ("log_u", "log_v")}

    def facts(self):
        return {"called": self.logs[0]["variant"], "worker_called": self.logs[0]["worker"],
                **{f"{part}_seconds": sum(log["seconds"][part] for log in self.logs) for part in self.logs[0]["seconds"]}}
