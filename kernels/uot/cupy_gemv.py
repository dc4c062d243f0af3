"""POT's two matrix-vector products in CuPy, which POT runs on a GPU, too."""
from uotbench.uot.parts.device_loop import DeviceLoop
from uotbench.uot.problem import elements, variant


@variant("K v and K' u by CuPy on a GPU (2 MN elements moved)", needs=["numpy", "cupy"], work=elements(2), cuda=True)
class CupyGemv(DeviceLoop):
    def __init__(self, problem):
        import cupy

        self.event, self.milliseconds, self.host = cupy.cuda.Event, cupy.cuda.get_elapsed_time, cupy.asnumpy
        super().__init__(problem, cupy, cupy.asarray)
