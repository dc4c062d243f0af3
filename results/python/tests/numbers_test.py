"""Every number is the program's: this package's medians, intervals and ratios to the last digit."""
import csv
import io
import json
import re
import subprocess
import unittest

from shared import GOLDEN, PROGRAM, ROOT, RUNS, WithFolder, WithProgram, quietly, rows_of, uotbench_runs
from uotbench_runs.quantities import PROGRAMS
from uotbench_runs.statistics import median_interval, median_rank, ratio_range


def told(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def exported(path, *more):
    return list(csv.DictReader(io.StringIO(told("export", path, "--format", "csv", *more))))


def same(ours, theirs):
    if ours is None or theirs == "":
        return (ours or "") == theirs
    if isinstance(ours, (int, float)):
        return float(theirs) == ours
    # For people who look at it: what a terminal or a spreadsheet would obey is spelled out there.
    shown = re.sub("[\x00-\x08\x0b-\x1f\x7f]", lambda found: f"\\x{ord(found[0]):02x}", ours)
    return theirs in (shown, "'" + shown)


class Numbers(WithProgram):
    def hold(self, ours, theirs, key):
        self.assertEqual(set(ours), set(theirs) & set(ours), "a column that the program does not name so")
        for column, value in ours.items():
            self.assertTrue(same(value, theirs[column]), f"{key}: {column}: {value!r} is not {theirs[column]!r}")

    def test_cases_are_those_of_the_csv_in_every_file_ever_written(self):
        for path in RUNS:
            ours, theirs = rows_of(path), {row["id"]: row for row in exported(path)}
            self.assertEqual({row["id"] for row in ours}, set(theirs))
            for row in ours:
                self.hold(row, theirs[row["id"]], f"{path.name}: {row['id']}")
            header = json.loads(path.read_text().splitlines()[0])
            metrics = {metric["name"] for metric in header.get("metrics", [])}
            # A number whose name another column has: Python keeps counters apart from columns.
            renamed = {name for name in theirs[ours[0]["id"]] if name.startswith("reported_")}
            derived = {*PROGRAMS, *renamed, *metrics, *(name + "_source" for name in metrics)}
            self.assertEqual(set(theirs[ours[0]["id"]]) - set(ours[0]) - derived, set(), path.name)

    def test_samples_are_those_of_the_csv(self):
        for path in RUNS:
            theirs = exported(path, "--samples")
            ours = sorted(rows_of(path).samples(), key=lambda row: (row["id"], row["round"], row["sample"]))
            theirs.sort(key=lambda row: (row["id"], int(row["round"]), int(row["sample"])))
            self.assertEqual(len(ours), len(theirs))
            for row, other in zip(ours, theirs):
                self.hold(row, other, path.name)

    def test_ratios_are_those_of_compare(self):
        a, b = GOLDEN / "small.jsonl", GOLDEN / "after.jsonl"
        theirs = {row["id_a"]: row for row in json.loads(told("compare", a, b, "--json"))["rows"]}
        of_a, of_b = rows_of(a), rows_of(b)
        of_b.header["machine"] = of_a.header["machine"]  # the program compares machines, too, with a warning
        ours = uotbench_runs.compare(of_a, of_b)
        self.assertEqual({row["id"] for row in ours.rows}, set(theirs))
        self.assertGreater(len(theirs), 2)
        for row in ours.rows:
            for key in ("median_a", "median_b", "ratio", "low", "high"):
                self.assertEqual(row[key], theirs[row["id"]][key], f"{row['id']}: {key}")

    def test_two_machines_are_never_compared(self):
        with self.assertRaisesRegex(uotbench_runs.NotComparable, "measured on two machines"):
            quietly(uotbench_runs.compare, GOLDEN / "small.jsonl", GOLDEN / "after.jsonl")

    def test_what_the_program_derives_is_asked_of_it(self):
        derived = uotbench_runs.derived(GOLDEN / "small.jsonl")
        speedups = {row["id"]: row["speedup"] for row in derived}
        self.assertEqual(speedups["uot/numpy_order/M:1024/N:1024@native-v4"], 1)
        self.assertGreater(speedups["uot/map_uot/M:1024/N:1024@native-v4"], 1)

    def test_what_the_program_refuses_is_said_in_its_words(self):
        with self.assertRaisesRegex(uotbench_runs.ProgramFailed, "export failed: .*no run \"nowhere\""):
            uotbench_runs.derived("nowhere")

    def test_claims_are_rows(self):
        rows = uotbench_runs.claims("matching")
        printed = uotbench_runs.claims(ROOT / "configs/claims/matching.json")
        self.assertEqual([row["id"] for row in rows], [row["id"] for row in printed])
        self.assertEqual([row["printed"] for row in rows], [row["printed"] for row in printed])
        self.assertEqual([row["machine"] for row in rows], [row["machine"] for row in printed])
        self.assertTrue(all(row["verdict"] for row in rows))
        self.assertTrue(all(row["verdict"] is None for row in printed))

    def test_claims_by_tables_are_taken_apart_by_the_program(self):
        file = ROOT / "configs/claims/uotbench.json"
        ids = [row["id"] for row in uotbench_runs.claims(file)]
        self.assertEqual(ids, [row["id"] for row in uotbench_runs.claims("uotbench")])
        self.assertIn("gap-pot_knopp-0.05-0.01", ids)
        with self.assertRaisesRegex(ValueError, "claims failed: .*only the program takes apart"):
            uotbench_runs.claims(json.loads(file.read_text()))


class Claims(WithFolder):
    TOLD = {"paper": "p", "claims": [
        {"id": "c", "in": "Fig. 1", "says": "s", "kind": "factor", "printed": 2, "unit": "1", "machine": {"name": "m"},
         "verdict": "depends on r", "run": "r.jsonl", "readings": [
             {"name": "one", "ours": 2.1, "interval": {"low": 2, "high": 2.2, "coverage": 0.9},
              "verdict": "reproduced"},
             {"name": "two", "ours": 1.5, "interval": None, "verdict": "trend only"}]}]}

    def test_a_reading_is_a_row(self):
        path = self.folder / "claims.json"
        path.write_text(json.dumps(self.TOLD))
        for source in (path, str(path), self.TOLD):
            one, two = uotbench_runs.claims(source)
            self.assertEqual((one["ours"], one["low"], one["machine"]), (2.1, 2, "m"))
            self.assertEqual((two["reading"], two["low"], two["verdict"]), ("two", None, "depends on r"))

    def test_what_holds_no_claims_is_refused(self):
        with self.assertRaisesRegex(ValueError, "holds no claims. Do uotbench claims"):
            uotbench_runs.claims({"paper": "x"})


class Statistics(unittest.TestCase):
    def test_ranks_are_those_of_the_tables(self):
        # Hollander, Wolfe, Chicken: the sign test's critical values; Moses' of the table of Mann and Whitney.
        self.assertEqual([median_rank(n) for n in (0, 5, 6, 8, 9, 12, 20, 100)], [0, 0, 1, 1, 2, 3, 6, 40])
        self.assertEqual(ratio_range([1.0, 2.0, 4.0], [1.0, 3.0]), (0.25, 3.0))
        self.assertIsNone(ratio_range([1.0], [2.0]))
        self.assertIsNone(median_interval([1.0] * 5))


if __name__ == "__main__":
    unittest.main()
