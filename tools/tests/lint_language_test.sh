#!/usr/bin/env bash
# lint_language finds a key that no page tells of, and takes those that stand in backquotes or in a listing.
set -euo pipefail

tools="$(dirname "$(readlink -f "$0")")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p configs docs/guide docs/reference
for language in sweep figures project claims; do
  echo '{"properties": {"name": {}, "measure": {"items": {"properties": {"rounds": {}}}}}}' >"configs/$language.schema.json"
done
for page in reference/sweeps guide/figures guide/gate_project guide/claims; do
  # shellcheck disable=SC2016
  echo 'The `name`, `measure.rounds` and {"measure": {}}.' >"docs/$page.md"
done
"$tools/lint_language" . || {
  echo "FAILED: sound pages are refused"
  exit 1
}
echo 'The `name` and {"measure": {}}; rounds is no key here.' >docs/reference/sweeps.md
if said="$("$tools/lint_language" .)"; then
  echo "FAILED: a key that is not described is not found"
  exit 1
fi
[[ $said == 'docs/reference/sweeps.md: the key "rounds" of configs/sweep.schema.json is not described' ]] || {
  echo "FAILED: it says: $said"
  exit 1
}
