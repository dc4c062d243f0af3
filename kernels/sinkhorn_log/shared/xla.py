"""What the variants share that run in JAX: where arrays live, and what is true of its threads."""
from uotbench import threads
from uotbench.xla_device import device_of


class Device:
    """The device that a point names, and JAX set up for both dtypes."""

    def __init__(self, at):
        import jax

        jax.config.update("jax_enable_x64", True)  # numbers of Python's take the arrays' type, f32 stays f32
        self.jax, self._device = jax, device_of(jax, at)

    def placed(self, array):
        return self.jax.device_put(array, self._device)

    def facts(self):
        """XLA reports nothing of its threads but their names; whether it flushes denormals is tried."""
        tiny = self.placed(__import__("numpy").float32(1e-40))
        kept = bool(self.jax.jit(lambda x: x * 2)(tiny) > 0)
        return {"device": self._device.device_kind, "xla_threads": threads.named("tf_XLAEigen") or None,
                "denormals": "kept" if kept else "flushed"}
