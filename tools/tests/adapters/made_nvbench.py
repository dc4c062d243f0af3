#!/usr/bin/env python3
"""Answers as an nvbench program does. No GPU was here to run one: keys, tags, types and the way in which numbers become
texts are those of nvbench's JSON 1.0.0, and of results of example.axes that its repository holds."""
import json
import os
import struct
import sys

words = sys.argv[1:]
benches = {
    "copy": [{"name": "T", "type": "type", "flags": "", "values": [
        {"input_string": name, "description": text} for name, text in (("U8", "uint8_t"), ("F64", "double"))]},
             {"name": "BlockSize", "type": "int64", "flags": "pow2", "values": [
                 {"input_string": "8", "description": "2^8 = 256", "value": 256}]}],
    "wait": [{"name": "Duration", "type": "float64", "flags": "", "values": [
        # The list has all digits of a number, and an option takes five.
        {"input_string": "0.001", "description": "", "value": 0.0010000000000000002}]}],
    "host": [],
    "convert": [{"name": "In", "type": "type", "flags": "", "values": [{"input_string": "F64", "description": "double"}]}],
}


def named(kind, name, value):
    return {"name": name, "type": kind, "value": str(value)}


def summary(tag, name, hint, value, hide=None):
    return {"tag": tag, "name": name, "description": f"{name} of the kernel", "hint": hint,
            **({"hide": hide} if hide else {}), "data": [named("float64", "value", value)]}


if "--jsonlist-benches" in words:
    print(json.dumps({"benchmarks": [{"name": name, "index": index, "axes": axes}
                                     for index, (name, axes) in enumerate(benches.items())]}, indent=2))
    sys.exit()
bench = words[words.index("--benchmark") + 1]
file = words[words.index("--jsonbin") + 1]
asked = dict(words[index + 1].split("=") for index, word in enumerate(words) if word == "--axis")
values = []
for axis in benches[bench]:
    text = asked[axis["name"] + (f"[{axis['flags']}]" if axis["flags"] else "")]
    kind = "string" if axis["type"] == "type" else axis["type"]
    values.append(named(kind, axis["name"], 2 ** int(text) if axis["flags"] == "pow2" else text))
state = {"name": "Device=0", "min_samples": 10, "skip_time": -1.0, "timeout": 15.0, "device": 0, "type_config_index": 0,
         "axis_values": values or None, "is_skipped": bench == "convert"}
if bench == "convert":
    state.update(summaries=None, skip_reason="Not a conversion: InputType == OutputType.")
else:
    where, clock = ("nv/cpu_only", "cpu") if bench == "host" else ("nv/cold", "gpu")
    os.makedirs(file + "-bin", exist_ok=True)
    with open(os.path.join(file + "-bin", "0.bin"), "wb") as samples:
        samples.write(struct.pack("<2f", 1e-9, 2e-9))
    state["summaries"] = [
        {"tag": f"{where}/sample_size", "name": "Samples", "hint": "sample_size", "description": "Number of executions",
         "data": [named("int64", "value", 2)]},
        summary(f"{where}/time/{clock}/mean", f"{clock.upper()} Time", "duration", "1.5e-09"),
        summary(f"{where}/time/{clock}/stdev/relative", "Noise", "percentage", 0.005),
        summary("nv/cold/bw/global/bytes_per_second", "GlobalMem BW", "byte_rate", 508734796047.2252),
        summary(f"{where}/walltime", "Walltime", "duration", 0.5, "Hidden by default."),
        {"tag": f"nv/json/bin:{where}/sample_times", "name": "Sample Times File", "hint": "file/sample_times",
         "hide": "Not needed in table.", "description": "Binary file",
         "data": [named("string", "filename", os.path.basename(file) + "-bin/0.bin"), named("int64", "size", 2)]}]
with open(file, "w", encoding="utf-8") as out:
    json.dump({"meta": {"argv": sys.argv, "version": {"json": {"major": 1, "minor": 0, "patch": 0, "string": "1.0.0"}}},
               "devices": [{"id": 0, "name": "Quadro GV100"}],
               "benchmarks": [{"name": bench, "index": 0, "devices": [0], "axes": benches[bench], "states": [state]}]}, out, indent=2)
