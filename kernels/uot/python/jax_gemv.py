"""POT's two matrix-vector products in JAX, called one after the other: each product and each scaling step is a
program of XLA's."""
from functools import partial

from uotbench.uot.problem import elements, next_scaling, variant
from uotbench.uot.shared.xla_arrays import OnDevice
from uotbench.xla_device import DEVICE, has_device


@variant("K v and K' u by XLA, operation by operation (2 MN elements moved)", needs=["numpy", "jax"],
         axes=[DEVICE], work=elements(2), refuse=has_device)
class JaxGemv(OnDevice):
    def __init__(self, problem):
        super().__init__(problem)
        self.step = self.jax.jit(partial(next_scaling, self.jax.numpy, problem=problem))

    def iterate(self):
        self.u = self.step(self.u, self.a, self.K @ self.v)
        self.v = self.step(self.v, self.b, self.u @ self.K)  # not K.T, which would be a copy
