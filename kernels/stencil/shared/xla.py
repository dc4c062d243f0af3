"""What the variants share that run in JAX: a step as one program of XLA's or operation by operation, on a CPU or a GPU,
where the time of compiling goes, and what XLA says of the program that it made."""
import os
import re
import time

from uotbench import threads
from uotbench.stencil.problem import outputs
from uotbench.stencil.shared.arrays import moves_on
from uotbench.variant import axis
from uotbench.xla_device import DEVICE, device_of, has_device

JIT = axis("jit", "text", "yes", "a step as one program of XLA's, or every operation by itself", values=["yes", "no"])
DONATE = axis("donate", "text", "no", "a step may put its result into the memory of what it replaces (with jit=yes)",
              values=["no", "yes"])
IN_JAX = {"needs": ["numpy", "jax"], "axes": [DEVICE, JIT, DONATE], "refuse": has_device}  # for @variant


class Xla:
    """`step(jax, problem)`: the function of shared/arrays.py's step()."""

    def __init__(self, problem, step):
        import jax

        jax.config.update("jax_enable_x64", True)  # numbers of Python's take the arrays' type, f32 stays f32
        self.jax, self.problem, self.place = jax, problem, moves_on(problem.model)
        self.device = device_of(jax, problem.at)
        self.restart()
        function, self.said = step(jax, problem), {}
        if problem.at["jit"] == "yes":
            given = tuple(range(self.place, self.place + len(outputs(problem.model)))) if self.donates() else ()
            begun = time.perf_counter()
            self.step = jax.jit(function, donate_argnums=given).lower(*self.fields).compile()
            self.said = {"compile_seconds": time.perf_counter() - begun, **claims(self.step)}
        else:
            self.step = function

    def donates(self):
        at = self.problem.at
        return at["donate"] == "yes" and at["jit"] == "yes" and self.place is not None

    def restart(self):
        self.fields = [self.jax.device_put(field, self.device) for field in self.problem.start()]
        self.out = None

    def iterate(self):
        before = self.fields
        self.out = self.step(*before)
        if self.place is not None:
            last = self.place + len(self.out)
            self.fields = [*before[:self.place], *self.out, *before[last:]]

    def synchronize(self):
        self.jax.block_until_ready(self.out)

    def finish(self):
        return self.out

    def facts(self):
        """XLA reports nothing of its threads but their names. Whether memory that was given away was taken is tried."""
        taken = None
        if self.donates():
            self.restart()
            before = self.fields[self.place]
            self.iterate()
            self.synchronize()
            taken = before.is_deleted()
        return {"device": self.device.device_kind, "jaxlib": __import__("jaxlib").__version__,
                "xla_flags": os.environ.get("XLA_FLAGS", ""),
                "xla_threads": threads.named("tf_XLAEigen") or None, "xla_donated": taken, **self.said}


def claims(compiled):
    """What XLA says of a program: claims, by its own documentation the best that it can do, never a measurement."""
    text = compiled.as_text()
    said = {"xla_fusions": len(re.findall(r" fusion\(", text)),
            "xla_calls": len(re.findall(r" (?:custom-call|convolution)\(", text))}
    cost, memory = compiled.cost_analysis(), compiled.memory_analysis()
    if isinstance(cost, list):  # before JAX 0.5
        cost = cost[0] if cost else None
    if cost:
        said |= {"xla_claims_flops": cost.get("flops"), "xla_claims_bytes": cost.get("bytes accessed")}
    if memory:
        said["xla_temporary_bytes"] = getattr(memory, "temp_size_in_bytes", None)
    return said
