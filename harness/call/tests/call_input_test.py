"""What uotbench.call() and the functions with POT's names refuse, and the argument that their errors name."""
import copy
import pickle
import unittest
import warnings

import numpy

import uotbench
from small_problem import A, B, C, M, N, RELAXED, X, Y


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
        self.refused(ValueError, "expected equal sums", "simplex/colgen", a=2 * A, reg=None, reg_m=None)

    def test_shapes(self):
        self.refused(ValueError, "C: shape (55, 40); expected (40, 55)", C=C.T)
        self.refused(ValueError, "a: empty; expected some elements", a=[])
        self.refused(ValueError, "expected one of K, C, and X with Y", C=None)
        self.refused(ValueError, "expected one of K, C, and X with Y", K=C)

    def test_types(self):
        self.refused(TypeError, "a: elements of type complex128", a=A + 0j)
        self.refused(TypeError, "a: elements of type", a=["x"] * M)
        self.refused(TypeError, "a: elements of type datetime64", a=numpy.zeros(M, "M8[s]"))
        self.refused(TypeError, "threads: expected a number or a text", threads=True)
        self.refused(TypeError, "iterations: expected an integer", iterations=1.5)

    def test_names(self):
        self.refused(LookupError, "did you mean uot/one_read", variant="uot/one_red")
        self.refused(ValueError, "rge: no setting or array", rge=1)
        self.refused(ValueError, "reg: -1 is not", reg=-1)
        self.refused(ValueError, "stop must be iterations", "uot/coffee")
        self.refused(ValueError, "variant: expected a text without NUL", variant="uot/one_read\0x")
        self.refused(ValueError, "reg_type: expected a text of valid", reg_type="\udc80")
        with self.assertRaises(LookupError):
            uotbench.use("native-v9")
        with self.assertRaisesRegex(TypeError, "worker: expected a name"):
            uotbench.use(3)

    def test_settings_that_are_arrays(self):
        """An array of one element is none of the problem's arrays, and would be lost; one without dimensions is a number."""
        for name, value in (("reg", [.5]), ("reg_m", (5, 6)), ("threads", [-1])):
            self.refused(ValueError, f"{name}: expected a number or a text, got an array", **{name: value})
        self.refused(ValueError, "foo: uot/one_read_sor does not read it here; it reads C, a, b", foo=numpy.zeros(3))
        self.refused(ValueError, "X: sinkhorn_log/absorbed does not read it here", "sinkhorn_log/absorbed", C=C, X=X, Y=Y,
                     cost="matrix", reg_m=None)
        plain = uotbench.call("uot/one_read_sor", C=C, a=A, b=B, reg=.5, reg_m=5)["u"]
        again = uotbench.call("uot/one_read_sor", C=C, a=A, b=B, reg=numpy.array(.5), reg_m=numpy.int64(5))["u"]
        numpy.testing.assert_array_equal(plain, again)

    def test_numbers_that_are_too_large(self):
        self.refused(ValueError, "threads: expected at most 1024, got 1000000", threads=1000000)
        solver = uotbench.Solver("uot/one_read", C=C, a=A, b=B, stop="iterations", **RELAXED)
        for wrong in (-1, 2 ** 70):
            with self.assertRaisesRegex(ValueError, "iterations: expected 0 or more"):
                solver.solve(wrong)

    def test_a_solver_without_a_solution(self):
        solver = uotbench.Solver("uot/one_read_sor", C=C, a=A, b=B, **RELAXED)
        for ask in (solver.outputs, solver.certify):
            with self.assertRaisesRegex(uotbench.NoSolution, "nothing is solved"):
                ask()

    def test_a_solver_is_not_copied(self):
        solver = uotbench.Solver("uot/one_read_sor", C=C, a=A, b=B, **RELAXED).solve()
        for act in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                act(solver)
        self.assertEqual(len(solver.outputs()["u"]), M)

    def test_no_solution(self):
        self.refused(uotbench.NoSolution, "no solution after 2 iterations", max_iterations=2)

    def test_values_of_every_array(self):
        for name in ("C", "X", "K"):
            array = {"C": C, "X": X, "K": numpy.exp(-C)}[name].copy()
            array[1, 1] = numpy.nan
            given = {"C": None, name: array, **({"Y": Y} if name == "X" else {})}
            self.refused(ValueError, f"{name}: {name}[1,1] is nan", **given)
        self.refused(ValueError, "C[1,1] is 1e+300, more than f32 holds", **{
            name: numpy.float32(array) for name, array in {"a": A, "b": B}.items()}, C=[
                [1e300 if (i, j) == (1, 1) else 0. for j in range(N)] for i in range(M)], dtype="f32")
        self.refused(ValueError, "K[0,0] is -1; it cannot be negative", C=None, K=-numpy.ones((M, N)))
        self.refused(ValueError, "b: expected an array, got 1.0", b=numpy.array(1.))

    def test_things_that_are_no_arrays(self):
        self.refused(TypeError, "a: expected an array of numbers", a=[[1, 2], [3]])
        self.refused(TypeError, "a: elements of type object", a=numpy.array([None] * M))
        self.refused(TypeError, "a: ", a={"x": 1})
        self.refused(TypeError, "variant: expected FAMILY/NAME", variant=3)

    def test_memory(self):
        with self.assertRaisesRegex(MemoryError, "GB of memory"):
            uotbench.call("uot/one_read", M=2 ** 31, N=2 ** 31, iterations=1)
        # As arrays: of one element each, of which all strides are 0.
        vast = {name: numpy.broadcast_to(1., shape) for name, shape in
                {"C": (2 ** 29, 2 ** 29), "a": (2 ** 29,), "b": (2 ** 29,)}.items()}
        self.refused(MemoryError, "GB of memory", **vast)


class InputOfPotsFunctions(unittest.TestCase):
    MORE = {"emd": (), "emd2": (), "sinkhorn": (.05,), "sinkhorn2": (.05,), "sinkhorn_unbalanced": (.05, 5)}  # after a, b, M
    HISTOGRAMS = numpy.stack([A, A[::-1]], 1)

    def refused(self, text, function, *given, kind=ValueError, **named):
        with self.subTest(function=function, text=text), self.assertRaises(kind) as caught:
            getattr(uotbench, function)(*given, **named)
        self.assertEqual(str(caught.exception)[:len(text)], text)

    def test_every_function_of_costs(self):
        masked = numpy.ma.masked_greater(A, .03)
        self.assertTrue(masked.mask.any())
        nan = C.copy()
        nan[3, 4] = numpy.nan
        for function, more in self.MORE.items():
            for text, a, M, points in (
                    ("M: shape (0, 0); expected some elements", [], numpy.zeros((0, 0)), {}),
                    ("M: shape (40,); expected two dimensions", A, A, {}),
                    ("M: M[3,4] is nan; expected", A, nan, {}),
                    ("X: shape (); expected two dimensions", [], None, {"X": 3, "Y": Y}),
                    ("Y: shape (0, 2); expected some elements", [], None, {"X": X, "Y": Y[:0]}),
                    ("Y: shape (55, 1); expected (55, 2)", [], None, {"X": X, "Y": Y[:, :1]}),
                    ("a: shape (); expected (40,)", 3, C, {}),
                    ("a: shape (39,); expected (40,)", A[1:], C, {}),
                    ("a: some elements are masked; expected none", masked, C, {}),
                    ("M: some elements are masked; expected none", A, numpy.ma.masked_less(C, .1), {})):
                self.refused(text, function, a, [] if a is not A else B, M, *more, **points)

    def test_arguments_have_pots_names(self):
        third = numpy.full((M, 3), 1 / M)
        negative, inf = A.copy(), C.copy()
        negative[3] *= -1
        inf[2] = numpy.inf
        for text, function, *given in (
                ("numThreads: 0 is not an integer", "emd", A, B, C, 1000, False, True, 0),
                ("a: a[3] is -0.0", "emd", negative, B * negative.sum(), C),
                ("b: sums to 1.000002; expected 1 as a", "emd", A, 1.000002 * B, C),
                ("numItermax: 0 is not an integer", "sinkhorn", A, B, C, .05, "sinkhorn", 0),
                ("a: a[3] is -0.0", "sinkhorn", negative, B, C, .05),
                ("a: a sums to 0; expected", "sinkhorn", 0 * A, B, C, .05),
                ("row 2 of M is inf wherever the other side has mass, but a[2] is 0.0", "sinkhorn", A, B, inf, .05),
                ('stopThr: "nan" is not a number', "sinkhorn", A, B, C, .05, "sinkhorn", 9, numpy.nan),
                ("method: expected one of sinkhorn, ", "sinkhorn_unbalanced", A, B, C, .05, 5, "of none"),
                ("A: shape (40, 0); expected histograms", "barycenter", third[:, :0], C[:, :M], .05),
                ("A: A[3,1] is -0.0", "barycenter", numpy.stack([A, negative], 1), C[:, :M], .05),
                ("A: A[:,0] sums to ", "barycenter", self.HISTOGRAMS * [1, 2], C[:, :M], .05),
                ("M: M[0,1] is nan", "barycenter", third, numpy.where(numpy.eye(M, k=1), numpy.nan, 0), .05),
                ("weights: they sum to 1.5; expected 1", "barycenter", third, C[:, :M], .05, [.5, .5, .5]),
                ("weights: shape (2,); expected (3,)", "barycenter", third, C[:, :M], .05, [.5, .5])):
            self.refused(text, function, *given)
        with self.assertWarnsRegex(UserWarning, "not below stopThr; try a larger stopThr or numItermax$"):
            uotbench.sinkhorn(A, B, C, .01, numItermax=3)

    def test_what_numpy_has_besides_arrays(self):
        for function, more in self.MORE.items():
            want = getattr(uotbench, function)(A, B, C, *more)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", PendingDeprecationWarning)
                matrix = numpy.matrix(C)
            for M in (matrix, numpy.ma.array(C), C.tolist()):
                found = getattr(uotbench, function)(A, B, M, *more)
                self.assertNotIsInstance(found, (numpy.matrix, numpy.ma.MaskedArray))
                numpy.testing.assert_array_equal(found, want)

    def test_rounded_masses(self):
        random = numpy.random.default_rng(1)
        for count in (100, 2000):
            a, b = (random.random(count).astype("f4") for _ in range(2))
            points = {"X": random.random((count, 2)), "Y": random.random((count, 2))}
            self.assertGreater(uotbench.emd2(a / a.sum(), numpy.float32(1.000001) * b / b.sum(), None, **points), 0)
        half = A.astype("f2"), B.astype("f2"), C
        with self.assertWarnsRegex(UserWarning, r"^sinkhorn: b: sums to [0-9.]+; expected [0-9.]+ as a; b is scaled$"):
            plan = uotbench.sinkhorn(*half, .05)
        numpy.testing.assert_allclose(plan, uotbench.sinkhorn(A, B, C, .05), atol=1e-5)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            uotbench.sinkhorn2(*half, .05)

    def test_infinite_costs_cost_nothing_where_nothing_goes(self):
        M = C.copy()
        M[3, 4] = numpy.inf
        several = numpy.stack([B, B[::-1]], 1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for value in (uotbench.emd2(A, B, M), uotbench.sinkhorn2(A, B, M, .05), *uotbench.sinkhorn(A, several, M, .05),
                          *uotbench.sinkhorn_unbalanced(A, several, M, .05, 5, numItermax=10000)):
                self.assertTrue(0 < value < 1)

    def test_a_stopping_test_that_nothing_passes(self):
        for function in ("sinkhorn", "sinkhorn2", "sinkhorn_unbalanced"):
            self.assertGreater(numpy.sum(getattr(uotbench, function)(A, B, C, *self.MORE[function], stopThr=0)), 0)
        self.assertAlmostEqual(uotbench.barycenter(self.HISTOGRAMS, C[:, :M], .05, stopThr=0).sum(), 1)


if __name__ == "__main__":
    unittest.main()
