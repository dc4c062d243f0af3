"""JAX with rolls of whole arrays, and walls that are put right in the end (X. He 2023, Table 2, third form)."""
from uotbench.stencil.problem import variant
from uotbench.stencil.shared.arrays import Rolls, step
from uotbench.stencil.shared.xla import IN_JAX, Xla


def put(field, place, values):
    return field.at[place].set(values)


@variant("JAX: rolls, arithmetic, walls put right", **IN_JAX, copies=lambda at: 16,
         models=["heat1d", "heat2d", "ns2d", "predictor", "corrector"])
class XlaRoll(Xla):
    def __init__(self, problem):
        super().__init__(problem, lambda jax, it: step(Rolls(jax.numpy, it.model == "heat1d", put), it))
