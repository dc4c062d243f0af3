"""Answers uotbench's requests (docs/reference/protocol.md): describes variants, plans, and runs them."""
import hashlib
import importlib
import importlib.util
import os
import platform
import sys
import time
from dataclasses import asdict
from fnmatch import fnmatch
from pathlib import Path

from uotbench import ROOT, blas_core, packages, threads
from uotbench.kernel import begin, facts, has, restart
from uotbench.measure import Policy, first_calls, go_on, mean_work, measure
from uotbench.protocol import on_one_line
from uotbench.usage import Usage
from uotbench.variant import variant_named, variants

# Folders of a family that hold no variants. parts/ is what families had before shared/ and timed/.
WITHOUT_VARIANTS = ("shared", "timed", "parts", "oracle", "tests")

_loaded_files = []
_kept = {}  # the case that was timed last, which may have to be proved: its name and its kernel
_ranks = None  # where this process is one of several: ranks.Ranks


def join(ranks):
    """From now on kernels are those of all processes: timed together, their memory added up."""
    global _ranks
    _ranks = ranks


def load_variants(extra, worker="python"):
    """Ours, and those of the files and folders `extra`. Raises with the file's name."""
    kernels = ROOT / "kernels"
    below = [path for path in kernels.glob("*/*/*.py") if path.parent.name not in WITHOUT_VARIANTS]
    for path in sorted([*kernels.glob("*/*.py"), *below]):
        if is_for(worker, path.read_text("utf-8")):
            _load(path, ".".join(["uotbench", *path.relative_to(kernels).with_suffix("").parts]))
    for path in (Path(given) for given in extra):
        if not path.exists():
            raise FileNotFoundError(f"{path}: there is no such file; expected one that registers a variant")
        before = set(variants())
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            if str(file.parent.resolve()) not in sys.path:
                sys.path.append(str(file.parent.resolve()))  # for what it imports beside itself
            _load(file, file.stem)
        if set(variants()) == before:
            raise ValueError(f"{path}: registers no variant; docs/guide/kernels.md shows one that does")


def is_for(worker, text):
    """Whether a file of that text is: lines "# workers: PATTERN..." say it; one without them is for `python`."""
    named = [line.split()[2:] for line in text.splitlines() if line.startswith("# workers:")]
    return worker == "python" if not named else any(fnmatch(worker, pattern) for patterns in named for pattern in patterns)


def _load(path, name):
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules.get(name) or importlib.util.module_from_spec(spec)
        if sys.modules.setdefault(name, module).__spec__ is spec:
            spec.loader.exec_module(module)
    except Exception as error:  # whatever the file does
        raise ImportError(f"{path}: {type(error).__name__}: {error}") from error
    _loaded_files.append(path)


def hello(worker):
    """What distinguishes this build from others: the interpreter, what it has installed, and the text of all files."""
    text = hashlib.sha256()
    for path in sorted((ROOT / "harness/python/uotbench").glob("*.py")) + _loaded_files:
        text.update(path.read_bytes())
    build = {"python": platform.python_version(), "implementation": platform.python_implementation(),
             "hash": text.hexdigest()[:16]}
    for module in sorted({module for variant in variants().values() for module in variant.needs} | {"scipy", "jaxlib"}):
        if version := packages.version(module):
            build[module] = version
    return {"protocol": 1, "worker": worker, "build": build, "steps": ["verify", "time", "prove", "state"]}


def serve(channel, answered):
    """Until the last request. `answered(request)`: the reply's type and fields."""
    for request in channel.requests():
        try:
            kind, fields = answered(request)
            channel.send(kind, **fields)
        except Exception as error:  # whatever a kernel does
            channel.send("error", message=reason(error))


def answer(request, channel):
    """The reply's type and fields. Raises what the variant raises."""
    kind = request.get("type")
    if kind == "describe":
        return "described", {"variants": [variant.description() for variant in variants().values()]}
    if kind == "plan":
        return "planned", {"points": _planned(request)}
    if kind == "run":
        return "record", _ran(request, channel)
    raise ValueError(f'unknown request "{kind}"')


def reason(error):
    """One line of what was raised."""
    if isinstance(error, MemoryError):
        return "out of memory"
    text = error.args[0] if isinstance(error, KeyError) and error.args else str(error)
    plain = isinstance(error, (ValueError, RuntimeError, KeyError)) and text
    return on_one_line(text if plain else f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _planned(request):
    variant, points = variant_named(request["variant"]), []
    for own in request["points"]:
        at = {**request.get("common", {}), **own}
        refusal = variant.refusal(at)
        points.append({"refused": refusal} if refusal else {"memory": variant.memory(at)})
        if not refusal and variant.steps(at) > 1:
            points[-1]["steps"] = variant.steps(at)
    return points


def _ran(request, channel):
    variant, at, steps = variant_named(request["variant"]), request["point"], request["steps"]
    if steps == ["prove"]:
        return {"case": request["case"], "proved": _proved(variant, at, request)}
    for step in steps:
        if step not in ("verify", "time", "state"):
            raise ValueError(f"this worker cannot {step}; it can verify, time, prove and state")
    _kept.clear()
    threads.choose(at["threads"], "time" in steps)
    usage, record, reported = Usage(), {"case": request["case"]}, {}
    for step in steps:
        act = {"verify": _verified, "time": _timed, "state": _stopped}[step]
        fields, kernel, counted = act(variant, at, request, channel, usage)
        record.update(fields)
        reported = facts(kernel)
    if work := _work(variant, at, kernel, counted):
        record["work"] = work
    record["env"] = {**usage.since("time" in record), **_environment(variant, at), **reported}
    if _ranks:
        record["env"].update(_ranks.added_up(record["env"]))
    return record


def _verified(variant, at, request, channel, usage):
    """The requested number of iterations, or one solve that makes them."""
    kernel = _begun(variant, at, request, request["iterations"])
    calls, left = (1, 0) if variant.per(at) == "solve" else divmod(request["iterations"], variant.steps(at))
    if left:
        raise ValueError(f"{variant.name} makes {variant.steps(at)} iterations at a time, of which "
                         f"{request['iterations']} is no multiple")
    seconds = first_calls(kernel, calls, variant.steps(at))
    units = 1 if variant.per(at) == "solve" else request["iterations"]
    counted = mean_work(kernel.work(), {}, units) if has(kernel, "work") else None
    fields = {"outputs": kernel.finish(request["arrays"]["out"])}
    return fields | ({"seconds": seconds} if seconds else {}), kernel, counted


def _stopped(variant, at, request, channel, usage):
    """A solve's state on its way: after the requested number of iterations, whatever its own test says."""
    asked = request["iterations"]
    kernel = _begun(variant, {**at, "stop_after": asked}, request, None)
    kernel.iterate()
    return {"state": {"iterations": _made(variant, at, kernel, asked),
                      "outputs": kernel.finish(request["arrays"]["out"])}}, kernel, None


def _made(variant, at, kernel, asked):
    """How many iterations the last solve took that was to stop after this number. One that checks its state every tenth
    iteration stops no sooner, and says so (`stops_every`). One that does not look at stop_after is found out."""
    made = variant.iterations(at, kernel) if variant.per(at) == "solve" else None
    if made is None or not asked <= made < asked + getattr(kernel, "stops_every", 1):
        raise ValueError(f"{variant.name} cannot be stopped on its way")
    return made


def _timed(variant, at, request, channel, usage):
    after = request["measure"].get("stop_after")
    at = {**at, "stop_after": after} if after else at
    policy = Policy(**{name: value for name, value in request["measure"].items() if name in asdict(Policy())})
    start = time.monotonic()
    kernel = _begun(variant, at, request, None)
    load_seconds = time.monotonic() - start
    packages.load(variant.needs)
    usage.loaded()
    measured = measure(kernel, policy,
                       lambda count: channel.send("progress", case=request["case"], samples=count),
                       variant.steps(at), variant.parts(at))
    _kept.update(case=request["case"], kernel=kernel)
    told = {"per": variant.per(at), "clock": getattr(kernel, "clock", "steady"), "inner": measured.inner,
            "stopped_by": measured.stopped_by, "samples": measured.samples,
            "first_sample_at": measured.first_sample - load_seconds, "busy": measured.busy}
    if told["per"] == "solve":
        told["iterations"] = _made(variant, at, kernel, after) if after else variant.iterations(at, kernel)
    if "slowdown" in request["measure"]:  # who asked must tell it from a worker that knows of no such thing
        told["slowdown"] = policy.slowdown
    for name in ("phases", "warnings"):
        if value := getattr(measured, name):
            told[name] = value
    return {"time": told}, kernel, measured.work


def _proved(variant, at, request):
    """What was timed is right, too: from the inputs again, or as the last sample left it. Without outputs only the time
    until this is answered matters."""
    if _kept.get("case") != request["case"]:
        raise ValueError("nothing to prove: this case was not timed in this process just before")
    kernel, start = _kept["kernel"], request.get("from")
    calls = request["iterations"] // variant.steps(at)
    if start is None:
        go_on(kernel, calls, variant.steps(at))
        return {"how": "timed"}
    how = "last"
    if start == "inputs":
        how = "restarted" if has(kernel, "restart") else "reloaded"
        if how == "restarted":
            restart(kernel)
        else:
            del kernel, _kept["kernel"]  # two at once may not fit
            kernel = _kept["kernel"] = _begun(variant, at, request, request["iterations"])
        seconds = first_calls(kernel, calls, variant.steps(at))
    told = {"how": how, "outputs": kernel.finish(request["arrays"]["out"])}
    if start == "inputs" and seconds:
        told["seconds"] = seconds
    if variant.per(at) == "solve":
        told["iterations"] = variant.iterations(at, kernel)
    return told


def _work(variant, at, kernel, counted):
    """What the run counted, or the model of one unit; None where it is not known."""
    if counted is not None:
        work = {**counted, "from": "run"}
    elif model := variant.work(at):
        units = variant.iterations(at, kernel) / variant.steps(at)
        work = {name: _times(name, value, units) for name, value in model.items()}
    else:
        return None
    return {"working_set": variant.memory(at), **work}


def _times(name, value, units):
    """A part of a work model, of this number of units. What an element takes stays."""
    if name == "operations":
        return {each: count * units for each, count in value.items()}
    return {**value, "elements": value["elements"] * units} if name == "element" else value * units


def _begun(variant, at, request, iterations):
    kernel = variant.load(at, Path(request["arrays"]["in"]), iterations)
    if _ranks:
        kernel = _ranks.timed_together(kernel)
    begin(kernel)
    return kernel


def _environment(variant, at):
    """What is true of libraries and threads, asked of them; None where they do not say."""
    blas = threads.openblas()
    return {"pinned": threads.pinned(at["threads"]), "cpus": len(os.sched_getaffinity(0)),
            "packages": packages.told(variant.needs),
            "blas": _joined(f"OpenBLAS {one['version'] or '?'}" for one in blas),
            "blas_core": _joined(one["core"] or "?" for one in blas),
            "blas_threads": _joined(str(one["threads"] or "?") for one in blas),
            **blas_core.facts([one["core"] for one in blas if one["core"]])}


def _joined(texts):
    """NumPy and SciPy each have a library of their own."""
    return ", ".join(dict.fromkeys(texts)) or None
