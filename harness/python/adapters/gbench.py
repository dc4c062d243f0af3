"""Google Benchmark executables: listed by their own flags, measured by repetitions, read as their JSON."""
import functools
import json
import math
import os
import re

from adapters.benchmark import Benchmark, Failure, Measured, axis_name, exactly, reported_from, value_of
from adapters.external import Adapter
from adapters.running import run, run_or_fail

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
# Of an entry of the JSON; every other number is a counter.
KNOWN = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
         "real_time", "cpu_time"}
# Parts of a name that say how it is measured, not of what.
MANNERS = re.compile(r"^(iterations|repeats|min_time|min_warmup_time):|^(real_time|process_time|manual_time)$")
LEAST_SECONDS = 0.005  # of a repetition, where the number of iterations cannot be given
COUNTED_SECONDS = 0.002  # of the iterations that valgrind is to follow, which takes it a hundred times as long
# Before 1.8, where the clock decides: seconds of a process under valgrind, by the multiple that is asked for.
SECONDS_UNDER_VALGRIND = {1: "0.1", 2: "1"}


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
    @property
    def exact(self):
        return self.takes_iterations()

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
        facts = {"cpu_seconds": sum(cpu) / len(cpu), **done.memory}
        alone = entries[-1].get("threads", 1) == 1 and not one.id.endswith(("/process_time", "/manual_time"))
        total = sum(samples)
        busy = sum(cpu) / total if alone and math.isfinite(total) and total > 0 else None
        return Measured(samples=samples, inner=min(inners), reported=reported_from(counters, warnings), facts=facts,
                        busy=busy, warnings=warnings)

    @functools.cache
    def takes_iterations(self):
        """Since 1.8 a minimum time may be a number of iterations."""
        flags = ["--benchmark_list_tests=true", "--benchmark_filter=^$", "--benchmark_min_time=1x"]
        return run(self.command + flags).code == 0

    @functools.cache
    def seconds_of(self, id):
        """Of an iteration, roughly."""
        _, entries = self.repetitions(Benchmark(name=id, id=id), 1, repr(LEAST_SECONDS))
        return entries[0]["real_time"] * SECONDS[entries[0].get("time_unit", "ns")]

    def iterate(self, one, multiple, prefix, environment):
        times = max(1, COUNTED_SECONDS / max(self.seconds_of(one.id), 1e-10))
        if "/iterations:" in one.id or (times == 1 and not self.takes_iterations()):
            _, entries = self.repetitions(one, multiple, "1e-9", prefix, environment)
            return sum(int(entry["iterations"]) for entry in entries)
        if self.takes_iterations():
            # A power of ten, so that most runs make the same number.
            count = multiple * 10 ** math.floor(math.log10(times))
            _, entries = self.repetitions(one, 1, f"{count}x", prefix, environment)
            return int(entries[0]["iterations"])
        # It tries larger and larger numbers, and names each in its log.
        done, _ = self.repetitions(one, 1, SECONDS_UNDER_VALGRIND[multiple], prefix, environment, ["--v=2"])
        return sum(int(number) for number in re.findall(r"Running .+ for (\d+)$", done.out + done.err, re.M))

    def repetitions(self, one, count, min_time, prefix=(), environment=None, flags=()):
        file = os.path.join(self.folder(), "gbench.json")
        command = [*prefix] + self.command + [f"--benchmark_filter={exactly(one.id)}", f"--benchmark_repetitions={count}",
                                  f"--benchmark_min_time={min_time}", f"--benchmark_out={file}",
                                  "--benchmark_out_format=json", "--benchmark_report_aggregates_only=false", *flags]
        if os.path.exists(file):
            os.remove(file)
        done = run_or_fail(command, one.id, environment)
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
