"""Any program, timed as a process from its start to its end."""
import itertools
import os
import time

from adapters.benchmark import Benchmark, Failure, Measured, axis_name, value_of
from adapters.external import Adapter
from adapters.running import run


def parameters_from(texts):
    """["n=1,2", "mode=a,b"]: {"n": [1, 2], "mode": ["a", "b"]}"""
    lists = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not name or axis_name(name) != name or not values:
            raise Failure(f'--parameter {text}: expected NAME=VALUE,VALUE with a name of letters, digits and "_"')
        lists[name] = [value_of(value) for value in values.split(",")]
    return lists


class Command(Adapter):
    whole_process = True
    exact = True

    def list(self):
        lists = parameters_from(self.options.parameter)
        name = self.options.name or os.path.basename(self.command[0])
        return [Benchmark(name=name, point=dict(zip(lists, values))) for values in itertools.product(*lists.values())]

    def filled(self, words, one):
        """{NAME} replaced by the parameter's value."""
        for name, value in one.point.items():
            words = [word.replace("{" + name + "}", str(value)) for word in words]
        return words

    def helper(self, what, one):
        command = getattr(self.options, what)
        if not command:
            return
        command = self.filled([command], one)[0]
        done = run(["/bin/sh", "-c", command])
        if done.code != 0:
            raise Failure(f"--{what} {command} {done.ended()}{done.last_line()}")

    def timed(self, one, prefix=(), environment=None):
        self.helper("prepare", one)
        words = self.filled(self.command, one)
        done = run([*prefix] + words, environment, quiet=not self.options.output)
        if self.options.output:
            with open(self.options.output, "w", encoding="utf-8") as file:
                file.write(done.out)
        if done.code != 0 and not self.options.ignore_failure:
            raise Failure(f"{words[0]} {done.ended()}{done.last_line()}; --ignore-failure times it nevertheless")
        return done

    def once(self, one):
        self.timed(one)
        self.helper("cleanup", one)

    def iterate(self, one, _, prefix, environment):
        self.timed(one, prefix, environment)
        self.helper("cleanup", one)
        return 1

    def measure(self, one, wanted):
        for _ in range(self.options.warmup):
            self.timed(one)
        inner = wanted.get("inner", 1)
        samples, user, system, peaks = [], [], [], []
        start = time.monotonic()
        while len(samples) < wanted["min_samples"] or time.monotonic() - start < wanted["seconds"]:
            runs = [self.timed(one) for _ in range(inner)]
            samples.append(sum(done.seconds for done in runs) / inner)
            user += [done.user for done in runs]
            system += [done.system for done in runs]
            peaks += [done.memory["peak_rss"] for done in runs if done.memory]
        self.helper("cleanup", one)
        facts = dict(user_seconds=sum(user) / len(user), system_seconds=sum(system) / len(system))
        if peaks:
            facts["peak_rss"] = max(peaks)
        return Measured(samples=samples, inner=inner, facts=facts)
