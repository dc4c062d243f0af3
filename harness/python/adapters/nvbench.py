"""nvbench programs: listed and measured through their own flags, read as their JSON and its files of samples."""
import itertools
import json
import os
import struct

from adapters.benchmark import Benchmark, Failure, Measured, axis_name, value_of
from adapters.external import Adapter
from adapters.running import run_or_fail

# Tags of the file of samples and of the mean: on a GPU, and of benchmarks that use none.
TIMES = (("nv/json/bin:nv/cold/sample_times", "nv/cold/time/gpu/mean"),
         ("nv/json/bin:nv/cpu_only/sample_times", "nv/cpu_only/time/cpu/mean"))
UNITS = {"duration": "_seconds", "bytes": "_bytes"}  # by a summary's hint: how the name of its number ends


def data_of(summary):
    return {part["name"]: part["value"] for part in summary.get("data", [])}


def point_from(values):
    """Of a state's axis_values."""
    return {axis_name(one["name"]): value_of(str(one["value"])) for one in values if one["name"] != "Device"}


def samples_of(state, folder):
    """Seconds; of a file without samples the mean alone. None: the state has no time."""
    found = {summary["tag"]: data_of(summary) for summary in state.get("summaries") or []}
    for samples, mean in TIMES:
        if name := found.get(samples, {}).get("filename"):
            for path in (os.path.join(folder, name), os.path.join(os.path.dirname(folder), name)):
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        content = file.read()
                    return list(struct.unpack(f"<{len(content) // 4}f", content[:len(content) // 4 * 4]))
        if mean in found:
            return [float(found[mean]["value"])]
    return None


def reported_in(state):
    """The numbers that nvbench's own table shows, by their tags: {"cold_time_cpu_mean_seconds": 1e-3}."""
    reported = {}
    for summary in state.get("summaries") or []:
        value = value_of(str(data_of(summary).get("value", "")))
        if isinstance(value, (int, float)) and not summary.get("hide"):
            unit = UNITS.get(summary.get("hint"), "")
            reported[axis_name(summary["tag"].removeprefix("nv/")) + unit] = value
    return reported


class Nvbench(Adapter):
    countable = False  # valgrind does not follow a GPU

    def list(self):
        out = run_or_fail(self.command + ["--jsonlist-benches"], f"{self.command[0]} --jsonlist-benches").out
        try:
            listed = json.loads(out[out.index("{"):])["benchmarks"]
            all = []
            for bench in listed:
                axes = bench.get("axes") or []
                for values in itertools.product(*(axis["values"] for axis in axes)):
                    point, flags = {}, ["--benchmark", bench["name"]]
                    for axis, value in zip(axes, values):
                        point[axis_name(axis["name"])] = value_of(str(value.get("value", value["input_string"])))
                        power = f"[{axis['flags']}]" if axis.get("flags") else ""
                        flags += ["--axis", f"{axis['name']}{power}={value['input_string']}"]
                    all.append(Benchmark(name=bench["name"], point=point, id="\0".join(flags)))
            return all
        except (ValueError, KeyError, TypeError):
            raise Failure(f"{self.command[0]} lists no benchmarks with --jsonlist-benches; expected an nvbench program") from None

    def state(self, one, count, seconds):
        file = os.path.join(self.folder(), "nvbench.json")
        if os.path.exists(file):
            os.remove(file)
        done = run_or_fail(self.command + one.id.split("\0") + ["--jsonbin", file, "--min-samples", str(count),
                                                                "--timeout", str(seconds)], one.name)
        try:
            with open(file, encoding="utf-8") as text:
                states = [state for bench in json.load(text)["benchmarks"] for state in bench["states"]]
            # One value of each axis was asked for; a number may come back with other last digits. The first device's.
            state = next(state for state in states if point_from(state.get("axis_values") or []).keys() == one.point.keys())
        except (OSError, ValueError, KeyError, TypeError, StopIteration):
            raise Failure(f"{one.name}: wrote no such state: the list changes between runs, or it is no nvbench program"
                          f"{done.last_line()}") from None
        if state.get("is_skipped"):
            raise Failure(f"{one.name}: {state.get('skip_reason') or 'skipped itself'}")
        return done, state

    def once(self, one):
        self.state(one, 1, 0.1)

    def measure(self, one, wanted):
        done, state = self.state(one, wanted["min_samples"], max(1, wanted["seconds"]))
        samples = samples_of(state, self.folder())
        if not samples:
            raise Failure(f"{one.name} reports no times")
        return Measured(samples=samples, reported=reported_in(state), facts=done.memory)
