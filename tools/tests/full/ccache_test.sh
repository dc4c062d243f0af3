#!/usr/bin/env bash
# A second clone, elsewhere and at another depth, compiles nothing that the first has compiled: of every kind of object
# one is built in both.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")"
if ! command -v ccache >/dev/null; then
  echo "skipped: no ccache here (apt-get install ccache)"
  exit 77
fi
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
unset CMAKE_CXX_COMPILER_LAUNCHER CMAKE_CUDA_COMPILER_LAUNCHER CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_DISABLE
export CCACHE_DIR="$scratch/cache"

fail() {
  echo "FAILED: $1"
  exit 1
}

# Objects by a part of their names; the first that is found is built. Small ones, which take a second or two.
kinds='uotbench_harness_host_process\.dir/
uotbench_worker\.dir/.*usage\.cpp
native-v3\.dir/kernels/.*range\.cpp
native-trace\.dir/kernels/.*range\.cpp
worker-simt\.dir/.*_padded\.cpp
worker-simt-trace\.dir/.*_padded\.cpp
cuda-kernels\.dir/kernels/.*_padded\.cu
oracle_families\.dir/kernels/.*oracle\.cpp
headers_alone\.dir/
harness_trace_tests\.dir/.*_test\.cpp'
# Of one kind the same with precompiled headers, which take ten seconds.
precompiled='native-v3\.dir/kernels/.*range\.cpp'

# built KINDS ON|OFF: builds one object of each kind, without (ON) or with precompiled headers, and counts them.
built() {
  cmake --preset release -DUOTBENCH_TESTS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS="$2" >log 2>&1 ||
    fail "it is not configured: $(tail -n 5 log)"
  ninja -C build/release -t targets all | sed -n 's/^\(.*\.o\): .*/\1/p' >objects
  local kind wanted=()
  while read -r kind; do
    if object="$(grep -m 1 -E "$kind" objects)"; then wanted+=("$object"); fi
  done <<<"$1"
  ninja -C build/release "${wanted[@]}" >log 2>&1 || fail "it is not built: $(tail -n 30 log)"
  count=$((count + ${#wanted[@]}))
}
clone() {
  mkdir -p "$1"
  "$root/tools/list_files" "$root" | tar -C "$root" -cf - -T - | tar -C "$1" -xf -
  cd "$1"
  ccache --zero-stats >/dev/null
  count=0
  built "$kinds" ON
  built "$precompiled" OFF
}
# counted NAME: of ccache's numbers since the last clone.
counted() { ccache --print-stats | awk -v name="$1" '$1 == name { print $2 }'; }

clone "$scratch/one"
((count >= 6)) || fail "only $count kinds of object are known here"
count=$((count + $(find build/release -name '*.gch' | wc -l)))
(($(counted cache_miss) == count)) || fail "of $count objects ccache was asked for $(counted cache_miss)"
wanted=$count
clone "$scratch/another/much deeper/clone"
hits=$(($(counted direct_cache_hit) + $(counted preprocessed_cache_hit)))
((100 * hits >= 95 * wanted)) || fail "of $wanted objects only $hits are found again: $(ccache --show-stats -v)"
