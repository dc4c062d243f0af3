#!/usr/bin/env python3
"""Answers as a benchmark program of Criterion.rs 0.5 does: made from its documented files, not run by it."""
import json
import os
import sys

words = sys.argv[1:]
if "--list" in words:
    print("fib/recursive/20: benchmark\n\n1 benchmark")
    sys.exit()
assert words[words.index("--exact") + 1] == "fib/recursive/20", words
count = int(words[words.index("--sample-size") + 1])
assert count >= 10, "Criterion refuses fewer samples"
folder = os.path.join(os.environ["CRITERION_HOME"], "fib", "recursive", "20", "new")
os.makedirs(folder)
iterations = [float(number) for number in range(1, count + 1)]
with open(os.path.join(folder, "sample.json"), "w", encoding="utf-8") as file:
    json.dump({"sampling_mode": "Linear", "iters": iterations, "times": [2.0 * number for number in iterations]}, file)
