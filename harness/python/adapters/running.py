"""Programs started and waited for: their output, their time, what the system saw of them."""
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from adapters.benchmark import Failure


@dataclass
class Done:
    code: int
    out: str
    err: str
    seconds: float  # from start to end
    user: float
    system: float
    memory: dict  # peak_rss in bytes, where it is known

    def ended(self):
        if self.code >= 0:
            return f"exited with code {self.code}"
        try:
            return f"was killed by {signal.Signals(-self.code).name}"
        except ValueError:
            return f"was killed by signal {-self.code}"

    def last_line(self):
        """": TEXT", of what it printed last; on stderr, else on stdout."""
        for text in (self.err, self.out):
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            if lines:
                return ": " + lines[-1][:200]
        return ""


def run(command, env=None, quiet=False):
    """Waits for it. With `quiet` its output is not kept. Throws Failure where it cannot be started."""
    out = err = None
    try:
        out = subprocess.DEVNULL if quiet else tempfile.TemporaryFile()
        err = tempfile.TemporaryFile()  # files, not pipes: nothing has to be read while it runs
        start = time.monotonic()
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     env={**os.environ, **(env or {})})
        except OSError as error:
            raise Failure(f"{command[0]}: {error.strerror}") from error
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        return Done(child.returncode, "" if quiet else _text(out), _text(err), seconds, usage.ru_utime,
                    usage.ru_stime, _peak_of(usage))
    finally:
        for file in (out, err):
            if hasattr(file, "close"):
                file.close()


def _peak_of(usage):
    """The system counts this process's own memory until the program has started: a smaller peak is not known."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"peak_rss": usage.ru_maxrss * 1024} if usage.ru_maxrss > own else {}


def _text(file):
    file.seek(0)
    return file.read(64 << 20).decode(errors="replace")


def run_or_fail(command, what, env=None):
    done = run(command, env)
    if done.code != 0:
        raise Failure(f"{what} {done.ended()}{done.last_line()}")
    return done


def build_facts(kind, command):
    """Facts of the build: the hash of the files that the command names, so that two builds differ."""
    digest = hashlib.sha256()
    files = 0
    for index, word in enumerate(command):
        path = (shutil.which(word) if index == 0 else None) or word
        if os.path.isfile(path) and os.path.getsize(path) < 1 << 30:
            with open(path, "rb") as file:
                digest.update(file.read())
            files += 1
    facts = dict(adapter=kind, python=sys.version.split()[0])
    return {**facts, "hash": digest.hexdigest()[:16]} if files else facts
