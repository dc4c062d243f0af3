"""Which kernels a numerical library runs: its best for this CPU, also where its release is older than the CPU."""
import _ctypes
import ctypes
import glob
import importlib.util
import os
import platform
from pathlib import Path

CORE, THREADS = "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS"
# Names: driver/others/dynamic.c of OpenBLAS. Width in bits of the vectors that the core's GEMV uses.
_BITS = {
    512: ["SkylakeX", "Cooperlake", "SapphireRapids"],
    256: ["Haswell", "Zen", "Excavator", "Steamroller", "Piledriver", "Bulldozer", "Sandybridge"],
    128: ["Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona",
          "Bobcat", "Atom", "Nano", "Katmai", "Coppermine", "Northwood", "Banias"]}
_AVX512 = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"}
# Variables that make a library slower than it would be, and what of their value does so (empty: any value).
_SLOWING = {"MKL_ENABLE_INSTRUCTIONS": "", "MKL_CBWR": "", "MKL_DEBUG_CPU_TYPE": "", "ONEDNN_MAX_CPU_ISA": "",
            "ATEN_CPU_CAPABILITY": "", "JAX_DISABLE_JIT": "", "XLA_FLAGS": "xla_cpu_max_isa",
            "NPY_DISABLE_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": ""}
_replaced = None


def bits_of_core(core):
    """Width in bits of the vectors of a core's kernels; None: an unknown name."""
    return next((bits for bits, names in _BITS.items() if core.lower() in (name.lower() for name in names)), None)


def bits_of_cpu(flags):
    """Width in bits of a CPU's vectors as far as OpenBLAS has kernels for them. `flags`: of /proc/cpuinfo."""
    if _AVX512 <= flags:
        return 512
    return 256 if {"avx2", "fma"} <= flags else 128


def flags_of_cpu(path="/proc/cpuinfo"):
    """Words of the line `flags`; None where this is no x86-64."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    with open(path) as facts:
        return next((set(line.split(":", 1)[1].split()) for line in facts if line.startswith("flags")), None)


def choose():
    """To be called before NumPy is loaded: sets OPENBLAS_CORETYPE where the OpenBLAS that NumPy will load does not
    use this CPU's vectors and the user has set none."""
    global _replaced
    flags = flags_of_cpu()
    if CORE in os.environ or flags is None:
        return
    core = _core_of(_library_of_numpy())
    bits = bits_of_core(core) if core else None
    if bits and bits < bits_of_cpu(flags):
        os.environ[CORE] = "SkylakeX" if bits_of_cpu(flags) == 512 else "Haswell"
        _replaced = core


def facts(cores):
    """What a record says of `cores`, the names of the OpenBLAS cores that are loaded: those they replace, and why times
    say little of the library here (None: nothing)."""
    return {"blas_core_replaced": _replaced, "handicap": _handicap(cores, flags_of_cpu(), os.environ)}


def _handicap(cores, flags, environment):
    for core in cores if flags else []:
        bits = bits_of_core(core)
        if bits and bits < bits_of_cpu(flags):
            forced = f", as {CORE}={environment[CORE]} is set" if CORE in environment and _replaced is None else ""
            return (f"OpenBLAS runs {core} kernels ({bits}-bit vectors) on a CPU with {bits_of_cpu(flags)}-bit vectors"
                    + forced)
    for name, part in _SLOWING.items():
        value = environment.get(name, "")
        if value and part in value:
            return f"{name}={value} is set"
    return None


def _library_of_numpy():
    """The wheel's own, or the one that the system's NumPy uses."""
    found = importlib.util.find_spec("numpy")
    if found and found.origin:
        for path in glob.glob(str(Path(found.origin).parents[1] / "numpy.libs" / "*openblas*.so*")):
            return path
    return "libopenblas.so.0"


def _core_of(path):
    """The core that OpenBLAS chooses by itself; the library is unloaded again."""
    threads = os.environ.get(THREADS)
    os.environ[THREADS] = "1"  # it then starts no threads, and can be unloaded at once
    try:
        library = ctypes.CDLL(path)
        core = function_of(library, "get_corename", ctypes.c_char_p)
        name = core and core().decode()
        _ctypes.dlclose(library._handle)
        return name
    except OSError:  # not installed
        return None
    finally:
        if threads is None:
            del os.environ[THREADS]
        else:
            os.environ[THREADS] = threads


def function_of(library, name, result):
    """A function of OpenBLAS's own; NumPy's wheels have theirs under other names. None: it has none."""
    for decorated in (f"openblas_{name}", f"scipy_openblas_{name}64_", f"openblas_{name}64_", f"scipy_openblas_{name}"):
        function = getattr(library, decorated, None)
        if function is not None:
            function.restype = result
            return function
    return None
