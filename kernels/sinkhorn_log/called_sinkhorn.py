"""This project's own ot.sinkhorn as its users call it (docs/guide/call.md): from arrays to the plan, an item after the
other."""
from uotbench.sinkhorn_log.parts.pot import alternates, begins_everywhere
from uotbench.sinkhorn_log.problem import exponentials, variant


def refuse(at):
    from uotbench.libraries import library_file

    if not library_file():
        return "libuotbench.so is not built; cmake --build build/release --target call builds it"
    if at["ragged"] == "yes":
        return "uotbench.sinkhorn takes one problem: ragged must be no"
    return alternates(at) or begins_everywhere(at, "uotbench.sinkhorn")


@variant("uotbench.sinkhorn, whole, an item after the other", needs=["numpy"], work=exponentials(), solver=True, solves=True,
         canonical=lambda at: False, copies=lambda at: 3 * at["M"] * at["N"], refuse=refuse, forbidden=True)
class CalledSinkhorn:
    def __init__(self, problem):
        costs, masses = problem.array("C"), [problem.array(name) for name in ("mu", "nu")]
        self.items = [{"a": masses[0][b], "b": masses[1][b], "M": costs[b] if problem.own_costs else costs}
                      for b in range(problem.B)]
        self.settings = {"reg": problem.reg, "stopThr": problem.tol or 1e-9, "numItermax": problem.most,
                         "threads": problem.at["threads"]}

    def iterate(self):
        import uotbench

        self.logs = [uotbench.sinkhorn(**item, **self.settings, log=True)[1] for item in self.items]
        self.iterations = max(log["niter"] for log in self.logs)

    def finish(self):
        import numpy

        return {name: numpy.stack([log[name] for log in self.logs]) for name in ("log_u", "log_v")}

    def facts(self):
        return {"called": self.logs[0]["variant"], "worker_called": self.logs[0]["worker"]}
