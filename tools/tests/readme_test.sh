#!/usr/bin/env bash
# Every command in the README's sh blocks does what it says: it runs, in order, in a copy of the tree that shares
# only the build folder, and ends with 0. UOTBENCH_BIN_DIR is its bin.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../..")"
build="$root/build/release"
[[ -z ${UOTBENCH_BIN_DIR-} ]] || build="$(dirname "$UOTBENCH_BIN_DIR")"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT

cd "$root"
tools/list_files . | tar -cf - -T - | tar -xf - -C "$tree"
mkdir -p "$tree/build"
ln -s "$build" "$tree/build/release"

export XDG_CACHE_HOME="$tree/cache" # ceilings are measured here
cd "$tree"
commands=0
while IFS= read -r command; do
  echo "\$ $command"
  if ! bash -c "$command" >output 2>&1; then
    cat output
    echo "FAILED: the README's command does not end with 0: $command"
    exit 1
  fi
  commands=$((commands + 1))
done < <(sed -n '/^```sh$/,/^```$/p' README.md | grep -v '^```')

# A README whose fences changed would pass without having been tested.
if ((commands < 8)); then
  echo "FAILED: only $commands commands found in the README"
  exit 1
fi
