"""uotbench.sinkhorn_unbalanced, as its users call it (docs/guide/call.md): from costs or points to the plan, with all that
a call costs. Next to the variant that it chooses it shows the overhead."""
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


@variant("uotbench.sinkhorn_unbalanced, whole", needs=["numpy"], work=elements(1), solver=True, canonical=False, solves=True,
         matrices=4, refuse=refuse,
         axes=[axis("given", "text", "costs", "what the function gets", values=["costs", "points"])])
class Called:
    def __init__(self, problem):
        costs, kl = problem.costs()
        points = problem.at["given"] == "points"
        self.arguments = {"M": None if points else costs, "reg": problem.reg, "reg_m": problem.reg_m,
                          "reg_type": "kl" if kl else "entropy", "numItermax": problem.most,
                          "stopThr": problem.tol or 1e-6, "threads": problem.at["threads"],
                          "a": problem.array("a"), "b": problem.array("b")}
        if points:
            self.arguments.update(X=problem.array("X"), Y=problem.array("Y"))

    def iterate(self):
        import uotbench

        self.plan, log = uotbench.sinkhorn_unbalanced(**self.arguments, log=True)
        self.iterations, self.said = log["niter"], {"called": log["variant"], "worker_called": log["worker"]}

    def finish(self):
        return {"plan": self.plan}

    def facts(self):
        return self.said
