"""uotbench-worker-python [FILE_OR_FOLDER...]: started by uotbench, or through check-worker."""
import sys

from uotbench.protocol import Channel, on_one_line
from uotbench.worker import answer, hello, load_variants, reason


def main(files):
    if files[:1] in (["--help"], ["-h"]):
        print("usage: uotbench-worker-python [FILE.py|FOLDER]...   (variants of yours beside ours; docs/workers.md)")
        return 0
    flags = [word for word in files if word.startswith("--")]
    if flags:
        print(f"uotbench-worker-python: {flags[0]}: it takes files and folders of variants, and no flags; "
              "uotbench run --case ID runs one case", file=sys.stderr)
        return 2
    if sys.stdin.isatty():
        print("uotbench-worker-python is started by uotbench and speaks its protocol on a pipe; by hand: "
              "uotbench run uot/numpy_gemv -a M,N=300,400 --worker python", file=sys.stderr)
        return 2
    channel = Channel()
    obstacle = {}
    try:
        load_variants(files)
    except Exception as error:  # whatever a variant's file does
        obstacle = {"obstacle": on_one_line(error)}
    channel.send("hello", **hello("python"), **obstacle)
    for request in channel.requests():
        try:
            kind, fields = answer(request, channel)
            channel.send(kind, **fields)
        except Exception as error:  # whatever a kernel does
            channel.send("error", message=reason(error))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)  # the parent is gone: nobody to tell
