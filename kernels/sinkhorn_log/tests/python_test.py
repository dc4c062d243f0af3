"""What runs in Python makes the family's iterates, computed here from lists, in both schemes, with masses of zero, sizes
that differ, own costs and a start of its own; and it stops where the marginals are right."""
import array
import math
import random
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

from uotbench import packages
from uotbench.npy import Npy
from uotbench.variant import variants
from uotbench.worker import load_variants

load_variants([])
B, M, N = 3, 9, 5
AT = {"task": "transport", "B": B, "M": M, "N": N, "d": 2, "dtype": "f64", "reg": 0.1, "cost": "points",
      "cost_scale": 1, "matrix": "stored", "scheme": "alternating", "masses": "uniform", "source": "each", "ragged": "no", "warm": "no", "stop": "iterations",
      "tol": 1e-9, "max_iterations": 10000, "threads": 1, "cache": "warm"}
INF = math.inf
# They have iterates of their own, and are tried where they go to a solution.
TO_SOLUTIONS = {"sinkhorn_log/geomloss", "sinkhorn_log/called_sinkhorn"}


def flat(values):
    return [number for one in values for number in flat(one)] if isinstance(values, list) else [values]


def shape(values):
    return (len(values), *shape(values[0])) if isinstance(values, list) else ()


def lse(terms):
    most = max(terms)
    return most + math.log(sum(math.exp(term - most) for term in terms))


class Case:
    """Inputs of a point, and what is right."""

    def __init__(self, folder, at):
        dice = random.Random(7)
        self.at, self.folder = at, folder
        X, Y = ([[dice.random() for _ in range(2)] for _ in range(n)] for n in (M, N))
        distances = [[at["cost_scale"] * math.dist(x, y) ** 2 for y in Y] for x in X]
        own = [[[dice.random() for _ in range(N)] for _ in range(M)] for _ in range(B)]
        self.C = own if at["cost"] == "own" else B * [distances]
        self.mu, self.nu = ([self.masses(dice, n) for _ in range(B)] for n in (M, N))
        if at["source"] == "one":
            self.mu = B * [self.mu[0]]
        logs = [[[math.log(mass) if mass else -INF for mass in item] for item in side] for side in (self.mu, self.nu)]
        first = [[[dice.random() if at["warm"] != "no" else 0.0 for _ in item] for item in side] for side in logs]
        self.first = [[[x if log > -INF else -INF for x, log in zip(*item)] for item in zip(*side)]
                      for side in zip(first, logs)]
        self.logs = logs
        arrays = {"C": own if at["cost"] == "own" else distances, "mu": self.mu, "nu": self.nu, "log_mu": logs[0],
                  "log_nu": logs[1], "log_u": [[9.0] * M] * B, "log_v": [[9.0] * N] * B}
        for left in folder.iterdir():
            left.unlink()
        arrays |= {"X": X, "Y": Y} if at["cost"] == "points" else {}
        arrays |= {"log_u0": first[0], "log_v0": first[1]} if at["warm"] != "no" else {}
        for name, values in arrays.items():
            header = repr({"descr": "<f8", "fortran_order": False, "shape": shape(values)}).encode()
            (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
                                                 + array.array("d", flat(values)).tobytes())

    def masses(self, dice, n):
        values = [dice.random() + 0.5 for _ in range(n)]
        if self.at["masses"] == "zeros":
            values[n // 2] = 0.0
        if self.at["ragged"] == "yes":
            size = n - dice.randrange(n // 2 + 1)
            values[size:] = [0.0] * (n - size)
        return [value / sum(values) for value in values]

    def iterates(self, count):
        """log u and log v after `count` iterations."""
        symmetric, reg = self.at["scheme"] == "symmetric", self.at["reg"]
        us, vs = [], []
        for C, u, v, log_mu, log_nu in zip(self.C, *self.first, *self.logs):
            for _ in range(count):
                steps = [log - lse([x - C[i][j] / reg for i, x in enumerate(u)]) if log > -INF else -INF
                         for j, log in enumerate(log_nu)]
                new = [(x + step) / 2 if symmetric else step for x, step in zip(v, steps)]
                by = v if symmetric else new
                steps = [log - lse([x - C[i][j] / reg for j, x in enumerate(by)]) if log > -INF else -INF
                         for i, log in enumerate(log_mu)]
                u, v = [(x + step) / 2 if symmetric else step for x, step in zip(u, steps)], new
            us.append(u)
            vs.append(v)
        return us, vs

    def plans(self, us, vs):
        return [[[math.exp(x + y - c / self.at["reg"]) for y, c in zip(v, row)] for x, row in zip(u, C)]
                for C, u, v in zip(self.C, us, vs)]

    def kernel(self, name, iterations):
        kernel = variants()[name].load(self.at, self.folder, iterations)
        if hasattr(kernel, "begin"):
            kernel.begin()
        return kernel

    def found(self, kernel):
        kernel.finish(self.folder)
        sides = [Npy(self.folder / f"{name}.npy").numbers().tolist() for name in ("log_u", "log_v")]
        return [[side[b * len(side) // B: (b + 1) * len(side) // B] for b in range(B)] for side in sides]


def of_the_family(task="transport"):
    return {name: one for name, one in variants().items()
            if name.startswith("sinkhorn_log/") and one.task == task}


def points(with_others=False, **changes):
    """Each variant that runs at such a point here, by name; `with_others`: with other values of its own axes, too."""
    for name, variant in of_the_family().items():
        own = {axis["name"]: axis["default"] for axis in variant.axes if axis["role"] == "tunable"}
        others = [{one["name"]: other} for one in variant.axes for other in one.get("values", [])
                  if one["role"] == "tunable" and one["name"] != "device" and other != one["default"]]
        for more in [{}, *(others if with_others else [])]:
            at = {**AT, **own, **changes, **more}
            if not variant.refusal(at):
                yield name, variant, at, more


class Iterates(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_like(self, found, wanted, within):
        for one, other in zip(flat(found), flat(wanted)):
            if other == -INF or not abs(one - other) <= within:
                self.assertEqual(one, other)

    def test_are_the_familys(self):
        tried = set()
        for changes in ({}, {"scheme": "symmetric"}, {"masses": "zeros"}, {"masses": "zeros", "ragged": "yes"},
                        {"cost": "own"}, {"warm": "neighbour", "masses": "zeros"}, {"source": "one"},
                        {"cost_scale": 0.5, "ragged": "yes"}):
            for name, variant, at, more in points("source" not in changes, **changes):
                with self.subTest(name, **changes, **more):
                    case = Case(self.folder, at)
                    kernel = case.kernel(name, 4)
                    for _ in range(1 if variant.per(at) == "solve" else 4):
                        kernel.iterate()
                    self.assert_like(case.found(kernel), list(case.iterates(4)), 1e-9)
                    tried.add(name)
        self.assertEqual(tried, {name for name, variant in of_the_family().items() if not variant.lacks()} - TO_SOLUTIONS)
        if not tried:
            self.skipTest("no NumPy here, and nothing that runs without")

    def test_end_where_the_marginals_are_right(self):
        tried = 0
        for changes in ({}, {"masses": "zeros"}, {"scheme": "symmetric"}, {"source": "one", "stop": "change"}):
            for name, variant, at, more in points(not changes, **{"stop": "marginal", **changes}):
                if name == "sinkhorn_log/geomloss":
                    at["tol"] = 1e-2  # its iterations grow as 1 / tol
                with self.subTest(name, **changes, **more):
                    case = Case(self.folder, at)
                    kernel = case.kernel(name, None)
                    kernel.iterate()
                    self.assertEqual(variant.per(at), "solve")
                    self.assertGreater(variant.iterations(at, kernel), 5)
                    for plan, mu, nu in zip(case.plans(*case.found(kernel)), case.mu, case.nu):
                        off = sum(abs(sum(row) - mass) for row, mass in zip(plan, mu))
                        off += sum(abs(sum(column) - mass) for column, mass in zip(zip(*plan), nu))
                        self.assertLess(off, 2 * at["tol"] / (1 if at["stop"] == "marginal" else at["reg"]))
                    tried += 1
        if packages.version("numpy") is None:
            self.skipTest("no NumPy here")
        self.assertGreaterEqual(tried, 2)

    def test_that_do_not_end_are_said_so(self):
        for name, variant, at, more in points(stop="marginal", max_iterations=10):
            with self.subTest(name, **more), self.assertRaisesRegex(
                    RuntimeError, r"no solution after \d+ iterations: .* larger (tol or max_iterations|stopThr or numItermax)"):
                case = Case(self.folder, at)
                case.kernel(name, None).iterate()

    def test_of_other_kinds_are_refused(self):
        for name, variant in of_the_family().items():
            if variant.lacks():
                continue
            own = {axis["name"]: axis["default"] for axis in variant.axes}
            refused = {what: variant.refusal({**AT, **own, **dict([what])}) for what in
                       (("matrix", "never"), ("scheme", "symmetric"), ("stop", "iterations"), ("source", "each"))}
            with self.subTest(name):
                self.assertEqual(bool(refused["matrix", "never"]), name != "sinkhorn_log/keops")
                self.assertEqual(bool(refused["source", "each"]), name in {"sinkhorn_log/pot_many"} | TO_SOLUTIONS)
                self.assertEqual("scheme must be alternating" in refused["scheme", "symmetric"],
                                 name in ("sinkhorn_log/pot_log", "sinkhorn_log/pot_batch"))

    def test_of_plans_and_of_barycenters_refuse_each_other(self):
        for of, other in (("transport", "barycenter"), ("barycenter", "transport")):
            self.assertTrue(of_the_family(of))
            for name, variant in of_the_family(of).items():
                own = {axis["name"]: axis["default"] for axis in variant.axes}
                refused = variant.cannot({**AT, **own, "cost": "grid2d", "task": other})
                self.assertIn(f"task must be {of}", refused, name)

    def test_of_barycenters_are_the_papers(self):
        """Benamou and others 2015, Proposition 2, multiplied as it is written there."""
        if packages.version("numpy") is None:
            self.skipTest("no NumPy here")
        import numpy

        n, S, count = 3, 2, 4
        dice = numpy.random.default_rng(3)
        mu, weights = dice.random((S, n * n)) + 0.5, dice.random((B, S))
        mu, weights = mu / mu.sum(1, keepdims=True), weights / weights.sum(1, keepdims=True)
        places = (numpy.indices((n, n)).reshape(2, -1).T + 0.5) / n
        C = ((places[:, None] - places[None]) ** 2).sum(-1)
        for scale in (1, 0.5):
            K = numpy.exp(-scale * C / AT["reg"])
            wanted = []
            for w in weights:
                v = numpy.ones((S, n * n))
                for _ in range(count):
                    sums = (mu / (v @ K)) @ K
                    barycenter = (sums ** w[:, None]).prod(0)
                    v = barycenter / sums
                wanted.append(barycenter)
            for name, variant in of_the_family("barycenter").items():
                own = {axis["name"]: axis["default"] for axis in variant.axes if axis["role"] == "tunable"}
                at = {**AT, **own, "task": "barycenter", "histograms": S, "weights": "drawn", "M": n * n, "N": n * n,
                      "cost": "grid2d", "cost_scale": scale}
                if variant.refusal(at):
                    continue
                nothing = numpy.full((B, n * n), 9.0)
                for file, values in (("mu", mu), ("weights", weights), ("barycenter", nothing)):
                    numpy.save(self.folder / f"{file}.npy", values)
                kernel = variant.load(at, self.folder, count)
                kernel.iterate()
                with self.subTest(name, scale=scale):
                    self.assertEqual(kernel.finish(self.folder), ["barycenter"])
                    found = Npy(self.folder / "barycenter.npy").numbers().tolist()
                    self.assert_like(found, flat(numpy.array(wanted).tolist()), 1e-12)

    def test_without_a_package_are_skipped_with_a_line(self):
        for name, variant in of_the_family().items():
            at = {**AT, "source": "one", **{axis["name"]: axis["default"] for axis in variant.axes}}
            for need in variant.needs:
                def version(module):
                    return None if module == need else "99.0"
                with self.subTest(name, need=need), mock.patch.object(packages, "version", version):
                    self.assertRegex(variant.refusal(at), "^[^ ]+ is not installed; try .*$")


if __name__ == "__main__":
    unittest.main()
