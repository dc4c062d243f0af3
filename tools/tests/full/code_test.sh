#!/usr/bin/env bash
# The hash of a variant's code is the same wherever it is built and whatever is linked beside it, and changes with a
# constant in the code: of that variant alone.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

# make_tree FOLDER FACTOR: two kernels, a file that both may call, and what stands in for the harness.
make_tree() {
  mkdir -p "$1/kernels/uot" "$1/worker"
  echo "namespace { int add(int x) { return x + 3; } } int a(int x) { return add(x) * $2; }" >"$1/kernels/uot/a.cpp"
  echo 'int b(int x) { return x * x; }' >"$1/kernels/uot/b.cpp"
  echo 'int around(int x) { return x + 1; }' >"$1/worker/around.cpp"
  echo 'int main() {}' >"$1/worker/main.cpp"
  echo '#include "uotbench_commit.hpp"
    const char* commit() { return UOTBENCH_COMMIT; } const char* flags() { return UOTBENCH_FLAGS; }' >"$1/worker/build.cpp"
  cat >"$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(mine CXX)
set(UOTBENCH_HARNESS \${CMAKE_CURRENT_SOURCE_DIR}/worker)
set(UOTBENCH_VERSION 0)
find_package(OpenMP REQUIRED COMPONENTS CXX)
add_library(around STATIC worker/around.cpp)
add_library(uotbench::worker ALIAS around)
add_library(uotbench::shared ALIAS around)
add_library(Eigen3::Eigen INTERFACE IMPORTED)
include($root/cmake/UotbenchWorker.cmake)
uotbench_add_native(mine $3 FLAGS -g)
END
}
# hashes FOLDER: what was noted, sorted.
hashes() {
  cmake -S "$1" -B "$1/build" >"$scratch/said" 2>&1 || fail "it is not configured: $(tail -n 5 "$scratch/said")"
  cmake --build "$1/build" >"$scratch/said" 2>&1 || fail "it is not built: $(tail -n 5 "$scratch/said")"
  tr -d '{}, ' <"$1/build/uotbench-worker-mine.code.json" | grep . | sort
}

files="kernels/uot/a.cpp kernels/uot/b.cpp"
make_tree "$scratch/first" 5 "$files"
make_tree "$scratch/a longer name" 5 "kernels/uot/b.cpp kernels/uot/a.cpp"
make_tree "$scratch/changed" 7 "$files"
first="$(hashes "$scratch/first")"
[[ $(sed 's/:.*//' <<<"$first" | tr '\n' ' ') == '"" "a" "b" ' ]] || fail "not a, b and the library: $first"
[[ $(grep -cE ':"[0-9a-f]{16}"$' <<<"$first") == 3 ]] || fail "not 16 hex digits each: $first"
elsewhere="$(hashes "$scratch/a longer name")"
[[ $first == "$elsewhere" ]] || fail "elsewhere, in another order, they differ: $first / $elsewhere"
changed="$(hashes "$scratch/changed")"
[[ $(diff <(echo "$first") <(echo "$changed") | grep -c '^>') == 1 && $changed != *"$(grep '"a"' <<<"$first")"* ]] ||
  fail "a constant of a changed: $first / $changed"
echo "// A remark." >>"$scratch/first/kernels/uot/a.cpp"
[[ $(hashes "$scratch/first") == "$first" ]] || fail "a remark changes the code"
