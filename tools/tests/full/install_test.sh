#!/usr/bin/env bash
# An installation is whole: without the tree it finds its data, and a kernel in somebody's own repository becomes a
# worker from five lines of CMake, whose records carry that repository's commit and whose own builds are counted.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

# expect COMMAND...: it ends with 0; its output is in $said.
expect() {
  said="$("$@" 2>&1 </dev/null)" || fail "$*: exit code $?: $(tail -n 30 <<<"$said")"
}

# What was compiled before, of the same text and wherever it lay, is not compiled again.
if command -v ccache >/dev/null; then
  CCACHE_DIR="$(ccache --get-config cache_dir)"
  export CCACHE_DIR CCACHE_BASEDIR="$scratch" CCACHE_NOHASHDIR=1 CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

# Where docs/guide/outside.md installs to.
export HOME="$scratch"
uotbench="$HOME/uotbench/bin/uotbench"
expect cmake --install "$(dirname "$programs")" --prefix ~/uotbench
expect "$root/tools/lint_links" ~/uotbench/share/doc/uotbench # its pages have what they link to
[[ -s ~/uotbench/share/doc/uotbench/README.md ]] || fail "no README is installed"

# Shells find their completions there, and man its page.
share=~/uotbench/share
for file in bash-completion/completions/uotbench zsh/site-functions/_uotbench fish/vendor_completions.d/uotbench.fish man/man1/uotbench.1; do
  grep -q 'uotbench' "$share/$file" || fail "$share/$file says nothing of uotbench"
done

# With the commands of docs/guide/outside.md, the first of which writes a kernel and its CMakeLists.txt.
mkdir "$scratch/mine"
cd "$scratch/mine"
name=uot/mine
expect "$uotbench" new variant mine
(($(wc -l <CMakeLists.txt) <= 6)) || fail "a kernel needs more than six lines of CMake: $(cat CMakeLists.txt)"
[[ $(grep '^#include' mine.cpp) == '#include <uotbench/uot.hpp>' ]] || fail "a kernel needs more than one header"
# Folders of that repository, also where it is searched for headers first, hide no header of uotbench.
for header in kernels/uot/problem.hpp kernels/uot/timed/column_sums.hpp harness/worker/variant.hpp; do
  mkdir -p "$(dirname "$header")"
  echo '#error a header of another repository' >"$header"
done
# shellcheck disable=SC2016
echo 'target_include_directories(uotbench-worker-mine BEFORE PRIVATE ${CMAKE_SOURCE_DIR})' >>CMakeLists.txt
git init -q .
git add .
git -c user.name=somebody -c user.email=somebody@example.org commit -qm "My kernel"
commit="$(git rev-parse HEAD)"
export CMAKE_BUILD_PARALLEL_LEVEL=2
commands=0
while IFS= read -r command; do
  expect bash -c "$command"
  commands=$((commands + 1))
done < <(sed -n '/^```sh$/,/^```$/p' "$root/docs/guide/outside.md" | grep -Ev '^```|--install build/release|new variant mine')
((commands == 5)) || fail "docs/guide/outside.md: expected 5 more commands, got $commands"
rm -r results ~/uotbench/bin/uotbench-worker-mine* ~/uotbench/share/uotbench/configs/workers/mine.json

# From here on the tree is hidden, where the system lets us.
unseen=()
if unshare -rm mount -t tmpfs none "$root" 2>/dev/null; then
  # shellcheck disable=SC2016
  unseen=(unshare -rm sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$root")
else
  echo "no mount namespaces here: the tree stays in sight"
fi
worker="mine=./build/uotbench-worker-mine"
expect "${unseen[@]}" "$uotbench" list --worker "$worker"
grep -Eq "^$name +mine " <<<"$said" || fail "$name is not listed: $said"
grep -Eq "^uot/one_read +native" <<<"$said" || fail "the installed workers are not listed: $said"
grep -Eq "^uot/pure_python +python" <<<"$said" || fail "the installed worker python is not listed: $said"
run=(run "$name" --rounds 1 --max-time 20ms -a 'M,N=37,53')
expect "${unseen[@]}" "$uotbench" "${run[@]}" -a dtype=f32,f64 --worker "$worker" --output "$scratch/run.jsonl"

# build RUN: how worker mine was built.
build() { head -n 1 "$1" | sed 's/.*"mine":\({[^}]*}\).*/\1/'; }
[[ $(grep -c '"kind":"case".*"status":"ok"' "$scratch/run.jsonl") == 2 ]] || fail "not two cases are ok: $said"
built="$(build "$scratch/run.jsonl")"
[[ $built == *"\"commit\":\"$commit\",\"dirty\":false,\"uotbench\":\""* ]] || fail "$commit is not the worker's: $built"
[[ $built == *'"flags":"'*'-march=native'* ]] || fail "the default flags are not told: $built"

# counted RUN COUNTER WORKER: the run's case has a value of this counter, by this build.
counted() {
  local is
  is="$(sed 1d "$1" | grep -o "\"$2\":{\"value\":[0-9.]*,[^}]*\"worker\":\"$3\"" | head -n 1)" || true
  [[ -n $is ]] || fail "no $2 by $3 in $(sed 1d "$1")"
}
# It is counted by its own builds, which the manifest beside it names.
count=(run "$name" --rounds 0 -a 'M,N=37,53' --caches L1D=32KiB/8,L2=256KiB/8,L3=1MiB/16)
if [[ -x ./build/uotbench-worker-mine-trace ]]; then
  expect "${unseen[@]}" "$uotbench" "${count[@]}" --worker "$worker" --counters trace:cache,trace:traffic \
    --output "$scratch/traced.jsonl"
  counted "$scratch/traced.jsonl" L1D.misses mine-trace
  counted "$scratch/traced.jsonl" DRAM.read_bytes mine-trace
elif [[ -x $programs/uotbench-worker-native-trace ]]; then
  fail "no build of mine for the trace"
fi
if type valgrind >/dev/null 2>&1; then
  expect "${unseen[@]}" "$uotbench" "${count[@]}" --worker "$worker" --counters cache,traffic \
    --output "$scratch/counted.jsonl"
  if [[ $(uname -m) == x86_64 ]]; then
    grep -q '"counted_by":{.*"flags":"[^"]*-mno-fma' "$scratch/counted.jsonl" || fail "callgrind ran another build"
  fi
  for counter in L1D.accesses L1D.misses L2.misses L3.misses DRAM.read_bytes; do
    grep -q "\"$counter\":{\"value\":[0-9]" "$scratch/counted.jsonl" || fail "no $counter: $(sed 1d "$scratch/counted.jsonl")"
  done
fi

# An uncommitted change is recorded; installed next to the program, the worker is known by name. It is a kernel as it
# was written before there was <uotbench/...>: it compiles, with a message that names the header.
rm -r kernels harness
sed -i 's|#include <uotbench/uot.hpp>|#include "kernels/uot/parts/column_sums.hpp"\n#include "kernels/uot/problem.hpp"|' mine.cpp
expect cmake --build build
for header in kernels/uot/parts/column_sums.hpp kernels/uot/problem.hpp; do
  [[ $said == *"$header is deprecated: include <uotbench/uot.hpp>"* ]] || fail "no message of $header: $said"
done
expect cmake --install build
mv build "$scratch/away"
expect "${unseen[@]}" "$uotbench" "${run[@]}" --worker mine --output "$scratch/again.jsonl"
built="$(build "$scratch/again.jsonl")"
[[ $built == *"\"commit\":\"$commit\",\"dirty\":true"* ]] || fail "the change is not told: $built"
if [[ -x $scratch/away/uotbench-worker-mine-trace ]]; then
  expect "${unseen[@]}" "$uotbench" "${count[@]}" --worker mine --counters trace:cache --output "$scratch/named.jsonl"
  counted "$scratch/named.jsonl" L1D.misses mine-trace
fi

# A CUDA source is run, judged and counted on the CPU.
if [[ -x $programs/uotbench-worker-simt-trace ]]; then
  mkdir "$scratch/cuda"
  cd "$scratch/cuda"
  mkdir -p kernels/uot/timed
  echo '#error a header of another repository' >kernels/uot/timed/device_plan.cuh
  sed 's|uot/cuda_naive|uot/my_cuda|; s|"kernels/uot/timed/device_plan.cuh"|<uotbench/uot.cuh>|' \
    "$root/kernels/uot/cuda/cuda_naive.cu" >my_cuda.cu
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(mine CXX)' 'find_package(uotbench REQUIRED)' \
    'uotbench_add_worker(mine my_cuda.cu)' >CMakeLists.txt
  expect cmake -B build -DCMAKE_PREFIX_PATH="$HOME/uotbench"
  expect cmake --build build
  expect "${unseen[@]}" "$uotbench" run uot/my_cuda -a 'M,N=5,7' --worker "$worker" --output "$scratch/cuda.jsonl"
  counted "$scratch/cuda.jsonl" GPU.load_requests mine-simt-trace
  [[ $(grep -c '"status":"ok"' "$scratch/cuda.jsonl") == 1 ]] || fail "it is not right: $said"
  # What a family has compiled once a worker comes with the installation: here, what is around the scaling.
  expect "${unseen[@]}" "$uotbench" run uot/my_cuda -a 'M,N=5,7' -a data=moons -a application=2 --worker "$worker" \
    --output "$scratch/application.jsonl"
  [[ $(grep -c '"status":"ok"' "$scratch/application.jsonl") == 1 ]] || fail "the application is not right: $said"
  cd "$scratch/mine"
fi

# Slips are refused when configuring, in one line that says what was expected.
refused() {
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nfind_package(uotbench REQUIRED)\n%s\n' "$1" >CMakeLists.txt
  if said="$(cmake -B "$scratch/slips" -DCMAKE_PREFIX_PATH="$HOME/uotbench" 2>&1)"; then fail "$1 is taken"; fi
  said="$(tr -s ' \n' ' ' <<<"$said")"
  [[ $said == *"$2"* ]] || fail "$1: \"$2\" is not in: $said"
}
refused 'uotbench_add_worker(mine)' 'uotbench_add_worker(mine): no source files; expected uotbench_add_worker(mine my_uot.cpp FLAGS -march=native)'
refused 'uotbench_add_worker(mine my_uot.cpp my.cu)' 'expected uotbench_add_worker(mine-cuda my.cu)'
refused 'uotbench_add_worker("my own" my_uot.cpp)' '"my own" is no name of letters, digits'
