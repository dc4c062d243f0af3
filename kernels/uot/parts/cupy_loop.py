"""What the loops in CuPy share."""
from uotbench.uot.parts.device_loop import DeviceLoop


class CupyLoop(DeviceLoop):
    def __init__(self, problem):
        import cupy

        self.event, self.milliseconds, self.host = cupy.cuda.Event, cupy.cuda.get_elapsed_time, cupy.asnumpy
        pool = cupy.get_default_memory_pool()
        pool.free_all_blocks()  # of an earlier case
        self.device_bytes = pool.total_bytes  # it gives nothing back by itself: the most there was
        super().__init__(problem, cupy, cupy.asarray)
