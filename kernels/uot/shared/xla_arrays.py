"""What the variants share that run in JAX: where arrays live, and what is true of its threads."""
from uotbench import threads
from uotbench.xla_device import device_of


class OnDevice:
    """The problem's K, a and b, and u and v, there."""

    def __init__(self, problem):
        import jax

        jax.config.update("jax_enable_x64", True)  # numbers of Python's take the arrays' type, f32 stays f32
        self.jax, self.problem = jax, problem
        self.device = device_of(jax, problem.at)
        self.K, self.a, self.b = (self.placed(problem.array(name)) for name in "Kab")
        self.restart()

    def placed(self, array):
        return self.jax.device_put(array, self.device)

    def restart(self):
        self.u, self.v = (self.jax.numpy.ones_like(mass) for mass in (self.a, self.b))

    def synchronize(self):
        self.jax.block_until_ready((self.u, self.v))

    def finish(self):
        return {"plan": self.u[:, None] * self.K * self.v, "u": self.u, "v": self.v}

    def facts(self):
        """XLA reports nothing of its threads but their names; whether it flushes denormals is tried."""
        tiny = self.placed(__import__("numpy").float32(1e-40))
        kept = bool(self.jax.jit(lambda x: x * 2)(tiny) > 0)
        return {"device": self.device.device_kind, "xla_threads": threads.named("tf_XLAEigen") or None,
                "denormals": "kept" if kept else "flushed"}
