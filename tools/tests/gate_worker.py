#!/usr/bin/env python3
"""A worker whose times are made up, for tests of the gate: nothing is measured, so nothing varies unless told to.

It is docs/my_worker.py (its results are right) with other times, under two names, and with faults on demand.
"""
import gc
gc.disable()  # it starts some hundred times in all tests, and lives for a second
import argparse, json, math, os, sys, time

flags = argparse.ArgumentParser()
flags.add_argument("--factor", type=float, default=1.0, help="times are so many times as long")
flags.add_argument("--noise", type=float, default=0.0, help="standard deviation of the logarithm of a process's time")
flags.add_argument("--drift", type=float, default=0.0, help="what each process adds, relative")
flags.add_argument("--state", help="a file that counts processes; noise, drift and --crash-at need it")
flags.add_argument("--seed", type=int, default=1)
flags.add_argument("--crash-at", type=int, help="the process of this number that is timed dies")
flags.add_argument("--hang-at", type=int, help="likewise, it never answers")
flags.add_argument("--hang-after", type=int, help="likewise, and all later ones")
flags.add_argument("--unsteady-at", type=int, help="likewise, its first samples take 20 times as long as the others")
flags.add_argument("--unsteady-after", type=int, help="likewise, and those of all later ones")
flags.add_argument("--slow-from", type=int, help="from the process of this number on each takes longer")
flags.add_argument("--slow-by", type=float, default=2, help="so many seconds")
flags.add_argument("--slow-end", type=float, default=0, help="seconds that each process takes to leave")
flags.add_argument("--noisy", help="the one variant that --noise and --wrong are of")
flags.add_argument("--misses", type=int, help="misses of a simulated cache; without it the worker counts nothing")
flags.add_argument("--functions", type=json.loads, default={}, help="instructions that callgrind counts of each, as JSON")
flags.add_argument("--flops", type=int, help="that a process which is timed counts; one that is judged counts 100")
flags.add_argument("--lacks", help="a variant that it has not")
flags.add_argument("--code", help="a hash of its machine code, of all variants")
flags.add_argument("--wrong", action="store_true", help="its results are wrong")
flags.add_argument("--mute", action="store_true", help="it dies before it says hello")
flags.add_argument("--protocol", type=int, default=1)
flags.add_argument("--build", action="append", default=[], help="KEY=VALUE of hello.build")
flags.add_argument("--per", default="iteration")
flags.add_argument("--iterations", type=json.loads, default=10, help="that a solve takes, as JSON; null: untold")
flags.add_argument("--own-inner", type=int, default=1, help="iterations a sample, whatever is asked")
flags.add_argument("--stubborn", action="store_true", help="knows no measure.slowdown")
flags.add_argument("--no-time", action="store_true", help="says that it never times")
flags.add_argument("--pid", help="a file that gets the number of the process that is timed")
options = flags.parse_args()

with open(f"{os.path.dirname(os.path.realpath(__file__))}/../../docs/my_worker.py") as model:
    exec(model.read().split('send(type="hello"')[0])

# Seconds an iteration: longer than one that is computed takes, so that what is made up can be true.
base = {"uot/python_lists": 1e-4, "uot/python_other": 2e-4}


def count_processes():
    if not options.state:
        return 0
    with open(options.state, "a") as file:
        file.write(".")
    return os.path.getsize(options.state)


told = [0.0]  # seconds of a unit, as they were made up last


def made_up(request):
    number = count_processes()
    if options.pid:
        with open(options.pid, "w") as file:
            file.write(str(os.getpid()))
    if options.crash_at == number:
        os.abort()
    if options.hang_at == number or (options.hang_after or number + 1) <= number:
        time.sleep(3600)
    if options.slow_from and options.slow_from <= number:
        time.sleep(options.slow_by)
    wanted = request["measure"]
    seconds = base[request["variant"]] * options.factor * (1 + options.drift * number)
    noise = options.noise if options.noisy in (None, request["variant"]) else 0
    if noise:
        import random
        seconds *= math.exp(noise * random.Random(options.seed * 1000003 + number).gauss(0, 1))
    answer = dict(per=options.per, clock="steady", stopped_by="samples", inner=options.own_inner)
    if options.per == "solve":
        answer["iterations"] = options.iterations
    if "slowdown" in wanted and not options.stubborn:
        seconds *= wanted["slowdown"]
        answer["slowdown"] = wanted["slowdown"]
    told[0] = seconds
    samples = [seconds] * wanted["min_samples"]
    if options.unsteady_at == number or (options.unsteady_after or number + 1) <= number:
        samples[:len(samples) // 4] = [20 * seconds] * (len(samples) // 4)
    time.sleep(min(1, sum(samples) * answer["inner"]))  # more than passes would not be believed
    return dict(time=answer | dict(samples=samples)) | work(options.flops)


def work(flops):
    return dict(work={"from": "run", "flops": flops}) if options.flops else {}


def judged(lists, request):
    time.sleep(told[0] * request["iterations"])  # as late as was made up: uotbench compares both
    if options.wrong and options.noisy in (None, request["variant"]):
        lists.iterate()
    return verify(lists, request) | work(100)


def counted(request):
    if request["count"]["source"] == "callgrind":
        lines = [dict(at=at, value=value) for at, value in options.functions.items()]
        count = dict(value=sum(options.functions.values()), kind="simulated")
        return dict(counts={event: count | (dict(lines=lines) if event == "Ir.functions" else {})
                            for event in request["count"]["events"]})
    return dict(counts={event: dict(value=options.misses, kind="simulated") for event in request["count"]["events"]})


def sources(request):
    names = ["trace"] * (options.misses is not None) + ["callgrind"] * bool(options.functions)
    if not names:
        raise ValueError("it counts nothing")
    return dict(type="sources", sources=[dict(name=name, reason=None, mend=None, unknown={}) for name in names])


def describe_all(request):
    one = describe(request)["variants"][0] | (dict(code=options.code) if options.code else {})
    return dict(type="described", variants=[one | dict(name=name) for name in base if name != options.lacks])


def run_case(request):
    record = dict(type="record", case=request["case"])
    for step in request["steps"]:
        record |= (made_up(request) if step == "time" else counted(request) if step == "count" else
                   judged(Lists(request["point"], request["arrays"]["in"]), request))
    return record


if options.mute:
    sys.exit("it has nothing to say")
hello = dict(build=dict(text.split("=", 1) for text in options.build))
if options.no_time:
    hello["steps"] = ["verify"]
send(type="hello", protocol=options.protocol, worker="gate_worker", **hello)
for line in sys.stdin.buffer:
    request = json.loads(line.lstrip(b"\x1e"))
    if request["type"] == "quit":
        break
    try:
        send(**dict(describe=describe_all, plan=plan, run=run_case, sources=sources)[request["type"]](request))
    except Exception as error:
        send(type="error", message=repr(error))
time.sleep(options.slow_end)
