#!/usr/bin/env python3
"""Answers as a benchmark program of Criterion.rs does: 0.5 and later, or with MADE_CRITERION=0.3 as 0.3.6 was seen to (Debian's
librust-criterion-dev), whose list, filter and times are other ones."""
import json
import os
import re
import sys

words = sys.argv[1:]
old = os.environ.get("MADE_CRITERION") == "0.3"
name = "fib/recursive/20"
if "--list" in words:
    print(f"{name}: {'bench' if old else 'benchmark'}\n\n1 benchmark")
    sys.exit()
if old:
    assert "--exact" not in words and re.search(words[words.index("--bench") + 1], name), words
    for flag in ("--warm-up-time", "--measurement-time"):
        assert int(words[words.index(flag) + 1]) > 0, "0.3.6 takes whole seconds"
else:
    assert words[words.index("--exact") + 1] == name, words
count = int(words[words.index("--sample-size") + 1])
assert count >= 10, "Criterion refuses fewer samples"
folder = os.path.join(os.environ["CRITERION_HOME"], "fib", "recursive", "20", "new")
os.makedirs(folder)
if "CRITERION_DEBUG" in os.environ:
    print("\nCompleted 1 iterations in 20 nanoseconds, estimated execution time is 20 ns")
iterations = [float(number) for number in range(1, count + 1)]
with open(os.path.join(folder, "sample.json"), "w", encoding="utf-8") as file:
    json.dump({"sampling_mode": "Linear", "iters": iterations, "times": [2.0 * number for number in iterations]}, file)
with open(os.path.join(folder, "benchmark.json"), "w", encoding="utf-8") as file:
    json.dump({"group_id": "fib", "function_id": "recursive", "value_str": "20", "throughput": {"Elements": 20},
               "full_id": name, "directory_name": name, "title": name}, file)
