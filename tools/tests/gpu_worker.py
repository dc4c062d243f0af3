#!/usr/bin/env python3
"""A worker that behaves as those of CUDA kernels do, for tests: the variant of docs/my_worker.py under names of
theirs. What it is, its arguments say: obstacle=TEXT, per=UNIT, warning=TEXT, counts=SOURCE, variants=A,B."""
import os, sys

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "../../docs/my_worker.py")) as file:
    exec(file.read().split('send(type="hello"')[0])

given = dict(argument.split("=", 1) for argument in sys.argv[1:])
names = given.get("variants", "uot/cuda_lists").split(",")

def described():
    axes = [dict(name="threads", kind="integer", default=1, least=1), dict(name="Tx", kind="integer", default=32, least=1),
            dict(name="Ny", kind="integer", default=1, least=1)]
    kernels = [dict(name="scale", registers=32, spilled=0, shared=4096)]
    return dict(type="described", variants=[dict(name=name, summary="as on a GPU", axes=axes, kernels=kernels) for name in names])

def planned(request):
    return dict(type="planned", points=[dict(memory=1000) for _ in request["points"]])

def counted(request):
    Tx = request["point"]["Tx"]
    at = ["scale<float> kernels/uot/cuda_lists.cu:9", "scale<float> kernels/uot/cuda_lists.cu:31"]
    known = dict(load_requests=[32, 64], load_sectors=[4 * 32, 64 * 512 // Tx], store_requests=[0, 16], store_sectors=[0, 64],
                 load_ideal_sectors=[128, 256], shared_load_requests=[0, 8], shared_load_wavefronts=[0, 16],
                 shared_load_conflicts=[0, 8], barriers=[0, 4], footprint_read=[0, 65536], launches=[0, 2])
    counts = {}
    for event in request["count"]["events"]:
        if event in known:
            lines = [dict(at=place, value=value) for place, value in zip(at, known[event]) if value]
            counts[event] = dict(value=sum(known[event]), kind="simulated", lines=lines)
        else:
            counts[event] = dict(value=None, reason=f"no {event} here")
    return dict(counts=counts)

def done(request):
    record = dict(type="record", case=request["case"], work=dict(flops=100, bytes_read=8e6, bytes_written=8e6, write_allocate=0))
    for step in request["steps"]:
        if step == "verify":
            record |= verify(Lists(request["point"], request["arrays"]["in"]), request)
        elif step == "time":
            record |= measure(Lists(request["point"], request["arrays"]["in"]), request)
            record["time"] |= dict(per=given.get("per", "iteration"), clock="cuda-event")
            if "warning" in given:
                record["time"]["warnings"] = [given["warning"]]
            record["env"] = dict(device=os.environ.get("UOTBENCH_DEVICE", "none"))
        else:
            record |= counted(request)
            if "per" in given:
                record["per"] = given["per"]
    return record

def sources(request):
    name = given.get("counts")
    unknown = {event: f"no event {event}" for event in request["events"].get(name, []) if event.startswith("no_")}
    return dict(type="sources", sources=[dict(name=name, reason=None, mend=None, unknown=unknown)] if name else [])

hello = dict(type="hello", protocol=1, worker="gpu", build=dict(python=sys.version.split()[0]))
if "obstacle" in given:
    hello["obstacle"] = given["obstacle"]
send(**hello)
for line in sys.stdin.buffer:
    request = json.loads(line.lstrip(b"\x1e"))
    if request["type"] == "quit":
        break
    try:
        answers = dict(describe=lambda _: described(), plan=planned, run=done, sources=sources)
        send(**answers[request["type"]](request))
    except Exception as error:
        send(type="error", message=repr(error))
