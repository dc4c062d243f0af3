"""A batch in JAX: an iteration of one problem, mapped over the items by vmap and compiled as one program of XLA's."""
from uotbench.uot.problem import elements, next_scaling, variant
from uotbench.uot.shared.xla_arrays import OnDevice
from uotbench.xla_device import DEVICE, has_device


@variant("an iteration of one problem, vmap over the batch, as one program of XLA's (2 BMN elements moved)",
         needs=["numpy", "jax"], axes=[DEVICE], work=elements(2), refuse=has_device, batches=True)
class JaxBatch(OnDevice):
    def __init__(self, problem):
        super().__init__(problem)
        self.K, self.a, self.b = (x.reshape(problem.B, -1, *x.shape[1:]) for x in (self.K, self.a, self.b))
        self.restart()

        def iteration(K, a, b, u, v):
            u = next_scaling(self.jax.numpy, u, a, K @ v, problem)
            return u, next_scaling(self.jax.numpy, v, b, u @ K, problem)

        self.step = self.jax.jit(self.jax.vmap(iteration))

    def iterate(self):
        self.u, self.v = self.step(self.K, self.a, self.b, self.u, self.v)

    def finish(self):
        plan = self.u[:, :, None] * self.K * self.v[:, None, :]
        return {"plan": plan.reshape(-1, plan.shape[2]), "u": self.u.reshape(-1), "v": self.v.reshape(-1)}
