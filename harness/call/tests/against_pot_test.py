"""The functions with POT's names, against POT where it is installed."""
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
        import inspect

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


if __name__ == "__main__":
    unittest.main()
