"""OTT-JAX on scalings: its linear Sinkhorn without lse_mode. It is given costs, not K: that is faster, since it
raises a kernel to a power in every product."""
from uotbench.sinkhorn_log.problem import products, variant
from uotbench.sinkhorn_log.shared.ott import AXES, OttSolve, canonical, refuse


@variant("OTT-JAX's sinkhorn on scalings: matrix products", needs=["numpy", "jax", "ott"], axes=AXES, work=products,
         solver=True, solves=True, canonical=canonical, refuse=refuse, copies=lambda at: at["M"] * at["N"])
class OttKernel(OttSolve):
    def __init__(self, problem):
        super().__init__(problem, in_log=False)
