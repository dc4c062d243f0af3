#!/usr/bin/env python3
"""Answers as an nvbench program does: its JSON was made after files that nvbench writes, without a GPU."""
import json
import os
import struct
import sys

words = sys.argv[1:]
if "--jsonlist-benches" in words:
    values = [{"input_string": str(power), "description": f"2^{power}", "value": 2**power} for power in (8, 9)]
    print(json.dumps({"benchmarks": [{"index": 0, "name": "copy", "axes": [
        {"name": "BlockSize", "type": "int64", "flags": "pow2", "values": values}]}]}))
    sys.exit()
file = words[words.index("--jsonbin") + 1]
name, _, power = words[words.index("--axis") + 1].partition("=")
assert name == "BlockSize[pow2]", words
os.makedirs(file + "-bin", exist_ok=True)
with open(os.path.join(file + "-bin", "0.bin"), "wb") as samples:
    samples.write(struct.pack("<2f", 1e-9, 2e-9))
state = {"name": f"Device=0 BlockSize=2^{power}", "device": 0, "is_skipped": False,
         "axis_values": [{"name": "BlockSize", "type": "int64", "value": str(2 ** int(power))}],
         "summaries": [
             {"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "1.5e-09"}]},
             {"tag": "nv/json/bin:nv/cold/sample_times", "data": [
                 {"name": "filename", "type": "string", "value": os.path.basename(file) + "-bin/0.bin"},
                 {"name": "size", "type": "int64", "value": "2"}]}]}
with open(file, "w", encoding="utf-8") as out:
    json.dump({"devices": [], "benchmarks": [{"name": "copy", "states": [state]}]}, out)
