#!/usr/bin/env python3
"""misbehaving_worker.py MODE [VICTIM]: docs/my_worker.py with one thing wrong. VICTIM is a folder that it would harm.

Each mode is an entry of `modes`: what it does, and what must come of its case. `--table` prints them, a JSON line each; `--markdown` as docs/notes/misbehaving_workers.md shows them.
"""
import gc
gc.disable()  # it starts some thousand times in all tests, lives for a second, and imports late what one mode wants
import array, json, os, re, signal, struct, sys, time

here = os.path.dirname(os.path.realpath(__file__))
with open(f"{here}/../../docs/my_worker.py") as file:
    model = file.read()
modes = {}
OK = "ok"
DOUBTED = "^(ok.*doubt|failed: )"  # a warning, or worse


def mode(place, must, does, **more):
    """Registers a function as the mode of its name. `place` says when it is called:

    hello(hello)                  before the worker says hello; what it returns is said in its place, nothing where None
    described(answer), planned(answer)   with the right answer; likewise
    asked_STEP(request)           before a step of a run; True where it has answered itself
    done_STEP(request, record)    with the record of that step; what it returns is said in its place
    timed(lists)                  returns what is timed in the place of `lists`
    quit()                        before the worker leaves

    `must` is a regular expression that the verdict on the case has to match: "ok", "failed: reason". `check` is what
    check-worker must find: "wrong", "ok" or "any". `hangs`: it never answers, so that patience has to be short.
    """
    def register(function):
        name = function.__name__
        assert name not in modes, name
        modes[name] = dict(name=name, group=groups[-1], place=place, does=does, must=must, check=more.pop("check", "wrong"),
                           hangs=more.pop("hangs", False), call=function)
        assert not more, more
        return function
    return register


groups = []


def raw(data):
    messages.write(data)
    messages.flush()


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def remove_folder(path):
    import shutil
    shutil.rmtree(path)


def start(*command, **how):
    import subprocess
    subprocess.Popen(command, **how)


def hang():
    time.sleep(1000)


def overwrite(path, change):
    """The numbers of a .npy file, changed in place."""
    try:
        os.chmod(path, 0o644)
        with open(path, "r+b") as file:
            kind = elements(file)
            start = file.tell()
            numbers = array.array(kind, file.read())
            file.seek(start)
            file.write(array.array(kind, change(numbers.tolist())).tobytes())
    except OSError:  # it may not: so much the better
        pass


def spoil(request, names=("K",)):
    for name in names:
        overwrite(f"{request['arrays']['in']}/{name}.npy", lambda numbers: [0.5 * x + 0.1 for x in numbers])


def out(request, name="plan"):
    return f"{request['arrays']['out']}/{name}.npy"


def npy(path, kind, shape, data, order="False"):
    header = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * ((64 - (len(header) + 11) % 64) % 64) + b"\n"
    os.unlink(path)
    write(path, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def plan_of(request):
    """The bytes of the plan, as it was written."""
    data = contents(out(request))
    return data[10 + struct.unpack("<8xH", data[:10])[0]:]


# The modes, a file a subject, of which one mode needs its own. They share names with this file and the model, as if all of
# it were one program.
for subject in ("handshake", "message", "process", "outputs", "inputs", "timing", "proof"):
    with open(f"{here}/misbehaving/{subject}.py") as file:
        text = file.read()
    if sys.argv[1].startswith("--") or sys.argv[1] in text:
        exec(compile(text, file.name, "exec"))


def prove_anew(request):
    """Honest work, whatever was timed."""
    lists = Lists(request["point"], request["arrays"]["in"])
    if "from" in request:
        return dict(proved=verify(lists, request) | dict(how="reloaded"))
    for _ in range(request["iterations"]):
        lists.iterate()
    return dict(proved=dict(how="timed"))


def record_of(request, chosen):
    """The answer to a run as the model gives it, with the mode's changes; None where the mode has answered."""
    place, call = chosen["place"], chosen["call"]
    step = request["steps"][0]
    if place == f"asked_{step}" and call(request):
        return None
    if place == "timed" and step == "time":
        lists = Lists(request["point"], request["arrays"]["in"])
        record = dict(type="record", case=request["case"]) | measure(call(lists), request)
    elif chosen["name"] == "tolerance_endless" and step == "verify":
        for name in ("plan", "u", "v"):
            overwrite(out(request, name), lambda numbers: [0.0] * len(numbers))
        record = dict(type="record", case=request["case"], outputs=["plan", "u", "v"])
    elif place == "timed" and step == "prove":
        record = dict(type="record", case=request["case"]) | prove_anew(request)
    else:
        record = run(request)
    return call(request, record) if place == f"done_{step}" else record


def serve(chosen):
    place, call = chosen["place"], chosen["call"]
    hello = eval("dict(" + re.search(r'^send\((type="hello".*)\)$', model, re.M)[1] + ")")
    hello = call(hello) if place == "hello" else hello
    if hello:
        send(**hello)
    last = None
    for line in sys.stdin.buffer:
        request = json.loads(line.lstrip(b"\x1e"))
        if request["type"] == "quit":
            break
        try:
            if request["type"] == "run":
                last = request
                answer = record_of(request, chosen)
            else:
                answer = dict(describe=describe, plan=plan)[request["type"]](request)
                answer = call(answer) if place == answer["type"] else answer
            if answer is not None:
                send(**answer)
        except Exception as error:
            send(type="error", message=repr(error))
    if place == "asked_quit" and last:
        call(last)
    if place == "quit":
        call()


def shown(entry):
    """A line of docs/notes/misbehaving_workers.md."""
    statuses = [status for status in ("ok", "skipped", "failed", "crashed", "timeout") if status in entry["must"]]
    outcome = "doubted, or failed" if entry["must"] == DOUBTED else " or ".join(statuses)
    return f"| `{entry['name']}` | {entry['does']} | {outcome} |"


if sys.argv[1] == "--table":
    for entry in modes.values():
        print(json.dumps({key: value for key, value in entry.items() if key not in ("call", "place")}))
elif sys.argv[1] == "--markdown":
    for group in groups:
        print(f"\n**{group}**\n\n| mode | what the worker does | its case is |\n|---|---|---|")
        for entry in modes.values():
            if entry["group"] == group:
                print(shown(entry))
else:
    exec(model.split('send(type="hello"')[0])
    victim = sys.argv[2] if len(sys.argv) > 2 else "/nowhere"
    serve(modes[sys.argv[1]])
