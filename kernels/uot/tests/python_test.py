"""Solutions fulfil the problem's optimality conditions, computed here from lists; what runs on a GPU computes the same
with NumPy in the GPU's place."""
import array
import ctypes.util
import math
import random
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path
from types import SimpleNamespace

from uotbench import packages
from uotbench.npy import Npy
from uotbench.uot.problem import Problem, Solving
from uotbench.uot.shared.device_loop import DeviceLoop
from uotbench.variant import variants
from uotbench.worker import answer, load_variants

load_variants([])
M, N = 13, 7
AT = {"M": M, "N": N, "dtype": "f64", "scheme": "unbalanced", "fi": 0.5, "reg": 0.1, "reg_m": 0.1, "reg_type": "entropy",
      "matrix": "stored", "application": 0, "stop": "change", "tol": 1e-12, "max_iterations": 10000, "threads": 1, "cache": "warm"}


def write(path, shape, values):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
                     + array.array("d", values).tobytes())


def of_the_family():
    return [(name, variant) for name, variant in variants().items() if name.startswith("uot/")]


def settings_of(variant):
    """Defaults of a variant's own axes; and for each of the calls that it can time."""
    own = {axis["name"]: axis["default"] for axis in variant.axes}
    calls = [axis["values"] for axis in variant.axes if axis["name"] == "timed"]
    return [{**own, "timed": one} for one in calls[0]] if calls else [own]


class Case:
    """Costs, masses, and the K of them; `kl`: times a b'."""

    def __init__(self, folder, kl):
        dice = random.Random(3)
        self.C = [[dice.random() for _ in range(N)] for _ in range(M)]
        self.a, self.b = [dice.random() + 0.1 for _ in range(M)], [3 * dice.random() + 0.1 for _ in range(N)]
        self.K = [[math.exp(-c / AT["reg"]) * (x * y if kl else 1) for c, y in zip(row, self.b)]
                  for x, row in zip(self.a, self.C)]
        for name, shape, values in (("C", (M, N), sum(self.C, [])), ("K", (M, N), sum(self.K, [])),
                                    ("a", (M,), self.a), ("b", (N,), self.b), ("plan", (M, N), [-1.0] * (M * N)),
                                    ("u", (M,), [-1.0] * M), ("v", (N,), [-1.0] * N)):
            write(folder / f"{name}.npy", shape, values)

    def residual(self, plan):
        """Of P = diag(u) K diag(v) with u = (a / K v)^fi: then u = (a / P1)^(reg_m/reg), and likewise v."""
        power = AT["reg_m"] / AT["reg"]
        u = [(mass / sum(row)) ** power for mass, row in zip(self.a, plan)]
        v = [(mass / sum(column)) ** power for mass, column in zip(self.b, zip(*plan))]
        return max(abs(p / (x * k * y) - 1) for p_row, k_row, x in zip(plan, self.K, u)
                   for p, k, y in zip(p_row, k_row, v))


@unittest.skipUnless(packages.version("numpy") and ctypes.util.find_library("png16"), "NumPy or libpng is missing")
class Pictures(unittest.TestCase):
    def test_that_are_files_are_read_as_they_were_written(self):
        import numpy

        from uotbench.uot.shared.applications.png_files import PngFiles, most_bytes

        levels = numpy.arange(5 * 4 * 3, dtype="f4").reshape(5, 4, 3) * 4
        file = PngFiles().write(levels, most_bytes(4, 5), numpy)
        self.assertEqual(bytes(file[:4]), b"\x89PNG")
        self.assertTrue((PngFiles().read(file.astype("f4"), numpy) == levels).all())
        with self.assertRaisesRegex(RuntimeError, "libpng: "):
            PngFiles().read(file[4:], numpy)

    def test_have_phases_of_their_own(self):
        from uotbench.uot.shared.applications.application import parts_of

        scenes = {"data": "colors", "source": "scene:meadow", "target": "scene:sunset"}
        self.assertEqual(parts_of(scenes)[0], "sample")
        self.assertEqual(parts_of({**scenes, "target": "my.png"})[:2], ["read", "sample"])


class Batches(unittest.TestCase):
    """Two problems, one below the other."""

    AT = {**AT, "stop": "iterations", "B": 2}

    def takers(self):
        return [(name, variant, at) for name, variant in of_the_family()
                for at in [{**self.AT, **{axis["name"]: axis["default"] for axis in variant.axes}}]
                if "takes one problem a call: B must be 1" not in variant.cannot(at)]

    def test_are_refused_by_all_others(self):
        self.assertEqual([name for name, _, _ in self.takers()], ["uot/jax_batch", "uot/numpy_batch"])

    @unittest.skipUnless(packages.version("numpy"), "NumPy is missing")
    def test_have_items_as_solved_alone(self):
        dice = random.Random(5)
        items = [{"K": (M, N), "a": (M,), "b": (N,)} for _ in range(2)]
        items = [{name: (shape, [dice.random() + 0.1 for _ in range(math.prod(shape))]) for name, shape in item.items()}
                 for item in items]

        def plan_of(variant, at, arrays):
            with tempfile.TemporaryDirectory() as name:
                folder, rows = Path(name), at["B"] * M
                for which, (shape, values) in arrays.items():
                    write(folder / f"{which}.npy", shape, values)
                for which, shape in (("plan", (rows, N)), ("u", (rows,)), ("v", (at["B"] * N,))):
                    write(folder / f"{which}.npy", shape, [-1.0] * math.prod(shape))
                kernel = variant.load(at, folder, None)
                for _ in range(3):
                    kernel.iterate()
                kernel.finish(folder)
                return Npy(folder / "plan.npy").numbers().tolist()

        both = {name: ((2 * shape[0], *shape[1:]), values + items[1][name][1])
                for name, (shape, values) in items[0].items()}
        alone = [plan_of(variants()["uot/numpy_gemv"], {**self.AT, "B": 1}, item) for item in items]
        for name, variant, at in self.takers():
            if variant.refusal(at):
                continue
            with self.subTest(name):
                for one, other in zip(plan_of(variant, at, both), sum(alone, []), strict=True):
                    self.assertAlmostEqual(one / other, 1, delta=1e-12)


class Solutions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def plan_of(self, name, at):
        kernel = variants()[name].load(at, self.folder, None)
        if hasattr(kernel, "begin"):
            kernel.begin()
        kernel.iterate()
        self.assertIn("plan", kernel.finish(self.folder))
        numbers = Npy(self.folder / "plan.npy").numbers().tolist()
        return kernel, [numbers[i : i + N] for i in range(0, M * N, N)]

    def test_fulfil_the_optimality_conditions(self):
        tried = 0
        for kl in (False, True):
            case = Case(self.folder, kl)
            for name, variant, own in [(*one, own) for one in of_the_family() for own in settings_of(one[1])]:
                at = {**AT, "reg_type": "kl" if kl else "entropy", **own}
                if variant.refusal(at):
                    continue
                with self.subTest(name, kl=kl, timed=own.get("timed")):
                    kernel, plan = self.plan_of(name, at)
                    self.assertLess(case.residual(plan), 1e-9)
                    self.assertGreater(variant.iterations(at, kernel), 5)
                    self.assertEqual(variant.per(at), "solve")
                    tried += 1
        if packages.version("numpy") is None:
            self.assertEqual(tried, 0)
            self.skipTest("no NumPy here, and nothing that solves without")
        self.assertGreaterEqual(tried, 4)

    def test_are_approached_by_states_on_the_way(self):
        """Whatever their own test says, solves stop where they are told, each nearer than the one before."""
        case, tried = Case(self.folder, False), 0
        for name, variant in of_the_family():
            at = {**AT, "tol": 1e-1, **{axis["name"]: axis["default"] for axis in variant.axes}}
            if variant.refusal(at) or name == "uot/called":  # which goes to the end, as the next test says
                continue
            with self.subTest(name):
                residuals = []
                for after in (10, 20, 30):
                    kernel, plan = self.plan_of(name, {**at, "stop_after": after})
                    self.assertEqual(variant.iterations(at, kernel), after)
                    residuals.append(max(case.residual(plan), 1e-12))
                self.assertEqual(residuals, sorted(residuals, reverse=True))
                self.assertGreater(residuals[0], residuals[2])
                tried += 1
        self.assertGreaterEqual(tried, 3 if packages.version("numpy") else 0)

    def test_on_the_way_are_refused_where_a_function_has_none(self):
        Case(self.folder, False)
        variant = variants()["uot/called"]
        at = {**AT, **settings_of(variant)[0]}
        if reason := variant.refusal(at):
            self.skipTest(reason)
        folder = str(self.folder)
        request = {"type": "run", "variant": "uot/called", "point": at, "case": "", "steps": ["state"], "iterations": 10,
                   "arrays": {"in": folder, "out": folder}}
        with self.assertRaisesRegex(ValueError, "uot/called cannot be stopped on its way"):
            answer(request, None)

    def test_that_are_not_reached_are_said_so(self):
        Case(self.folder, False)
        for name, variant, own in [(*one, own) for one in of_the_family() for own in settings_of(one[1])]:
            at = {**AT, "max_iterations": 10, **own}
            if not variant.refusal(at):
                with self.subTest(name, timed=own.get("timed")), self.assertRaisesRegex(
                        RuntimeError, r"no solution after 10 iterations: .* larger (tol or max_iterations|stopThr or numItermax)"):
                    self.plan_of(name, at)

    def test_are_not_reached_by_kernels_that_change_their_scalings_in_place(self):
        """Held against themselves they would not have moved after one iteration."""
        class Numbers(array.array):
            """As much of NumPy's array as the test of change needs."""

            def __sub__(self, other):
                return Numbers("d", [x - y for x, y in zip(self, other)])

            def __abs__(self):
                return Numbers("d", map(abs, self))

            def max(self):
                return max(iter(self))

            def copy(self):
                return Numbers("d", self)

        class Halving:
            def restart(self):
                self.u, self.v = Numbers("d", [1]), Numbers("d", [1])

            def iterate(self):
                self.u[0] /= 2

        solving = Solving(Halving(), SimpleNamespace(most=100, tol=1e-3, after=None, at=AT))
        solving.iterate()
        self.assertEqual(solving.iterations, 9)  # half of 2^-9 is the first change below tol

    def test_that_overflow_are_said_so(self):
        """By whom the loop is ours, or POT's: OTT iterates on logarithms."""
        Case(self.folder, False)
        write(self.folder / "a.npy", (M,), [1e300] * M)
        write(self.folder / "K.npy", (M, N), [1e-200] * (M * N))
        for name in ("uot/numpy_gemv", "uot/numpy_in_place"):
            at = {**AT, "fi": 0.999}
            if not variants()[name].refusal(at):
                with self.subTest(name), self.assertRaisesRegex(RuntimeError, "a scaling is inf or no number: f64 does"):
                    self.plan_of(name, at)


class OnADevice(unittest.TestCase):
    def test_a_loop_is_numpys_loop(self):
        if packages.version("numpy") is None:
            self.skipTest("no NumPy here")
        import numpy

        class Event:
            def record(self):
                self.at = time.monotonic()

            def synchronize(self):
                pass

        class Here(DeviceLoop):
            def __init__(self, problem):
                self.event, self.host = Event, numpy.asarray
                super().__init__(problem, numpy, numpy.asarray)

            def milliseconds(self, start, end):
                return 1000 * (end.at - start.at)

        with tempfile.TemporaryDirectory() as name:
            folder, at = Path(name), {**AT, "stop": "iterations", "scheme": "damped"}
            Case(folder, False)
            kernel, like = Here(Problem(at, folder, None)), variants()["uot/numpy_gemv"].load(at, folder, None)
            self.assertLess(kernel.device_seconds(kernel.iterate, 4), 10)
            for _ in range(4):
                like.iterate()
            numpy.testing.assert_allclose(kernel.finish()["plan"], like._kernel.finish()["plan"], rtol=1e-13)

    def test_cupys_loops_are_numpys(self):
        if packages.version("numpy") is None:
            self.skipTest("no NumPy here")
        import numpy

        pool = SimpleNamespace(free_all_blocks=lambda: None, total_bytes=lambda: 4711)
        like_cupy = SimpleNamespace(cuda=SimpleNamespace(Event=None, get_elapsed_time=None), asnumpy=numpy.asarray,
                                    asarray=numpy.array, get_default_memory_pool=lambda: pool,
                                    **{name: getattr(numpy, name)
                                       for name in ("ones_like", "zeros_like", "empty_like", "where")})
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.dict(sys.modules, cupy=like_cupy):
            folder = Path(name)
            Case(folder, False)
            for scheme in ("damped", "unbalanced"):
                for which in ("gemv", "in_place"):
                    at = {**AT, "stop": "iterations", "scheme": scheme}
                    kernel, like = (variants()[f"uot/{package}_{which}"]._kernel(Problem(at, folder, None))
                                    for package in ("cupy", "numpy"))
                    for one in (kernel, like):
                        for _ in range(2):  # back to the inputs, in the same memory
                            one.restart()
                            for _ in range(4):
                                one.iterate()
                    numpy.testing.assert_allclose(kernel.finish()["plan"], like.finish()["plan"], rtol=1e-13)
                    self.assertEqual(kernel.facts()["device_peak_bytes"], 4711)


if __name__ == "__main__":
    unittest.main()
