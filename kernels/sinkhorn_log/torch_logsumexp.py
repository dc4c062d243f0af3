"""The iteration in PyTorch on the CPU, operation by operation: torch.logsumexp of the tensor -C/reg + log u."""
from uotbench.sinkhorn_log.problem import ITEMS, exponentials, variant
from uotbench.sinkhorn_log.shared.loop import Loop, terms


@variant("torch.logsumexp of the tensor -C/reg + log u", needs=["numpy", "torch"], axes=[ITEMS],
         work=exponentials(), copies=terms)
class TorchLogsumexp(Loop):
    def __init__(self, problem):
        import torch

        torch.set_grad_enabled(False)
        super().__init__(problem, torch, torch.from_numpy, torch.logsumexp)

    def finish(self):
        return {name: values.numpy() for name, values in super().finish().items()}
