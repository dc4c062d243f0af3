"""The iteration in JAX, with jax.scipy.special.logsumexp, as one program of XLA's: it fuses the exponentials with the
sums and never makes the tensor -C/reg + log u."""
from uotbench.sinkhorn_log.problem import ITEMS, exponentials, variant
from uotbench.sinkhorn_log.shared.loop import Loop
from uotbench.sinkhorn_log.shared.xla import Device
from uotbench.xla_device import DEVICE, has_device


@variant("an iteration with JAX's logsumexp as one jit of XLA's", needs=["numpy", "jax"], axes=[DEVICE, ITEMS],
         work=exponentials(), refuse=has_device)
class JaxLogsumexp(Loop):
    def __init__(self, problem):
        device = Device(problem.at)
        self.jax, self.facts = device.jax, device.facts
        lse = device.jax.scipy.special.logsumexp
        super().__init__(problem, device.jax.numpy, device.placed, lambda terms, axis: lse(terms, axis=axis))

        def in_turn(costs, *vectors):
            if problem.own_costs:
                return device.jax.lax.map(lambda item: self.step(*item), (costs, *vectors))
            return device.jax.lax.map(lambda item: self.step(costs, *item), vectors)
        self.jitted = device.jax.jit(in_turn if self.in_turn else self.step)

    def iterate(self):
        self.log_u, self.log_v = self.jitted(self.costs, *self.logs, self.log_u, self.log_v)

    def compiled(self, function):
        return self.jax.jit(function)

    def synchronize(self):
        self.jax.block_until_ready((self.log_u, self.log_v))
