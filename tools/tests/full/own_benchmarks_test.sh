#!/usr/bin/env bash
# Benchmarks of other frameworks are measured through their adapters: the real Google Benchmark, any program, and
# pytest-benchmark where it is installed. Of Criterion and nvbench the programs are made (tools/tests/adapters): they write
# what Criterion 0.3.6 was seen to write, what the sources of its later versions say, and what nvbench's repository holds.
# What misbehaves costs its own cases alone.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

export PATH="$programs:$PATH"
made="$root/tools/tests/adapters"
cd "$scratch"
quick=(--rounds 2 --min-samples 2 --max-time 0.02s --output run.jsonl --force)

# run CODE ARGUMENT...: uotbench run; what it printed is in `output`.
run() {
  local wanted="$1" code=0
  shift
  rm -f run.jsonl
  uotbench run "$@" "${quick[@]}" >output 2>&1 </dev/null || code=$?
  ((code == wanted)) || { cat output && fail "expected code $wanted, got $code: uotbench run $*"; }
}
has() {
  grep -qE -- "$1" output || { cat output && fail "no line matches: $1"; }
}
has_not() {
  ! grep -qE -- "$1" output || { cat output && fail "a line matches: $1"; }
}
# fields EXPRESSION: of the records of run.jsonl, as Python has them: r by id.
fields() {
  python3 - "$1" <<'END' || fail "not so: $1"
import json, sys
lines = [json.loads(line) for line in open("run.jsonl")]
r = {line["id"]: line for line in lines if line["kind"] == "case"}
header = lines[0]
sys.exit(not eval(sys.argv[1]))
END
}

# The real Google Benchmark.
g++ -O1 "$made/bench.cpp" -lbenchmark -lpthread -o bench || fail "bench.cpp does not compile"
run 1 'external/*' --worker mine=gbench:./bench
has 'sum_float .*1024.*not verified'
has 'nothing .*not verified'
has 'no such device'
has_not 'speedup of'
fields '{"external/sum_float/arg1:1024@mine", "external/sum_float/arg1:4096@mine", "external/sum_double/cells:64@mine",
         "external/nothing@mine", "external/refuses@mine"} == set(r)'
fields 'all(one["status"] == ("failed" if "refuses" in id else "not verified") for id, one in r.items())'
fields 'r["external/sum_float/arg1:4096@mine"]["env"]["reported"]["half"] == [2048, 2048]'
fields 'r["external/sum_float/arg1:4096@mine"]["env"]["reported"]["items_per_second"][1] > 0'
has '^case .* half .*items_per_second'
fields 'len(r["external/nothing@mine"]["time"]["processes"]) == 2'
fields 'r["external/sum_float/arg1:4096@mine"]["time"].get("proof") is None'
# Axes choose among the points that there are; the rest of the name is an id.
run 0 external/sum_float -a arg1=4096 --worker mine=gbench:./bench
fields 'list(r) == ["external/sum_float/arg1:4096@mine"]'
run 0 --case external/sum_double/cells:64@mine --worker mine=gbench:./bench
fields 'list(r) == ["external/sum_double/cells:64@mine"]'
run 2 external/sum_float -a arg1=8 --worker mine=gbench:./bench
has 'no variant has a point with these values'
run 0 'external/*' --filter 'nothing|cells' --worker mine=gbench:./bench
for command in "show run.jsonl" "export run.jsonl --format csv" "report run.jsonl --format markdown" "compare run.jsonl run.jsonl"; do
  # shellcheck disable=SC2086
  uotbench $command >output 2>&1 || { cat output && fail "$command"; }
  has 'nothing'
  has_not '[^a-z]ok[^a-z]'
done
uotbench export run.jsonl --format csv >output && has 'half,half_source' && has ',32,the benchmark'
uotbench export run.jsonl --format gbench >output && has '"half":32'
uotbench compare run.jsonl run.jsonl >output && has 'sum_double .*half +32 ' && has 'reported by the benchmark'
some_commit=0123456789012345678901234567890123456789
uotbench history add run.jsonl --commit $some_commit --in history >output 2>&1 || fail "history add: $(cat output)"
uotbench history show --in history --json >output && has '"name": ?"half"'
# A counter is a fact that a metric names.
cat >sweep.json <<'END'
{"name": "facts", "workers": ["mine"], "cases": [{"variants": ["external/sum_float"], "axes": {"arg1": [1024]}}],
 "metrics": {"halves": {"formula": "fact.half", "unit": "1"}}}
END
run 0 --sweep sweep.json --worker mine=gbench:./bench
has 'halves'
has '512'

# Counts of the whole process: a sum of four times as many numbers takes four times as many instructions. An iteration
# takes nothing from the heap; the process holds its vector.
caches=(--caches L1D=32KiB/8,L2=1MiB/8,L3=4MiB/16 --case-timeout 600s) # valgrind is slow on a busy machine
if command -v valgrind >/dev/null; then
  run 0 external/sum_float --worker mine=gbench:./bench --counters instructions,cache,heap "${caches[@]}"
  counted() { echo "r['external/sum_float/arg1:$1@mine']['counters']['$2']['value']"; }
  fields "1000 < $(counted 1024 instructions) < 20000"
  fields "3.9 < $(counted 4096 instructions) / $(counted 1024 instructions) < 4.1"
  fields "1024 <= $(counted 1024 L1D.accesses) < 10000 and $(counted 1024 L1D.misses) < 100"
  fields "$(counted 1024 heap.allocations) < 0.1 and $(counted 4096 heap.peak_bytes) >= 16384"
  fields "r['external/sum_float/arg1:1024@mine']['counters']['heap.setup_allocations']['value'] is None"
  fields "r['external/sum_float/arg1:1024@mine']['counters']['instructions']['kind'] == 'simulated'"
  uotbench show run.jsonl --counters >output || fail "show --counters"
  has 'instructions'
  # A quarter more work is 25% more instructions, whatever the times are.
  sed 's/T(0)));/T(0)) + std::accumulate(values.begin(), values.begin() + values.size() \/ 4, T(0)));/' "$made/bench.cpp" >more.cpp
  g++ -O1 more.cpp -lbenchmark -lpthread -o more || fail "more.cpp does not compile"
  code=0
  uotbench gate external/sum_float -a arg1=1024 --baseline-worker gbench:./bench --candidate-worker gbench:./more \
    --counters instructions --pairs 2 --budget 300s --case-timeout 600s >output 2>&1 </dev/null || code=$?
  ((code == 3)) || { cat output && fail "the gate ends with $code"; }
  has 'instructions .*\+25\.[0-9]%, callgrind'
  run 0 'external/*' --worker mine="command: --parameter n=10000,20000 -- awk 'BEGIN { for (i = 0; i < {n}; ++i) s += i }'" \
    --counters instructions,heap "${caches[@]}"
  of_awk() { echo "r['external/awk/n:$1@mine']['counters']['$2']['value']"; }
  fields "$(of_awk 20000 instructions) > $(of_awk 10000 instructions) + 1e5 and $(of_awk 20000 heap.allocations) > 10"
  run 0 'external/*' --worker mine="command: --threads 2 true" --counters instructions "${caches[@]}"
  fields '"threads must be 1" in r["external/true/threads:2@mine"]["counters"]["instructions"]["reason"]'
else
  echo "valgrind is not installed: nothing was counted"
fi

# Any program: parameters, helpers, checks, exit codes, arguments with spaces.
run 0 'external/*' --worker mine="command: --parameter n=1,2 --prepare 'echo p{n} >>helped' --cleanup 'echo c{n} >>helped' -- sh -c 'exit 0' '{n} with spaces'"
fields 'set(r) == {"external/sh/n:1@mine", "external/sh/n:2@mine"}'
[[ $(grep -c c1 helped) == 2 ]] || fail "cleanup runs once a process"
# One run of each process is its warm-up.
fields "$(grep -c p1 helped) == sum(1 + len(one['samples']) for one in r['external/sh/n:1@mine']['time']['processes'])"
run 0 'external/*' --worker mine="command: --output out.txt --check 'grep -qx right out.txt' --name said -- echo right"
fields 'r["external/said@mine"]["status"] == "ok" and r["external/said@mine"]["check"]["oracle"] == "grep -qx right out.txt"'
has 'verified by grep -qx right out.txt'
run 1 'external/*' --worker mine="command: --output out.txt --check 'grep -qx right out.txt' -- echo wrong"
has "check failed: grep -qx right out.txt exited with code 1"
fields 'r["external/echo@mine"]["status"] == "failed" and r["external/echo@mine"]["time"] is None'
run 1 'external/*' --worker mine="command:false"
has 'false exited with code 1; --ignore-failure times it nevertheless'
run 0 'external/*' --worker mine="command: --ignore-failure false"
run 1 'external/*' --worker mine="command:./absent"
has 'absent: No such file or directory'

# What cannot be a worker is one line.
run 2 'external/*' --worker mine=gbench:
has 'nothing after gbench:; expected gbench:COMMAND'
run 2 'external/*' --worker gbench
has 'expected NAME=gbench:COMMAND'
run 2 'external/*' --worker mine="command: --warmups 3 true"
has 'unrecognized arguments|No such file|unknown'
run 2 'external/*' --worker mine=gbench:true
has 'lists no benchmark'

# A benchmark that misbehaves: a line each, and nothing else is lost.
cat >made.json <<'END'
[{"name": "good", "ns": 100, "counters": {"rate": 7}},
 {"name": "crashes", "ns": 1, "does": "crash"}, {"name": "garbles", "ns": 1, "does": "garbage"},
 {"name": "vanishes", "ns": 1, "does": "vanish"}, {"name": "lies", "ns": 1, "does": "nan"},
 {"name": "twice", "ns": 1}, {"name": "twice", "ns": 1},
 {"name": "countless", "ns": 100, "counters": {"wrong": NaN, "right": 3}}, {"name": "free", "ns": 0}]
END
export MADE_GBENCH="$scratch/made.json"
run 1 'external/*' --worker mine="gbench:$made/made_gbench.py 'an argument with spaces'"
has 'crashes was killed by SIGSEGV: out of luck'
has 'garbles: wrote no benchmark JSON'
has 'vanishes is in the list of benchmarks, but was not run: the list changes between runs'
has 'lies reports a time of nan; expected a number'
has 'two benchmarks are called twice; rename one of them'
has 'counter wrong is nan: left out'
has 'free reports a time of 0'
fields 'len(r) == 8 and sum(one["status"] == "not verified" for one in r.values()) == 2'
fields 'r["external/good@mine"]["env"]["reported"] == {"rate": [7, 7]}'
fields 'r["external/countless@mine"]["env"]["reported"] == {"right": [3, 3]}'
fields 'r["external/twice@mine"]["status"] == "skipped"'

# Criterion and nvbench: programs that write what theirs were seen to write. Criterion before 0.5 has other flags.
run 0 'external/*' --worker mine="criterion:python3 $made/made_criterion.py"
fields 'set(r) == {"external/sum_fold/arg1:100@mine"}'
fields 'abs(r["external/sum_fold/arg1:100@mine"]["time"]["processes"][0]["samples"][0] - 2e-9) < 1e-15'
fields 'r["external/sum_fold/arg1:100@mine"]["env"]["reported"] == {"throughput_elements": [100, 100]}'
export MADE_CRITERION=0.3
run 1 'external/*' --worker mine="criterion:python3 $made/made_criterion.py"
fields 'set(r) == {"external/sum_fold/arg1:100@mine", "external/sum_fold/arg1:400@mine", "external/no_group_a.b@mine"}'
fields 'abs(r["external/sum_fold/arg1:100@mine"]["time"]["processes"][0]["samples"][0] - 3.2296e-8) < 1e-12'
fields 'r["external/sum_fold/arg1:100@mine"]["env"]["reported"] == {"throughput_elements": [100, 100]}'
has 'no group .a.b.: wrote no sample.json: the list changes between runs'
run 1 'external/*' --worker mine="nvbench:python3 $made/made_nvbench.py"
fields 'set(r) == {"external/copy/BlockSize:256/T:U8@mine", "external/copy/BlockSize:256/T:F64@mine", "external/host@mine",
                   "external/wait/Duration:0.0010000000000000002@mine", "external/convert/In:F64@mine"}'
fields 'r["external/copy/BlockSize:256/T:U8@mine"]["time"]["processes"][0]["samples"] == [9.999999717180685e-10, 1.999999943436137e-09]'
fields 'r["external/host@mine"]["time"]["processes"][0]["samples"][0] == 9.999999717180685e-10'
fields 'r["external/copy/BlockSize:256/T:F64@mine"]["env"]["reported"]["cold_time_gpu_mean_seconds"] == [1.5e-09, 1.5e-09]'
fields '"cold_walltime_seconds" not in r["external/copy/BlockSize:256/T:F64@mine"]["env"]["reported"]'
fields '"Not a conversion" in r["external/convert/In:F64@mine"]["reason"]'
run 0 external/host --worker mine="nvbench:python3 $made/made_nvbench.py" --counters instructions
fields 'r["external/host@mine"]["counters"]["instructions"]["value"] is None'
fields '"does not count" in r["external/host@mine"]["counters"]["instructions"]["reason"]'

# Results that other tools have written: shown, compared, kept in a history, drawn.
./bench --benchmark_filter=sum --benchmark_repetitions=2 --benchmark_min_time=0.01 --benchmark_out=bench.json >/dev/null 2>&1
cat >hyperfine.json <<'END'
{"results": [{"command": "sort 10 file", "times": [0.5, 0.25], "median": 0.375, "user": 0.25, "system": 0.125, "parameters": {"n": "10"}},
             {"command": "sort 10 file", "times": [0.5, 0.75], "median": 0.625, "parameters": {"n": "10"}}]}
END
for name in bench hyperfine; do
  uotbench import $name.json -o $name.jsonl >output 2>&1 || { cat output && fail "import $name.json"; }
  uotbench show $name.jsonl >output || fail "show $name.jsonl"
  has 'not verified'
  uotbench compare $name.jsonl $name.jsonl >output || fail "compare $name.jsonl"
  uotbench report $name.jsonl -o $name.html >output 2>&1 || { cat output && fail "report of $name.jsonl"; }
  uotbench history add $name.jsonl --commit $some_commit --in imported >output 2>&1 || fail "history add: $(cat output)"
done
uotbench show bench.jsonl >output && has 'half' && has 'sum_float .*1024'
uotbench show hyperfine.jsonl >output && has 'sort_n_file +n:10' && has 'sort_n_file_2' && has '375' && has '625'
uotbench history show --in imported --json >output && has 'external/sum_double/cells:64@gbench' && has 'external/sort_n_file_2/n:10@hyperfine'
echo '{"results": [{"command": "x"}]}' >broken.json
code=0
uotbench import broken.json >output 2>&1 || code=$?
((code == 2)) || fail "a broken file ends with $code"
has 'broken.json: looks like hyperfine, but KeyError'

# pytest-benchmark itself, where there is one.
if python3 -c 'import pytest_benchmark' 2>/dev/null; then
  mkdir tests
  cat >tests/test_it.py <<'END'
import pytest

@pytest.mark.parametrize("n", [10, 100])
def test_sum(benchmark, n):
    benchmark.extra_info["cells"] = n
    assert benchmark(sum, range(n)) == n * (n - 1) // 2

def test_no_benchmark():
    assert True
END
  run 0 'external/*' --worker mine="pytest:python3 -m pytest tests"
  fields 'set(r) == {"external/tests_test_it.py_test_sum/n:10@mine", "external/tests_test_it.py_test_sum/n:100@mine"}'
  fields 'r["external/tests_test_it.py_test_sum/n:100@mine"]["env"]["reported"] == {"cells": [100, 100]}'
  if command -v valgrind >/dev/null; then
    run 0 'external/*' --worker mine="pytest:python3 -m pytest tests" --counters instructions "${caches[@]}"
    fields 'all(100 < one["counters"]["instructions"]["value"] < 1e6 for one in r.values())'
  fi
else
  echo "pytest-benchmark is not installed: its adapter was not tried"
fi
