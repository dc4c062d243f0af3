#!/usr/bin/env bash
# Every command in the sh blocks of the README, and of the pages that continue it, does what it says: the commands run,
# in order, in a copy of the tree that shares only the build folder, and end with 0. UOTBENCH_BIN_DIR is its bin.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../../..")"
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

# A reader stays in the shell where the README set PATH, with the runs that were made there.
# figures.md and columns.md come first: docs/reference/sweeps.md leaves a shorter run of the same name.
for page in README.md docs/guide/first_steps.md docs/guide/figures.md docs/reference/columns.md \
  docs/reference/sweeps.md docs/guide/data.md docs/guide/stored_baselines.md docs/guide/gpu.md docs/results/matching.md \
  docs/reference/counters.md docs/results/solves.md docs/guide/workers.md; do
  # The ceilings of the first two pages are enough; each run elsewhere would measure its own for 5 s.
  if [[ $page != README.md && $page != docs/guide/first_steps.md ]]; then export UOTBENCH_STORED_CEILINGS=true; fi
  # The sweep that this page lists.
  if [[ $page == docs/guide/stored_baselines.md ]]; then sed -n '/^{"name": "counts"/,/^```$/p' "$page" | grep -v '^```' >counts.json; fi
  commands=0
  while IFS= read -r command; do
    echo "\$ $command"
    if [[ $command == "export PATH="* ]]; then
      eval "$command"
    elif ! bash -c "$command" >output 2>&1 </dev/null; then
      cat output
      echo "FAILED: a command of $page does not end with 0: $command"
      exit 1
    fi
    commands=$((commands + 1))
  done < <(sed -n '/^```sh$/,/^```$/p' "$page" | grep -v '^```' | sed -e ':more' -e '/\\$/ { N; s/\\\n *//; b more' -e '}')

  # A page whose fences changed would pass without having been tested.
  if ((commands < 1)) || { ((commands < 3)) && [[ $page != docs/results/solves.md ]]; }; then
    echo "FAILED: only $commands commands found in $page"
    exit 1
  fi
done

# `uotbench` is the program that was built, not one that happens to be installed.
found="$(readlink -f "$(command -v uotbench)")"
if [[ $found != "$(readlink -f "$build/bin/uotbench")" ]]; then
  echo "FAILED: with the README's PATH uotbench is $found"
  exit 1
fi
