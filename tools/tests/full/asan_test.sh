#!/usr/bin/env bash
# The programs, built with AddressSanitizer and UndefinedBehaviorSanitizer, find nothing to report: neither on the
# awkward sizes nor while timing, listing and showing.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

# tools/check --all builds them before the tests.
worker=native
[[ $(uname -m) != x86_64 ]] || worker=native-v3
built="$root/build/asan/sanitized.stamp"
rebuild="cmake --preset asan && cmake --build --preset asan"
if [[ ! -e $built ]]; then
  echo "skipped: there is no build with sanitizers; build it: $rebuild"
  exit 77
fi
cd "$root"
changed="$(find CMakeLists.txt cmake include harness kernels results roofline tools/uotbench -type f -newer "$built" \
  ! -path '*/tests/*' ! -path '*/python/*' | sed -n 1,3p)"
[[ -z $changed ]] || fail "build/asan is older than $(paste -sd ' ' <<<"$changed"); build it again: $rebuild"

# Reports go to files, whatever becomes of a worker's stderr. OpenMP's team and the BLAS loaded at run time stay
# allocated until the end.
cd "$scratch"
# A small quarantine, because what is freed and not used again costs page faults; short histories of allocations likewise.
export ASAN_OPTIONS="log_path=$scratch/report:detect_leaks=0:quarantine_size_mb=16:malloc_context_size=3"
export UBSAN_OPTIONS="log_path=$scratch/report:print_stacktrace=1"
export XDG_CACHE_HOME="$scratch/cache"
uotbench="$root/build/asan/bin/uotbench"
expect() {
  local code=0 said
  said="$("$uotbench" "$@" 2>&1 </dev/null)" || code=$?
  if compgen -G "$scratch/report.*" >/dev/null; then fail "uotbench $*: $(head -n 60 "$scratch"/report.*)"; fi
  [[ -n ${may_lack_cases-} && $code == 2 && $said == *"leave no case"* ]] || ((code == 0)) ||
    fail "uotbench $*: exit code $code: $(grep -E 'failed|crashed|timeout' <<<"$said"; tail -n 10 <<<"$said")"
}
# Every family's awkward sizes. Some axes change numbers, not accesses: one value will do; nor are larger sizes others.
# Every pair of settings meets at every size; of three or more at once (sizes have names of two letters at most) the
# worker that is not instrumented is judged elsewhere.
other_numbers='/(fi:1|reg:(1|0.5)|reg_m:(5|0.01)|mass_b:3|seed:[0-9]+|cost_scale:0.5|masses:(ones|images))[/@]'
large='/[A-Z]:[0-9]{4,}'
three_settings='(/[a-z_]{3,}:[^/@]*.*){3}'
for sweep in "$root"/kernels/*/awkward.json; do
  family="$(basename "$(dirname "$sweep")")"
  # A family may have nothing for this worker.
  may_lack_cases=yes expect --sweep "$sweep" --filter "@$worker\$" --exclude "$other_numbers|$large|$three_settings" --verify-only --output "awkward_$family.jsonl"
done
(($(compgen -G "awkward_*.jsonl" | wc -l) >= 5)) || fail "only these families were judged: $(compgen -G 'awkward_*.jsonl')"
expect run ceiling/spin -a N=1 -a ns=20000 --rounds 1 --max-time 20ms --output spin.jsonl
# Every kernel was judged above; the loop that times is the same for all.
expect run uot/map_uot uot/one_read uot/matrix_free -a 'M,N=37,53' -a threads=1,2 --rounds 1 --max-time 20ms --output run.jsonl
expect run uot/one_read uot/coffee -a 'M,N=37,53' -a cache=cold --rounds 1 --max-time 20ms --output cold.jsonl
expect run uot/gemv -a 'M,N=64,48' -a data=colors,points --save-arrays arrays --verify-only --output data.jsonl
expect run uot/matrix_free -a 'M,N=37,53' -a data=colors,points -a matrix=stored,never -a keep=on,off -a dtype=f32,f64 -a threads=1,2 --verify-only --output points.jsonl
expect run match/cpu3_openmp -a N=37 -a D=132 -a threads=2 --rounds 1 --max-time 1ms --output match.jsonl
expect run ceiling/read ceiling/fma -a N=7,4097 -a dtype=f32,f64 -a threads=1,2 --rounds 1 --max-time 1ms --output ceilings.jsonl
expect list
expect list uot/one_read
expect show run.jsonl
expect show "awkward_$family.jsonl" --json
expect compare run.jsonl --vary variant
expect export run.jsonl --format gbench
expect export run.jsonl --format tex
expect merge spin.jsonl -o merged.jsonl
expect rerun run.jsonl --dry-run
expect roofline run.jsonl --machine 12900k -o roofline.svg --data
expect figure sizes ceilings.jsonl --value bandwidth -o sizes.svg
expect figure scaling run.jsonl -o scaling.pdf
expect report run.jsonl ceilings.jsonl -o page.html
expect report run.jsonl --format markdown
expect doctor
# Kernels as functions, with wrong arguments, arrays that change meanwhile, threads and a fork.
calls="$root/build/asan/bin/sanitized_call_tests"
if [[ -x $calls ]]; then
  # Memory that does not suffice is an exception here as elsewhere.
  said="$(ASAN_OPTIONS="$ASAN_OPTIONS:allocator_may_return_null=1" "$calls" --gtest_brief=1 2>&1)" ||
    fail "calls: $(cat "$scratch"/report.* 2>/dev/null | head -n 60) $(tail -n 30 <<<"$said")"
  if compgen -G "$scratch/report.*" >/dev/null; then fail "calls: $(head -n 60 "$scratch"/report.*)"; fi
else
  echo "skipped: GoogleTest is not installed: libuotbench.so was not called with sanitizers"
fi
