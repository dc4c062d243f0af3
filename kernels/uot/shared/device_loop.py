"""What CuPy's and PyTorch's loops on a GPU share: arrays there, products by cuBLAS, time by events on the device."""
from uotbench.device_memory import process_bytes
from uotbench.uot.problem import next_scaling


class DeviceLoop:
    """`xp`: the package. `placed`: a NumPy array, there. A subclass reports bytes that it took of the device at most."""

    clock = "cuda-event"

    def __init__(self, problem, xp, placed):
        self.problem, self.xp = problem, xp
        self.K, self.a, self.b = (placed(problem.array(name)) for name in "Kab")
        self.restart()

    def restart(self):
        self.u, self.v = self.xp.ones_like(self.a), self.xp.ones_like(self.b)

    def iterate(self):
        self.u = next_scaling(self.xp, self.u, self.a, self.K @ self.v, self.problem)
        self.v = next_scaling(self.xp, self.v, self.b, self.K.T @ self.u, self.problem)

    def device_seconds(self, iterate, count):
        start, end = self.event(), self.event()
        start.record()
        for _ in range(count):
            iterate()
        end.record()
        end.synchronize()
        return self.milliseconds(start, end) / 1000

    def facts(self):
        return {"device_peak_bytes": self.device_bytes(), "device_process_bytes": process_bytes()}

    def finish(self):
        plan = self.u[:, None] * self.K * self.v
        return {name: self.host(values) for name, values in (("plan", plan), ("u", self.u), ("v", self.v))}


class CupyLoop(DeviceLoop):
    """What the loops in CuPy share."""

    def __init__(self, problem):
        import cupy

        self.event, self.milliseconds, self.host = cupy.cuda.Event, cupy.cuda.get_elapsed_time, cupy.asnumpy
        pool = cupy.get_default_memory_pool()
        pool.free_all_blocks()  # of an earlier case
        self.device_bytes = pool.total_bytes  # it gives nothing back by itself: the most there was
        super().__init__(problem, cupy, cupy.asarray)
