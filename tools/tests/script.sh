# What tests that are scripts begin with: source "$(dirname "$(readlink -f "$0")")/script.sh"
set -euo pipefail

root="$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")"
programs="${UOTBENCH_BIN_DIR-$root/build/release/bin}"
scratch="$(mktemp -d)"
# Most tests are not of ceilings, whose measuring takes seconds.
export UOTBENCH_STORED_CEILINGS="${UOTBENCH_STORED_CEILINGS-true}"
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}
