#!/usr/bin/env bash
# A header without a guard is named; one with it passes.
set -euo pipefail

lint="$(dirname "$(readlink -f "$0")")/../lint_headers"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

if "$lint" "$tree" 2>/dev/null; then fail "a folder without headers passes"; fi
mkdir -p "$tree/results/gate"
printf '// A header.\n#pragma once\nint a();\n' >"$tree/results/gate/a.hpp"
echo 'int b() { return 1; }' >"$tree/results/b.cpp"
"$lint" "$tree" || fail "a header that says it is refused"
printf '// #pragma once\nint c();\n' >"$tree/results/gate/c.cuh"
if said="$("$lint" "$tree")"; then fail "a header without it passes"; fi
[[ $said == 'results/gate/c.cuh: has no line "#pragma once"' ]] || fail "it says: $said"
