"""POT's translation-invariant Sinkhorn (Sejourne, Vialard, Peyre 2022): fewer iterations where reg_m is large."""
from uotbench.uot.problem import elements, variant
from uotbench.uot.shared.pot import PotSolve, rejects_damped, unbalanced


@variant("POT's sinkhorn_unbalanced_translation_invariant, whole", needs=["numpy", "ot>=0.9.5"],
         work=elements(2), solver=True, solves=True, canonical=False, matrices=7, refuse=rejects_damped)
class PotTi(PotSolve):
    def __init__(self, problem):
        import ot

        super().__init__(problem, ot.unbalanced.sinkhorn_unbalanced_translation_invariant, unbalanced(problem))
