"""numpy_in_place's four passes in CuPy: what the MAP-UOT paper measures as POT on a GPU (Fig. 5, 13 to 15)."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.device_loop import CupyLoop
from uotbench.uot.shared.in_place import InPlace


@variant("CuPy in place: the MAP-UOT paper's POT on a GPU (6 MN elements moved)", needs=["numpy", "cupy"],
         work=elements(read=4, written=2), matrices=2, cuda=True)
class CupyInPlace(InPlace, CupyLoop):
    def restart(self):
        if not hasattr(self, "plan"):
            self.plan = self.xp.empty_like(self.K)
        super().restart()

    def finish(self):
        return {"plan": self.host(self.plan)}
