"""The conversation with uotbench of a worker whose benchmarks no oracle knows (docs/reference/protocol.md)."""
import os
import shlex
import tempfile

from adapters import counting
from adapters.benchmark import FAMILY, Failure, axes_of, complete_points, require_times, variant_names
from adapters.running import build_facts, run
from uotbench.protocol import Channel, on_one_line

MOST_VARIANTS = 10000


class Adapter:
    """What a framework's file gives: `list()`, `measure(benchmark, request)`, and `once(benchmark)` for a check.

    `iterate(benchmark, multiple, prefix, environment)`, for valgrind's words in front of the command: one process that
    makes some number of iterations, or with `multiple` 2 more of them. Returns how many.
    """

    countable = True  # it has iterate()
    whole_process = False  # a process is one iteration, its start and end included
    exact = False  # iterate() makes the same number of iterations each time

    def __init__(self, command, options):
        self.command = command
        self.options = options

    def folder(self):
        """Removed by uotbench when the worker has ended; without uotbench, by the system."""
        return os.environ.get("UOTBENCH_TMPDIR") or tempfile.gettempdir()


class External:
    def __init__(self, adapter):
        self.adapter = adapter
        self.variants = None

    def listed(self):
        """{variant: (axes, points, benchmarks)}"""
        if self.variants is not None:
            return self.variants
        listed, by_name = self.adapter.list(), {}
        if threads := self.adapter.options.threads:
            for one in listed:
                one.point.setdefault("threads", threads)
        names = variant_names({one.name for one in listed})
        for one in listed:
            by_name.setdefault(names[one.name], []).append(one)
        if not by_name:
            raise Failure(f"{shlex.join(self.adapter.command)}: lists no benchmark")
        if len(by_name) > MOST_VARIANTS:
            raise Failure(f"lists {len(by_name)} benchmarks; expected at most {MOST_VARIANTS}")
        self.variants = {}
        for name, members in by_name.items():
            axes = axes_of(members)
            points = complete_points(members, axes)
            kept, seen = [], {}
            for one, point in zip(members, points):
                key = tuple(point.values())
                if key in seen:
                    seen[key].obstacle = f"two benchmarks are called {one.id or one.name}; rename one of them"
                    continue
                seen[key] = one
                kept.append((point, one))
            self.variants[name] = (axes, kept)
        return self.variants

    def found(self, request):
        if request["variant"] not in self.listed():
            raise Failure(f"{request['variant']} is not among its benchmarks (any more)")
        axes, members = self.listed()[request["variant"]]
        wanted = {axis["name"]: request["point"].get(axis["name"]) for axis in axes}
        for point, one in members:
            if point == wanted:
                return one
        raise Failure(f"{request['variant']} has no benchmark with {wanted}")

    def describe(self, request):
        variants = []
        for name, (axes, members) in self.listed().items():
            variant = dict(name=name, summary=on_one_line(members[0][1].name)[:200], axes=axes)
            if axes:
                variant["points"] = [point for point, _ in members]
            variants.append(variant)
        family = dict(name=FAMILY, summary="benchmarks of other frameworks, and programs; no oracle knows them")
        return dict(type="described", families=[family], variants=variants)

    def plan(self, request):
        points = []
        for own in request["points"]:
            try:
                one = self.found(dict(variant=request["variant"], point={**request["common"], **own}))
                points.append(dict(refused=one.obstacle) if one.obstacle else dict(memory=0))
            except Failure as failure:
                points.append(dict(refused=on_one_line(failure)))
        return dict(type="planned", points=points)

    def verify(self, one):
        check = self.adapter.options.check
        if not check:
            return dict(outputs=[])
        self.adapter.once(one)
        done = run(["/bin/sh", "-c", check])
        if done.code != 0:
            raise Failure(f"check failed: {check} {done.ended()}{done.last_line()}")
        return dict(outputs=[], verified_by=on_one_line(check))

    def time(self, one, request):
        measured = self.adapter.measure(one, request["measure"])
        require_times(measured.samples, one.id or one.name)
        time = dict(per="iteration", clock="steady", inner=measured.inner, stopped_by="samples",
                    samples=measured.samples, warnings=measured.warnings[:20])
        if measured.busy is not None:
            time["busy"] = measured.busy
        return dict(time=time, env={**measured.facts, "reported": measured.reported})

    def count(self, one, request):
        return dict(counts=counting.counts(self.adapter, one, request["count"]))

    def run(self, request):
        one = self.found(request)
        record = dict(type="record", case=request["case"])
        for step in request["steps"]:
            if step == "verify":
                record.update(self.verify(one))
            else:
                record.update(self.time(one, request) if step == "time" else self.count(one, request))
        return record


def serve(kind, adapter):
    channel = Channel()
    external = External(adapter)
    steps = ["verify", "time"] + (["count"] if adapter.countable else [])
    channel.send("hello", protocol=1, worker=kind, steps=steps, build=build_facts(kind, adapter.command))
    answers = dict(describe=external.describe, plan=external.plan, run=external.run)
    if adapter.countable:
        answers["sources"] = counting.sources
    for request in channel.requests():
        try:
            if request["type"] not in answers:
                raise Failure(f"the adapter {kind} knows no request {request['type']}")
            channel.send(**answers[request["type"]](request))
        except Failure as failure:
            channel.send("error", message=on_one_line(failure))
        except (OSError, ValueError, KeyError, TypeError) as error:
            channel.send("error", message=on_one_line(f"{kind}: {type(error).__name__}: {error}"))
