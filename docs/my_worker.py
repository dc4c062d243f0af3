#!/usr/bin/env python3
"""A complete worker in Python's standard library: POT's two products, on lists (protocol: docs/reference/protocol.md)."""
import array, json, operator, os, struct, sys, time

messages = os.fdopen(os.dup(1), "wb")  # stdout is for messages;
os.dup2(2, 1)  # other output goes to stderr

def send(**message):  # RFC 7464: 0x1E, JSON on one line, newline; flushed, because uotbench waits
    messages.write(b"\x1e" + json.dumps(message).encode() + b"\n")
    messages.flush()

def elements(file):  # of a .npy 1.0: after 8 bytes, the header's length and the header
    return "d" if b"<f8" in file.read(struct.unpack("<8xH", file.read(10))[0]) else "f"

class Lists:
    def __init__(self, point, folder):
        K, self.a, self.b = (self.load(f"{folder}/{name}.npy") for name in ("K", "a", "b"))
        self.rows = [K[i : i + len(self.b)] for i in range(0, len(K), len(self.b))]
        self.columns = list(zip(*self.rows))
        self.fi = point["fi"]
        self.kept = 1 - self.fi if point["scheme"] == "damped" else 0  # exponent of the old scaling
        self.start()

    def start(self):
        self.u, self.v = [1.0] * len(self.a), [1.0] * len(self.b)

    def load(self, path):
        with open(path, "rb") as file:
            return array.array(elements(file), file.read()).tolist()

    def store(self, path, values):  # overwrites the output; the file and its header exist
        with open(path, "r+b") as file:
            data = array.array(elements(file), values)
            file.seek(file.tell())
            file.write(data.tobytes())

    def iterate(self):
        self.u = self.scaled(self.u, self.a, self.rows, self.v)
        self.v = self.scaled(self.v, self.b, self.columns, self.u)

    def scaled(self, old, masses, lines, other):  # (mass / sum)^fi, where 0/0 is 0
        return [x**self.kept * (mass / sum(map(operator.mul, line, other))) ** self.fi if mass else 0.0
                for x, mass, line in zip(old, masses, lines)]

def verify(lists, request):  # the first iterations are timed one by one; uotbench compares them with the samples
    seconds = []
    for _ in range(request["iterations"]):
        start = time.monotonic()
        lists.iterate()
        if len(seconds) < 64:
            seconds.append(time.monotonic() - start)
    plan = [x * k * y for x, row in zip(lists.u, lists.rows) for k, y in zip(row, lists.v)]
    outputs = {"plan": plan, "u": lists.u, "v": lists.v}
    for name, values in outputs.items():
        lists.store(f"{request['arrays']['out']}/{name}.npy", values)
    return {"outputs": list(outputs), "seconds": seconds}

timed = []  # what was timed last

def prove(_, request):  # verifies what was timed; without `from` only the time until the answer counts
    if "from" in request:
        timed[0].start()
        return {"proved": dict(how="restarted", **verify(timed[0], request))}
    for _ in range(request["iterations"]):
        timed[0].iterate()
    return {"proved": {"how": "timed"}}

def measure(lists, request):  # may stop before `seconds` if the noise is below `max_noise`; this one does not
    timed[:] = [lists]
    lists.iterate()  # warms up
    samples, moments = [], [time.monotonic()]
    while len(samples) < request["measure"]["min_samples"] or moments[-1] - moments[0] < request["measure"]["seconds"]:
        lists.iterate()
        moments.append(time.monotonic())
        samples.append(moments[-1] - moments[-2])
    return {"time": dict(per="iteration", clock="steady", inner=1, stopped_by="time", samples=samples)}

def describe(request):
    threads = dict(name="threads", kind="integer", role="setting", default=1, least=1, about="1: it is serial")
    return dict(type="described", variants=[dict(name="uot/python_lists", summary="on lists", axes=[threads])])

def plan(request):  # bytes: pointers in rows and columns, and the numbers they point to
    points = [request["common"] | own for own in request["points"]]
    refused = dict(refused="uot/python_lists is serial: threads must be 1")
    return dict(type="planned", points=[refused if point["threads"] > 1 else dict(memory=40 * point["M"] * point["N"])
                                        for point in points])

def run(request):
    record = dict(type="record", case=request["case"])
    for step in request["steps"]:
        record |= dict(verify=verify, time=measure, prove=prove)[step](Lists(request["point"], request["arrays"]["in"]), request)
    return record

send(type="hello", protocol=1, worker="my_worker", steps=["verify", "time", "prove"], build=dict(python=sys.version.split()[0]))
for line in sys.stdin.buffer:  # which ends when uotbench does
    request = json.loads(line.lstrip(b"\x1e"))
    if request["type"] == "quit":
        break
    try:
        if request.get("variant", "uot/python_lists") != "uot/python_lists":
            raise ValueError(f"no variant {request['variant']} here")
        send(**dict(describe=describe, plan=plan, run=run)[request["type"]](request))
    except Exception as error:
        send(type="error", message=repr(error))
