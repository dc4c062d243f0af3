"""The iteration as one writes it with NumPy and SciPy: scipy.special.logsumexp of the tensor -C/reg + log u. NumPy's
loops use one thread."""
from uotbench.sinkhorn_log.problem import ITEMS, exponentials, variant
from uotbench.sinkhorn_log.shared.loop import Loop, terms


@variant("scipy.special.logsumexp of the tensor -C/reg + log u", needs=["numpy", "scipy"], axes=[ITEMS],
         work=exponentials(), copies=terms)
class ScipyLogsumexp(Loop):
    def __init__(self, problem):
        import numpy
        from scipy.special import logsumexp

        super().__init__(problem, numpy, lambda array: array, lambda terms, axis: logsumexp(terms, axis=axis))
