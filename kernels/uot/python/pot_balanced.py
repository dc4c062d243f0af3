"""POT's balanced Sinkhorn (ot.bregman.sinkhorn_knopp), for fi = 1. It rescales columns first, so it is given the
transposed problem: its columns are our rows. It divides by masses: zeros among both a and b are an error of POT's."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.pot import PotSolve


def needs_fi_1(at):
    return "" if at["fi"] == 1 else f"POT's sinkhorn_knopp is balanced transport: fi must be 1, not {at['fi']:g}"


@variant("POT's balanced sinkhorn_knopp, whole", needs=["numpy", "ot"], work=elements(2), solver=True,
         solves=False, matrices=6, refuse=needs_fi_1)
class PotBalanced(PotSolve):
    def __init__(self, problem):
        import ot

        costs, _ = problem.costs()
        super().__init__(problem, ot.bregman.sinkhorn_knopp,
                         {"a": problem.array("b"), "b": problem.array("a"), "M": costs.T, "reg": problem.reg,
                          "warn": False})

    def finish(self):
        return {"plan": self.plan.T}
