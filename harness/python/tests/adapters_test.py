"""Adapters read names, parameters and other tools' files as they are documented."""
import argparse
import json
import tempfile
import unittest
from pathlib import Path

from adapters import counting, files
from adapters.benchmark import Benchmark, Failure, axes_of, complete_points, variant_names
from adapters.command import parameters_from
from adapters.external import Adapter
from adapters.gbench import benchmark_from


class Names(unittest.TestCase):
    def test_arguments_of_google_benchmark_are_axes(self):
        def parts(name):
            one = benchmark_from(name)
            return one.name, one.point

        self.assertEqual(parts("BM_x"), ("BM_x", {}))
        self.assertEqual(parts("BM_x/8/-3"), ("BM_x", {"arg1": 8, "arg2": -3}))
        self.assertEqual(parts("f/x/rows:8/1/threads:2/real_time"), ("f/x", {"rows": 8, "arg1": 1, "threads": 2}))
        self.assertEqual(parts("BM_x<a::b>/min_time:0.5/repeats:3/iterations:7"), ("BM_x<a::b>", {}))
        self.assertEqual(parts("BM_x/mode:fast"), ("BM_x", {"mode": "fast"}))

    def test_variants_are_told_apart_whatever_their_names_hold(self):
        names = variant_names({"sum<float>", "a b", "a_b", "ü"})
        self.assertEqual(names["sum<float>"], "external/sum_float")
        self.assertEqual(len(set(names.values())), 4)
        self.assertTrue(all(name.isascii() and " " not in name for name in names.values()))

    def test_points_are_of_one_kind(self):
        benchmarks = [benchmark_from("BM/1"), benchmark_from("BM/mode:fast"), benchmark_from("BM/mode:2")]
        axes = axes_of(benchmarks)
        self.assertEqual([(axis["name"], axis["kind"]) for axis in axes], [("arg1", "integer"), ("mode", "text")])
        self.assertEqual(complete_points(benchmarks, axes),
                         [{"arg1": 1, "mode": ""}, {"arg1": 0, "mode": "fast"}, {"arg1": 0, "mode": "2"}])

    def test_parameters_are_lists(self):
        self.assertEqual(parameters_from(["n=1,2", "mode=a"]), {"n": [1, 2], "mode": ["a"]})
        for wrong in ("n", "n=", "=1", "a b=1"):
            with self.assertRaises(Failure):
                parameters_from([wrong])


class Counts(unittest.TestCase):
    def test_of_callgrind_and_dhat_are_read(self):
        self.assertEqual(counting.totals_in("version: 1\nevents: Ir Dr Dw\nfn=x\n1 2\ntotals: 70 30\n"),
                         {"Ir": 70, "Dr": 30, "Dw": 0})
        self.assertEqual(counting.heap_in('{"pps": [{"tbk": 3, "gb": 64, "tb": 90}, {"tbk": 1, "gb": 0}]}'),
                         {"allocations": 4, "peak": 64})
        for read, text in ((counting.totals_in, "events: Ir\n"), (counting.heap_in, "{}"), (counting.heap_in, "x")):
            with self.assertRaises(Failure):
                read(text)

    def test_are_the_difference_of_two_numbers_of_iterations(self):
        class Made(Adapter):
            def __init__(self, folder, per_process):
                super().__init__([], argparse.Namespace())
                self.out, self.per_process = folder, per_process

            def folder(self):
                return self.out

            def iterate(self, one, multiple, prefix, environment):
                iterations = self.per_process(multiple)
                for process in (1, 2):  # a child's dump, too
                    out = next(word.partition("=")[2] for word in prefix if word.startswith("--callgrind-out-file="))
                    Path(out.replace("%p", str(process))).write_text(f"events: Ir\ntotals: {1000 + 5 * iterations}\n")
                return iterations

        def counts(per_process, point=None, **wanted):
            with tempfile.TemporaryDirectory() as folder:
                return counting.counts(Made(folder, per_process), Benchmark(name="x", point=point or {}),
                                       dict(dict(source="callgrind", events=["Ir", "LLleft", "odd"]), **wanted))

        found = counts(lambda multiple: 7 * multiple)
        self.assertEqual((found["Ir"]["value"], found["Ir"]["kind"]), (10, "simulated"))
        self.assertEqual(found["LLleft"]["value"], 0)
        self.assertIn('no "odd"', found["odd"]["reason"])
        for wrong, what in ((dict(per_process=lambda multiple: 3), "makes 3 iterations, and 3 where more are asked for"),
                            (dict(per_process=lambda multiple: multiple, point={"threads": 2}), "threads must be 1"),
                            (dict(per_process=lambda multiple: multiple, source="papi"), "no counter source papi")):
            with self.assertRaises(Failure) as caught:
                counts(**wrong)
            self.assertIn(what, str(caught.exception))


class Files(unittest.TestCase):
    """Each made by hand after the tool's documentation, with a field that nobody knows."""

    def read(self, content, name="file.json"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
            return files.read(str(path))

    def only(self, content, **kind):
        found = self.read(content, **kind)
        self.assertEqual(len(found["cases"]), 1, found)
        return found, found["cases"][0]

    def test_google_benchmark(self):
        entries = [dict(name="BM/8", run_name="BM/8", run_type="iteration", iterations=5, real_time=time, cpu_time=2.0,
                        time_unit="us", bytes_per_second=7, odd="x") for time in (1.0, 3.0)]
        median = dict(entries[0], name="BM/8_median", run_type="aggregate", aggregate_name="median", real_time=9)
        found, one = self.only(dict(context=dict(date="2026-01-01", odd=1), benchmarks=[*entries, median]))
        self.assertEqual((found["tool"], found["started"], found["facts"]["odd"]), ("gbench", "2026-01-01", 1))
        self.assertEqual((one["variant"], one["point"], one["inner"]), ("external/BM", {"arg1": 8}, 5))
        self.assertEqual(one["samples"], [1e-6, 3e-6])
        self.assertEqual((one["rest"]["odd"], one["reported"]), ("x", {"bytes_per_second": 7}))
        _, one = self.only(dict(context={}, benchmarks=[median]))
        self.assertEqual(one["samples"], [9e-6])
        _, one = self.only(dict(context={}, benchmarks=[dict(entries[0], error_occurred=True, error_message="no")]))
        self.assertEqual((one["samples"], one["reason"]), ([], "no"))

    def test_pytest_benchmark(self):
        entry = dict(name="test_x[1]", fullname="t.py::test_x[1]", params={"n": 1}, param="1", extra_info={"k": 2},
                     stats=dict(median=2.0, iterations=4, data=[1.0, 2.0], odd=3))
        found, one = self.only(dict(machine_info={"node": "n"}, commit_info={"id": "abc"}, benchmarks=[entry], datetime="d"))
        self.assertEqual((found["tool"], found["commit"]), ("pytest", "abc"))
        self.assertEqual((one["variant"], one["point"]), ("external/t.py_test_x", {"n": 1}))
        self.assertEqual((one["samples"], one["inner"], one["rest"]["stats"]["odd"]), ([1.0, 2.0], 4, 3))
        self.assertEqual(one["reported"], {"k": 2})

    def test_hyperfine(self):
        entry = dict(command="sort 10 file", times=[0.5, 0.25], median=0.3, user=0.2, parameters={"n": "10"}, exit_codes=[0, 0])
        _, one = self.only(dict(results=[entry]))
        self.assertEqual(one["reported"], {"user_seconds": 0.2})
        self.assertEqual((one["name"], one["point"], one["samples"]), ("sort {n} file", {"n": 10}, [0.5, 0.25]))
        self.assertEqual(one["rest"]["exit_codes"], [0, 0])

    def test_a_second_result_of_one_name_is_kept(self):
        entry = dict(command="x", times=[0.5], median=0.5)
        found = self.read(dict(results=[entry, dict(entry, times=[0.25])]))
        self.assertEqual([(one["variant"], one["samples"]) for one in found["cases"]],
                         [("external/x", [0.5]), ("external/x_2", [0.25])])

    def test_nvbench(self):
        mean = dict(tag="nv/cold/time/gpu/mean", hint="duration", data=[dict(name="value", type="float64", value="1e-5")])
        hidden = dict(tag="nv/cold/walltime", hide="Hidden by default.", data=[dict(name="value", value="1")])
        state = dict(name="s", axis_values=[dict(name="N", type="int64", value="8")], summaries=[mean, hidden])
        skipped = dict(state, axis_values=[], is_skipped=True, skip_reason="too large")
        found = self.read(dict(devices=[], benchmarks=[dict(name="copy", states=[state, skipped])]))
        one, other = found["cases"]
        self.assertEqual((one["variant"], one["point"], one["samples"]), ("external/copy", {"N": 8}, [1e-5]))
        self.assertEqual(one["reported"], {"cold_time_gpu_mean_seconds": 1e-5})
        self.assertEqual((other["samples"], other["reason"]), ([], "too large"))

    def test_asv(self):
        row = [[0.5, None], [["1", "'a'"]], "v", 3, 4, [None], [None], [[0.4, 0.5], None]]
        columns = ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b", "samples"]
        found = self.read(dict(commit_hash="abc", result_columns=columns,
                               results={"b.time_x": row, "b.peakmem_x": [[4096], []], "b.track_x": [[3], []]}))
        self.assertEqual(found["commit"], "abc")
        one, other, memory, tracked = found["cases"]
        self.assertEqual((memory["samples"], memory["reported"], memory["reason"]), ([], {"peak_bytes": 4096}, None))
        self.assertEqual((tracked["samples"], tracked["reported"]), ([], {"tracked": 3}))
        self.assertEqual((one["point"], one["samples"]), ({"param1": 1}, [0.4, 0.5]))
        self.assertEqual((other["point"], other["reason"]), ({"param1": "a"}, "no time"))

    def test_kernel_tuner(self):
        cache = {"32": dict(block=32, time=2.0, times=[1.0, 2.0], compile_time=9, **{"GFLOP/s": 3.0}), "64": dict(block=64, time="CompilationFailedConfig")}
        found = self.read(dict(kernel_name="vector_add", tune_params_keys=["block"], cache=cache, device_name="G"))
        one, other = found["cases"]
        self.assertEqual((one["variant"], one["point"], one["samples"]), ("external/vector_add", {"block": 32}, [1e-3, 2e-3]))
        self.assertEqual((one["reported"], one["rest"]["compile_time"]), ({"GFLOP_s": 3.0}, 9))
        self.assertEqual(other["reason"], "no time: CompilationFailedConfig")

    def test_likwid(self):
        text = ("TABLE,Region sum,Group 1 Raw,L3,2,,\nEvent,Counter,HWThread 0,HWThread 1\n"
                "INSTR,FIXC0,10,20,\nTABLE,Region sum,Group 1 Metric,L3,2,,\nMetric,HWThread 0,HWThread 1,\n"
                "Runtime (RDTSC) [s],0.5,0.75,\nL3 bandwidth [MBytes/s],100,200,\n")
        _, one = self.only(text, name="file.csv")
        self.assertEqual((one["variant"], one["point"], one["samples"]), ("external/sum", {"threads": 2}, [0.75]))
        self.assertEqual(one["rest"]["L3_bandwidth_MBytes_s"], [100, 200])

    def test_what_is_wrong_is_one_line(self):
        for content, what in (("{", "no JSON"), ({"a": 1}, "found the keys a"), ([], "of no object"),
                              (dict(context={}, benchmarks=[{}]), "looks like gbench")):
            with self.assertRaises(Failure) as caught:
                self.read(content)
            self.assertIn(what, str(caught.exception))
        with self.assertRaises(Failure):
            files.read("/no/such/file")
        _, one = self.only(dict(results=[dict(command="x", times=[0.5, float("nan")], median=1)]))
        self.assertEqual(one["samples"], [])
        self.assertIn("a time of nan", one["reason"])


if __name__ == "__main__":
    unittest.main()
