"""JAX with a convolution, which XLA does not fuse with what is around it (X. He 2023, Table 2, second form). NS2D is
not linear, so it has none."""
from uotbench.stencil.problem import variant
from uotbench.stencil.shared.arrays import Slices
from uotbench.stencil.shared.xla import IN_JAX, Xla


def step(jax, problem):
    import numpy

    row, r = problem.model == "heat1d", problem.factors["r"]
    real = r.dtype.type
    weights = numpy.array([[r, real(1) - real(2) * r, r]] if row else
                          [[0, r, 0], [r, real(1) - real(4) * r, r], [0, r, 0]], r.dtype)
    grid = Slices(jax.numpy, row)

    def convolved(T):
        inner = jax.lax.conv(T[None, None], weights[None, None], (1, 1), "VALID",
                             precision=jax.lax.Precision.HIGHEST)[0, 0]
        return (grid.walled(inner, T),)
    return convolved


@variant("JAX: a convolution with the stencil, concatenation", **IN_JAX, copies=lambda at: 12,
         models=["heat1d", "heat2d"])
class XlaConv(Xla):
    def __init__(self, problem):
        super().__init__(problem, step)
