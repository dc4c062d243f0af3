#!/usr/bin/env bash
# tools/newer_openblas installs into build/openblas alone, gives the library the name that workers load, and says how to
# use it. pip is made: it writes down how it was called.
source "$(dirname "$(readlink -f "$0")")/script.sh"

tree="$scratch/tree"
mkdir -p "$tree/tools"
cp "$root/tools/newer_openblas" "$tree/tools/"
libraries="$tree/build/openblas/scipy_openblas32/lib"
# shellcheck disable=SC2016
printf '#!/bin/bash\necho "$*" >'"$scratch"'/call\n[[ ! -e '"$scratch"'/offline ]] || exit 1
mkdir -p '"$libraries"' && touch '"$libraries"'/libscipy_openblas.so\n' >"$scratch/python"
chmod +x "$scratch/python"
# install WANTED-CODE [OPTION...]: what it says is in $said.
install() {
  local wanted="$1" code=0
  shift
  said="$(UOTBENCH_PYTHON="$scratch/python" "$tree/tools/newer_openblas" "$@" 2>&1)" || code=$?
  ((code == wanted)) || fail "newer_openblas $*: exit code $code, not $wanted: $said"
}

for again in first second; do
  install 0
  [[ $(cat "$scratch/call") == "-m pip install "*" --target $tree/build/openblas scipy-openblas32" ]] ||
    fail "$again call: $(cat "$scratch/call")"
  [[ $(readlink "$libraries/libopenblas.so.0") == libscipy_openblas.so ]] || fail "$again: no libopenblas.so.0"
  [[ $said == *"cmake -DUOTBENCH_OPENBLAS=$libraries build/release && "* ]] || fail "$again says: $said"
done

touch "$scratch/offline"
install 1
[[ $said == "newer_openblas: not installed; it takes pip"* && ! -e $tree/build/openblas ]] || fail "offline says: $said"
install 0 --help
install 2 --bad
[[ $said == 'newer_openblas: unknown option "--bad"; see tools/newer_openblas --help' ]] || fail "a bad option: $said"
