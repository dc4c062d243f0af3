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
put results/record.hpp '#include "results/work.hpp"'
put results/tests/record_test.cpp '#include "results/record.hpp"'
put roofline/model.cpp '#include "results/record.hpp"'
put harness/host/cpus.cpp '#include <hwloc.h>'
put harness/protocol/axis.hpp '#include "results/json.hpp"'
put harness/sweep/plan.cpp '#include "harness/protocol/axis.hpp"
#include "harness/host/cpus.hpp"
#include "results/record.hpp"'
put harness/worker/variant.hpp '#include "harness/protocol/axis.hpp"
#include "harness/host/cpus.hpp"
#include "harness/trace/cache.hpp"
#include "results/work.hpp"
#include "uotbench_commit.hpp"'
put harness/trace/cache.hpp '#include <vector>'
put harness/simt/block.hpp '#include "harness/trace/cache.hpp"'
put kernels/uot/map_uot.cpp '#include "kernels/uot/problem.hpp"
#include "harness/worker/variant.hpp"
#include "harness/protocol/axis.hpp"
#include "harness/simt/block.hpp"
#include "results/work.hpp"'
put kernels/uot/tests/map_uot_test.cpp '#include "kernels/uot/problem.hpp"'
put tools/uotbench/main.cpp '#include "harness/sweep/plan.hpp"
#include "harness/host/cpus.hpp"
#include "roofline/model.hpp"
#include "tools/uotbench/command.hpp"
// #include "kernels/uot/problem.hpp" in a comment is none'
"$lint" "$tree" || fail "what is allowed is refused"

# What they may not.
refused results/bad.cpp '#include "harness/host/cpus.hpp"' 'results may not include harness/host'
refused results/tests/bad_test.cpp '#include "roofline/model.hpp"' 'it may include nothing else of ours'
refused roofline/bad.cpp '#include "harness/protocol/axis.hpp"' 'it may include results'
refused harness/host/bad.cpp '#include "results/error.hpp"' 'it may include nothing else of ours'
refused harness/protocol/bad.cpp '#include "harness/host/cpus.hpp"' 'it may include results'
refused harness/sweep/bad.cpp '#include "harness/worker/variant.hpp"' 'it may include harness/protocol, harness/host, results'
refused harness/worker/bad.cpp '#include "harness/sweep/plan.hpp"' 'may not include harness/sweep'
refused harness/trace/bad.cu '#include "results/work.hpp"' 'it may include nothing else of ours'
refused harness/simt/bad.cuh '#include "harness/worker/variant.hpp"' 'it may include harness/trace'
refused kernels/uot/bad.cpp '#include "kernels/match/problem.hpp"' 'kernels/uot may not include kernels/match'
refused kernels/uot/bad.cpp '#include "harness/sweep/plan.hpp"' 'may not include harness/sweep'
refused kernels/uot/bad.cpp '#include "harness/host/cpus.hpp"' 'may not include harness/host'
refused tools/uotbench/bad.cpp '#include "kernels/uot/problem.hpp"' 'tools may not include kernels/uot'
refused tools/uotbench/bad.cpp '#include "harness/worker/variant.hpp"' 'tools may not include harness/worker'
# Nor get round it.
refused kernels/uot/bad.cpp '#include "../match/problem.hpp"' "is no path from the project's root"
refused kernels/uot/bad.cpp '#include "problem.hpp"' "is no path from the project's root"
refused kernels/uot/bad.cpp '  #  include <kernels/match/problem.hpp>' 'may not include kernels/match'
refused kernels/uot/bad.cpp '#include <kernels/uot/problem.hpp>' 'include it with ""'
refused results/bad.cpp '#include "fmt/format.h"' 'libraries are included with <>'

# A source file outside every room would escape all rules.
for file in stray.cpp extras/stray.cpp kernels/stray.hpp harness/unknown/stray.hpp; do
  put "$file" '#include <vector>'
  if said="$("$lint" "$tree")"; then fail "$file passes"; fi
  [[ $said == "$file:1: in no room"* ]] || fail "$file: \"$said\""
  rm "$tree/$file"
done

# A lint that looks at nothing must not pass.
if "$lint" "$(mktemp -d -p "$tree")" 2>/dev/null; then fail "an empty folder passes"; fi

((failures == 0)) || exit 1
