#!/usr/bin/env bash
# Variants as functions: from Python, and docs/guide/call.c and the C++ of call_any.md, as a user compiles and runs them.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
cd "$scratch"
libraries="$(dirname "$programs")/lib"
[[ -e $libraries/libuotbench.so ]] || {
  echo "no $libraries/libuotbench.so: cmake --build build/release --target call"
  exit 77
}
pages=("$root/docs/guide/call.md" "$root/docs/guide/call_any.md")

# The pages' blocks of a language, counted over all: block LANGUAGE NUMBER PAGE...
block() {
  local language="$1" wanted="$2"
  shift 2
  awk -v fence='```'"$language" -v wanted="$wanted" '
    $0 == fence { n++; inside = n == wanted; next }
    /^```$/ { inside = 0 }
    inside' "$@"
}
cp "$root/docs/guide/call.c" solve.c
block cpp 1 "${pages[@]}" >solve.cpp
mkdir include && ln -s "$root/harness/call" include/uotbench
for source in solve.c solve.cpp; do
  [[ -s $source ]] || fail "no $source"
  compile=(gcc -std=c11)
  [[ $source == solve.c ]] || compile=(g++ -std=c++20)
  "${compile[@]}" -Wall -Wextra -Werror -Iinclude -I"$root" "$source" -o "${source/./_}" -L"$libraries" -luotbench \
    -Wl,-rpath,"$libraries" -lm || fail "$source does not compile"
  said="$("./${source/./_}")" || fail "$source ends with $?: $said"
  [[ $said == *iterations* ]] || fail "$source says: $said"
done

# The first interpreter that has NumPy.
for python in python3 /usr/bin/python3; do
  command -v "$python" >/dev/null && "$python" -c 'import numpy' 2>/dev/null && break
  python=''
done
[[ -n $python ]] || {
  echo "no NumPy here"
  exit 77
}
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/harness/python" UOTBENCH_LIBRARY="$libraries/libuotbench.so"
if "$python" -c 'import pytest, xdist' 2>/dev/null; then
  "$python" -m pytest -q -n 2 -p no:cacheprovider "$root"/harness/call/tests/*_test.py >said 2>&1 || fail "$(tail -n 60 said)"
else
  echo "skipped: pytest-xdist is not installed: the tests run in one process"
  "$python" -m unittest discover -s "$root/harness/call/tests" -p '*_test.py' >said 2>&1 || fail "$(tail -n 60 said)"
fi
for number in 1 2 3; do # each goes on from what is before it
  block python "$number" "${pages[@]}" >block.py
  [[ -s block.py ]] || fail "${pages[*]} have no Python example $number"
  cat block.py >>example.py
done
"$python" example.py >said 2>&1 || fail "the examples of ${pages[*]}: $(tail said)"
block python 1 "$root/README.md" >readme.py
[[ -s readme.py ]] || fail "README.md has no Python example"
"$python" readme.py >said 2>&1 || fail "the example of README.md: $(tail said)"

# What is called is what was timed: the worker's program and the library report the same machine code of every variant.
worker="$("$python" -c 'import uotbench; print(uotbench.describe()["worker"])')"
[[ -x $programs/uotbench-worker-$worker ]] || fail "no program of the worker $worker"
printf '\036{"type": "describe"}\n' | "$programs/uotbench-worker-$worker" >answers || fail "the worker $worker ends with $?"
cat >code.py <<'END'
import json, uotbench

described = [json.loads(line.lstrip("\x1e")) for line in open("answers")][1]  # hello, described
timed = {variant["name"]: variant["code"] for variant in described["variants"]}
called = {variant["name"]: variant["code"] for variant in uotbench.describe()["variants"]}
differ = sorted(name for name in timed.keys() | called.keys() if timed.get(name) != called.get(name))
assert timed and not differ, differ
facts = uotbench.Solver("uot/one_read_sor", C=[[0., 1.], [1., 0.]], a=[.5, .5], b=[.5, .5], reg=.05, reg_m=5).facts()
assert facts["code"] == timed["uot/one_read_sor"] != timed["uot/one_read"], facts
END
"$python" code.py >said 2>&1 || fail "other code is called than was timed: $(tail said)"

"$python" "$root/results/python/tests/run_notebook.py" "$root/docs/guide/call.ipynb" >said 2>&1 || fail "call.ipynb: $(tail said)"
# Types, as a user's checker sees them.
if "$python" -c 'import mypy' 2>/dev/null; then
  cat >typed.py <<'END'
import uotbench

solver: uotbench.Solver = uotbench.Solver("uot/one_read_sor", reg=.05)
seconds: dict[str, float] = solver.solve().seconds
uotbench.emd2([.5, .5], [.5, .5], [[0., 1.], [1., 0.]], numThreads="max")
END
  MYPYPATH="$root/harness/python" "$python" -m mypy --strict --cache-dir mypy --follow-imports=silent -p uotbench.calling \
    -p uotbench.transport -p uotbench.transport_input -p uotbench.libraries -p uotbench.kernel -p uotbench.variant \
    -p uotbench.measure -p uotbench.finishing -p uotbench.packages -p uotbench.npy -p uotbench.noise \
    -p uotbench.phases >said 2>&1 || fail "mypy: $(tail said)"
  MYPYPATH="$root/harness/python" "$python" -m mypy --strict --cache-dir mypy typed.py >said 2>&1 || fail "mypy: $(tail said)"
else
  echo "skipped: mypy is not installed: types were not checked"
fi

# A CPU that lacks what native-v4 needs, as valgrind simulates one: the next library is chosen, that one refused.
if command -v valgrind >/dev/null; then
  cat >cpu.c <<'END'
#include <stdio.h>
#include <uotbench/call.h>
int main(void) {
  const int code = uotbench_use("native-v4");
  printf("%d %s\n", code, uotbench_error());
  return 0;
}
END
  gcc -Iinclude cpu.c -o cpu -L"$libraries" -luotbench -Wl,-rpath,"$libraries"
  said="$(valgrind --tool=none --quiet ./cpu 2>&1)" || fail "on another CPU: $said"
  [[ $said == "2 worker native-v4: this CPU cannot run it" ]] || fail "on another CPU: $said"
else
  echo "skipped: valgrind is not installed: no other CPU was simulated"
fi

# Nothing is found: one line says what to do.
said="$(UOTBENCH_LIBRARY=/nowhere/libuotbench.so "$python" -c 'import uotbench; uotbench.call("uot/gemv")' 2>&1)" &&
  fail "a library that is not there is loaded"
[[ $said == *"no libuotbench.so in /nowhere; expected"* ]] || fail "$said"
