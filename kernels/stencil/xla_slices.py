"""JAX with slices and concatenation: what XLA fuses to one loop (X. He 2023, Table 2, first form)."""
from uotbench.stencil.problem import variant
from uotbench.stencil.shared.arrays import Slices, step
from uotbench.stencil.shared.xla import IN_JAX, Xla


@variant("JAX: slices, arithmetic, concatenation", **IN_JAX, copies=lambda at: 12)
class XlaSlices(Xla):
    def __init__(self, problem):
        super().__init__(problem, lambda jax, it: step(Slices(jax.numpy, it.model == "heat1d"), it))
