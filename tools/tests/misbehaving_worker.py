#!/usr/bin/env python3
"""misbehaving_worker.py MODE [VICTIM]: docs/my_worker.py with one thing wrong. VICTIM is a folder that it would harm.

Each mode is an entry of `modes`: what it does, and what must come of its case. `--table` prints them, a JSON line each; `--markdown` as docs/robustness.md shows them.
"""
import array, json, os, pathlib, random, re, shutil, signal, struct, subprocess, sys, time

model = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "my_worker.py").read_text()
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
    pathlib.Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def plan_of(request):
    """The bytes of the plan, as it was written."""
    data = pathlib.Path(out(request)).read_bytes()
    return data[10 + struct.unpack("<8xH", data[:10])[0]:]


# ---------------------------------------------------------------------------------------------------------------------
groups.append("hello")


@mode("hello", "^failed: worker another_protocol speaks protocol 2, this uotbench speaks 1: rebuild it$", "speaks protocol 2")
def another_protocol(hello):
    return hello | dict(protocol=2)


@mode("hello", "^failed: .*protocol", "says its protocol as a text")
def protocol_as_text(hello):
    return hello | dict(protocol="1")


@mode("hello", "^failed: .*build", "says a list as its build")
def build_as_list(hello):
    return hello | dict(build=[1])


@mode("hello", "^failed: .*steps", "says a number as its steps")
def steps_as_number(hello):
    return hello | dict(steps=5)


@mode("hello", "^failed: .*device", "says a number as its device")
def device_as_number(hello):
    return hello | dict(device=5)


@mode("hello", OK, "has a device whose name drives terminals", check="any")
def device_hostile(hello):
    return hello | dict(device=dict(name="<script>alert(1)</script>\x1b[31m\u202e", memory="\n" * 50))


@mode("hello", "^skipped: ", "cannot run here, which it says in colours on a hundred lines", check="any")
def obstacle_hostile(hello):
    return hello | dict(obstacle="no\x1b[31m GPU\n" * 100)


@mode("hello", "^timeout: ", "never says hello", hangs=True)
def never_says_hello(hello):
    hang()


@mode("hello", "^(timeout|failed): ", "says hello with NaN in it, which is no JSON", hangs=True)
def hello_with_nan(hello):
    return hello | dict(build=dict(x=float("nan")))


@mode("hello", OK, "prints 100 KB of noise before hello", check="any")
def noise_before_hello(hello):
    noise = random.Random(1).randbytes(100000)
    raw(noise.replace(b"\x1e", b"") + b"\n")
    return hello


@mode("hello", "^crashed: exited with code 0 without answering$", "leaves before it says hello")
def leaves_before_hello(hello):
    os._exit(0)


@mode("hello", "^failed: ", "says hello twice")
def hello_twice(hello):
    send(**hello)
    return hello


@mode("hello", "^failed: ", "answers before it is asked")
def answers_before_asked(hello):
    send(**hello)
    send(**describe({}))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("describe")


def first_variant(answer, **changed):
    return answer | dict(variants=[answer["variants"][0] | changed] + answer["variants"][1:])


@mode("described", "^failed: .*variants", "describes no variants")
def describes_nothing(answer):
    return dict(type="described")


@mode("described", "^failed: .*variants", "describes variants by an object")
def variants_as_object(answer):
    return dict(type="described", variants={"a": 1})


@mode("described", OK, "has a summary that drives terminals", check="any")
def summary_hostile(answer):
    return first_variant(answer, summary="x\x1b[31m\x1b]0;owned\x07 <script>alert(1)</script> \u202e\n::error::x")


@mode("described", "^(ok|failed: .*name)", "has one more variant, whose name is a shell's")
def name_hostile(answer):
    return answer | dict(variants=answer["variants"] + [dict(name="uot/a`touch pwn`$(touch pwn)\x1b[31m", axes=[])])


@mode("described", "^failed: .*python_lists", "describes a variant twice")
def variant_twice(answer):
    return answer | dict(variants=answer["variants"] * 2)


@mode("described", "^failed: .*axis M", "has an axis of its own that is the family's")
def axis_of_the_family(answer):
    return first_variant(answer, axes=answer["variants"][0]["axes"] + [dict(name="M", kind="integer", default=5)])


@mode("described", "^failed: .*tolerance", "asks for a tolerance of 1e300, and solves nothing")
def tolerance_endless(answer):
    return first_variant(answer, tolerance=1e300)


@mode("described", "^failed: .*tolerance", "asks for a tolerance below 0")
def tolerance_negative(answer):
    return first_variant(answer, tolerance=-1)


@mode("described", "^failed: .*tolerance", "asks for a tolerance of \"lots\"")
def tolerance_as_text(answer):
    return first_variant(answer, tolerance="lots")


@mode("described", OK, "describes 9,000 variants besides", check="any")
def variants_many(answer):
    return answer | dict(variants=answer["variants"] + [dict(name=f"uot/v{i}", axes=[]) for i in range(9000)])


# ---------------------------------------------------------------------------------------------------------------------
groups.append("plan")


def planned_as(answer, **one):
    return answer | dict(points=[one for _ in answer["points"]])


@mode("planned", "^failed: .*answer to plan: /points: found 0 entries; accepted: 1, one for each of the points", "plans no point")
def plans_nothing(answer):
    return answer | dict(points=[])


@mode("planned", "^failed: .*answer to plan: /points: found 6 entries", "plans five points more than there are")
def plans_too_many(answer):
    return answer | dict(points=answer["points"] + [dict(memory=1)] * 5)


@mode("planned", "^failed: .*memory", "needs less memory than none")
def memory_negative(answer):
    return planned_as(answer, memory=-1e300)


@mode("planned", "^failed: .*memory", "needs \"x\" of memory")
def memory_as_text(answer):
    return planned_as(answer, memory="x")


@mode("planned", "^failed: .*memory", "needs more memory than all machines have")
def memory_endless(answer):
    return planned_as(answer, memory=1e300)


@mode("planned", "^failed: .*refused", "refuses a point by a number")
def refused_as_number(answer):
    return planned_as(answer, refused=5)


@mode("planned", "^skipped: .*no", "refuses a point by what drives terminals", check="any")
def refused_hostile(answer):
    return planned_as(answer, refused="no\x1b[31m\u009b\n::error::x\r<script>=1+1" * 50)


@mode("planned", "^failed: .*steps", "makes 0 iterations at a time")
def steps_of_nothing(answer):
    return planned_as(answer, memory=1, steps=0)


# ---------------------------------------------------------------------------------------------------------------------
groups.append("message")


@mode("asked_verify", "^crashed: ", "leaves in the middle of a message")
def leaves_within_a_message(request):
    raw(b'\x1e{"type":"rec')
    os._exit(0)


@mode("asked_verify", "^timeout: ", "stops in the middle of a message", hangs=True)
def stops_within_a_message(request):
    raw(b'\x1e{"type":"rec')
    hang()


@mode("asked_verify", "^failed: ", "sends a message of 70 MB")
def message_of_70_mb(request):
    raw(b'\x1e{"type":"record","x":"' + b"a" * (70 << 20) + b'"}\n')
    return True


@mode("asked_verify", "^(ok|failed: )", "prints a line of 70 MB, and then answers rightly", check="any")
def line_of_70_mb(request):
    raw(b"a" * (70 << 20) + b"\n")


@mode("asked_verify", "^timeout: ", "prints without end", hangs=True)
def prints_without_end(request):
    while True:
        messages.write(b"hello hello hello hello\n" * 1000)


@mode("asked_verify", "^timeout: ", "prints errors without end", hangs=True)
def complains_without_end(request):
    while True:
        os.write(2, b"hello \x1b[31mhello hello hello\n" * 1000)


@mode("asked_verify", "^(timeout|failed): ", "tells of its progress without end", hangs=True)
def progress_without_end(request):
    while True:
        send(type="progress", x=1)


@mode("asked_verify", "^failed: ", "answers without end")
def answers_without_end(request):
    while True:
        send(type="record", case=request["case"], outputs=["plan", "u", "v"])


@mode("done_verify", "^failed: .*case", "answers for another case")
def answers_for_another_case(request, record):
    return record | dict(case="uot/other/M:1/N:1@x")


@mode("done_time", "^failed: .*case", "is timed for another case", check="any")
def timed_for_another_case(request, record):
    return record | dict(case="uot/other/M:1/N:1@x")


@mode("done_verify", "^failed: .*type", "answers with a message whose type is a number")
def type_as_number(request, record):
    return record | dict(type=5)


@mode("asked_verify", "^failed: ", "answers with a message that has no type")
def no_type(request):
    raw(b'\x1e{"a":1}\n')
    return True


@mode("done_verify", r"^failed: .*answer to run \(verify\): /type: found .poem.; accepted: .record., .progress. or .error.$",
      "answers with a message of an unknown type")
def type_unknown(request, record):
    return record | dict(type="poem")


@mode("asked_verify", "^failed: .*hello", "says hello again in the place of an answer")
def hello_as_answer(request):
    send(type="hello", protocol=1, worker="x", build={})
    return True


@mode("asked_verify", "^(ok|failed: )", "sends a list as a message, and then answers rightly", check="any")
def list_as_message(request):
    raw(b"\x1e[1,2]\n")


@mode("asked_verify", "^(ok|failed: )", "sends what is nested 100,000 deep, and then answers rightly", check="any")
def message_deep(request):
    raw(b"\x1e" + b'{"a":' * 100000 + b"1" + b"}" * 100000 + b"\n")


@mode("asked_verify", "^failed: .*message", "says a list as its error")
def error_as_list(request):
    send(type="error", message=[1, 2])
    return True


@mode("asked_verify", "^failed: .*message", "says an error without a word")
def error_empty(request):
    send(type="error")
    return True


@mode("asked_verify", "^failed: .*message", "says an error of 8 MB in colours")
def error_of_8_mb(request):
    send(type="error", message="x\x1b[31m\u202e\n" * 1000000)
    return True


@mode("asked_verify", "^failed: ", "says an error that is not UTF-8")
def error_not_utf8(request):
    raw(b'\x1e{"type":"error","message":"\xff\xfe\xc3"}\n')
    return True


@mode("asked_verify", "^(timeout|failed): ", "answers with NaN in its record, which is no JSON", hangs=True)
def nan_in_record(request):
    raw(b'\x1e{"type":"record","outputs":["plan"],"env":{"x":NaN}}\n')
    return True


@mode("done_verify", "^failed: ", "answers twice")
def answers_twice(request, record):
    send(**record)
    return record


@mode("asked_verify", "^failed: .*describe|^failed: .*\"described\"", "answers another question than was asked")
def answers_another_question(request):
    send(**describe({}))
    return True


@mode("asked_verify", "^failed: ", "answers first, and writes its results later", check="any")
def answers_before_it_is_done(request):
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    time.sleep(0.3)
    verify(Lists(request["point"], request["arrays"]["in"]), request)
    return True


@mode("done_verify", OK, "certifies itself", check="any")
def certifies_itself(request, record):
    return record | dict(check=dict(status="ok", error=0))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("process")


@mode("asked_verify", "^crashed: closed its pipe without answering: killed$", "closes its pipe and lives on")
def closes_its_pipe(request):
    os.close(messages.fileno())
    os.close(0)
    hang()


@mode("asked_verify", "^crashed: closed its pipe without answering: killed$", "closes all that it has and lives on")
def closes_everything(request):
    for number in (messages.fileno(), 0, 1, 2):
        os.close(number)
    hang()


@mode("asked_verify", "^timeout: ", "hangs, and is deaf to SIGTERM", hangs=True)
def deaf(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


@mode("asked_verify", "^timeout: ", "stops itself", hangs=True)
def stops_itself(request):
    os.kill(os.getpid(), signal.SIGSTOP)
    hang()


@mode("asked_verify", "^crashed: .*code 3", "leaves with code 3")
def leaves(request):
    os._exit(3)


@mode("asked_time", "^crashed: .*code 0", "leaves while it is timed", check="any")
def leaves_when_timed(request):
    os._exit(0)


@mode("asked_verify", "^crashed: .*SIGSEGV", "dies of a segmentation fault")
def segmentation_fault(request):
    os.kill(os.getpid(), signal.SIGSEGV)
    hang()


@mode("asked_verify", OK, "leaves a process in its group", check="any")
def grandchild(request):
    subprocess.Popen(["sleep", "77"])


@mode("asked_verify", OK, "leaves a process in a session of its own", check="any")
def grandchild_of_its_own(request):
    subprocess.Popen(["sleep", "78"], start_new_session=True)


@mode("asked_verify", "^crashed: .*code 0", "leaves, while a process that it started holds its pipe", check="any")
def grandchild_holds_pipe(request):
    subprocess.Popen(["sleep", "79"], start_new_session=True, stdout=messages.fileno(), stderr=2)
    os._exit(0)


@mode("quit", OK, "does not leave when it is asked to", check="any")
def never_leaves():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


@mode("quit", OK, "leaves with code 3", check="any")
def leaves_with_code():
    os._exit(3)


# ---------------------------------------------------------------------------------------------------------------------
groups.append("outputs")


@mode("done_verify", "^failed: .*outputs", "names its outputs by an object")
def outputs_as_object(request, record):
    return record | dict(outputs={"plan": 1})


@mode("done_verify", r"^failed: .*answer to run \(verify\): /: the key .outputs. is missing; accepted: ", "names no outputs at all")
def outputs_absent(request, record):
    return {key: value for key, value in record.items() if key != "outputs"}


@mode("done_verify", "^failed: ", "names an empty list of outputs")
def outputs_empty(request, record):
    return record | dict(outputs=[])


@mode("done_verify", "^failed: .*w", "names an output that the family has not")
def outputs_unknown(request, record):
    return record | dict(outputs=["plan", "u", "v", "w"])


@mode("done_verify", "^failed: .*(\\.\\./in/K|output)", "names paths as outputs")
def outputs_as_paths(request, record):
    return record | dict(outputs=["plan", "../in/K", "/etc/passwd", "../../secret"])


@mode("done_verify", "^(ok|failed: )", "names an output twice", check="any")
def outputs_twice(request, record):
    return record | dict(outputs=["plan", "plan", "u", "v"])


@mode("asked_verify", "^failed: .*untouched", "says that it wrote what it did not")
def outputs_unwritten(request):
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    return True


@mode("done_verify", "^failed: .*not finite", "writes NaN")
def outputs_nan(request, record):
    overwrite(out(request), lambda numbers: [float("nan")] * len(numbers))
    return record


@mode("done_verify", "^failed: .*plan", "writes numbers of another type")
def another_type(request, record):
    npy(out(request), "<f8", f"({request['point']['M']}, {request['point']['N']})", plan_of(request) * 2)
    return record


@mode("done_verify", "^failed: .*plan", "writes the plan transposed")
def another_shape(request, record):
    npy(out(request), "<f4", f"({request['point']['N']}, {request['point']['M']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "writes the plan as one line")
def flat_shape(request, record):
    npy(out(request), "<f4", f"({request['point']['M'] * request['point']['N']},)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan.*Fortran", "writes in Fortran's order")
def fortran_order(request, record):
    npy(out(request), "<f4", f"({request['point']['M']}, {request['point']['N']})", plan_of(request), "True")
    return record


@mode("done_verify", "^failed: .*plan", "writes big-endian numbers")
def big_endian(request, record):
    npy(out(request), ">f4", f"({request['point']['M']}, {request['point']['N']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "promises more numbers than there are")
def shape_endless(request, record):
    npy(out(request), "<f4", "(1000000000, 1000000000)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "promises more bytes than a number can say")
def shape_overflows(request, record):
    npy(out(request), "<f4", "(4294967296, 4294967296)", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "has a shape below 0")
def shape_negative(request, record):
    npy(out(request), "<f4", f"(-{request['point']['M']}, -{request['point']['N']})", plan_of(request))
    return record


@mode("done_verify", "^failed: .*plan", "cuts its output short")
def output_cut(request, record):
    os.truncate(out(request), 100)
    return record


@mode("done_verify", "^failed: .*plan", "empties its output")
def output_emptied(request, record):
    os.truncate(out(request), 0)
    return record


@mode("done_verify", "^(ok|failed: )", "writes more than the shape says", check="any")
def output_longer(request, record):
    with open(out(request), "ab") as file:
        file.write(b"x" * 1000)
    return record


@mode("done_verify", "^failed: .*plan", "writes a header that is none")
def header_of_noise(request, record):
    data = pathlib.Path(out(request)).read_bytes()
    pathlib.Path(out(request)).write_bytes(data[:8] + b"\xff\xff" + data[10:])
    return record


@mode("done_verify", "^failed: .*plan", "removes its output")
def output_removed(request, record):
    os.unlink(out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a FIFO as its output")
def output_fifo(request, record):
    os.unlink(out(request))
    os.mkfifo(out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a folder as its output")
def output_folder(request, record):
    os.unlink(out(request))
    os.mkdir(out(request))
    pathlib.Path(out(request), "x").write_text("x")
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to itself as its output")
def output_link_to_itself(request, record):
    os.unlink(out(request))
    os.symlink("plan.npy", out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to /dev/zero as its output")
def output_link_to_zero(request, record):
    os.unlink(out(request))
    os.symlink("/dev/zero", out(request))
    return record


@mode("done_verify", "^failed: .*plan", "leaves a link to a file of the user's as its output")
def output_link_to_victim(request, record):
    os.unlink(out(request))
    os.symlink(f"{victim}/thesis.txt", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "leaves a link to an array of the user's as its output", check="any")
def output_link_to_array(request, record):
    os.unlink(out(request))
    os.symlink(f"{victim}/array.npy", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "makes a file of the user's its output by a hard link", check="any")
def output_hard_link(request, record):
    os.unlink(out(request))
    os.link(f"{victim}/thesis.txt", out(request))
    return record


@mode("done_verify", "^(ok|failed: )", "makes its outputs' folder a link to one of the user's", check="any")
def outputs_folder_is_link(request, record):
    folder = request["arrays"]["out"]
    shutil.rmtree(folder)
    os.symlink(victim, folder)
    return record


@mode("done_verify", "^(ok|failed: )", "leaves 20 MB of junk among its outputs", check="any")
def junk(request, record):
    pathlib.Path(request["arrays"]["out"], "junk").write_bytes(b"x" * (20 << 20))
    return record


# ---------------------------------------------------------------------------------------------------------------------
groups.append("inputs")


@mode("asked_verify", "^failed: .*input", "makes the problem another one, and solves that")
def inputs_spoiled_before(request):
    spoil(request, ("K", "a", "b"))


@mode("asked_verify", "^failed: .*input", "makes the problem trivial, and solves that")
def inputs_trivial(request):
    point = request["point"]
    for name, value in (("K", 1.0), ("a", float(point["N"])), ("b", float(point["M"]))):
        overwrite(f"{request['arrays']['in']}/{name}.npy", lambda numbers: [value] * len(numbers))
    for name in ("plan", "u", "v"):
        overwrite(out(request, name), lambda numbers: [1.0] * len(numbers))
    send(type="record", case=request["case"], outputs=["plan", "u", "v"])
    return True


@mode("done_verify", "^failed: .*input", "changes the inputs once it has solved the problem")
def inputs_spoiled_after(request, record):
    spoil(request)
    return record


@mode("done_verify", "^failed: .*input", "changes one number of the inputs")
def inputs_one_number(request, record):
    overwrite(f"{request['arrays']['in']}/a.npy", lambda numbers: [numbers[0] * 1.5] + numbers[1:])
    return record


@mode("done_verify", "^failed: .*input", "cuts an input short")
def inputs_cut(request, record):
    os.chmod(f"{request['arrays']['in']}/K.npy", 0o644)
    os.truncate(f"{request['arrays']['in']}/K.npy", 60)
    return record


@mode("done_verify", "^failed: ", "removes the inputs")
def inputs_removed(request, record):
    os.chmod(request["arrays"]["in"], 0o755)
    shutil.rmtree(request["arrays"]["in"])
    return record


@mode("done_verify", "^failed: ", "removes all arrays")
def arrays_removed(request, record):
    os.chmod(request["arrays"]["in"], 0o755)
    shutil.rmtree(os.path.dirname(request["arrays"]["in"]))
    return record


@mode("done_verify", "^failed: .*input", "makes an input a link to one of its own")
def inputs_linked(request, record):
    path = f"{request['arrays']['in']}/K.npy"
    os.chmod(request["arrays"]["in"], 0o755)
    shutil.copy(path, f"{victim}/K.npy.copy")
    os.unlink(path)
    os.symlink(f"{victim}/K.npy.copy", path)
    spoil(request)
    return record


@mode("asked_time", "^failed: .*input", "changes the inputs when it is timed")
def inputs_spoiled_when_timed(request):
    spoil(request)


@mode("asked_quit", "^(ok|failed: .*input)", "changes the inputs as it leaves", check="any")
def inputs_spoiled_when_leaving(request):
    spoil(request)


@mode("asked_verify", "^(ok|failed: .*input)", "has a process that changes the inputs a moment later", check="any")
def inputs_spoiled_in_background(request):
    if os.fork() == 0:
        time.sleep(0.05)
        spoil(request)
        os._exit(0)


# ---------------------------------------------------------------------------------------------------------------------
groups.append("time")


def told(name, must, does, **changed):
    """A mode that changes what `time` says; None removes a key."""
    check = changed.pop("check", "wrong")

    def change(request, record):
        time_ = {key: value for key, value in (record["time"] | changed).items() if value is not None}
        return record | dict(time=time_)
    change.__name__ = name
    mode("done_time", must, does, check=check)(change)


few = [1e-6] * 5
told("no_samples", "^failed: .*sample", "tells no samples", samples=[])
told("samples_absent", "^failed: .*sample", "does not tell its samples", samples=None)
told("samples_as_text", "^failed: .*sample", "tells samples as texts", samples=["1", "2"])
told("samples_negative", "^failed: .*sample", "tells times below 0", samples=[-1.0] * 5)
told("samples_zero", "^failed: .*sample", "tells that it takes no time", samples=[0.0] * 5)
told("samples_tiny", "^failed: .*sample", "tells 1e-300 s", samples=[1e-300] * 5)
told("samples_as_object", "^failed: .*sample", "tells its samples by an object", samples={"a": 1})
told("samples_beyond_the_clock", "^failed: ", "tells 50 s of samples, and answers after less", samples=[1.0] * 50)
told("samples_of_days", "^failed: ", "tells 9e5 s a sample", samples=[9e5] * 5)
told("samples_many", "^failed: ", "tells a million samples", samples=[1e-5] * 1000000)
told("inner_endless", "^failed: .*inner", "tells 2^62 iterations a sample", inner=2**62, samples=few)
told("inner_zero", "^failed: .*inner", "tells 0 iterations a sample", inner=0)
told("inner_not_whole", "^failed: .*inner", "tells 1.5 iterations a sample", inner=1.5)
told("inner_absent", "^failed: .*inner", "does not tell how many iterations a sample is", inner=None)
told("unit_unknown", "^failed: .*per", "tells times per sitting", per="sitting")
told("unit_as_number", "^failed: .*per", "tells a number as its unit", per=5)
told("unit_absent", "^failed: .*per", "does not tell its unit", per=None)
told("clock_unknown", "^failed: .*clock", "tells a clock that there is not, in colours", clock="sundial\x1b[31m")
told("clock_absent", "^failed: .*clock", "does not tell its clock", clock=None)
told("stopped_by_itself", "^failed: .*stopped_by", "tells that it stopped for a reason that there is not", stopped_by="me")
told("stopped_by_absent", "^failed: .*stopped_by", "does not tell why it stopped", stopped_by=None)
told("first_sample_before_time", "^failed: .*first_sample_at", "tells a first sample before the world began",
     first_sample_at=-1e300)
told("first_sample_as_text", "^failed: .*first_sample_at", "tells its first sample as a text", first_sample_at="now")
told("busy_as_text", "^failed: .*busy", "tells a text as its share of the CPU", busy="no")
told("busy_negative", "^failed: .*busy", "had -500% of a CPU", busy=-5)
told("solve_of_nothing", "^failed: .*iterations", "tells solves of 0 iterations", per="solve", iterations=0)
told("solve_of_a_billion", "^failed: ", "tells solves of 10^9 iterations where none was asked for", per="solve",
     iterations=10**9)
told("warnings_as_object", "^failed: .*warnings", "warns by an object", warnings={"a": 1})
told("warnings_hostile", OK, "warns 100 times of 1000 lines in colours", warnings=["w\x1b[31m\u202e\n" * 1000] * 100,
     check="any")
told("phases_as_number", "^failed: .*phases", "tells a number as its phases", phases=5)
told("phases_beyond", "^failed: .*phase", "tells phases longer than the sample",
     phases=[dict(name="a", seconds=[1e9] * 5)])


@mode("done_time", "^failed: .*time", "answers with null in the place of times")
def time_null(request, record):
    return record | dict(time=None)


@mode("done_time", "^failed: .*time", "answers without times")
def time_absent(request, record):
    return {key: value for key, value in record.items() if key != "time"}


@mode("done_time", "^failed: .*sample", "takes one sample where five are asked for")
def fewer_samples(request, record):
    return record | dict(time=record["time"] | dict(samples=record["time"]["samples"][:1]))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("facts")


def fact(name, must, does, check="any", **changed):
    def change(request, record):
        return record | changed
    change.__name__ = name
    mode("done_verify", must, does, check=check)(change)


fact("work_negative", "^failed: .*(work|flops)", "works less than nothing",
     work=dict(flops=-1, bytes_read=-5, bytes_written=0, write_allocate=0))
fact("work_as_text", "^failed: .*work", "tells a text as its work", work="many")
fact("work_endless", "^(ok|failed: .*work)", "works 1e300 flops",
     work=dict(flops=1e300, bytes_read=1e300, bytes_written=1e300, write_allocate=1e300, working_set=1e308))
fact("env_as_list", "^failed: .*env", "tells a list as what it saw", env=[1, 2])
fact("env_of_texts", "^(ok|failed: .*env)", "tells texts where numbers are", env=dict(peak_rss="x", page_faults="y"))
fact("env_endless", "^(ok|failed: .*env)", "had 1e300 page faults", env=dict(page_faults=1e300, steal=1e300, peak_rss=-1e300))
fact("env_deep", "^(ok|failed: .*env)", "tells what is nested 60 deep", env=dict(a=json.loads("[" * 58 + "]" * 58)))
fact("env_hostile", OK, "tells what drives terminals", env={"\x1b[31mkey": "\x1b]0;owned\x07\u202e<script>"})


# ---------------------------------------------------------------------------------------------------------------------
groups.append("cheating")  # right when it is judged, and less work when it is timed


class Idle:
    def iterate(self):
        pass


@mode("timed", "^failed: ", "does nothing when it is timed")
def skips_work(lists):
    return Idle()


class Cached:
    def __init__(self, lists):
        self.lists = lists

    def iterate(self):
        if self.lists:
            self.lists.iterate()
        self.lists = None


@mode("timed", "^failed: ", "computes one iteration when it is timed, and gives its result again and again")
def gives_stored_results(lists):
    return Cached(lists)


class Half:
    def __init__(self, lists):
        self.lists, self.rows = lists, lists.rows[: max(1, len(lists.rows) // 2)]

    def iterate(self):
        self.lists.scaled(self.lists.u, self.lists.a, self.rows, self.lists.v)


@mode("timed", DOUBTED, "does a quarter of the work when it is timed", check="any")
def does_part_of_the_work(lists):
    return Half(lists)


@mode("done_time", "^failed: ", "invents times of a nanosecond")
def invents_nanoseconds(request, record):
    return record | dict(time=record["time"] | dict(samples=[1e-9 + 1e-12 * i for i in range(5)]))


@mode("done_time", "^failed: ", "tells a hundredth of its time")
def tells_a_hundredth(request, record):
    return record | dict(time=record["time"] | dict(samples=[sample / 100 for sample in record["time"]["samples"]]))


@mode("done_time", DOUBTED, "tells a third of its time", check="any")
def tells_a_third(request, record):
    return record | dict(time=record["time"] | dict(samples=[sample / 3 for sample in record["time"]["samples"]]))


# ---------------------------------------------------------------------------------------------------------------------
groups.append("prove")  # right when it is judged, and told rightly how long it takes


@mode("hello", "^ok.*not judged: .*does not know the step prove", "does not know the step prove", check="ok")
def knows_no_proof(hello):
    return hello | dict(steps=["verify", "time"])


@mode("asked_prove", "^failed: ", "refuses to prove what it says that it can")
def refuses_to_prove(request):
    send(type="error", message="not today")
    return True


@mode("asked_prove", "^timeout: ", "never answers when it is to prove", hangs=True)
def never_proves(request):
    hang()


@mode("asked_prove", "^crashed: .*code 0", "leaves when it is to prove", check="any")
def leaves_when_proving(request):
    os._exit(0)


@mode("done_prove", "^failed: .*proved", "answers without a proof")
def proof_absent(request, record):
    return {key: value for key, value in record.items() if key != "proved"}


@mode("done_prove", "^failed: .*how", "proves in a way that there is not")
def proves_by_magic(request, record):
    return record | dict(proved=record["proved"] | dict(how="magic"))


@mode("done_prove", "^failed: .*outputs", "proves without naming outputs")
def proof_without_outputs(request, record):
    return record | dict(proved=dict(how=record["proved"]["how"]))


@mode("asked_prove", "^failed: ", "says that it wrote its proof, and wrote nothing")
def proof_unwritten(request):
    if "from" in request:
        send(type="record", case=request["case"], proved=dict(how="reloaded", outputs=["plan", "u", "v"]))
    return "from" in request


@mode("asked_prove", "^failed: ", "does one iteration, however many it is to prove")
def proof_of_fewer_iterations(request):
    request["iterations"] = 1


@mode("asked_prove", "^failed: .*input", "changes the inputs when it is to prove", check="any")
def inputs_spoiled_when_proving(request):
    spoil(request)


# ---------------------------------------------------------------------------------------------------------------------


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
    """A line of docs/robustness.md."""
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
