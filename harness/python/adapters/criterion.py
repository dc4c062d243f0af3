"""Criterion.rs: a benchmark program, or `cargo bench ... --`, and the sample.json that it writes."""
import json
import math
import os
import re
import shutil

from adapters.benchmark import Failure, Measured, exactly
from adapters.external import Adapter
from adapters.gbench import benchmark_from
from adapters.running import run_or_fail

SUFFIXES = (": benchmark", ": bench")  # of a name in its list; the second one before 0.5
LEAST_SAMPLES = 10  # Criterion takes no fewer


def samples_from(sample):
    """Seconds per iteration, and the iterations of each sample, of a sample.json."""
    pairs = [(time * 1e-9, int(iterations)) for time, iterations in zip(sample["times"], sample["iters"])]
    return [time / iterations for time, iterations in pairs], [iterations for _, iterations in pairs]


def throughput_from(benchmark):
    """What an iteration works through, of a benchmark.json: {"throughput_bytes": 1024}."""
    throughput = benchmark.get("throughput")
    return {f"throughput_{kind.lower()}": number for kind, number in throughput.items()} if throughput else {}


class Criterion(Adapter):
    def list(self):
        lines = run_or_fail(self.command + ["--bench", "--list"], f"{self.command[0]} --bench --list").out.splitlines()
        for suffix in SUFFIXES:
            names = [line[:-len(suffix)] for line in lines if line.endswith(suffix)]
            if names:
                self.is_old = suffix != SUFFIXES[0]
                return [benchmark_from(name) for name in names]
        raise Failure(f"{self.command[0]} lists no benchmark with --bench --list; expected a Criterion program")

    def flags(self, id, samples, seconds, warm_up):
        """Before 0.5 there is no --exact, before 0.4 times are whole seconds."""
        if self.is_old:
            which = [exactly(id)]
            seconds, warm_up = max(1, math.ceil(seconds)), 1
        else:
            which = ["--exact", id]
        return ["--bench", *which, "--noplot", "--sample-size", str(samples), "--warm-up-time", str(warm_up),
                "--measurement-time", str(seconds)]

    def run_one(self, one, samples, seconds, warm_up=0.1, prefix=(), environment=None, flags=()):
        """What the program printed, its sample.json and its benchmark.json."""
        home = os.path.join(self.folder(), "criterion")
        shutil.rmtree(home, ignore_errors=True)
        done = run_or_fail([*prefix] + self.command + self.flags(one.id, samples, seconds, warm_up) + [*flags], one.id,
                           {"CRITERION_HOME": home, **(environment or {})})
        for folder, _, files in sorted(os.walk(home)):
            if os.path.basename(folder) == "new" and {"sample.json", "benchmark.json"} <= {*files}:
                try:
                    return done, *(read(os.path.join(folder, name)) for name in ("sample.json", "benchmark.json"))
                except ValueError:
                    break
        raise Failure(f"{one.id}: wrote no sample.json: the list changes between runs, or it is no Criterion program"
                      f"{done.last_line()}")

    def once(self, one):
        self.run_one(one, LEAST_SAMPLES, 0.1)

    def measure(self, one, wanted):
        done, sample, benchmark = self.run_one(one, max(LEAST_SAMPLES, wanted["min_samples"]), max(0.1, wanted["seconds"]))
        try:
            samples, iterations = samples_from(sample)
        except (KeyError, TypeError, ZeroDivisionError):
            raise Failure(f"{one.id}: its sample.json has no times") from None
        return Measured(samples=samples, inner=min(iterations), reported=throughput_from(benchmark), facts=done.memory)

    def iterate(self, one, multiple, prefix, environment):
        """The clock decides how many; sample.json has them, but for the warm-up's, which its log has."""
        done, sample, _ = self.run_one(one, multiple * LEAST_SAMPLES, 1e-6 if multiple == 1 else 5 if self.is_old else 0.2,
                                       1e-6, prefix, {**environment, "CRITERION_DEBUG": "1"}, ["--nresamples", "100"])
        warm_up = re.search(r"^Completed (\d+) iterations", done.out, re.M)
        return sum(samples_from(sample)[1]) + (int(warm_up[1]) if warm_up else 0)


def read(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)
