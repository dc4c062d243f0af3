"""What a run file says is read whole, whoever wrote it; what is broken costs one record, and is told."""
import json
import unittest
import warnings

from shared import OLD, WithFolder, rows_of, uotbench_runs

HEADER = {"kind": "run", "schema": 1, "plan": ["a@w", "b@w"], "machine": {"fingerprint": "m"}}


def case(name, samples=(1.0, 2.0, 3.0), **more):
    return {"kind": "case", "id": name, "variant": "f/v", "worker": "w", "point": {"M": 3}, "status": "ok",
            "time": {"per": "iteration", "clock": "steady", "processes": [{"start": 0.5, "samples": list(samples)}]},
            **more}


class Reading(WithFolder):
    def read(self, *lines, end="\n"):
        path = self.folder / "run.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + end)
        return rows_of(path)

    def test_records_stand_in_the_order_of_the_plan_and_the_last_counts(self):
        run = self.read(HEADER, case("b@w"), case("a@w"), {"kind": "resume"}, case("b@w", [7.0]), {"kind": "end"})
        self.assertEqual([row["id"] for row in run], ["a@w", "b@w"])
        self.assertEqual(run[1]["median_seconds"], 7.0)
        self.assertTrue(run.ended)
        self.assertEqual(run.warnings, [])

    def test_the_newest_plan_counts_with_what_belongs_to_it(self):
        start = {"kind": "resume", "plan": ["b@w"], "sweep": {"name": "two"}, "problem_axes": {"uot": ["M"]}}
        run = self.read({**HEADER, "plan": ["a@w"], "sweep": {"name": "one"}}, case("a@w"), start, case("b@w"))
        self.assertEqual([row["id"] for row in run], ["b@w"])
        self.assertEqual(run.header["sweep"]["name"], "two")

    def test_a_torn_last_line_is_left_out_with_a_warning(self):
        path = self.folder / "torn.jsonl"
        path.write_text(json.dumps(HEADER) + "\n" + json.dumps(case("a@w")) + '\n{"kind":"case","id":"b@')
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run = uotbench_runs.read(path)
        self.assertEqual([row["id"] for row in run], ["a@w"])
        self.assertEqual([str(warning.message) for warning in told],
                         [f"line 3 of {path} is torn (cut off while being written): left out"])
        self.assertFalse(run.ended)

    def test_a_broken_line_costs_one_record(self):
        broken = [case("a@w", [0.0]), {**case("a@w"), "status": "fine"}, {**case("a@w"), "point": None}, "[1]",
                  "nonsense", '{"kind":"case","id":NaN}', case("c@w")]
        run = self.read(HEADER, *broken, case("b@w"))
        self.assertEqual([row["id"] for row in run], ["b@w"])
        self.assertEqual(len(run.warnings), len(broken))
        self.assertIn("a sample of 0.0 s", run.warnings[0])
        self.assertIn("that its plan does not name", run.warnings[-1])

    def test_what_is_no_run_is_refused(self):
        for text in ("", "# notes\n", '{"kind":"case"}\n', '{"kind":"run","plan":[1]}\n', '{"kind":"run"'):
            path = self.folder / "notes.txt"
            path.write_text(text)
            with self.assertRaises(uotbench_runs.NotARun, msg=text):
                uotbench_runs.read(path)

    def test_unknown_keys_kinds_and_newer_schemas_are_read(self):
        run = self.read({**HEADER, "schema": 7, "later": 1}, {"kind": "later"}, case("a@w", later=[1]))
        self.assertEqual(len(run), 1)
        self.assertIn("newer uotbench (schema 7)", run.warnings[0])

    def test_absent_is_absent(self):
        skipped = {**case("a@w"), "time": None, "status": "skipped", "reason": "why"}
        row, = self.read({**HEADER, "plan": ["a@w"]}, skipped)
        self.assertIsNone(row["median_seconds"])
        self.assertIsNone(row["flops"])
        self.assertEqual(row["reason"], "why")

    def test_an_axis_of_a_taken_name_keeps_out_of_the_way(self):
        row, = self.read({**HEADER, "plan": ["a@w"]}, case("a@w", point={"error": 3, "speedup": 4}))
        self.assertEqual((row["axis_error"], row["axis_speedup"]), (3, 4))

    def test_old_files_keep_their_samples_arms_and_counters(self):
        times, counted, gate = (rows_of(path) for path in OLD)
        self.assertEqual(times.warnings + counted.warnings + gate.warnings, [])
        self.assertEqual(len(times.samples()), sum(row["samples"] or 0 for row in times))
        self.assertLessEqual({"A", "B"}, {sample["arm"] for sample in gate.samples()})
        self.assertEqual(counted[0]["DRAM.read_bytes"], 279872.0)
        self.assertEqual(counted.units["DRAM.read_bytes"], "bytes per iteration")


if __name__ == "__main__":
    unittest.main()
