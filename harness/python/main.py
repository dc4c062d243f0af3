"""uotbench-worker-python [--ranks] [FILE_OR_FOLDER...]: started by uotbench, or through check-worker.

With --ranks it is one of the processes that MPI started: the worker `mpi4py`.
"""
import sys

from uotbench.protocol import Channel, on_one_line
from uotbench.worker import answer, hello, load_variants, serve


def main(files):
    if files[:1] in (["--help"], ["-h"]):
        print("usage: uotbench-worker-python [FILE.py|FOLDER]...   (your variants with ours; docs/guide/workers.md)")
        return 0
    over_ranks = files[:1] == ["--ranks"]
    files = files[1:] if over_ranks else files
    flags = [word for word in files if word.startswith("--")]
    if flags:
        print(f"uotbench-worker-python: {flags[0]}: it takes files and folders of variants, and no flags; "
              "uotbench run --case ID runs one case", file=sys.stderr)
        return 2
    if sys.stdin.isatty():
        print("uotbench-worker-python is started by uotbench and speaks its protocol on a pipe; by hand: "
              "uotbench run uot/numpy_gemv -a M,N=300,400 --worker python", file=sys.stderr)
        return 2
    worker = "mpi4py" if over_ranks else "python"
    obstacle = {}
    try:
        load_variants(files, worker)
    except Exception as error:  # whatever a variant's file does
        obstacle = {"obstacle": on_one_line(error)}
    if over_ranks:
        from uotbench import ranks

        return ranks.serve(worker, obstacle)
    channel = Channel()
    channel.send("hello", **hello(worker), **obstacle)
    serve(channel, lambda request: answer(request, channel))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)  # the parent is gone: nobody to tell
