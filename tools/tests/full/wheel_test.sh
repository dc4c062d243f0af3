#!/usr/bin/env bash
# The wheel of `import uotbench`, made by tools/wheel, works in a new environment without a compiler in sight, and a wheel
# can be built from the sdist. Kernels were compiled before, for the workers: ccache has their objects.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
cd "$scratch"
command -v ccache >/dev/null || {
  echo "no ccache here: all kernels would be compiled again"
  exit 77
}
python3 -c 'import venv, ensurepip' 2>/dev/null || {
  echo "no venv here"
  exit 77
}
"$root/tools/wheel" --sdist wheels >said 2>&1 || {
  grep -q "No matching distribution\|Could not find a version\|Connection" said || fail "$(tail -n 40 said)"
  echo "PyPI cannot be reached"
  exit 77
}
version="$(sed -n 's/^project(uotbench VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")"
wheel="$(echo wheels/*.whl)"
[[ $wheel == wheels/uotbench-$version-py3-none-manylinux_2_36_x86_64.whl ]] || fail "the wheel is $wheel"
python3 -m zipfile -l "$wheel" >files
for file in uotbench/lib/libuotbench.so uotbench/lib/libuotbench_native_v3.so uotbench/lib/libuotbench_native_v4.so \
  uotbench/lib/libuotbench_native_v4.so.code.json uotbench/py.typed uotbench/__init__.pyi; do
  grep -q "^$file " files || fail "no $file in the wheel: $(cat files)"
done
! grep -qi openblas files || fail "OpenBLAS is in the wheel: $(cat files)"
tools="$root/build/wheel-tools/bin"
PATH="$tools:$PATH" CC=cc CXX=c++ "$tools/python3" -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --no-build-isolation --wheel-dir built "wheels/uotbench-$version.tar.gz" >said 2>&1 || fail "the sdist: $(tail -n 40 said)"
python3 -m zipfile -l built/*.whl >built_files
for file in uotbench/lib/libuotbench.so uotbench/lib/libuotbench_native_v3.so uotbench/calling.py; do
  grep -q "^$file " built_files || fail "no $file in the wheel of the sdist: $(cat built_files)"
done

python3 -m venv new
new/bin/pip install --quiet --disable-pip-version-check "$wheel" >said 2>&1 || fail "$(tail said)"
# No variable of this build, no program but the interpreter.
cat >try.py <<'END'
import numpy, uotbench
C = numpy.array([[0., 1.], [1., 0.]])
result = uotbench.call("uot/one_read_sor", C=C, a=[.5, .5], b=[.5, .5], reg=.05, reg_m=5, certify=True)
assert result["certificate"]["right"], result
for worker in ("native-v3", result["worker"]):
    uotbench.use(worker)
    assert uotbench.emd2([.5, .5], [.5, .5], C) == 0
print(uotbench.__file__)
END
said="$(env -i HOME="$scratch" PATH=/nowhere "$scratch/new/bin/python" try.py 2>&1)" || fail "$said"
[[ $said == "$scratch/new/"* ]] || fail "not the wheel's: $said"
