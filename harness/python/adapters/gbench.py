"""Google Benchmark executables: listed by their own flags, measured by repetitions, read as their JSON."""
import json
import math
import os
import re

from adapters.benchmark import Benchmark, Failure, Measured, axis_name, facts_from, value_of
from adapters.external import Adapter
from adapters.running import run, run_or_fail

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# Of an entry of the JSON; every other number is a counter.
KNOWN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
         "real_time", "cpu_time"}
# Parts of a name that say how it is measured, not of what.
MANNERS = re.compile(r"^(iterations|repeats|min_time|min_warmup_time):|^(real_time|process_time|manual_time)$")
LEAST_SECONDS = 0.005  # of a repetition, where the number of iterations cannot be given


def benchmark_from(name):
    """"BM_copy<float>/1024/rows:8/threads:2/real_time": arguments become axes."""
    words, point = [], {}
    for part in name.split("/"):
        key, colon, value = part.partition(":")
        if not words or MANNERS.match(part):
            if not words:
                words.append(part)
        elif colon and re.fullmatch(r"[-+.\w]+", value) and re.fullmatch(r"\w+", key):
            point[axis_name(key)] = value_of(value)
        elif re.fullmatch(r"-?\d+", part):
            point[f"arg{1 + sum(axis.startswith('arg') for axis in point)}"] = int(part)
        else:
            words.append(part)
    return Benchmark(name="/".join(words), point=point, id=name)


class GoogleBenchmark(Adapter):
    def list(self):
        flags = ["--benchmark_list_tests=true"]
        lines = run_or_fail(self.command + flags, f"{self.command[0]} {flags[0]}").out.splitlines()
        # What it prints besides the names, it prints for a filter that matches none as well.
        others = set(run(self.command + flags + ["--benchmark_filter=^$"]).out.splitlines())
        names = [line for line in lines if line.strip() and line not in others]
        if not names:
            raise Failure(f"{self.command[0]} lists no benchmark with {flags[0]}; expected a Google Benchmark program")
        return [benchmark_from(name) for name in names]

    def once(self, one):
        self.repetitions(one, 1, "0.001")

    def measure(self, one, wanted):
        least, seconds = wanted["min_samples"], wanted["seconds"]
        inner = wanted.get("inner")
        share = f"{inner}x" if inner and self.takes_iterations() else repr(max(seconds / least, LEAST_SECONDS))
        samples, cpu, inners, entries, warnings = [], [], [], [], []
        while len(samples) < least:
            done, new = self.repetitions(one, least - len(samples), share)
            for entry in new:
                unit = SECONDS[entry.get("time_unit", "ns")]
                samples.append(entry["real_time"] * unit)
                cpu.append(entry["cpu_time"] * unit)
                inners.append(int(entry["iterations"]))
            entries += new
        counters = {key: value for key, value in entries[-1].items() if key not in KNOWN}
        facts = {**facts_from(counters, warnings), "cpu_seconds": sum(cpu) / len(cpu), **done.memory}
        alone = entries[-1].get("threads", 1) == 1 and not one.id.endswith(("/process_time", "/manual_time"))
        total = sum(samples)
        busy = sum(cpu) / total if alone and math.isfinite(total) and total > 0 else None
        return Measured(samples=samples, inner=min(inners), facts=facts, busy=busy, warnings=warnings)

    def takes_iterations(self):
        """Since 1.8 a minimum time may be a number of iterations."""
        flags = ["--benchmark_list_tests=true", "--benchmark_filter=^$", "--benchmark_min_time=1x"]
        return run(self.command + flags).code == 0

    def repetitions(self, one, count, min_time):
        file = os.path.join(self.folder(), "gbench.json")
        pattern = re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", one.id)
        command = self.command + [f"--benchmark_filter=^{pattern}$", f"--benchmark_repetitions={count}",
                                  f"--benchmark_min_time={min_time}", f"--benchmark_out={file}",
                                  "--benchmark_out_format=json", "--benchmark_report_aggregates_only=false"]
        if os.path.exists(file):
            os.remove(file)
        done = run_or_fail(command, one.id)
        try:
            with open(file, encoding="utf-8", errors="replace") as text:
                listed = json.load(text)["benchmarks"]
        except (OSError, ValueError, KeyError, TypeError):
            raise Failure(f"{one.id}: wrote no benchmark JSON{done.last_line()}") from None
        entries = []
        for entry in listed:
            if entry.get("error_occurred") or entry.get("skipped"):
                raise Failure(f"{one.id}: {entry.get('error_message') or entry.get('skip_message') or 'skipped itself'}")
            if entry.get("run_type", "iteration") == "iteration" and entry.get("run_name", one.id) == one.id:
                entries.append(entry)
        if not entries:
            raise Failure(f"{one.id} is in the list of benchmarks, but was not run: the list changes between runs")
        for entry in entries:
            if not isinstance(entry.get("real_time"), (int, float)) or not math.isfinite(entry["real_time"]):
                raise Failure(f"{one.id} reports a time of {entry.get('real_time')}; expected a number")
        return done, entries
