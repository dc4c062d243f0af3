#!/usr/bin/env python3
"""Answers as a benchmark program of Criterion.rs does: of 0.5 and later, made from its sources, or with MADE_CRITERION=0.3
what a program of 0.3.6 (Debian 12, librust-criterion-dev) wrote, which criterion_0_3_6 holds. The older list, filter and
times are other ones."""
import json
import os
import re
import shutil
import sys
import time

words = sys.argv[1:]
old = os.environ.get("MADE_CRITERION") == "0.3"
recorded = os.path.join(os.path.dirname(os.path.abspath(__file__)), "criterion_0_3_6")
name = "sum/fold/100"
if "--list" in words:
    if old:
        with open(os.path.join(recorded, "list.txt"), encoding="utf-8") as file:
            print(file.read(), end="")
    else:
        print(f"{name}: benchmark\n\n1 benchmark")
    sys.exit()
if old:
    assert "--exact" not in words, "0.3.6 has no such flag"
    if not re.search(words[words.index("--bench") + 1], name):
        sys.exit()  # one of the list that was not recorded
    for flag in ("--warm-up-time", "--measurement-time"):
        assert int(words[words.index(flag) + 1]) > 0, "0.3.6 takes whole seconds"
else:
    assert words[words.index("--exact") + 1] == name, words
count = int(words[words.index("--sample-size") + 1])
assert count >= 10, "Criterion refuses fewer samples"
folder = os.path.join(os.environ["CRITERION_HOME"], "sum", "fold", "100", "new")
os.makedirs(folder)
if old:
    for file in ("sample.json", "benchmark.json"):
        shutil.copy(os.path.join(recorded, file), folder)
    time.sleep(0.3)  # its samples took that long
    sys.exit()
if "CRITERION_DEBUG" in os.environ:
    print("\nCompleted 1 iterations in 20 nanoseconds, estimated execution time is 20 ns")
iterations = [float(number) for number in range(1, count + 1)]
with open(os.path.join(folder, "sample.json"), "w", encoding="utf-8") as file:
    json.dump({"sampling_mode": "Linear", "iters": iterations, "times": [2.0 * number for number in iterations]}, file)
with open(os.path.join(folder, "benchmark.json"), "w", encoding="utf-8") as file:
    json.dump({"group_id": "sum", "function_id": "fold", "value_str": "100", "throughput": {"Elements": 100},
               "full_id": name, "directory_name": name, "title": name}, file)
