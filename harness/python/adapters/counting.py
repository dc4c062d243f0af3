"""What valgrind counts of a benchmark's whole process: instructions and caches (callgrind), the heap (DHAT).

Two processes make different numbers of iterations; what both do alike (the start, an interpreter, the framework) falls
out of (count of the second - count of the first) / (iterations of the second - iterations of the first).
"""
import glob
import json
import os
import shutil

from adapters.benchmark import Failure

LAST_LEVEL = {"callgrind": "L3", "callgrind-l2": "L2"}
HEAP = "heap"
SOURCES = (*LAST_LEVEL, HEAP)
MOST_THREADS = 1
ATTEMPTS = 3
LEAST_SEEN = 0.01  # of what a process counts
DIFFERENCE = "of the whole process: the difference of two numbers of iterations"
WHOLE = "of the whole process, from its start to its end"
# An interpreter that draws its hashes by lot does something else in every process.
ENVIRONMENT = dict(PYTHONHASHSEED="0", PERL_HASH_SEED="0", LD_BIND_NOW="1")


def sources(_):
    """The answer to the request of that name."""
    absent = None if shutil.which("valgrind") else "valgrind is not installed"
    return dict(type="sources", sources=[
        dict(name=name, simulated=False, reason=absent, mend="apt install valgrind" if absent else None, unknown={})
        for name in SOURCES])


def shape(cache):
    """As valgrind's options want it."""
    return f"{cache['bytes']},{cache['ways']},{cache['line']}"


def callgrind(last, caches, events, out):
    """The words in front of a command that is counted. Without caches it takes half the time."""
    words = ["valgrind", "-q", "--log-file=/dev/null", "--tool=callgrind", "--trace-children=yes",
             f"--callgrind-out-file={out}.%p"]
    if set(events) == {"Ir"}:
        return words
    words += ["--cache-sim=yes", "--simulate-wb=yes"]
    if caches:
        words += [f"--I1={shape(caches['L1D'])}", f"--D1={shape(caches['L1D'])}", f"--LL={shape(caches[last])}"]
    return words


def dhat(out):
    return ["valgrind", "-q", "--log-file=/dev/null", "--tool=dhat", "--trace-children=yes", f"--dhat-out-file={out}.%p"]


def totals_in(text):
    """Of one dump of callgrind: {event: count}."""
    events, totals = [], None
    for line in text.splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("totals:"):
            totals = [int(word) for word in line.split()[1:]]
    if not events or totals is None:
        raise Failure("callgrind's output is cut short")
    return dict(zip(events, totals + [0] * len(events)))  # zeros at its end are left out


def heap_in(text):
    """Of one file of DHAT: blocks, and the most bytes that were held at once."""
    try:
        places = json.loads(text)["pps"]
        return dict(allocations=sum(place["tbk"] for place in places), peak=sum(place["gb"] for place in places))
    except (ValueError, KeyError, TypeError):
        raise Failure("DHAT's output is cut short") from None


def counted(adapter, one, multiple, prefix, out, read):
    """The iterations of one process and its children, and what was counted of them together."""
    for file in glob.glob(glob.escape(out) + ".*"):
        os.remove(file)
    iterations = adapter.iterate(one, multiple, prefix, ENVIRONMENT)
    all = {}
    for file in glob.glob(glob.escape(out) + ".*"):
        with open(file, encoding="utf-8", errors="replace") as text:
            for event, count in read(text.read()).items():
                all[event] = all.get(event, 0) + count
    if not all:
        raise Failure("valgrind wrote no counts")
    return iterations, all


def per_iteration(adapter, one, prefix, out, read):
    """({event: count of an iteration}, {event: count of the first process})"""
    first, few = counted(adapter, one, 1, prefix, out, read)
    if adapter.whole_process:
        return {event: count / first for event, count in few.items()}, few
    for _ in range(ATTEMPTS):  # where the clock decides, a busy machine can change the numbers
        second, many = counted(adapter, one, 2, prefix, out, read)
        if second > first:
            return {event: (many.get(event, 0) - count) / (second - first) for event, count in few.items()}, few
    raise Failure(f"{one.id or one.name} makes {first} iterations, and {second} where more are asked for: nothing to compare")


def value(count, of_process, note, kind):
    """A little less in the process that makes more iterations: they add nothing that can be seen."""
    if count < 0 and of_process * LEAST_SEEN < -count:
        return dict(value=None, reason="lost in what differs from process to process")
    return dict(value=max(count, 0), kind=kind, note=note)


def count_instructions(adapter, one, wanted, out):
    source, events = wanted["source"], wanted["events"]
    prefix = callgrind(LAST_LEVEL[source], wanted.get("caches"), events, out)
    counts, first = per_iteration(adapter, one, prefix, out, totals_in)
    if not adapter.whole_process:
        counts["LLleft"] = 0  # as much is left in caches after some iterations as after more
    note = WHOLE if adapter.whole_process else DIFFERENCE
    return {event: value(counts[event], first.get(event, 0), note, "simulated") if event in counts
            else dict(value=None, reason=f'callgrind counts no "{event}" of a whole process') for event in events}


def count_heap(adapter, one, wanted, out):
    counts, first = per_iteration(adapter, one, dhat(out), out, heap_in)
    repeats = adapter.exact and (not adapter.whole_process or counted(adapter, one, 1, dhat(out), out, heap_in)[1] == first)
    kind = "exact" if repeats else "measured"
    known = {"allocations": value(counts["allocations"], first["allocations"], WHOLE if adapter.whole_process else DIFFERENCE, kind),
             "peak-bytes": dict(value=first["peak"], kind=kind, note=WHOLE)}
    return {event: known.get(event) or dict(value=None, reason="only the whole process is counted, not its loading apart")
            for event in wanted["events"]}


def counts(adapter, one, wanted):
    """The `counts` of a record."""
    if wanted["source"] not in SOURCES:
        raise Failure(f"no counter source {wanted['source']}; there are {', '.join(SOURCES)}")
    if one.point.get("threads", 1) > MOST_THREADS:
        raise Failure("valgrind runs one thread at a time: threads must be 1")
    out = os.path.join(adapter.folder(), "counts.out")
    return (count_heap if wanted["source"] == HEAP else count_instructions)(adapter, one, wanted, out)
