#!/usr/bin/env bash
# Every way to break the include direction is found, with file and line; what is allowed passes.
set -euo pipefail

lint="$(dirname "$(readlink -f "$0")")/../lint_includes"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
failures=0

# put FILE TEXT
put() {
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
}

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# refused FILE INCLUDE-LINE WORDS: the lint names the second line of FILE, and says WORDS.
refused() {
  local said
  put "$1" "#include <vector>"$'\n'"$2"
  if said="$("$lint" "$tree")"; then
    fail "$2 in $1 passes"
  elif [[ $said != "$1:2: "*"$3"* ]]; then
    fail "$2 in $1: \"$said\" does not say \"$1:2: … $3\""
  fi
  rm "$tree/$1"
}

# What the rooms may do.
put results/record/record.hpp '#pragma once
#include "results/statistics/statistics.hpp"
#include "results/base/error.hpp"'
put results/tests/record_test.cpp '#include "results/gate/decide/gate.hpp"
#include "results/tests/made.hpp"'
put roofline/model/model.cpp '#include "results/record/record.hpp"'
put roofline/figures/ladder/key.cpp '#include "roofline/figures/figure.hpp"
#include "roofline/draw/layout.hpp"'
put roofline/tests/model_test.cpp '#include "results/tests/made.hpp"'
put harness/host/facts/cpus.cpp '#include <hwloc.h>'
put harness/protocol/point.hpp '#pragma once
#include "results/base/value.hpp"'
put harness/sweep/plan/plan.cpp '#include "harness/protocol/point.hpp"
#include "harness/host/facts/cpus.hpp"
#include "results/record/record.hpp"'
put harness/worker/variant.hpp '#pragma once
#include "harness/protocol/point.hpp"
#include "results/record/work.hpp"'
put harness/worker/program/build.cpp '#include "uotbench_commit.hpp"'
put kernels/uot/map_uot.cpp '#include "kernels/uot/problem.hpp"
#include "harness/protocol/point.hpp"
#include "harness/simt/cuda.hpp"
#include "harness/worker/variant.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/uot/timed/map_uot.hpp"
#include "results/record/work.hpp"'
put include/uotbench/kernel.hpp '#pragma once
#include "harness/worker/buffer.hpp"'
put include/uotbench/uot.hpp '#pragma once
#include <uotbench/kernel.hpp>

#include "kernels/common/fast_exp.hpp"
#include "kernels/uot/problem.hpp"'
put kernels/uot/my_kernel.cpp '#include <uotbench/uot.hpp>
const Buffer<float> comes_by_it(7);'
put kernels/uot/tests/map_uot_test.cpp '#include "kernels/uot/problem.hpp"
#include "harness/worker/tests/family_fixture.hpp"'
put tools/uotbench/commands/main.cpp '#include "harness/sweep/plan/plan.hpp"
#include "harness/host/facts/cpus.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/command.hpp"
// #include "kernels/uot/problem.hpp" in a comment is none'
"$lint" "$tree" || fail "what is allowed is refused"

# What they may not.
refused results/view/bad.cpp '#include "harness/host/facts/cpus.hpp"' 'results/view may not include harness/host/facts'
refused results/record/bad.cpp '#include "results/view/view.hpp"' 'it may include results/statistics'
refused results/gate/decide/bad.cpp '#include "results/gate/tell/junit.hpp"' 'may not include results/gate/tell'
refused results/base/bad.cpp '#include "results/record/record.hpp"' 'it may include nothing else of ours'
refused results/tests/bad_test.cpp '#include "roofline/model/model.hpp"' 'results/tests may not include roofline/model'
refused results/tests/bad_test.cpp '#include "roofline/tests/made.hpp"' 'may not include roofline/tests'
refused roofline/model/bad.cpp '#include "harness/protocol/point.hpp"' 'it may include results/view'
refused roofline/draw/bad.cpp '#include "results/view/view.hpp"' 'it may include nothing else of ours'
refused roofline/tables/bad.cpp '#include "roofline/report/report.hpp"' 'it may include roofline/model'
refused harness/host/process/bad.cpp '#include "results/record/record.hpp"' 'it may include nothing else of ours'
refused harness/protocol/bad.cpp '#include "harness/host/facts/cpus.hpp"' 'it may include results/record'
refused harness/sweep/plan/bad.cpp '#include "harness/sweep/run/runner.hpp"' 'may not include harness/sweep/run'
refused harness/sweep/run/bad.cpp '#include "harness/worker/variant.hpp"' 'may not include harness/worker'
refused harness/worker/bad.cpp '#include "harness/sweep/plan/plan.hpp"' 'may not include harness/sweep'
refused harness/worker/bad.cpp '#include "harness/worker/serve/serve.hpp"' 'may not include harness/worker/serve'
refused harness/trace/threads/bad.cu '#include "harness/trace/warps/warps.hpp"' 'it may include harness/trace/base'
refused harness/simt/bad.cu '#include "harness/worker/variant.hpp"' 'it may include harness/simt/runtime'
refused kernels/uot/bad.cpp '#include "kernels/match/problem.hpp"' 'kernels/uot may not include kernels/match'
refused kernels/uot/bad.cpp '#include "harness/worker/tests/family_fixture.hpp"' 'may not include harness/worker/tests'
refused kernels/uot/bad.cpp '#include "harness/sweep/plan/plan.hpp"' 'may not include harness/sweep'
refused kernels/uot/bad.cpp '#include "harness/host/facts/cpus.hpp"' 'may not include harness/host'
refused include/uotbench/bad.cpp '#include "harness/sweep/plan/plan.hpp"' 'may not include harness/sweep'
refused harness/worker/bad.cpp '#include <uotbench/kernel.hpp>' 'harness/worker may not include include/uotbench'
refused kernels/common/bad.cpp '#include "kernels/uot/problem.hpp"' 'may not include kernels/uot'
refused tools/uotbench/commands/bad.cpp '#include "kernels/uot/problem.hpp"' 'may not include kernels/uot'
refused tools/uotbench/running/bad.cpp '#include "harness/worker/variant.hpp"' 'may not include harness/worker'
refused tools/uotbench/flags/bad.cpp '#include "tools/uotbench/running/execute.hpp"' 'may not include tools/uotbench/running'
# Nor get round it.
refused kernels/uot/bad.cpp '#include "../match/problem.hpp"' "is no path from the project's root"
refused kernels/uot/bad.cpp '#include "problem.hpp"' "is no path from the project's root"
refused kernels/uot/bad.cpp '  #  include <kernels/match/problem.hpp>' 'may not include kernels/match'
refused kernels/uot/bad.cpp '#include <kernels/uot/problem.hpp>' 'include it with ""'
refused kernels/uot/bad.cpp '#include "include/uotbench/uot.hpp"' 'include it as <uotbench/uot.hpp>'
refused results/view/bad.cpp '#include "fmt/format.h"' 'libraries are included with <>'

# What no compiler finds: a precompiled header that was forgotten; a file of no worker that asks for its worker.
refused kernels/uot/bad.cpp 'stdx::native_simd<float> x;' '"stdx::" is used; include experimental/simd'
refused kernels/uot/bad.cpp 'const Buffer<float> x(7);' 'include harness/worker/buffer.hpp'
refused kernels/uot/bad.cpp 'const Region region("plan");' 'include harness/worker/phases.hpp'
refused results/view/bad.cpp 'const Json x = Json::object();' 'include results/base/json.hpp'
refused results/view/bad.cpp 'auto x = fmt::format("{}", 7);' 'include fmt/format.h'
refused results/view/bad.cpp 'const std::string started = run.header.value("started", "");' "the first line of a run is a RunHeader"
refused tools/uotbench/views/bad.cpp 'void show(const Json& header);' "only results/record/run_file/ reads it as JSON"
refused harness/sweep/run/bad.cpp 'const auto answer = process.ask(message, "record", 60);' "answered by a RunReply"
refused tools/uotbench/running/bad.cpp 'const auto answer = process.exchange(message, "sources", 60);' "return values"
refused kernels/uot/shared/bad.cpp '#ifdef UOTBENCH_COUNTED' 'this file is compiled once for all'
refused kernels/uot/shared/deeper/bad.cpp 'int x = __AVX2__;' 'in timed/ it is compiled for each'
refused kernels/uot/shared/bad.cpp '#include "kernels/uot/timed/sums.hpp"' 'expected a header in shared/'
put kernels/uot/problem.hpp '#pragma once
#include "kernels/uot/timed/sums.hpp"'
if said="$("$lint" "$tree")"; then fail "problem.hpp may include a header of timed/"; fi
[[ $said == "kernels/uot/problem.hpp:2: "*'problem.hpp is compiled once; expected a header in shared/' ]] || fail "it says: $said"
rm "$tree/kernels/uot/problem.hpp"
put kernels/uot/timed/good.cpp '#include "kernels/uot/shared/solving.hpp"
int x = __AVX2__;'
put results/view/text.cpp '#include "results/view/text.hpp"
auto x = fmt::format("{}", 7);  // not Json
auto y = "Json";'
put results/view/text.hpp '#pragma once
#include <fmt/format.h>'
"$lint" "$tree" || fail "what comes by another header, or is a comment or a text, is refused"
rm "$tree"/results/view/text.*

refused results/view/bad.cpp '#include <nlohmann/json.hpp>' 'the JSON library is for results/base/json_text.cpp alone'

# A kernel that comes to JSON by a chain of headers would depend on how records are written.
put harness/protocol/heavy.hpp '#pragma once
#include "results/base/json.hpp"'
put kernels/uot/heavy.cpp '#include "harness/protocol/heavy.hpp"'
if said="$("$lint" "$tree")"; then fail "a kernel that reaches JSON passes"; fi
[[ $said == "harness/protocol/heavy.hpp:1: kernels include this header"*"kernels/uot/heavy.cpp -> "* ]] || fail "JSON in a kernel: \"$said\""
rm "$tree/kernels/uot/heavy.cpp" "$tree/harness/protocol/heavy.hpp"

put results/base/twice.hpp '#include <vector>'
if said="$("$lint" "$tree")"; then fail "a header without #pragma once passes"; fi
[[ $said == "results/base/twice.hpp:1: a header without #pragma once" ]] || fail "no #pragma once: \"$said\""
rm "$tree/results/base/twice.hpp"

# A source file outside every room would escape all rules.
for file in stray.cpp extras/stray.cpp kernels/stray.cpp harness/unknown/stray.cpp roofline/stray.cpp; do
  put "$file" '#include <vector>'
  if said="$("$lint" "$tree")"; then fail "$file passes"; fi
  [[ $said == "$file:1: in no room"* ]] || fail "$file: \"$said\""
  rm "$tree/$file"
done

# A lint that looks at nothing must not pass.
if "$lint" "$(mktemp -d -p "$tree")" 2>/dev/null; then fail "an empty folder passes"; fi

((failures == 0)) || exit 1
