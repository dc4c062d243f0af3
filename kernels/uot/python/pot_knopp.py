"""POT (Flamary et al. 2021): ot.unbalanced.sinkhorn_knopp_unbalanced, from costs to plan."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.pot import PotSolve, begins_elsewhere, unbalanced


@variant("POT's sinkhorn_knopp_unbalanced, whole (2 MN elements an iteration)", needs=["numpy", "ot"],
         work=elements(2), solver=True, solves=True, matrices=6, refuse=begins_elsewhere,
         applies=True)
class PotKnopp(PotSolve):
    def __init__(self, problem):
        import ot

        super().__init__(problem, ot.unbalanced.sinkhorn_knopp_unbalanced, unbalanced(problem))
