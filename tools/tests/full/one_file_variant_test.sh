#!/usr/bin/env bash
# One new file is a new variant, with nothing else edited: what `uotbench new variant` writes into a copy of the tree is
# listed, judged right, and called; so is another in a folder outside it (UOTBENCH_KERNEL_DIRS), whose commit is in the run file.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

mkdir "$scratch/tree"
"$root/tools/list_files" "$root" | tar -C "$root" -cf - -T - | tar -C "$scratch/tree" -xf -
cd "$scratch/tree"
name=my_kernel
"$programs/uotbench" new variant "$name" >"$scratch/said"
grep -qx "wrote kernels/uot/$name.cpp" "$scratch/said" || fail "new says: $(cat "$scratch/said")"
(($(wc -l <"kernels/uot/$name.cpp") < 60)) || fail "a new variant has 60 lines or more"
tools/lint_includes . || fail "a new variant includes what it may not"
tools/lint_format kernels/uot || (($? == 77)) || fail "a new variant is not as clang-format has it"

# A user's repository with the same kernel under another name, written when headers were in parts/ and had paths of the
# tree.
theirs="$scratch/some folder"
mkdir -p "$theirs/uot"
earlier='#include "kernels/uot/parts/column_sums.hpp"\n#include "kernels/uot/problem.hpp"'
sed "s|uot/$name|uot/another|; s|#include <uotbench/uot.hpp>|$earlier|" "kernels/uot/$name.cpp" >"$theirs/uot/another.cpp"
grep -q kernels/uot/parts/ "$theirs/uot/another.cpp" || fail "a new variant does not include <uotbench/uot.hpp>"
git -C "$theirs" init -q .
git -C "$theirs" add .
git -C "$theirs" -c user.name=somebody -c user.email=somebody@example.org commit -qm "My kernel"

# One worker, and of it as little as can be: a compiler cache, where there is one, has the rest.
worker=native
[[ $(uname -m) != x86_64 ]] || worker=native-v3
cmake --preset release -DUOTBENCH_TESTS=OFF -DUOTBENCH_KERNEL_DIRS="$theirs" >/dev/null
cmake --build build/release --target "uotbench-worker-$worker" --parallel 2 >"$scratch/log" ||
  fail "it does not build: $(tail -n 30 "$scratch/log")"

cd "$scratch"
mine="mine=$scratch/tree/build/release/bin/uotbench-worker-$worker"
"$programs/uotbench" list --worker "$mine" >"$scratch/list"
grep -Eq "^uot/$name +mine " "$scratch/list" || fail "uot/$name is not listed: $(cat "$scratch/list")"
"$programs/uotbench" run "uot/$name" uot/another --worker "$mine" -a "M,N=1,1;37,53;64,33" -a dtype=f32,f64 \
  -a scheme=unbalanced,damped -a threads=1,2 --verify-only --quiet --output run.jsonl ||
  fail "uot/$name is not right: $("$programs/uotbench" show run.jsonl)"
told="{\"folder\":\"$theirs/uot\",\"commit\":\"$(git -C "$theirs" rev-parse HEAD)\",\"dirty\":false}"
head -n 1 run.jsonl | grep -Fq "\"kernel_dirs\":[$told]" || fail "$told is not in: $(head -n 1 run.jsonl)"

# Both are functions, too: the library is made of the worker's objects.
for python in python3 /usr/bin/python3; do
  command -v "$python" >/dev/null && "$python" -c 'import numpy' 2>/dev/null && break
  python=''
done
[[ -n $python ]] || {
  echo "no NumPy here: neither was called"
  exit 0
}
cd "$scratch/tree"
cmake --build build/release --target "uotbench_${worker//-/_}" uotbench_call --parallel 2 >"$scratch/log" ||
  fail "the library does not build: $(tail -n 30 "$scratch/log")"
PYTHONPATH=harness/python "$python" - "$worker" "uot/$name" uot/another <<'END_OF_PYTHON' || fail "it cannot be called"
import sys
import numpy
import uotbench

uotbench.use(sys.argv[1])
random = numpy.random.default_rng(1)
arrays = {"K": random.random((37, 53)), "a": random.random(37), "b": random.random(53)}
want = uotbench.call("uot/gemv", iterations=3, plan=True, **arrays)["plan"]
for name in sys.argv[2:]:
    numpy.testing.assert_allclose(uotbench.call(name, iterations=3, plan=True, **arrays)["plan"], want, rtol=1e-9)
END_OF_PYTHON
