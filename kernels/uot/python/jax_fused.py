"""A whole iteration as one program of XLA's, written as sums of products and not as matrix products, so that it may
fuse what it likes: it fuses the scaling steps with the sums, and does not see that both sums could share a read."""
from uotbench.uot.problem import elements, next_scaling, variant
from uotbench.uot.shared.xla_arrays import OnDevice
from uotbench.xla_device import DEVICE, has_device


@variant("an iteration as one jit of XLA's, to fuse as it likes (2 MN elements moved)", needs=["numpy", "jax"],
         axes=[DEVICE], work=elements(2), refuse=has_device)
class JaxFused(OnDevice):
    def __init__(self, problem):
        super().__init__(problem)
        xp = self.jax.numpy

        def iteration(K, a, b, u, v):
            u = next_scaling(xp, u, a, (K * v).sum(axis=1), problem)
            return u, next_scaling(xp, v, b, (K * u[:, None]).sum(axis=0), problem)

        self.iteration = self.jax.jit(iteration)

    def iterate(self):
        self.u, self.v = self.iteration(self.K, self.a, self.b, self.u, self.v)
