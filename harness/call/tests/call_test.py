"""uotbench.call(), and the functions with POT's names, on NumPy arrays; against POT where it is installed."""
import threading
import unittest
import warnings

import numpy

import uotbench

try:
    import ot
except ImportError:
    ot = None

M, N = 40, 55


def clouds(seed=1, d=2):
    random = numpy.random.default_rng(seed)
    return random.random((M, d)), random.random((N, d))


def masses(count, seed):
    mass = numpy.random.default_rng(seed).random(count) + .5
    return mass / mass.sum()


def distances(X, Y):
    return ((X[:, None] - Y[None]) ** 2).sum(-1)


X, Y = clouds()
A, B, C = masses(M, 2), masses(N, 3), distances(X, Y)
RELAXED = {"reg": .05, "reg_m": 5}


class Calls(unittest.TestCase):
    def solved(self, variant="uot/one_read_sor", **given):
        return uotbench.call(variant, **{"C": C, "a": A, "b": B, **RELAXED, **given})

    def test_solution_satisfies_its_equation(self):
        result = self.solved(tol=1e-13, plan=True, threads=2)
        K = numpy.exp(-C / .05)
        u = (A / (K @ result["v"])) ** (5 / 5.05)
        numpy.testing.assert_allclose(result["u"], u, rtol=1e-10)
        numpy.testing.assert_allclose(result["plan"], result["u"][:, None] * K * result["v"], rtol=1e-12)
        self.assertEqual(result["variant"], "uot/one_read_sor")
        self.assertGreater(result["iterations"], 1)

    def test_dtype_is_that_of_the_arrays(self):
        single = {name: array.astype("f4") for name, array in {"C": C, "a": A, "b": B}.items()}
        self.assertEqual(self.solved(**single)["u"].dtype, numpy.float32)
        self.assertEqual(self.solved(**{**single, "b": B})["u"].dtype, numpy.float64)

    def test_layout_makes_no_difference(self):
        plain = self.solved()["u"]
        wide = numpy.zeros((M, 2 * N))
        wide[:, ::-2] = C
        read_only = C.copy()
        read_only.setflags(write=False)
        for costs in (numpy.asfortranarray(C), wide[:, ::-2], read_only, C.astype(">f8"), C.tolist()):
            numpy.testing.assert_array_equal(self.solved(C=costs)["u"], plain)

    def test_points_of_other_variants(self):
        result = uotbench.call("uot/multiscale_newton", X=X, Y=Y, a=A, b=B, tol=1e-12, **RELAXED)
        numpy.testing.assert_allclose(result["u"], self.solved(tol=1e-12)["u"], rtol=1e-8)

    def test_the_plan_is_given_on_request_and_outlives_the_call(self):
        self.assertNotIn("plan", self.solved())
        plan = self.solved(plan=True)["plan"]
        kept = plan.copy()
        for _ in range(5):
            self.solved(plan=True, reg=.1)
        numpy.testing.assert_array_equal(plan, kept)

    def test_certificate(self):
        result = self.solved(certify=True)
        self.assertTrue(result["certificate"]["right"])
        self.assertLess(abs(result["gap"]), 1e-6)

    def test_certificates_of_problems_that_take_turns(self):
        exact = {"a": A, "b": B}
        problems = [uotbench.Problem("simplex/colgen", C=costs, **exact).solve() for costs in (C, C ** 2 + 1)]
        for problem in [*problems, *problems]:
            problem.outputs()
            self.assertTrue(problem.certify()["right"], problem.certify())

    def test_iterations(self):
        two = self.solved("uot/one_read", iterations=2)
        again = uotbench.Problem("uot/one_read", C=C, a=A, b=B, stop="iterations", **RELAXED).iterate(1).iterate(1)
        numpy.testing.assert_array_equal(again.outputs()["u"], two["u"])

    def test_threads_at_once(self):
        plain, wrong = self.solved()["u"], []

        def solve():
            for _ in range(5):
                if not numpy.array_equal(self.solved()["u"], plain):
                    wrong.append(1)

        threads = [threading.Thread(target=solve) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class BadInput(unittest.TestCase):
    def refused(self, kind, text, variant="uot/one_read_sor", **given):
        with self.assertRaises(kind) as caught:
            uotbench.call(variant, **{"C": C, "a": A, "b": B, **RELAXED, **given})
        self.assertIn(text, str(caught.exception))

    def test_values(self):
        for value, text in ((numpy.nan, "a: a[3] is nan; expected a finite number"), (-1, "a: a[3] is -1; it cannot be"),
                            (numpy.inf, "a: a[3] is inf")):
            a = A.copy()
            a[3] = value
            self.refused(ValueError, text, a=a)
        self.refused(ValueError, "a: every cell of a is 0", a=numpy.zeros(M))
        self.refused(ValueError, "balanced transport needs equal sums", "sinkhorn_log/base2", a=2 * A, reg_m=None)

    def test_shapes(self):
        self.refused(ValueError, "C: shape (55, 40); expected (40, 55)", C=C.T)
        self.refused(ValueError, "a: empty; expected some elements", a=[])
        self.refused(ValueError, "expected one of K, C, and X with Y", C=None)
        self.refused(ValueError, "expected one of K, C, and X with Y", K=C)

    def test_types(self):
        self.refused(TypeError, "a: elements of type complex128", a=A + 0j)
        self.refused(TypeError, "a: elements of type", a=["x"] * M)
        self.refused(TypeError, "threads: expected a number or a text", threads=True)
        self.refused(TypeError, "iterations: expected an integer", iterations=1.5)

    def test_names(self):
        self.refused(LookupError, "did you mean uot/one_read", variant="uot/one_red")
        self.refused(ValueError, "rge: no setting or array", rge=1)
        self.refused(ValueError, "reg: -1 is not", reg=-1)
        self.refused(ValueError, "stop must be iterations", "uot/coffee")
        with self.assertRaises(LookupError):
            uotbench.use("native-v9")

    def test_no_solution(self):
        self.refused(uotbench.NoSolution, "no solution after 2 iterations", max_iterations=2)

    def test_memory(self):
        with self.assertRaisesRegex(MemoryError, "GB of memory"):
            uotbench.call("uot/one_read", M=2 ** 31, N=2 ** 31, iterations=1)


class AsPot(unittest.TestCase):
    """By what their results have to satisfy."""

    def test_exact(self):
        plan, log = uotbench.emd(A, B, C, log=True)
        numpy.testing.assert_allclose(plan.sum(1), A, atol=1e-12)
        numpy.testing.assert_allclose(plan.sum(0), B, atol=1e-12)
        self.assertAlmostEqual(log["cost"], (plan * C).sum(), places=12)
        self.assertAlmostEqual(log["cost"], A @ log["u"] + B @ log["v"], places=12)
        self.assertLess((log["u"][:, None] + log["v"] - C).max(), 1e-12)
        self.assertEqual(uotbench.emd2([], [], C), uotbench.emd2(numpy.full(M, 1 / M), numpy.full(N, 1 / N), C))
        self.assertAlmostEqual(uotbench.emd2(A, B, None, X=X, Y=Y), log["cost"], places=12)

    def test_balanced(self):
        plan, log = uotbench.sinkhorn(A, B, C, .05, log=True)
        numpy.testing.assert_allclose(plan.sum(1), A, atol=1e-8)
        numpy.testing.assert_allclose(plan.sum(0), B, atol=1e-8)
        self.assertTrue(log["variant"].startswith("sinkhorn_log/"))
        self.assertAlmostEqual(uotbench.sinkhorn2(A, B, C, .05), (plan * C).sum(), places=12)

    def test_too_few_iterations_are_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "no solution after 3"):
            uotbench.sinkhorn_unbalanced(A, B, C, .05, 5, numItermax=3)
        with self.assertWarns(UserWarning):
            uotbench.sinkhorn(A, B, C, .01, numItermax=2)

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(NotImplementedError, "reg_m"):
            uotbench.sinkhorn_unbalanced(A, B, C, .05, (1, 2))
        with self.assertRaisesRegex(ValueError, "method: expected one of sinkhorn"):
            uotbench.sinkhorn(A, B, C, .05, method="x")
        with self.assertRaisesRegex(ValueError, "b: sums to 2; expected 1 as a"):
            uotbench.emd(A, 2 * B, C)


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

    def test_barycenter(self):
        histograms = numpy.stack([masses(M, 5), masses(M, 6)], 1)
        costs = distances(X, X)
        theirs = ot.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        ours = uotbench.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-7)


if __name__ == "__main__":
    unittest.main()
