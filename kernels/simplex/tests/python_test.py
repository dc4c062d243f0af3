"""What runs in Python finds the cheapest plan: the best of all assignments, counted here, or one that its potentials prove."""
import itertools
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from uotbench import packages
from uotbench.variant import variants
from uotbench.worker import load_variants

load_variants([])
AT = {"M": 6, "N": 6, "k": 2, "data": "assignment", "cost": "squared", "dtype": "f64", "round": 0, "forbidden": "no",
      "threads": 1, "cache": "warm"}


def of_the_family():
    return {name: one for name, one in variants().items() if name.startswith("simplex/")}


class Case:
    """Inputs of a point in a folder, and their costs."""

    def __init__(self, folder, at):
        import numpy

        dice, self.folder, self.at = numpy.random.default_rng(5), folder, at
        M, N = at["M"], at["N"]
        points = [dice.random((n, at["k"])) if at["cost"] != "integer" else dice.integers(0, 50, (n, at["k"])) * 1.
                  for n in (M, N)]
        if at["cost"] == "matrix":
            self.C = dice.random((M, N))
            arrays = {"C": self.C}
        else:
            self.C = ((points[0][:, None] - points[1]) ** 2).sum(-1)
            arrays = {"X": points[0], "Y": points[1]}
        if at["data"] == "assignment":
            self.a = self.b = numpy.ones(M)
        else:  # whole numbers above 0, of which both sums are equal
            self.a = dice.integers(3, 6, M) * 1.
            self.b = 1. + dice.multinomial(int(self.a.sum()) - N, numpy.full(N, 1 / N))
        empty = {"source": numpy.zeros(M + N, "<i4"), "target": numpy.zeros(M + N, "<i4"), "flow": numpy.zeros(M + N),
                 "u": numpy.zeros(M), "v": numpy.zeros(N)}
        for name, values in {**arrays, "a": self.a, "b": self.b, **empty}.items():
            numpy.save(folder / f"{name}.npy", values)

    def solved(self, variant):
        """The plan as a matrix, and the potentials where the variant has some."""
        import numpy

        kernel = variant.load(self.at, self.folder, None)
        kernel.iterate()
        outputs = {name: numpy.load(self.folder / f"{name}.npy") for name in kernel.finish(self.folder)}
        arcs = outputs["source"] >= 0
        plan = numpy.zeros(self.C.shape)
        numpy.add.at(plan, (outputs["source"][arcs], outputs["target"][arcs]), outputs["flow"][arcs])
        return plan, outputs.get("u"), outputs.get("v")


@unittest.skipUnless(packages.version("numpy"), "NumPy is missing")
class Plans(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def solved(self, **changes):
        """By each variant that runs at such points, with each kind of costs."""
        for cost in ("squared", "integer", "matrix"):
            at = {**AT, "cost": cost, **changes}
            case = Case(self.folder, at)
            for name, variant in of_the_family().items():
                if not variant.refusal(at):
                    yield name, cost, case, *case.solved(variant)

    def assert_masses(self, case, plan):
        import numpy

        numpy.testing.assert_allclose(plan.sum(1), case.a, atol=1e-12)
        numpy.testing.assert_allclose(plan.sum(0), case.b, atol=1e-12)

    def test_are_the_best_assignment(self):
        tried = set()
        for name, cost, case, plan, _, _ in self.solved():
            with self.subTest(name, cost=cost):
                best = min(sum(case.C[i, j] for i, j in enumerate(order)) for order in itertools.permutations(range(AT["M"])))
                self.assert_masses(case, plan)
                self.assertAlmostEqual((plan * case.C).sum(), best, places=10)
                tried.add(name)
        self.assertEqual(tried, {name for name, variant in of_the_family().items() if not variant.lacks()})

    def test_are_proved_by_their_potentials(self):
        for name, cost, case, plan, u, v in self.solved(data="equal", M=7, N=11):
            with self.subTest(name, cost=cost):
                self.assert_masses(case, plan)
                if u is not None:
                    self.assertGreater((case.C - u[:, None] + v).min(), -1e-9)
                    self.assertAlmostEqual((plan * case.C).sum(), case.a @ u - case.b @ v, places=9)


class Refusals(unittest.TestCase):
    def test_name_the_package_that_is_missing(self):
        for name, variant in of_the_family().items():
            for need in variant.needs:
                with self.subTest(name, need=need), unittest.mock.patch.object(
                        packages, "version", lambda module, need=need: None if module == need else "99.0"):
                    self.assertRegex(variant.refusal(AT), "^[^ ]+ is not installed; try .*$")

    def test_name_the_command_that_builds_the_library(self):
        with unittest.mock.patch.object(packages, "library_file", lambda: None):
            self.assertEqual(packages.missing("libuotbench"),
                             "libuotbench.so is not installed; try cmake --build build/release --target call")


if __name__ == "__main__":
    unittest.main()
