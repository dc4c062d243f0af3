"""Any variant as a function on NumPy arrays, through libuotbench.so (docs/guide/call.md).

    result = uotbench.call("uot/multiscale_newton", X=X, Y=Y, a=a, b=b, reg=.05, reg_m=5, threads=2)
    result["u"], result["iterations"]
"""
import ctypes
import json

import numpy

from uotbench import libraries


class NoSolution(RuntimeError):
    """The kernel ended without a solution: it says why."""


# The statuses of harness/call/call.h.
ERRORS = {1: ValueError, 2: LookupError, 3: MemoryError, 4: NoSolution, 5: RuntimeError}


class _Array(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_char_p), ("dimensions", ctypes.c_int64),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("data", ctypes.c_void_p)]


_library = None


def library():
    """libuotbench.so, loaded once."""
    global _library
    if _library:
        return _library
    found = libraries.library_file()
    if not found:
        looked = ", ".join(str(place.parent) for place in libraries.places())
        raise LookupError(f"no libuotbench.so in {looked}; expected `cmake --build build/release --target call`, or its path "
                          "in UOTBENCH_LIBRARY")
    loaded = ctypes.CDLL(str(found))
    problem, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in [
            ("use", ctypes.c_int, [text]), ("describe", text, []),
            ("create", problem, [text, ctypes.POINTER(_Array), ctypes.c_size_t, ctypes.POINTER(text), ctypes.c_size_t]),
            ("solve", ctypes.c_int, [problem, ctypes.c_int64]), ("iterate", ctypes.c_int, [problem, ctypes.c_int64]),
            ("finish", ctypes.c_int, [problem]),
            ("output", ctypes.c_int, [problem, ctypes.c_size_t, ctypes.POINTER(_Array)]),
            ("facts", text, [problem]), ("certify", text, [problem]), ("free", None, [problem]),
            ("error", text, []), ("status", ctypes.c_int, [])]:
        function = getattr(loaded, f"uotbench_{name}")
        function.restype, function.argtypes = result, arguments
    _library = loaded
    return loaded


def _failed(status):
    return ERRORS.get(status, RuntimeError)(library().uotbench_error().decode())


def _checked(status):
    if status:
        raise _failed(status)


def _json(text):
    if text is None:
        raise _failed(library().uotbench_status())
    return json.loads(text)


def use(worker=None):
    """Kernels of the worker native-v3, native-v4 or native from now on; None: the best of this CPU."""
    _checked(library().uotbench_use(worker and worker.encode()))


def describe():
    """Variants with their settings, and families with their settings and arrays."""
    return _json(library().uotbench_describe())


def _as_array(name, given):
    array = numpy.asarray(given)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise TypeError(f"{name}: elements of type {array.dtype}; expected float32 or float64")
    return array


def _is_array(value):
    return not isinstance(value, (str, bytes, int, float, numpy.generic))


def _setting(name, value):
    if isinstance(value, bool):
        raise TypeError(f"{name}: expected a number or a text, got {value}")
    if isinstance(value, numpy.generic):
        value = value.item()
    return f"{name}={value}".encode()


def _c_array(name, array, kept):
    integers = ctypes.c_int64 * max(array.ndim, 1)
    shape, strides = integers(*array.shape), integers(*array.strides)
    kept += [array, shape, strides]
    return _Array(name.encode(), array.dtype.str.encode(), array.ndim, shape, strides,
                  array.__array_interface__["data"][0])


class _Memory:
    """An output, as NumPy sees it. Its problem lives as long."""

    def __init__(self, problem, output):
        shape = tuple(output.shape[:output.dimensions])
        self.problem = problem
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": output.type.decode(),
                                    "data": (output.data, False)}


class Problem:
    """A problem loaded into a variant, to be solved again and again. Arrays and settings are those of call()."""

    def __init__(self, variant, **given):
        self._handle = None
        library()
        if not isinstance(variant, str):
            raise TypeError(f"variant: expected FAMILY/NAME, got {variant!r}")
        kept, arrays, settings = [], [], []
        for name, value in given.items():
            if value is None:
                continue
            if _is_array(value):
                arrays.append(_c_array(name, _as_array(name, value), kept))
            else:
                settings.append(_setting(name, value))
        self._handle = library().uotbench_create(
            variant.encode(), (_Array * len(arrays))(*arrays), len(arrays),
            (ctypes.c_char_p * len(settings))(*settings), len(settings))
        if not self._handle:
            raise _failed(library().uotbench_status())

    def solve(self, iterations=1):
        """From the inputs to a solution, or `iterations` iterations of a variant that counts them."""
        _checked(library().uotbench_solve(self._handle, iterations))
        return self

    def iterate(self, iterations=1):
        """`iterations` more of a variant that counts them."""
        _checked(library().uotbench_iterate(self._handle, iterations))
        return self

    def outputs(self):
        """By name, views of memory that the next call writes again."""
        _checked(library().uotbench_finish(self._handle))
        outputs, output = {}, _Array()
        for index in range(64):
            if library().uotbench_output(self._handle, index, ctypes.byref(output)):
                break
            outputs[output.name.decode()] = numpy.asarray(_Memory(self, output))
        return outputs

    def facts(self):
        """variant, worker, iterations, point (all settings), and what the kernel says of itself."""
        return _json(library().uotbench_facts(self._handle))

    def certify(self):
        """What the oracle finds of the outputs: right, reason, error, tolerance, and the family's own, such as gap."""
        return _json(library().uotbench_certify(self._handle))

    def __del__(self):
        if self._handle:
            library().uotbench_free(self._handle)
            self._handle = None


def call(variant, *, iterations=None, plan=False, certify=False, **given):
    """Solves a problem with a variant; arrays and settings by name (`uotbench list FAMILY` has them).

    Returns a dict: the outputs by name (the plan only with plan=True), variant, worker, iterations, facts; with
    certify=True certificate and gap, which take many times as long. Variants that count iterations need `iterations`.

    Raises TypeError, ValueError and LookupError where an argument is wrong, which the message names; NoSolution where the
    kernel ends without one, and MemoryError.
    """
    if iterations is not None:
        if isinstance(iterations, bool) or not isinstance(iterations, (int, numpy.integer)):
            raise TypeError(f"iterations: expected an integer, got {iterations!r}")
        if any(axis["name"] == "stop" for axis in _family_axes(variant)):
            given.setdefault("stop", "iterations")
    problem = Problem(variant, **given)
    problem.solve(1 if iterations is None else int(iterations))
    outputs = problem.outputs()
    certificate = problem.certify() if certify else None
    result = {name: output if name == "plan" else output.copy() for name, output in outputs.items()
              if plan or name != "plan"}
    facts = problem.facts()
    result.update({name: facts[name] for name in ("variant", "worker", "iterations", "facts")})
    if certificate:
        result["certificate"] = certificate
        result["gap"] = certificate.get("found", {}).get("gap")
    return result


_axes = {}


def _family_axes(variant):
    if not _axes:
        _axes.update({family["name"]: family["axes"] for family in describe()["families"]})
    return _axes.get(str(variant).partition("/")[0], [])
