"""Any variant as a function on arrays, through libuotbench.so (docs/guide/call_any.md).

    >>> import numpy, uotbench
    >>> C = numpy.array([[0., 1.], [1., 0.]])
    >>> result = uotbench.call("uot/one_read_sor", C=C, a=[.5, .5], b=[.5, .5], reg=.05, reg_m=5, reg_type="kl")
    >>> result["variant"], result["u"].round(3).tolist()
    ('uot/one_read_sor', [1.412, 1.412])
"""
from __future__ import annotations

import ctypes
import json
import signal
import threading
from typing import Any

import numpy

from uotbench import libraries


class NoSolution(RuntimeError):
    """The kernel ended without a solution: it says why."""


# The statuses of harness/call/call.h.
ERRORS: dict[int, type[BaseException]] = {1: ValueError, 2: LookupError, 3: MemoryError, 4: NoSolution, 5: RuntimeError,
                                          6: KeyboardInterrupt}


class _Array(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("dimensions", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("data", ctypes.c_void_p)]


class _Times(ctypes.Structure):
    _fields_ = [("prepare", ctypes.c_double), ("solve", ctypes.c_double), ("outputs", ctypes.c_double)]


_library: ctypes.CDLL | None = None
_interruptible = False


def library() -> ctypes.CDLL:
    """libuotbench.so, loaded once."""
    global _library
    if _library:
        return _library
    found = libraries.library_file()
    if not found:
        looked = ", ".join(str(place.parent) for place in libraries.places())
        raise LookupError(f"no libuotbench.so in {looked}; expected `cmake --build build/release --target call`, or its path "
                          "in UOTBENCH_LIBRARY")
    try:
        loaded = ctypes.CDLL(str(found))
    except OSError as error:
        raise LookupError(f"{found}: {error}{_what_to_install(str(error))}") from None
    problem, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in [
            ("use", ctypes.c_int, [text]), ("describe", text, []),
            ("create", problem, [text, ctypes.POINTER(_Array), ctypes.c_size_t, ctypes.POINTER(text), ctypes.c_size_t]),
            ("solve", ctypes.c_int, [problem, ctypes.c_int64]), ("iterate", ctypes.c_int, [problem, ctypes.c_int64]),
            ("finish", ctypes.c_int, [problem, ctypes.c_int]),
            ("output", ctypes.c_int, [problem, ctypes.c_size_t, ctypes.POINTER(_Array)]),
            ("iterations", ctypes.c_int64, [problem]), ("times_of", ctypes.c_int, [problem, ctypes.POINTER(_Times)]),
            ("stop", None, [problem]), ("stop_at", None, [ctypes.c_int]),
            ("facts", text, [problem]), ("settings", text, [problem]), ("certify", text, [problem]), ("free", None, [problem]),
            ("error", text, []), ("status", ctypes.c_int, [])]:
        try:
            function = getattr(loaded, f"uotbench_{name}")
        except AttributeError:
            raise LookupError(f"{found}: no uotbench_{name}; expected the library that this package was built with") from None
        function.restype, function.argtypes = result, arguments
    _library = loaded
    return loaded


def _what_to_install(error: str) -> str:
    """After the loader's error, which begins with the library that is missing (harness/call/kernels.cpp says the same)."""
    if not error.startswith("libgomp"):
        return ""
    return "; OpenMP is not installed; try apt install libgomp1 (Fedora, conda-forge: libgomp)"


def _let_ctrl_c_stop(loaded: ctypes.CDLL) -> None:
    """Solves of the main thread, which is the one that Python's handler interrupts."""
    global _interruptible
    if not _interruptible and threading.current_thread() is threading.main_thread():
        loaded.uotbench_stop_at(signal.SIGINT)
        _interruptible = True


def _failed(status: int) -> BaseException:
    return ERRORS.get(status, RuntimeError)(library().uotbench_error().decode())


def _checked(status: int) -> None:
    if status:
        raise _failed(status)


def _json(text: bytes | None) -> Any:
    if text is None:
        raise _failed(library().uotbench_status())
    return json.loads(text)


def use(worker: str | None = None) -> None:
    """Kernels of the worker native-v3, native-v4 or native from now on; None: the best of this CPU."""
    if worker is not None and not isinstance(worker, str):
        raise TypeError(f"worker: expected a name such as native-v3, got {worker!r}")
    _checked(library().uotbench_use(_text("worker", worker) if worker else None))


def describe() -> dict[str, Any]:
    """Variants with their settings, and families with their settings and arrays."""
    return dict(_json(library().uotbench_describe()))


def as_array(name: str, given: Any) -> numpy.ndarray[Any, Any]:
    """As NumPy has it, without a copy where NumPy, DLPack or __array_interface__ allow. Raises TypeError."""
    array: numpy.ndarray[Any, Any] = given if isinstance(given, numpy.ndarray) else _from_others(name, given)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: elements of type {array.dtype}; expected float32 or float64")
    return array


_CPU = 1  # kDLCPU of dlpack.h


def _from_others(name: str, given: Any) -> numpy.ndarray[Any, Any]:
    try:
        device = given.__dlpack_device__()[0] if hasattr(given, "__dlpack_device__") else _CPU
    except Exception as error:  # whatever another package raises
        raise TypeError(f"{name}: expected an array in the CPU's memory: {error}") from None
    if device != _CPU:
        raise TypeError(f"{name}: an array in a device's memory; expected one in the CPU's")
    try:
        if hasattr(given, "__dlpack__") and not hasattr(given, "__array_interface__"):
            try:
                return numpy.from_dlpack(given)
            except (BufferError, RuntimeError, TypeError):  # read-only, with gradients, of a type that DLPack lacks
                pass
        return numpy.asarray(given)
    except (RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected an array of numbers: {error}") from None


def _text(name: str, value: str) -> bytes:
    if "\0" in value:
        raise ValueError(f"{name}: expected a text without NUL, got {value!r}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: expected a text of valid characters, got {value!r}") from None


def _is_setting(value: Any) -> bool:
    """A scalar, also of NumPy and as an array without dimensions; all else is an array."""
    return isinstance(value, (str, bytes, int, float)) or getattr(value, "ndim", None) == 0


def _setting(name: str, value: Any) -> bytes:
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise TypeError(f"{name}: expected a number or a text, got {value!r}")
    return _text(name, f"{name}={value}")


def _c_array(name: str, array: numpy.ndarray[Any, Any], kept: list[Any]) -> _Array:
    integers = ctypes.c_int64 * max(array.ndim, 1)
    shape, strides = integers(*array.shape), integers(*array.strides)
    kept += [array, shape, strides]
    return _Array(name.encode(), array.dtype.str.encode(), array.ndim, shape, strides, array.ctypes.data)


def _count(iterations: Any) -> int:
    if isinstance(iterations, bool) or not isinstance(iterations, (int, numpy.integer)):
        raise TypeError(f"iterations: expected an integer, got {iterations!r}")
    if not 0 <= iterations < 2 ** 63:
        raise ValueError(f"iterations: expected 0 or more, got {iterations}")
    return int(iterations)


class _Memory:
    """An output, as NumPy sees it. Its solver lives as long."""

    def __init__(self, solver: Solver, output: _Array) -> None:
        shape = tuple(output.shape[:output.dimensions])
        self.solver = solver
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": output.type.decode(),
                                    "data": (output.data, False)}


class Solver:
    """A problem loaded into a variant, to be solved again and again. Arrays and settings are those of call().

    >>> import uotbench
    >>> C = [[0., 1.], [1., 0.]]
    >>> solver = uotbench.Solver("uot/one_read_sor", C=C, a=[.5, .5], b=[.5, .5], reg=.05, reg_m=5, reg_type="kl")
    >>> solver.solve().outputs()["u"].round(3).tolist()
    [1.412, 1.412]
    >>> sorted(solver.seconds)
    ['outputs', 'prepare', 'solve']
    """

    _handle: int | None = None

    def __init__(self, variant: str, **given: Any) -> None:
        self._library = loaded = library()
        _let_ctrl_c_stop(loaded)
        if not isinstance(variant, str):
            raise TypeError(f"variant: expected FAMILY/NAME, got {variant!r}")
        self._kept: list[Any] = []  # K may be read where it is
        arrays, settings = [], []
        for name, value in given.items():
            if value is None:
                continue
            if _is_setting(value):
                settings.append(_setting(name, value))
            else:
                arrays.append(_c_array(name, as_array(name, value), self._kept))
        self._handle = loaded.uotbench_create(
            _text("variant", variant), (_Array * len(arrays))(*arrays), len(arrays),
            (ctypes.c_char_p * len(settings))(*settings), len(settings))
        if not self._handle:
            raise _failed(loaded.uotbench_status())

    def solve(self, iterations: int = 1) -> Solver:
        """From the inputs to a solution, or `iterations` iterations of a variant that counts them: what a benchmark times."""
        _checked(self._library.uotbench_solve(self._handle, _count(iterations)))
        return self

    def iterate(self, iterations: int = 1) -> Solver:
        """`iterations` more of a variant that counts them."""
        _checked(self._library.uotbench_iterate(self._handle, _count(iterations)))
        return self

    def outputs(self, plan: bool = False) -> dict[str, numpy.ndarray[Any, Any]]:
        """By name, views of memory that the next call writes again. A plan is written on request, or if it is the only
        output."""
        _checked(self._library.uotbench_finish(self._handle, plan))
        outputs, output = {}, _Array()
        index = 0
        while self._library.uotbench_output(self._handle, index, ctypes.byref(output)) == 0:
            outputs[output.name.decode()] = numpy.asarray(_Memory(self, output))
            index += 1
        return outputs

    @property
    def iterations(self) -> int:
        """Of the last solve, or since."""
        return int(self._library.uotbench_iterations(self._handle))

    @property
    def seconds(self) -> dict[str, float]:
        """What took how long: prepare (once), solve (the last one, as a benchmark times it), outputs (the last ones)."""
        times = _Times()
        _checked(self._library.uotbench_times_of(self._handle, ctypes.byref(times)))
        return {"prepare": times.prepare, "solve": times.solve, "outputs": times.outputs}

    def stop(self) -> None:
        """Ends the solve that another thread makes with this solver."""
        self._library.uotbench_stop(self._handle)

    def facts(self) -> dict[str, Any]:
        """variant, worker, code (a hash of its machine code), iterations, facts (what the kernel says of itself), and point:
        all settings."""
        return {**self._facts(), "point": _json(self._library.uotbench_settings(self._handle))}

    def _facts(self) -> dict[str, Any]:
        return dict(_json(self._library.uotbench_facts(self._handle)))

    def certify(self) -> dict[str, Any]:
        """What the oracle finds of the outputs: right, reason, error, tolerance, and the family's own, such as gap."""
        return dict(_json(self._library.uotbench_certify(self._handle)))

    def __reduce__(self) -> Any:
        raise TypeError("a Solver cannot be copied or pickled; expected a new one from the same arrays and settings")

    def __del__(self) -> None:
        if self._handle:
            self._library.uotbench_free(self._handle)
            self._handle = None


def call(variant: str, *, iterations: int | None = None, plan: bool = False, certify: bool = False,
         **given: Any) -> dict[str, Any]:
    """Solves a problem with a variant; arrays and settings by name (`uotbench list FAMILY` has them).

    Returns a dict: the outputs by name (a plan with plan=True, or if there is no other output), variant, worker,
    iterations, facts, seconds (prepare, solve, outputs); with certify=True certificate and gap, which take many times as
    long. Variants that count iterations need `iterations`.

    Raises TypeError, ValueError and LookupError where an argument is wrong, which the message names; NoSolution where the
    kernel ends without one, and MemoryError.
    """
    if iterations is not None:
        _count(iterations)
        if any(axis["name"] == "stop" for axis in _family_axes(variant)):
            given.setdefault("stop", "iterations")
    solver = Solver(variant, **given)
    solver.solve(1 if iterations is None else iterations)
    result = result_of(solver, plan)
    if certify:
        result["certificate"] = solver.certify()
        result["gap"] = result["certificate"].get("found", {}).get("gap")
    return result


def result_of(solver: Solver, plan: bool) -> dict[str, Any]:
    """What a solver has come to, as call() returns it: the solver may solve again."""
    outputs = solver.outputs(plan)
    result: dict[str, Any] = {name: output if name == "plan" else output.copy() for name, output in outputs.items()}
    facts = solver._facts()
    result.update({name: facts[name] for name in ("variant", "worker", "iterations", "facts")})
    result["seconds"] = solver.seconds
    return result


_axes: dict[str, list[dict[str, Any]]] = {}


def _family_axes(variant: str) -> list[dict[str, Any]]:
    if not _axes:
        _axes.update({family["name"]: family["axes"] for family in describe()["families"]})
    return _axes.get(str(variant).partition("/")[0], [])
