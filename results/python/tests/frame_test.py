"""The DataFrame is the list of rows, and keeps knowing its run; figures show the program's tables. Where pandas or
matplotlib is absent, that part is skipped, and what is said without them is tested."""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

from shared import GOLDEN, OLD, PROGRAM, ROOT, RUNS, WithFolder, WithProgram, quietly, rows_of, uotbench_runs

try:
    import pandas
except ModuleNotFoundError:
    pandas = None
try:
    import matplotlib

    matplotlib.use("Agg")
except ModuleNotFoundError:
    matplotlib = None


class WithoutPandas(unittest.TestCase):
    def test_runs_are_read_and_a_frame_is_refused(self):
        # An interpreter whose pandas cannot be imported, installed or not.
        code = ("import sys; sys.modules['pandas'] = None\nimport uotbench_runs\n"
                f"run = uotbench_runs.read({str(OLD[0])!r})\n"
                "assert type(run[0]) is dict and run.samples(), run\n"
                f"try: uotbench_runs.read_frame({str(OLD[0])!r})\n"
                "except ModuleNotFoundError as error: print(error.name, error)")
        done = subprocess.run([sys.executable, "-c", code], cwd=Path(uotbench_runs.__file__).parents[1],
                              capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr),
                         ("pandas read_frame failed: pandas is not installed. Expected pandas 1.5 or newer. "
                          "Try: pip install pandas; or read(FILE), a list of dicts.\n", ""))


@unittest.skipIf(pandas is None, "pandas is not installed")
class Frames(unittest.TestCase):
    def test_a_row_a_case_with_units(self):
        for path in RUNS:
            frame, run = quietly(uotbench_runs.read_frame, path), rows_of(path)
            self.assertIs(type(run), uotbench_runs.Run)
            self.assertEqual(list(frame["id"]), [row["id"] for row in run])
            self.assertEqual(list(frame.columns), list(run[0]))
            for name in ("median_seconds", "bytes_per_second"):
                self.assertEqual([None if value != value else value for value in frame[name].astype(float)],
                                 [row[name] for row in run])
            self.assertEqual(frame.attrs["units"]["median_seconds"], "s")

    def test_a_filtered_table_has_its_own_samples(self):
        frame = uotbench_runs.read_frame(OLD[0])
        ours = frame[frame["variant"] == "uot/one_read"].sort_values("M")
        samples = ours.samples()
        self.assertEqual(set(samples["variant"]), {"uot/one_read"})
        self.assertEqual(len(samples), ours["samples"].sum())
        self.assertEqual(set(samples["M"]), set(ours["M"]))
        self.assertLess(len(samples), len(frame.samples()))
        with self.assertRaisesRegex(ValueError, "samples failed: .* Do read_frame"):
            frame[["M", "N"]].samples()

    def test_comparisons_take_what_was_filtered(self):
        frame = uotbench_runs.read_frame(OLD[0])
        half = frame[frame["variant"] == "uot/one_read"]
        found = uotbench_runs.compare(half, frame)
        self.assertEqual(set(found.frame()["ratio"]), {1.0})
        self.assertEqual(set(found.left_out), {"only in b"} | set(found.left_out) - {"only in a"})
        self.assertEqual(len(found.left_out["only in b"]), len(frame) - len(half))


@unittest.skipIf(pandas is None, "pandas is not installed")
class Filtered(WithProgram):
    def test_the_program_s_rows_are_those_of_the_table(self):
        frame = uotbench_runs.read_frame(GOLDEN / "after.jsonl")
        ours = frame[frame["threads"] == 1]
        self.assertEqual({row["id"] for row in uotbench_runs.derived(ours)}, set(ours["id"]))
        drawn = {row["id"] for row in uotbench_runs.figure_data("scaling", ours)}
        self.assertTrue(drawn and drawn <= set(ours["id"]))


class Looks(unittest.TestCase):
    def test_colours_and_shades_are_those_of_the_program(self):
        from uotbench_runs import draw

        source = (ROOT / "roofline/draw/drawing.cpp").read_text()
        colours = re.findall(r'std::tuple\{"(#[0-9a-f]{6})"', source)
        self.assertEqual([look.colour for look in draw.LOOKS], colours)
        self.assertEqual([draw.look(place).colour for place in range(8, 16)], colours)
        self.assertEqual(len({draw.look(place) for place in range(64)}), 64)


class Tables(WithProgram):
    def test_a_figure_s_table_is_the_program_s(self):
        rows = uotbench_runs.figure_data("scaling", GOLDEN / "after.jsonl", filter="map_uot")
        medians = {row["id"]: row["median_seconds"] for row in rows_of(GOLDEN / "after.jsonl")}
        self.assertEqual([row["seconds"] for row in rows], [medians[row["id"]] for row in rows])
        self.assertEqual({row["id"].partition("/M:")[0] for row in rows}, {"uot/map_uot"})


class TileMaps(WithFolder, WithProgram):
    def test_a_map_s_table_and_shades_are_the_program_s(self):
        from uotbench_runs import draw

        points = {(64, 1): 1.2e-3, (64, 2): 1.0e-3, (32, 1): 2.4e-3, (32, 2): 1.05e-3}
        ids = [f"uot/part2/M:64/N:64/Ny:{y}/Tx:{x}@w" for x, y in points]
        lines = [{"kind": "run", "schema": 1, "plan": ids, "problem_axes": {"uot": ["M", "N"]}}]
        for name, ((x, y), seconds) in zip(ids, points.items()):
            processes = [{"start": start, "samples": [seconds * (1 + start / 1000)] * 6} for start in (0, 1, 2)]
            lines.append({"kind": "case", "id": name, "variant": "uot/part2", "worker": "w", "status": "ok",
                          "point": {"M": 64, "N": 64, "Tx": x, "Ny": y},
                          "time": {"per": "iteration", "clock": "steady", "inner": 1, "stopped_by": "noise",
                                   "processes": processes, "warnings": []}})
        path = self.folder / "tiles.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        rows = uotbench_runs.figure_data("tiles", path, x="Ny", y="Tx")
        self.assertEqual({(row["y"], row["x"]): row["median_s"] for row in rows},
                         {place: seconds * 1.001 for place, seconds in points.items()})
        self.assertEqual([(row["y"], row["x"]) for row in rows if row["tied"] == "yes"], [(64, 2)])
        subprocess.run([PROGRAM, "figure", "tiles", path, "--x", "Ny", "--y", "Tx", "-o", self.folder / "t.svg"],
                       check=True, capture_output=True)
        drawn = {"#" + "".join(f"{int(part):02x}" for part in found) for found in
                 re.findall(r"rgb\( *(\d+), *(\d+), *(\d+)\)", (self.folder / "t.svg").read_text())}
        self.assertLessEqual({draw.SHADES[0], draw.SHADES[-1], draw.FRAME}, drawn)


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Figures(WithProgram):
    def drawn(self, ax):
        self.addCleanup(__import__("matplotlib.pyplot").pyplot.close, ax.figure)
        ax.figure.canvas.draw()
        return ax

    def test_scaling_draws_each_variant_in_its_colour(self):
        from uotbench_runs import draw

        path = GOLDEN / "after.jsonl"
        rows = uotbench_runs.figure_data("scaling", path)
        ax = self.drawn(draw.scaling(path))
        lines = [line for line in ax.get_lines() if line.get_color() == draw.LOOKS[0].colour]
        first = [row["speedup"] for row in rows if row["id"].startswith(rows[0]["id"].partition("/M:")[0] + "/")]
        self.assertEqual(list(lines[0].get_ydata()), first)
        self.assertEqual(list(lines[0].get_xdata()), [1, 2])

    def test_tiles_frame_what_is_tied(self):
        from uotbench_runs import draw

        shared = {"map": "m", "x_axis": "Tx", "y_axis": "Ny", "low_s": 1, "high_s": 1, "over_fastest": 1, "run": "r"}
        rows = [{**shared, "id": f"{x}x{y}", "x": x, "y": y, "median_s": 1e-3 * (x + y),
                 "tied": "yes" if x == 1 else "no"} for x in (1, 2, 16) for y in (3, 4)]
        ax = self.drawn(draw.tiles(rows))
        self.assertEqual([patch.get_fill() for patch in ax.patches].count(False), 2)
        self.assertEqual([text.get_text() for text in ax.get_xticklabels()], ["1", "2", "16"])
        self.assertIn("ms", ax.get_title())
        with self.assertRaisesRegex(ValueError, "2 maps: m, n. Do give filter"):
            draw.tiles([*rows, {**rows[0], "map": "n"}])

    def test_a_roofline_has_roofs_and_open_marks_in_caches(self):
        from uotbench_runs import draw

        shared = {"machine": "M", "setting": "f32, 1 thread"}
        rows = [{**shared, "kind": "point", "name": name, "level": level, "flops_per_byte": 0.5, "flops_per_s": rate,
                 "flops_per_s_low": rate, "flops_per_s_high": rate} for name, level, rate in
                (("a", "DRAM", 1e9), ("a", "L2", 2e9), ("b", "DRAM", 3e9))]
        rows += [{**shared, "kind": "bandwidth", "name": "DRAM", "bytes_per_s": 1e10}, {**shared, "kind": "ridge",
                 "flops_per_byte": 4.0}, {**shared, "kind": "peak", "name": "FMA", "flops_per_s": 4e10}]
        ax = self.drawn(draw.roofline(rows))
        marks = {(line.get_color(), line.get_markerfacecolor()) for line in ax.get_lines() if line.get_marker() in "os"}
        blue, orange = draw.LOOKS[0].colour, draw.LOOKS[1].colour
        self.assertLessEqual({(blue, blue), (blue, "white"), (orange, orange)}, marks)
        ends = [tuple(line.get_ydata()) for line in ax.get_lines() if len(line.get_xdata()) == 2]
        self.assertEqual({end for start, end in ends if start != end and start < 2e9}, {4e10})  # at the peak


if __name__ == "__main__":
    unittest.main()
