"""Four passes over the plan, in place: sum rows, scale them, sum columns, scale them. What the MAP-UOT paper
(Sun, Hu, Jiang 2024, section 5.1) measures as POT; POT itself multiplies matrix and vector."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.in_place import InPlace


@variant("NumPy in place: the MAP-UOT paper's POT (6 MN elements moved)", needs=["numpy"],
         work=elements(read=4, written=2), matrices=2, applies=True)
class NumpyInPlace(InPlace):
    def __init__(self, problem):
        import numpy

        self.problem, self.xp = problem, numpy
        self.K, self.a, self.b = (problem.array(name) for name in "Kab")
        self.plan = self.K.copy()
        self.restart()

    def finish(self):
        return {"plan": self.plan}
