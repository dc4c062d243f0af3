"""The DataFrame is the list of rows, and keeps knowing its run; figures and their tables are the program's. Where
pandas is absent, its part is skipped, and what is said without it is tested."""
import json
import subprocess
import sys
import unittest
import xml.dom.minidom
from pathlib import Path

from shared import GOLDEN, OLD, RUNS, WithFolder, WithProgram, quietly, rows_of, uotbench_runs

try:
    import pandas
except ModuleNotFoundError:
    pandas = None


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
        with self.assertRaisesRegex(ValueError, "is filtered.* Try: filter=REGEX"):
            uotbench_runs.figure("scaling", ours)
        self.assertIn("<svg", uotbench_runs.figure("scaling", frame).svg)


class Tables(WithProgram):
    def test_a_figure_s_table_is_the_program_s(self):
        rows = uotbench_runs.figure_data("scaling", GOLDEN / "after.jsonl", filter="map_uot")
        medians = {row["id"]: row["median_seconds"] for row in rows_of(GOLDEN / "after.jsonl")}
        self.assertEqual([row["seconds"] for row in rows], [medians[row["id"]] for row in rows])
        self.assertEqual({row["id"].partition("/M:")[0] for row in rows}, {"uot/map_uot"})

    def test_a_figure_is_the_program_s_picture(self):
        figure = uotbench_runs.figure("scaling", GOLDEN / "after.jsonl", filter="map_uot", title="Ours")
        self.assertEqual(figure._repr_svg_(), figure.svg)
        self.assertEqual(xml.dom.minidom.parseString(figure.svg).documentElement.tagName, "svg")
        self.assertIn(">Ours<", figure.svg)
        with self.assertRaisesRegex(uotbench_runs.ProgramFailed, "no case's id matches"):
            uotbench_runs.figure("scaling", GOLDEN / "after.jsonl", filter="absent")


class TileMaps(WithFolder, WithProgram):
    def test_a_map_s_table_is_the_program_s(self):
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


if __name__ == "__main__":
    unittest.main()
