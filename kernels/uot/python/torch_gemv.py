"""POT's two matrix-vector products in PyTorch on a GPU."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.device_loop import DeviceLoop


@variant("K v and K' u by PyTorch on a GPU (2 MN elements moved)", needs=["numpy", "torch"], work=elements(2),
         cuda=True)
class TorchGemv(DeviceLoop):
    def __init__(self, problem):
        import torch

        torch.cuda.reset_peak_memory_stats()
        self.event = lambda: torch.cuda.Event(enable_timing=True)
        super().__init__(problem, torch, lambda array: torch.from_numpy(array).cuda())

    def device_bytes(self):
        import torch

        return torch.cuda.max_memory_allocated()

    def milliseconds(self, start, end):
        return start.elapsed_time(end)

    def host(self, values):
        return values.cpu().numpy()
