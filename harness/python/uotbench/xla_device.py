"""Where variants that run in JAX compile for: the axis `device`."""
from uotbench.variant import axis, cuda_devices

DEVICE = axis("device", "text", "cpu", "where XLA compiles for", values=["cpu", "gpu"])


def has_device(at):
    """Why this point cannot run here, in one line; empty: it can. Imports nothing."""
    if at["device"] == "gpu" and at["threads"] > 1:
        return "device=gpu has its threads there: threads must be 1"
    return "device=gpu: CUDA has no device here" if at["device"] == "gpu" and cuda_devices() == 0 else ""


def device_of(jax, at):
    """JAX's device that the point names."""
    return jax.devices("cuda" if at["device"] == "gpu" else "cpu")[0]
