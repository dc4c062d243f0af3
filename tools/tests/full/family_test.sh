#!/usr/bin/env bash
# One new folder is a new family, with nothing else edited: what `uotbench new family` writes into a copy of the tree,
# with the files of templates/family_more beside it, is listed, judged, timed, counted, drawn, reported, gated and checked
# in three languages; a library that is absent costs the one file that needs it.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
export PYTHONDONTWRITEBYTECODE=1

# expect CODE COMMAND...: its output is in $said.
expect() {
  local wanted="$1" code=0
  shift
  said="$("$@" 2>&1 </dev/null)" || code=$?
  [[ $code =~ ^($wanted)$ ]] || fail "$*: exit code $code, not $wanted: $(tail -n 40 <<<"$said")"
}
said_to() { grep -Eq -- "$1" <<<"$said" || fail "\"$1\" is not in: $said"; }

mkdir "$scratch/tree"
"$root/tools/list_files" "$root" | tar -C "$root" -cf - -T - | tar -C "$scratch/tree" -xf -
cd "$scratch/tree"
# Nobody knows it, but its template, what fills that, and this test.
known='templates/|docs/guide/families\.md$|tools/uotbench/commands/new\.cpp$|tools/tests/(full/family_test\.sh|new_test\.cpp)$'
others="$(grep -rIlw demo . | grep -Ev "^\./($known)" || true)"
[[ -z $others ]] || fail "the family demo is named in $others"
[[ ! -e kernels/demo ]] || fail "there is a family demo already"

expect 0 "$programs/uotbench" new family demo
[[ $(find kernels/demo -type f | sort | paste -sd ' ') == 'kernels/demo/awkward.json kernels/demo/loop.cpp kernels/demo/oracle/oracle.cpp kernels/demo/problem.hpp' ]] ||
  fail "a new family is $(find kernels/demo -type f)"
diff -r --exclude=CMakeLists.txt templates/family kernels/demo || fail "a new family called demo is not the template"
cp templates/family_more/* kernels/demo/
echo "nobodys-library run # by_blas" >kernels/demo/packages.txt
expect 0 tools/lint_includes .
expect 0 tools/lint_format kernels/demo
expect 0 tools/lint_words kernels/demo

# Packages: its own beside everybody's.
mkdir "$scratch/system"
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor name; do :; done\n[ "$name" = nobodys-library ] || printf "installed "\n' >"$scratch/system/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$scratch/system/sudo"
printf '#!/bin/sh\necho 1000\n' >"$scratch/system/id"
chmod +x "$scratch"/system/*
expect 2 env PATH="$scratch/system:$PATH" tools/install_packages run
said_to 'no-install-recommends nobodys-library$'

# A library that is there, and brings what its file needs; one that no family.cmake tells of.
cat >>kernels/demo/family.cmake <<'END'
add_library(demo_given INTERFACE)
target_compile_definitions(demo_given INTERFACE DEMO_SUMMARY="with what is given")
set(given_FOUND TRUE)
uotbench_library(given given_FOUND LINK demo_given)
END
sed -e 's|^// One loop.*|// needs: given|; s|demo/loop|demo/given|; s|"one loop"|DEMO_SUMMARY|' kernels/demo/loop.cpp >kernels/demo/given.cpp
configure=(cmake --preset release -DUOTBENCH_TESTS=OFF -DUOTBENCH_WITH_CUDA=OFF -DCMAKE_DISABLE_FIND_PACKAGE_BLAS=ON)
sed 's|// needs: BLAS|// needs: BLES|' kernels/demo/by_blas.cpp >kernels/demo/slip.cpp
expect 1 "${configure[@]}"
said_to 'slip\.cpp: needs BLES, which no'
rm kernels/demo/slip.cpp

# Code that variants share is compiled once, without a worker's flags, or for every worker; also in parts/, where families
# had it before. A worker that has it otherwise does not start.
printf '\n#include <cstdlib>\n#ifdef __AVX2__\nconst int own = 1;\n#else\nconst int own = 0;\n#endif\n' >>kernels/demo/given.cpp
for place in shared shared/deeper timed timed/deeper parts parts/deeper; do
  mkdir -p "kernels/demo/$place"
  code="${place//\//_}_code"
  printf 'int %s() {\n#ifdef __AVX2__\n  return 1;\n#else\n  return 0;\n#endif\n}\n' "$code" >"kernels/demo/$place/$code.cpp"
  flags=own
  [[ $place != shared* && $place != parts ]] || flags=0
  printf 'int %s();\n[[maybe_unused]] const bool %s_right = %s() == %s || (std::abort(), true);\n' \
    "$code" "$code" "$code" "$flags" >>kernels/demo/given.cpp
done

# As little as can be is built: a compiler cache, where there is one, has the rest.
worker=native
[[ $(uname -m) != x86_64 ]] || worker=native-v3
expect 0 "${configure[@]}"
said_to '^-- BLAS: not found; kernels/demo/by_blas\.cpp is left out$'
[[ $(grep -c 'kernels/demo/parts/ has .cpp files' <<<"$said") == 1 ]] || fail "no warning of parts/, or several: $said"
simt="$(cmake --build build/release --target help | grep -o 'uotbench-worker-simt\b' | head -n 1 || true)"
build() { expect 0 cmake --build build/release --parallel 2 --target uotbench-worker-oracle "uotbench-worker-$worker" "$@"; }
counting="$(cmake --build build/release --target help | grep -o 'uotbench-worker-native-trace\b' | head -n 1 || true)"
build ${simt:+"$simt"} ${counting:+"$counting"}

# An installation of its own: the program with these workers and the list of variants that the build wrote.
mkdir -p "$scratch/own/bin" "$scratch/own/share/uotbench"
cp "$programs/uotbench" "$scratch/own/bin/"
ln -s "$PWD"/build/release/bin/uotbench-worker-* "$scratch/own/bin/"
cp build/release/variants.json "$scratch/own/share/uotbench/"
mkdir -p "$scratch/own/share/uotbench/kernels/demo"
cp kernels/demo/awkward.json "$scratch/own/share/uotbench/kernels/demo/"
ln -s "$PWD/configs" "$scratch/own/share/uotbench/configs"
uotbench="$scratch/own/bin/uotbench"
cd "$scratch"

expect 0 "$uotbench" list
said_to "^demo/loop .*$worker"
said_to '^demo/given .*with what is given'
if grep -q '^demo/by_blas' <<<"$said"; then fail "demo/by_blas is there without BLAS: $said"; fi
expect 0 "$uotbench" run --sweep demo/awkward.json --verify-only --output awkward.jsonl
# counted VARIANT WORKER STATUS: how many cases ended so.
counted() { grep -c "\"id\":\"$1/[^\"]*@$2\".*\"status\":\"$3\"" awkward.jsonl || true; }
[[ $(counted demo/loop "$worker" ok) == 16 ]] || fail "demo/loop is not right: $("$uotbench" show awkward.jsonl)"
[[ $(counted demo/halving "$worker" ok) == 3 ]] || fail "demo/halving is not right: $("$uotbench" show awkward.jsonl)"
python=skipped
! command -v python3 >/dev/null || python=ok
[[ $(counted demo/by_python python "$python") == 6 ]] || fail "demo/by_python: $("$uotbench" show awkward.jsonl)"
if [[ -n $simt ]]; then
  [[ $(counted demo/gpu_loop simt ok) == 9 ]] || fail "demo/gpu_loop is not right: $("$uotbench" show awkward.jsonl)"
fi
# Where its worker cannot run, an ending tells whose a variant is.
expect 0 "$uotbench" run demo/gpu_loop -a N=7 --worker cuda --output cuda.jsonl
grep -q '"id":"demo/gpu_loop/N:7@cuda".*"status":"skipped"' cuda.jsonl || fail "cuda: $(tail -n 2 cuda.jsonl)"
expect 2 "$uotbench" run demo/loop -a N=7 --worker cuda --output cuda.jsonl --force
said_to 'no variant "demo/loop".* in cuda'

# A solver for double alone: its unit is a solve, it tells the parts of its time, and its work is what it did.
expect 0 "$uotbench" run demo/loop demo/halving demo/by_python -a N=65537 -a dtype=f64 --worker "$worker" \
  --worker python --max-time 200ms ${counting:+--counters trace:cache} --output timed.jsonl
said_to 'phases of demo/halving/.*: bounds [0-9]+%, halving [0-9]+%, other [0-9]+%'
said_to 'times are per solve, not per iteration: demo/halving'
grep -Eq '"id":"demo/halving/.*"work":\{[^}]*"from":"run"' timed.jsonl || fail "no counted work: $(grep halving timed.jsonl)"
if [[ -n $counting ]]; then
  grep -Eq '"id":"demo/loop/.*"L1D.misses":\{[^}]*"value":[0-9]' timed.jsonl || fail "nothing is counted: $(tail -n 3 timed.jsonl)"
  expect 0 "$uotbench" show timed.jsonl --counters
  said_to 'demo/halving|halving'
fi
expect 0 "$uotbench" report timed.jsonl --output report.html
grep -q 'demo/halving' report.html || fail "the report has no demo/halving"
if command -v gnuplot >/dev/null; then
  expect 0 "$uotbench" roofline timed.jsonl --machine 12900k --output roofline.svg
fi
# 4: on a busy machine it has no verdict.
expect '0|4' "$uotbench" gate demo/loop -a N=129 --baseline-worker "$scratch/own/bin/uotbench-worker-$worker" \
  --candidate-worker "$scratch/own/bin/uotbench-worker-$worker" --pairs 4 --budget 20s --counters none --output gate.jsonl
grep -q '"id":"demo/loop/N:129' gate.jsonl || fail "the gate's file has no demo/loop: $(head -c 500 gate.jsonl)"

# What is wrong is found: the oracle judges, and files of a worker's own count.
sed -i 's|y_\[i\] = x_\[i\] \* x_\[i\]|y_[i] = x_[i] + x_[i]|' tree/kernels/demo/loop.cpp
# By itself: no shared file needs another family.
find tree/kernels -mindepth 1 -maxdepth 1 ! -name demo ! -name common -exec rm -r {} +
cd tree
expect 0 "${configure[@]}"
build
cd "$scratch"
expect 1 "$uotbench" check-worker "$worker"
said_to '^wrong +verify demo/loop: .*wrong: y\[0\]'
said_to '^ok +verify demo/given: right at 3 points'
if [[ $python == ok ]]; then
  expect 0 "$uotbench" check-worker python
  said_to '^ok +verify demo/by_python: right at 3 points'
fi
