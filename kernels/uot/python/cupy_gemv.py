"""POT's two matrix-vector products in CuPy, which POT runs on a GPU, too."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.device_loop import CupyLoop


@variant("K v and K' u by CuPy on a GPU (2 MN elements moved)", needs=["numpy", "cupy"], work=elements(2), cuda=True)
class CupyGemv(CupyLoop):
    pass
