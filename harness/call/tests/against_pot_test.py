"""The functions with POT's names, against POT where it is installed."""
import inspect
import unittest
import warnings

import numpy

import uotbench
from small_problem import A, B, C, M, N, X, distances, masses

try:
    import ot
except ImportError:
    ot = None


@unittest.skipUnless(ot, "POT is not installed")
class AgainstPot(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_exact(self):
        theirs, log = ot.emd(A, B, C, log=True)
        numpy.testing.assert_allclose(uotbench.emd(A, B, C), theirs, atol=1e-12)
        self.assertAlmostEqual(uotbench.emd2(A, B, C), ot.emd2(A, B, C), places=12)

    def test_balanced(self):
        theirs = ot.sinkhorn(A, B, C, .05, stopThr=1e-12, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn(A, B, C, .05, stopThr=1e-12, numItermax=100000), theirs, atol=1e-10)

    def test_unbalanced(self):
        # Old versions of POT have reg_type=entropy alone.
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, B, C - .05 * numpy.log(A[:, None] * B), .05, 5, stopThr=1e-13,
                                                         numItermax=100000, **self.entropy())
        ours = uotbench.sinkhorn_unbalanced(A, B, C, .05, 5, stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-10)
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, B, C, .05, 5, stopThr=1e-13, numItermax=100000, **self.entropy())
        ours = uotbench.sinkhorn_unbalanced(A, B, C, .05, 5, reg_type="entropy", stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-10)

    @staticmethod
    def entropy():
        known = inspect.signature(ot.unbalanced.sinkhorn_knopp_unbalanced).parameters
        return {"reg_type": "entropy"} if "reg_type" in known else {}

    def test_several_histograms(self):
        several = numpy.stack([masses(N, seed) for seed in (5, 6, 7)], 1)
        theirs = ot.sinkhorn(A, several, C, .05, stopThr=1e-12, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn(A, several, C, .05, stopThr=1e-12, numItermax=100000), theirs, atol=1e-9)
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, several, C, .05, 5, stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn_unbalanced(A, several, C, .05, 5, stopThr=1e-13), theirs, atol=1e-9)

    def test_barycenter(self):
        histograms = numpy.stack([masses(M, 5), masses(M, 6)], 1)
        costs = distances(X, X)
        theirs = ot.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        ours = uotbench.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-7)

    def test_signatures(self):
        for function in ("emd", "emd2", "sinkhorn", "sinkhorn2", "sinkhorn_unbalanced", "barycenter"):
            ours, theirs = ({name: (one.kind, one.default) for name, one in
                             inspect.signature(getattr(module, function)).parameters.items()
                             if one.kind == one.POSITIONAL_OR_KEYWORD} for module in (uotbench, ot))
            for new in ("check_marginals", "potentials_init", "warmstart", "c", "reg_type"):  # not in old versions of POT
                if new not in theirs:
                    ours.pop(new, None)
            self.assertEqual(list(ours.items()), list(theirs.items()), function)

    def test_logs(self):
        for method in ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized", "greenkhorn"):
            ours, theirs = (module.sinkhorn(A, B, C, .05, method, log=True, stopThr=1e-10, numItermax=100000)[1]
                            for module in (uotbench, ot))
            self.assertLessEqual(theirs.keys(), ours.keys(), method)
            for name in theirs.keys() & {"alpha", "logu", "log_u"}:  # to a constant
                numpy.testing.assert_allclose(numpy.diff(ours[name]), numpy.diff(theirs[name]), atol=1e-6)
        for module in (uotbench, ot):  # the same measure: after one iteration
            log = module.sinkhorn(A, B, C, .05, "sinkhorn_log", log=True, numItermax=1)[1]
            warm = module.sinkhorn2(A, B, C, .05, "sinkhorn_log", log=True, warmstart=(log["log_u"], log["log_v"]))[1]
            plan = numpy.exp(log["log_u"][:, None] + log["log_v"] - C / .05)
            self.assertAlmostEqual(log["err"][-1], numpy.linalg.norm(plan.sum(0) - B), places=12)
            self.assertLess(warm["err"][-1], 1e-8)
        self.assertEqual(*(type(module.emd2(A, B, C, log=True)) for module in (uotbench, ot)))

    def test_other_sums(self):
        # POT's u is halved by every iteration: more of them would leave the range of the type.
        numpy.testing.assert_allclose(uotbench.sinkhorn(A, 2 * B, C, .05, stopThr=1e-12, numItermax=10000),
                                      ot.sinkhorn(A, 2 * B, C, .05, numItermax=800), atol=1e-10)


if __name__ == "__main__":
    unittest.main()
