"""GPU memory that this process holds, as NVIDIA's management library (NVML) reports it: arrays, the context, code, and
what libraries take for themselves. harness/worker/gpu/cuda_nvml.cpp, in Python."""
import ctypes
import os

_MOST = 64  # processes on a GPU


class _Process(ctypes.Structure):  # nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
    _fields_ = [("pid", ctypes.c_uint), ("used", ctypes.c_ulonglong), ("instance", ctypes.c_uint),
                ("compute_instance", ctypes.c_uint)]


def process_bytes(library="libnvidia-ml.so.1"):
    """Bytes on all GPUs; None where there is no library, or it does not list this process (in a container it may know
    the process by another number)."""
    try:
        nvml = ctypes.CDLL(library)
        calls = [getattr(nvml, f"nvml{name}") for name in (
            "Init_v2", "DeviceGetCount_v2", "DeviceGetHandleByIndex_v2", "DeviceGetComputeRunningProcesses_v3",
            "Shutdown")]
    except (OSError, AttributeError):
        return None
    start, count_of, handle_of, processes_of, stop = calls
    if start() != 0:
        return None
    try:
        return _own_bytes(count_of, handle_of, processes_of)
    finally:
        stop()


def _own_bytes(count_of, handle_of, processes_of):
    total, devices = None, ctypes.c_uint()
    if count_of(ctypes.byref(devices)) != 0:
        return None
    for index in range(devices.value):
        handle, count, processes = ctypes.c_void_p(), ctypes.c_uint(_MOST), (_Process * _MOST)()
        if handle_of(index, ctypes.byref(handle)) != 0 or processes_of(handle, ctypes.byref(count), processes) != 0:
            continue
        for process in processes[:count.value]:
            if process.pid == os.getpid() and process.used != ctypes.c_ulonglong(-1).value:
                total = (total or 0) + process.used
    return total
