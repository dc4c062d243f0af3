"""What holds for every variant that can be called, whatever its family."""
import unittest

import numpy

import uotbench
from small_problem import A, B, C, RELAXED, X, Y, clouds, distances

CUBE = clouds(4, 3)
# Arrays and settings of a problem, a family each; a variant takes the first that it does not refuse.
PROBLEMS = {
    "uot": [{"C": C, "a": A, "b": B, **RELAXED}, {"X": X, "Y": Y, "a": A, "b": B, **RELAXED},
            {"C": distances(X, X), "a": A, "b": A, **RELAXED}],
    "sinkhorn_log": [{"C": C, "a": A, "b": B}, {"X": X, "Y": Y, "a": A, "b": B}],
    "simplex": [{"C": C, "a": A, "b": B}, {"X": X, "Y": Y, "a": A, "b": B}],
    "stencil": [{"nx": 20, "ny": 30, "steps": 2}], "match": [{"N": 64}],
}


def loaded(variant, problem):
    """Its solver, that counts iterations where it can; None: it refuses the problem."""
    for more in ({"stop": "iterations"}, {}):
        for dtype in ("f64", "f32"):
            try:
                return uotbench.Solver(variant, **problem, dtype=dtype, **more)
            except ValueError:
                continue
    return None


def loadable():
    for variant in (each["name"] for each in uotbench.describe()["variants"]):
        for problem in PROBLEMS.get(variant.partition("/")[0], []):
            if solver := loaded(variant, problem):
                yield variant, problem, solver
                break


def copied(outputs):
    return {name: array.copy() for name, array in outputs.items()}


class EveryVariant(unittest.TestCase):
    def assert_same(self, one, other):
        self.assertEqual(sorted(one), sorted(other))
        for name, array in one.items():
            numpy.testing.assert_array_equal(array, other[name], err_msg=name)

    def test_outputs_do_not_change_what_is_solved(self):
        """The same outputs again, the plan among them or not; and iterations may go on after them."""
        tried = 0
        for variant, problem, solver in loadable():
            with self.subTest(variant):
                try:
                    solver.solve(4)
                except (ValueError, uotbench.NoSolution):
                    continue
                tried += 1
                solver.outputs()
                first = copied(solver.outputs(plan=True))
                self.assert_same(first, solver.outputs(plan=True))
                try:
                    solver.iterate(4)
                except ValueError:  # it goes to a solution as a whole
                    continue
                again = loaded(variant, problem)
                again.solve(8)
                self.assert_same(solver.outputs(plan=True), again.outputs(plan=True))
        self.assertGreater(tried, 50)

    def test_points_of_any_number_of_coordinates(self):
        for variant in ("simplex/colgen", "simplex/warm", "sinkhorn_log/absorbed", "uot/one_read_sor"):
            settings = RELAXED if variant.startswith("uot") else {}
            points = uotbench.call(variant, X=CUBE[0], Y=CUBE[1], a=A, b=B, **settings)
            costs = uotbench.call(variant.replace("warm", "colgen"), C=distances(*CUBE), a=A, b=B, **settings)
            for name in ("u", "v"):
                numpy.testing.assert_allclose(points[name] - points[name][0], costs[name] - costs[name][0], atol=1e-5)


if __name__ == "__main__":
    unittest.main()
