"""Packs uotbench_runs as pip asks for it (PEP 517, PEP 660), with the standard library alone.

    python3 wheel.py FOLDER    writes the wheel into FOLDER and prints its name: what the build does

The same files make the same bytes.
"""
import base64
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TAG = "py3-none-any"


def project():
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        import tomli as tomllib
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def metadata():
    told = project()
    lines = ["Metadata-Version: 2.1", f"Name: {told['name']}", f"Version: {told['version']}",
             f"Summary: {told['description']}", f"License: {told['license']['text']}",
             f"Requires-Python: {told['requires-python']}"]
    for extra, wants in told["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {want}; extra == '{extra}'" for want in wants]
    return "\n".join(lines) + "\n"


def stem():
    return f"{project()['name']}-{project()['version']}"


def sources():
    """The package's files by their names in the wheel."""
    files = sorted(HERE.glob("uotbench_runs/*.py")) + [HERE / "uotbench_runs/py.typed"]
    return {file.relative_to(HERE).as_posix(): file.read_bytes() for file in files}


def write_wheel(folder, files):
    info = f"{stem()}.dist-info"
    files = {**files, f"{info}/METADATA": metadata().encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: uotbench\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()}
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{stem()}-{TAG}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # its time is 1980, whoever packs it
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, {"uotbench_runs.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = f"{stem()}.tar.gz"
    files = {**sources(), "PKG-INFO": metadata().encode(),
             **{name: (HERE / name).read_bytes() for name in ("pyproject.toml", "wheel.py")}}
    with tarfile.open(Path(sdist_directory) / name, "w:gz") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{stem()}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python3 wheel.py FOLDER")
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(build_wheel(sys.argv[1]))
