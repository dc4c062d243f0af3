"""JAX with slices and concatenation: what XLA fuses to one loop (X. He 2023, Table 2, first form)."""
from uotbench.stencil.parts.arrays import Slices, step
from uotbench.stencil.parts.xla import IN_JAX, Xla
from uotbench.stencil.problem import variant


@variant("JAX: slices, arithmetic, concatenation", **IN_JAX, copies=lambda at: 12)
class XlaSlices(Xla):
    def __init__(self, problem):
        super().__init__(problem, lambda jax, it: step(Slices(jax.numpy, it.model == "heat1d"), it))
