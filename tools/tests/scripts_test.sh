#!/usr/bin/env bash
# The scripts a newcomer meets first: they explain themselves, refuse slips in one line before doing anything, and
# touch the system's packages only where something is missing.
set -euo pipefail

tools="$(readlink -f "$(dirname "$(readlink -f "$0")")/..")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# expect NAME WANTED-CODE COMMAND...: runs it; its output is in $said.
expect() {
  local name="$1" wanted="$2" code=0
  shift 2
  said="$("$@" 2>&1 </dev/null)" || code=$?
  [[ $code == "$wanted" ]] || fail "$name: exit code $code, not $wanted: $said"
}

cd / # scripts find their project from anywhere
for script in quickstart check gate_proof newer_openblas; do
  expect "$script --help" 0 "$tools/$script" --help
  [[ $said == "usage: tools/$script"* ]] || fail "$script --help says: $said"
  expect "$script --bad" 2 "$tools/$script" --bad
  [[ $said == "$script: unknown option \"--bad\"; see tools/$script --help" ]] || fail "$script --bad says: $said"
done
ln -s "$tools/quickstart" "$scratch/link"
expect "quickstart by a symbolic link" 0 "$scratch/link" --help
expect "install_packages without a kind" 2 "$tools/install_packages"
expect "install_packages with a bad kind" 2 "$tools/install_packages" run tests
[[ $said == 'install_packages: "tests" is neither run nor test' ]] || fail "a bad kind: $said"

# A made system: dpkg-query knows what $scratch/installed lists; apt-get writes down how it was called.
mkdir "$scratch/bin"
make_program() {
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
# shellcheck disable=SC2016
make_program dpkg-query 'for name; do :; done; grep -qx "$name" '"$scratch"'/installed && printf "installed "'
make_program apt-get "echo \"\$DEBIAN_FRONTEND: \$*\" >>$scratch/apt"
make_program sudo 'exit 1'
make_program id 'echo 1000'
install() { PATH="$scratch/bin:$PATH" "$tools/install_packages" "$@"; }
cat "$tools"/packages.txt "$tools"/../kernels/*/packages.txt 2>/dev/null | awk '!/^#/ && NF { print $1 }' |
  sort -u >"$scratch/installed" || true

expect "nothing missing" 0 install run test
[[ $said == "packages: all $(wc -l <"$scratch/installed") are installed" ]] || fail "nothing missing: $said"
[[ ! -e $scratch/apt ]] || fail "nothing missing, and apt-get was run"

# Without rights: the exact line to run, and a stop.
sed -i '/^libfmt-dev$/d; /^libgtest-dev$/d' "$scratch/installed"
expect "no rights" 2 install run
[[ $said == *$'\napt-get update && apt-get install -y --no-install-recommends libfmt-dev' ]] || fail "no rights: $said"
[[ ! -e $scratch/apt ]] || fail "no rights, and apt-get was run"

# As root: what is missing, of the kinds asked for, without a question.
make_program id 'echo 0'
expect "root" 0 install run test
[[ $(cat "$scratch/apt") == "noninteractive: "*" update"$'\n'"noninteractive: "*" install -y --no-install-recommends "* ]] ||
  fail "root: $(cat "$scratch/apt")"
[[ $(tail -n 1 "$scratch/apt") == *"libfmt-dev libgtest-dev" ]] || fail "root: $(cat "$scratch/apt")"

((failures == 0)) || exit 1
