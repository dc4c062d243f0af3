#!/usr/bin/env python3
"""A program with Google Benchmark's flags whose times are given: MADE_GBENCH or made.json next to it has
[{"name", "ns", "counters", "does"}], where `does` is what goes wrong."""
import json
import os
import re
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
with open(os.environ.get("MADE_GBENCH") or os.path.join(here, "made.json"), encoding="utf-8") as file:
    benchmarks = json.load(file)
flags = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:] if word.startswith("--benchmark_"))
words = [word for word in sys.argv[1:] if not word.startswith("--benchmark_")]
wanted = [one for one in benchmarks if re.search(flags.get("benchmark_filter", "."), one["name"])]
print("made_gbench", *words)  # a program may print what it likes
if flags.get("benchmark_list_tests"):
    print("\n".join(one["name"] for one in wanted))
    sys.exit()
# "7x": 7 iterations. Under valgrind, which counts them, each works for some instructions, and holds some memory that is
# freed at its end; else they take as long as is given.
least = flags.get("benchmark_min_time", "")
iterations = int(least[:-1]) if least.endswith("x") else 1
if "vgpreload" in os.environ.get("LD_PRELOAD", ""):
    for _ in range(iterations - 1):
        held = [object() for _ in range(200)]
elif iterations > 1:
    time.sleep(sum(one["ns"] for one in wanted) * 1e-9 * iterations * int(flags["benchmark_repetitions"]))
entries = []
for one in wanted:
    does = one.get("does")
    if does == "crash":
        print("out of luck", file=sys.stderr, flush=True)
        os.kill(os.getpid(), 11)
    if does == "garbage":
        with open(flags["benchmark_out"], "w", encoding="utf-8") as file:
            file.write("{ this is no JSON")
        sys.exit()
    if does == "vanish":
        continue
    for repetition in range(int(flags["benchmark_repetitions"])):
        ns = float("nan") if does == "nan" else one["ns"]
        entry = dict(name=one["name"], run_name=one["name"], run_type="iteration", repetition_index=repetition,
                     threads=1, iterations=iterations, real_time=ns, cpu_time=ns, time_unit="ns", **one.get("counters", {}))
        if does == "skip":
            entry.update(error_occurred=True, error_message="no such device")
        entries.append(entry)
with open(flags["benchmark_out"], "w", encoding="utf-8") as file:
    json.dump(dict(context={}, benchmarks=entries), file)
