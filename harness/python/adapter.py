"""uotbench-adapter ADAPTER [OPTION]... [--] COMMAND...: benchmarks of another framework as a worker of uotbench.

uotbench starts it for --worker NAME=ADAPTER:COMMAND (docs/guide/own_benchmarks.md).
"""
import argparse
import json
import sys

from adapters import files
from adapters.benchmark import Failure
from adapters.command import Command
from adapters.criterion import Criterion
from adapters.external import Adapter, serve
from adapters.gbench import GoogleBenchmark
from adapters.nvbench import Nvbench
from adapters.pytest_benchmark import PytestBenchmark

ADAPTERS = {"gbench": GoogleBenchmark, "pytest": PytestBenchmark, "criterion": Criterion, "nvbench": Nvbench,
            "command": Command}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{self.prog} {message}")


class Broken(Adapter):
    """A worker that can say why it is none: its options are wrong."""

    def __init__(self, failure):
        super().__init__([], argparse.Namespace(threads=0))
        self.failure = failure

    def list(self):
        raise self.failure


def options_of(kind, words):
    parser = Parser(prog=f"{kind}:", usage=f"{kind}: [OPTION]... [--] COMMAND...", allow_abbrev=False)
    parser.add_argument("--check", metavar="COMMAND", default="", help="for sh; its exit code says whether a result is right")
    parser.add_argument("--threads", metavar="N", type=int, default=0, help="CPUs for benchmarks that have no axis threads")
    if kind == "command":
        parser.add_argument("--name", default="", help="of the benchmark; default: the program's name")
        parser.add_argument("--prepare", metavar="COMMAND", default="", help="for sh, before each run; not timed")
        parser.add_argument("--cleanup", metavar="COMMAND", default="", help="for sh, after the last run; not timed")
        parser.add_argument("--warmup", metavar="N", type=int, default=1, help="runs before the first timed one; default 1")
        parser.add_argument("--parameter", metavar="NAME=V,V", action="append", default=[], help="{NAME} in commands; an axis")
        parser.add_argument("--output", metavar="FILE", default="", help="what it prints goes there, for --check")
        parser.add_argument("--ignore-failure", action="store_true", help="an exit code other than 0 is no failure")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("no command; expected the command that runs the benchmarks")
    return options, command


def main(words):
    if words[:1] == ["--read"] and len(words) == 2:  # of uotbench import
        try:
            print(json.dumps(files.read(words[1]), allow_nan=False))
            return 0
        except Failure as failure:
            print(" ".join(str(failure).split()), file=sys.stderr)
            return 1
    if not words or words[0] not in ADAPTERS:
        print(f"uotbench-adapter: expected ADAPTER [OPTION]... COMMAND..., ADAPTER one of {', '.join(ADAPTERS)}",
              file=sys.stderr)
        return 2
    if sys.stdin.isatty():
        print(f"uotbench-adapter is started by uotbench: uotbench run 'external/*' --worker mine={words[0]}:COMMAND",
              file=sys.stderr)
        return 2
    try:
        options, command = options_of(words[0], words[1:])
        adapter = ADAPTERS[words[0]](command, options)
    except Failure as failure:
        adapter = Broken(failure)
    serve(words[0], adapter)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)  # the parent has ended
