"""POT's ot.sinkhorn with many histograms: one mu, the nu as columns, two matrix products an iteration. Every ten
iterations it tests by an einsum of three factors, and at the end it makes the losses by one of four: B M N steps of
NumPy's on one thread. numpy_gemm is its iteration without them."""
from uotbench.sinkhorn_log.problem import may_have_zeros, products, variant
from uotbench.sinkhorn_log.shared.pot import PotSolve, alternates


def refuse(at):
    if at["source"] != "one" or at["cost"] == "own":
        return "ot.sinkhorn takes one mu and one cost for many histograms: source must be one, and cost not own"
    if may_have_zeros(at):
        return "ot.sinkhorn divides by the masses: masses must be uniform, equal or ones, and ragged no"
    return alternates(at)


@variant("ot.sinkhorn with many histograms over one mu", needs=["numpy", "ot>=0.9.5"], work=products, solver=True,
         solves=True, copies=lambda at: 3 * at["M"] * at["N"] + 4 * at["B"] * (at["M"] + at["N"]), refuse=refuse)
class PotMany(PotSolve):
    def __init__(self, problem):
        super().__init__(problem, problem.N)
        first = [log.T for log in problem.start()]  # its own are 1/M and 1/N
        self.arguments = {"a": problem.array("mu")[0], "b": problem.array("nu").T.copy(), "M": problem.array("C"),
                          "reg": problem.reg, "method": "sinkhorn", "stopThr": self.threshold,
                          "numItermax": problem.most, "log": True, "warn": False, "warmstart": first}

    def iterate(self):
        import ot

        self.log = self.called(ot.sinkhorn, **self.arguments)[1]
        self.iterations = self.counted(self.log)

    def finish(self):
        import numpy

        return {f"log_{name}": numpy.log(self.log[name]).T for name in "uv"}
