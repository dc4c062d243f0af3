#!/usr/bin/env bash
# lint_language finds a key that no page tells of, and takes those that stand in backquotes or in a listing.
set -euo pipefail

tools="$(dirname "$(readlink -f "$0")")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir configs docs
for language in sweep figures project claims; do
  echo '{"properties": {"name": {}, "measure": {"items": {"properties": {"rounds": {}}}}}}' >"configs/$language.schema.json"
done
for page in run figures gate_project claims; do
  # shellcheck disable=SC2016
  echo 'The `name`, `measure.rounds` and {"measure": {}}.' >"docs/$page.md"
done
"$tools/lint_language" . || {
  echo "FAILED: sound pages are refused"
  exit 1
}
echo 'The `name` and {"measure": {}}; rounds is no key here.' >docs/run.md
if said="$("$tools/lint_language" .)"; then
  echo "FAILED: a key that is not described is not found"
  exit 1
fi
[[ $said == 'docs/run.md: the key "rounds" of configs/sweep.schema.json is not described' ]] || {
  echo "FAILED: it says: $said"
  exit 1
}
