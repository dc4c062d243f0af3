#!/usr/bin/env bash
# The files that docs/guide/kernels.md shows are those that `uotbench new variant` writes.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../..")"
page="$root/docs/guide/kernels.md"

# same LANGUAGE FILE: the page's block in LANGUAGE is FILE.
same() {
  diff <(sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$page" | grep -v '^```') "$2" || {
    echo "FAILED: the $1 block of docs/guide/kernels.md is not the template"
    exit 1
  }
}
same cpp <(sed 's/two_passes/my_kernel/g; s/TwoPasses/MyKernel/g' "$root/templates/variant/two_passes.cpp")
same python "$root/templates/variant/two_passes.py"
same cmake <(sed 's/two_passes/mine/g' "$root/templates/variant/CMakeLists.txt")
