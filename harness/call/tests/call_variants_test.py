"""What holds for every variant that can be called, whatever its family."""
import unittest

import numpy

import uotbench
from small_problem import A, B, C, RELAXED, X, Y, clouds, distances

CUBE = clouds(4, 3)
# Arrays and settings of problems of a family: a variant takes the first that it does not refuse.
PROBLEMS = {
    "uot": [{"C": C, "a": A, "b": B, **RELAXED}, {"X": X, "Y": Y, "a": A, "b": B, **RELAXED}, {"M": 37, "N": 37, "data": "self"}],
    "sinkhorn_log": [{"C": C, "a": A, "b": B}, {"B": 2, "M": 8, "N": 8}, {"B": 2, "M": 36, "N": 36, "cost": "grid2d"},
                     {"B": 2, "M": 36, "N": 36, "cost": "grid2d", "task": "barycenter"}],
    "simplex": [{"C": C, "a": A, "b": B}, {"X": X, "Y": Y, "a": A, "b": B}, {"M": 36, "N": 36, "cost": "integer"},
                {"M": 36, "N": 36, "data": "white_noise"}, {"M": 37, "N": 53, "round": 2}],
    "stencil": [{"nx": 20, "ny": 30, "steps": 2}, {"nx": 20, "ny": 30, "steps": 2, "model": "xpxpyn"}],
    "match": [{"N": 64}],
}
# A multiple of what each variant makes at once.
ITERATIONS = 40


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
                tried += 1
                solver.solve(ITERATIONS)
                solver.outputs()
                first = copied(solver.outputs(plan=True))
                self.assert_same(first, solver.outputs(plan=True))
                try:
                    solver.iterate(ITERATIONS)
                except ValueError:  # it goes to a solution as a whole
                    continue
                again = loaded(variant, problem)
                again.solve(2 * ITERATIONS)
                self.assert_same(solver.outputs(plan=True), again.outputs(plan=True))
        self.assertGreater(tried, 60)

    def test_points_of_any_number_of_coordinates(self):
        for variant in ("simplex/colgen", "simplex/warm", "sinkhorn_log/absorbed", "uot/one_read_sor"):
            settings = RELAXED if variant.startswith("uot") else {}
            points = uotbench.call(variant, X=CUBE[0], Y=CUBE[1], a=A, b=B, **settings)
            costs = uotbench.call(variant.replace("warm", "colgen"), C=distances(*CUBE), a=A, b=B, **settings)
            name = next(each for each in ("u", "log_u") if each in points)
            numpy.testing.assert_allclose(points[name] - points[name][0], costs[name] - costs[name][0], atol=1e-5)


if __name__ == "__main__":
    unittest.main()
