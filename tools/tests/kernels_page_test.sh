#!/usr/bin/env bash
# The files that docs/guide/kernels.md and outside.md show are those that `uotbench new variant` writes.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../..")"
pages="$root/docs/guide"

# same PAGE LANGUAGE FILE: the page's block in LANGUAGE is FILE.
same() {
  diff <(sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" "$pages/$1" | grep -v '^```') "$3" || {
    echo "FAILED: the $2 block of docs/guide/$1 is not the template"
    exit 1
  }
}
same kernels.md cpp <(sed 's/two_passes/my_kernel/g; s/TwoPasses/MyKernel/g' "$root/templates/variant/two_passes.cpp")
same kernels.md python "$root/templates/variant/two_passes.py"
same outside.md cmake <(sed 's/two_passes/mine/g' "$root/templates/variant/CMakeLists.txt")
