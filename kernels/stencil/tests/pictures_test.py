"""A streamline stays where the stream function is what it was, lines stay apart, the profiles of Ghia, Ghia and Shin are
read from the judge's own table, and an efficiency is the best sweep's time over XLA's."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import math
import tempfile
import unittest
from pathlib import Path

SCRIPT = str(Path(__file__).parents[1] / "pictures" / "draw")
loader = importlib.machinery.SourceFileLoader("draw", SCRIPT)
draw = importlib.util.module_from_spec(importlib.util.spec_from_loader("draw", loader))
loader.exec_module(draw)


def psi(x, y):
    return (math.sin(math.pi * x) * math.sin(math.pi * y)) ** 2


class Pictures(unittest.TestCase):
    def test_streamlines_follow_the_stream_function(self):
        n = 65
        at = [i / (n - 1) for i in range(n)]
        U = [[math.sin(math.pi * x) ** 2 * math.sin(2 * math.pi * y) for y in at] for x in at]
        V = [[-math.sin(math.pi * y) ** 2 * math.sin(2 * math.pi * x) for y in at] for x in at]
        lines = list(draw.Streams(U, V, .05).all())
        self.assertGreater(len(lines), 5)
        for points in lines:
            values = [psi(x, y) for x, y, _ in points]
            self.assertLess(max(values) - min(values), .02)
        starts = [points[0] for points in lines]
        for k, (x, y, _) in enumerate(starts):
            for a, b, _ in starts[:k]:
                self.assertGreater(math.hypot(x - a, y - b), .4 * .05)

    def test_the_profiles_are_the_judges(self):
        u, v = draw.ghia()
        self.assertEqual((len(u), len(v)), (15, 15))
        self.assertIn((.5, -.20581, -.0608), u)
        self.assertIn((.8047, -.24533, -.31966), v)

    def test_a_mode_is_held_against_the_equation(self):
        with tempfile.TemporaryDirectory() as place:
            n, r, steps = 33, .4, 100
            decay = (1 - 4 * r * math.sin(math.pi / 2 / (n - 1)) ** 2) ** steps
            header = repr({"descr": "<f8", "fortran_order": False, "shape": (1, n)}).ljust(117) + "\n"
            values = draw_bytes(6 * math.sin(math.pi * j / (n - 1)) * decay for j in range(n))
            Path(place, "T.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
                                             + header.encode() + values)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                draw.heat([(steps, place)], [r, 0])
            off = float(said.getvalue().split("off by at most ")[1].split()[0])
            self.assertLess(off, 6 * 1e-3)
            self.assertGreater(off, 0)

    def test_a_spot_begins_as_the_equation_says(self):
        highest, line = draw.spot(5, 0)
        self.assertEqual([x for x, _ in line], [-1, -.5, 0, .5, 1])
        self.assertEqual(line[2][1], highest)
        self.assertAlmostEqual(line[3][1] / highest, math.exp(-250 / 4), places=40)
        self.assertLess(draw.spot(5, 1)[1][2][1], highest / 100)

    def test_efficiency_is_the_best_sweeps_time_over_xlas(self):
        def case(variant, time, **more):
            at = {"model": "heat2d", "nx": 8, "ny": 9, "terms": 6, "threads": 2, "jit": "yes", "donate": "no",
                  **more}
            return {"kind": "case", "status": "ok", "variant": f"stencil/{variant}", "point": at,
                    "env": {"jaxlib": "0.4", "xla_flags": ""},
                    "time": {"processes": [{"samples": [time, time, 9]}, {"samples": [time]}]}}

        records = [{"kind": "run"}, case("openmp", 3), case("nontemporal", 2), case("temporal", 1),
                   case("xla_slices", 4), case("xla_slices", 2.5, donate="yes"), case("xla_roll", 8, jit="no"), case("simd", .1, threads=1),
                   {**case("xla_conv", 1), "status": "failed"}, case("xla_conv", 1, model="heat1d")]
        with tempfile.TemporaryDirectory() as place:
            run = Path(place, "xla.jsonl")
            run.write_text("\n".join(map(json.dumps, records)))
            found, versions = draw.efficiencies([run])
        self.assertEqual(found, {("heat2d", 72): {"slices": 50, "slices, donated": 80, "roll, no jit": 25}})
        self.assertEqual(versions, {"0.4, no flags"})


def draw_bytes(numbers):
    import array
    return array.array("d", numbers).tobytes()


if __name__ == "__main__":
    unittest.main()
