"""What runs in Python makes the steps that lists of numbers make here, on every model that it has; and its page of
work agrees with the formulas."""
import array
import random
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

from uotbench import packages
from uotbench.npy import Npy
from uotbench.stencil.problem import factors, inputs, outputs
from uotbench.stencil.shared.arrays import Slices, step
from uotbench.variant import variants
from uotbench.worker import load_variants

load_variants([])
NX, NY = 5, 7
AT = {"nx": NX, "ny": NY, "dtype": "f64", "data": "random", "terms": 7, "a": .7, "r": .2, "Re": 100.0, "courant": .2,
      "steps": 10, "seed": 1, "threads": 1, "cache": "warm"}


def written(folder, name, values, shape):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
                                         + array.array("d", values).tobytes())


def point_of(one, **changes):
    """AT with the defaults of the variant's own axes, and changes."""
    return {axis["name"]: axis["default"] for axis in one.axes} | AT | changes


def heat2d(T, r):
    return [T[k] if k < NY or k >= (NX - 1) * NY or k % NY in (0, NY - 1)
            else T[k] + r * (T[k + NY] + T[k - NY] + T[k + 1] + T[k - 1] - 4 * T[k]) for k in range(NX * NY)]


def xpxpyn(X, Y):
    for term in range(7):
        Y = [y + x if term % 2 == 0 else y - x for x, y in zip(X, Y)]
    return Y


class Counting:
    """A grid on which only the operations and the elements that are read count, and its own package of arrays."""

    class Value:
        def __init__(self, grid):
            self.grid = grid

        def counted(self, _):
            self.grid.flops += 1
            return self

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = counted

    class Factor(float):
        dtype = types.SimpleNamespace(type=float)

    def __init__(self, model):
        self.row, self.flops, self.seen, self.xp = model == "heat1d", 0, set(), self
        self.fields = [self.Value(self) for _ in inputs(model)]  # kept: they are told apart by their places
        factors = ("a", "r", "dt_dx", "dt_dy", "nu_dx", "nu_dy", "c2_dx", "c2_dy")
        self.results = step(self, types.SimpleNamespace(model=model, at={"terms": 7},
                                                        factors=dict.fromkeys(factors, self.Factor(.2))))(*self.fields)

    def copy(self, field):
        return field

    def near(self, field, di=0, dj=0):
        self.seen.add((id(field), di, dj))
        return self.Value(self)

    def walled(self, inner, walls=None):
        self.fields.append(self.Value(self))
        return self.fields[-1]

    closed = walled


class Work(unittest.TestCase):
    def test_it_is_what_the_formulas_do(self):
        moved = {}
        for model in ("copy", "scale", "axpy", "xpxpyn", "heat1d", "heat2d", "predictor", "corrector", "ns2d"):
            counted, work = Counting(model), variants()["stencil/xla_slices"].work({**AT, "model": model})
            element = work["element"]
            moved[model] = element["memory"], element["cached"]
            self.assertEqual(work["flops"], counted.flops * NX * NY, model)
            self.assertEqual(work["bytes_read"] + work["bytes_written"], 8 * NX * NY * element["memory"], model)
            if model == "ns2d":  # its substeps read one after the other
                self.assertEqual(moved[model], tuple(map(sum, zip(moved["predictor"], moved["corrector"]))))
                continue
            read = len({field for field, _, _ in counted.seen}) or len(inputs(model))
            self.assertEqual(moved[model], (read + len(outputs(model)), max(0, len(counted.seen) - read)), model)

    def test_alpha_is_the_publications(self):
        found = {model: variants()["stencil/xla_slices"].work({**AT, "model": model})["element"]["flops"]
                 for model in ("copy", "axpy", "xpxpyn", "heat1d", "heat2d", "ns2d")}
        self.assertEqual(found, {"copy": 0, "axpy": 2, "xpxpyn": 7, "heat1d": 6, "heat2d": 8, "ns2d": 98})


class PythonVariants(unittest.TestCase):
    def run_variant(self, name, model, **more):
        with tempfile.TemporaryDirectory() as place:
            folder, dice = Path(place), random.Random(3)
            one = variants()[name]
            at = point_of(one, model=model, **more)
            fields = {file: [dice.random() for _ in range(NX * NY)] for file in ("X", "Y0", "T0", "U0", "V0", "P0")}
            for file, values in fields.items():
                written(folder, file, values, (NX, NY))
            for file in ("Y", "T", "U", "V", "P"):
                written(folder, file, [0.0] * (NX * NY), (NX, NY))
            self.assertEqual(one.cannot(at), "")
            kernel = one.load(at, folder, None)
            for _ in range(3):
                kernel.iterate()
            names = kernel.finish(folder)
            return fields, {file: list(Npy(folder / f"{file}.npy").numbers()) for file in names}

    def having(self, model):
        """Variants that can run here."""
        able = [name for name, one in variants().items()
                if name.startswith("stencil/") and not one.lacks() and not one.cannot(point_of(one, model=model))]
        if not able:
            self.skipTest(packages.missing("numpy"))
        return able

    def test_heat_is_conducted(self):
        for name in self.having("heat2d"):
            fields, found = self.run_variant(name, "heat2d")
            want = fields["T0"]
            for _ in range(3):
                want = heat2d(want, .2)
            for got, right in zip(found["T"], want):
                self.assertAlmostEqual(got, right, 12, name)

    def test_f32_stays_f32(self):
        if packages.missing("numpy"):
            self.skipTest(packages.missing("numpy"))
        import numpy

        for model in ("heat2d", "ns2d", "axpy"):
            at = {**AT, "model": model, "dtype": "f32"}
            problem = types.SimpleNamespace(model=model, at=at, factors=factors(at))
            fields = [numpy.ones((NX, NY), numpy.float32) for _ in inputs(model)]
            for result in step(Slices(numpy, False), problem)(*fields):
                self.assertEqual(result.dtype, numpy.float32, model)

    def test_no_term_is_folded(self):
        for name in self.having("xpxpyn"):
            fields, found = self.run_variant(name, "xpxpyn")
            want = fields["Y0"]
            for _ in range(3):
                want = xpxpyn(fields["X"], want)
            self.assertEqual(found["Y"], want, name)

    def test_all_forms_of_the_fluid_agree(self):
        results = [self.run_variant(name, "ns2d")[1] for name in self.having("ns2d")]
        for other in results[1:]:
            for field in "UVP":
                for got, right in zip(other[field], results[0][field]):
                    self.assertAlmostEqual(got, right, 10)

    def test_a_gpu_is_named_by_the_point(self):
        for name in ("xla_slices", "xla_roll", "xla_conv"):
            one = variants()[f"stencil/{name}"]
            self.assertEqual(one.cannot(point_of(one, model="heat2d", device="gpu", threads=2)),
                             "device=gpu has its threads there: threads must be 1")
            with mock.patch("uotbench.xla_device.cuda_devices", lambda: 0):
                self.assertEqual(one.cannot(point_of(one, model="heat2d", device="gpu")),
                                 "device=gpu: CUDA has no device here")
            with mock.patch("uotbench.xla_device.cuda_devices", lambda: 1):
                self.assertEqual(one.cannot(point_of(one, model="heat2d", device="gpu")), "")
            self.assertEqual(one.work(point_of(one, model="heat2d", device="gpu"))["write_allocate"], 0)
            self.assertGreater(one.work(point_of(one, model="heat2d"))["write_allocate"], 0)

    def test_arrays_live_on_the_device_of_the_point(self):
        if packages.missing("jax"):
            self.skipTest(packages.missing("jax"))
        one = variants()["stencil/xla_slices"]
        with tempfile.TemporaryDirectory() as place:
            written(Path(place), "T0", [0.5] * (NX * NY), (NX, NY))
            kernel = one.load(point_of(one, model="heat2d"), Path(place), None)
            kernel.iterate()
            platforms = {device.platform for field in kernel.fields for device in field.devices()}
            self.assertEqual(platforms, {"cpu"})
            self.assertEqual(kernel.facts()["device"], kernel.device.device_kind)

    def test_a_model_that_it_lacks_is_told(self):
        one = variants()["stencil/xla_conv"]
        self.assertEqual(one.cannot(point_of(one, model="ns2d")),
                         "stencil/xla_conv has no ns2d: it has heat1d, heat2d")


if __name__ == "__main__":
    unittest.main()
