"""What uotbench.call() refuses, and the argument that its error names."""
import copy
import pickle
import unittest

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


if __name__ == "__main__":
    unittest.main()
