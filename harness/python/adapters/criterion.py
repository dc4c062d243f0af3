"""Criterion.rs: a benchmark program, or `cargo bench ... --`, and the sample.json that it writes."""
import json
import os
import shutil

from adapters.benchmark import Failure, Measured
from adapters.external import Adapter
from adapters.gbench import benchmark_from
from adapters.running import run_or_fail

SUFFIX = ": benchmark"
LEAST_SAMPLES = 10  # Criterion takes no fewer


def samples_from(sample):
    """Seconds per iteration, and the fewest iterations of a sample, of a sample.json."""
    pairs = [(time * 1e-9, iterations) for time, iterations in zip(sample["times"], sample["iters"])]
    return [time / iterations for time, iterations in pairs], int(min(iterations for _, iterations in pairs))


class Criterion(Adapter):
    def list(self):
        lines = run_or_fail(self.command + ["--bench", "--list"], f"{self.command[0]} --bench --list").out.splitlines()
        names = [line[:-len(SUFFIX)] for line in lines if line.endswith(SUFFIX)]
        if not names:
            raise Failure(f"{self.command[0]} lists no benchmark with --bench --list; expected a Criterion program")
        return [benchmark_from(name) for name in names]

    def run_one(self, one, count, seconds):
        home = os.path.join(self.folder(), "criterion")
        shutil.rmtree(home, ignore_errors=True)
        done = run_or_fail(self.command + ["--bench", "--exact", one.id, "--noplot", "--sample-size", str(count),
                                           "--warm-up-time", "0.1", "--measurement-time", str(seconds)],
                           one.id, {"CRITERION_HOME": home})
        for folder, _, files in sorted(os.walk(home)):
            if os.path.basename(folder) == "new" and "sample.json" in files:
                try:
                    with open(os.path.join(folder, "sample.json"), encoding="utf-8") as text:
                        return done, samples_from(json.load(text))
                except (ValueError, KeyError, TypeError, ZeroDivisionError):
                    break
        raise Failure(f"{one.id}: wrote no sample.json: the list changes between runs, or it is no Criterion program"
                      f"{done.last_line()}")

    def once(self, one):
        self.run_one(one, LEAST_SAMPLES, 0.1)

    def measure(self, one, wanted):
        done, (samples, inner) = self.run_one(one, max(LEAST_SAMPLES, wanted["min_samples"]), max(0.1, wanted["seconds"]))
        return Measured(samples=samples, inner=inner, facts=done.memory)
