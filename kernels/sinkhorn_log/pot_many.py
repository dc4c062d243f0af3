"""POT's ot.sinkhorn with its default method. One histogram (B = 1) is given as a vector, and the result is the plan. Many
are the columns of a matrix, with one mu, and the results are the losses: two matrix products an iteration, every ten
iterations an einsum of three factors for the test, and at the end one of four, B M N steps of NumPy's on one thread.
numpy_gemm is this iteration without them."""
from uotbench.sinkhorn_log.problem import may_have_zeros, products, variant
from uotbench.sinkhorn_log.shared.pot import PotSolve, alternates


def refuse(at):
    if at["source"] != "one" or at["cost"] == "own":
        return "ot.sinkhorn takes one mu and one cost for many histograms: source must be one, and cost not own"
    if may_have_zeros(at):
        return "ot.sinkhorn divides by the masses: masses must be uniform, equal or ones, and ragged no"
    return alternates(at)


@variant("ot.sinkhorn: the plan of one histogram, or the losses of many with one mu", needs=["numpy", "ot>=0.9.5"],
         work=products, solver=True, solves=True,
         copies=lambda at: 3 * at["M"] * at["N"] + 4 * at["B"] * (at["M"] + at["N"]), refuse=refuse)
class PotMany(PotSolve):
    def __init__(self, problem):
        super().__init__(problem, problem.N)

        def given(logs):
            return logs.T.copy() if problem.B > 1 else logs[0]

        first = [given(log) for log in problem.start()]  # its own are 1/M and 1/N
        self.arguments = {"a": problem.array("mu")[0], "b": given(problem.array("nu")), "M": problem.array("C"),
                          "reg": problem.reg, "method": "sinkhorn", "stopThr": self.threshold,
                          "numItermax": problem.most, "log": True, "warn": False, "warmstart": first}

    def iterate(self):
        import ot

        self.log = self.called(ot.sinkhorn, **self.arguments)[1]
        self.iterations = self.counted(self.log)

    def finish(self):
        import numpy

        return {f"log_{name}": numpy.atleast_2d(numpy.log(self.log[name]).T) for name in "uv"}
