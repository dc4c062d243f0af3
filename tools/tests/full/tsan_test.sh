#!/usr/bin/env bash
# Calls from several threads do not race: the library, the families and the kernels that replace POT's functions, compiled
# with ThreadSanitizer, which reports accesses that nothing orders. Each solve has one thread (harness/call/tests/tsan/calls.cpp);
# the threads of one kernel are examined by trace_test.cpp.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
build="$(dirname "$programs")"
cd "$scratch"

# Skipped only for what an empty program shows: a compiler without the sanitizer, a kernel that it does not run on. It
# finds no place for its shadow memory where the system places programs at random in too many bits.
compiler="$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")"
[[ -n $compiler ]] || fail "no compiler in $build/CMakeCache.txt"
echo 'int main() {}' >empty.cpp
"$compiler" -fsanitize=thread empty.cpp -o empty >said 2>&1 || {
  echo "skipped: $compiler has no ThreadSanitizer: $(head -n 1 said)"
  exit 77
}
run=()
if ! ./empty >said 2>&1; then
  run=(setarch --addr-no-randomize)
  "${run[@]}" ./empty >/dev/null 2>&1 || {
    echo "skipped: ThreadSanitizer does not run here: $(grep -m 1 . said)"
    exit 77
  }
fi

# Include folders, definitions and libraries are those of the library that is installed.
ninja -C "$build" -t commands lib/libuotbench.so >commands || fail "$build has no lib/libuotbench.so"
mapfile -t included < <(grep -oE -- ' -(D|I|isystem )[^ ]+' commands | sort -u | tr -s ' ' '\n' | sed '/^$/d')
mapfile -t libraries < <(tail -n 1 commands | grep -oE ' /[^ ]+\.so\b' | sort -u | tr -d ' ')
flags=(-std=c++20 -O1 -g1 -fPIC -fopenmp -fsanitize=thread -Wno-subobject-linkage "-I$root" "${included[@]}")
through=()
if command -v ccache >/dev/null; then
  through=(ccache)
  export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
fi
# compiled NAME SOURCE...: into NAME.o, together, which takes a third of the time. Paths are those below the tree.
compiled() {
  local name="$1"
  shift
  printf '#include "%s"\n' "$@" >"$name.cpp"
  "${through[@]}" "$compiler" "${flags[@]}" -c "$name.cpp" -o "$name.o" >said 2>&1 || fail "$name: $(head -n 30 said)"
}
shopt -s nullglob
# below FOLDER...: their sources.
below() { (cd "$root" && for folder; do printf '%s\n' "$folder"/*.cpp; done); }
# The kernels that functions with POT's names call, and one whose iterations can be stopped.
mapfile -t kernels < <({
  grep -oE '"(uot|simplex|sinkhorn_log)/[a-z0-9_]+"' "$root/harness/python/uotbench/transport.py" | tr -d '"'
  echo uot/one_read
} | sort -u)
((${#kernels[@]} > 5)) || fail "transport.py names these kernels: ${kernels[*]}"
for kernel in "${kernels[@]}"; do
  grep -q "\"$kernel\"" "$root/harness/call/tests/tsan/calls.cpp" || fail "calls.cpp does not call $kernel"
done

compiled calls harness/call/tests/tsan/calls.cpp
# shellcheck disable=SC2046
{
  for folder in results/base results/statistics results/record results/record/axes harness/protocol harness/worker/oracle \
    kernels/{common,uot,simplex,sinkhorn_log}/oracle; do
    compiled "${folder//\//_}" $(below "$folder")
  done
  compiled worker $(below harness/worker) harness/worker/base/arena.cpp harness/host/process/blas_cores.cpp
  compiled shared $(below kernels/{uot,simplex,sinkhorn_log}/shared)
  compiled call $(below harness/call | grep -v '/native\.cpp$\|/addressed_data\.cpp$') harness/worker/serve/build.cpp
}
compiled native harness/call/native.cpp
for kernel in "${kernels[@]}"; do compiled "kernel_${kernel//\//_}" "kernels/$kernel.cpp"; done
ar qc libcommon.a results_*.o harness_protocol.o
link=("$compiler" -fsanitize=thread)
ends=(libcommon.a "${libraries[@]}" -fopenmp -ldl)
"${link[@]}" -shared "-Wl,--version-script=$root/cmake/call.map,-Bsymbolic,--no-undefined" -o libuotbench_native.so native.o \
  kernel_*.o shared.o worker.o "${ends[@]}" >said 2>&1 || fail "the kernels do not link: $(head -n 30 said)"
"${link[@]}" -o calls calls.o call.o harness_worker_oracle.o kernels_*_oracle.o worker.o "${ends[@]}" >said 2>&1 ||
  fail "calls does not link: $(head -n 30 said)"

export TSAN_OPTIONS="exitcode=66"
code=0
"${run[@]}" ./calls race >said 2>&1 || code=$?
((code == 66)) && grep -q 'WARNING: ThreadSanitizer: data race' said || fail "a race is not reported ($code): $(tail said)"
code=0
"${run[@]}" ./calls >said 2>&1 || code=$?
((code == 0)) && [[ $(tail -n 1 said) == done ]] || fail "calls end with $code: $(head -n 100 said)"
