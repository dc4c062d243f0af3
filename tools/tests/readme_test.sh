#!/usr/bin/env bash
# Every uotbench command that the README shows does what it says, in the order in which it stands there.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")"
programs="${UOTBENCH_BIN_DIR-$root/build/release/bin}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/build/release"
ln -s "$programs" "$scratch/build/release/bin"
cd "$scratch"

count=0
while IFS= read -r command; do
  count=$((count + 1))
  code=0
  said="$(bash -c "$command" 2>&1 </dev/null)" || code=$?
  if ((code != 0)); then
    echo "FAILED: exit code $code of: $command"
    echo "$said"
    exit 1
  fi
done < <(awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside && /^build\/release\/bin\//' "$root/README.md")
((count >= 5)) || {
  echo "FAILED: the README shows $count commands"
  exit 1
}
