#!/usr/bin/env bash
# tools/quickstart builds what its table needs, shows the table, and builds the rest only then, saying so; an interrupted
# run is the end. Nothing is compiled here: cmake and uotbench are made, and write down how they were called.
source "$(dirname "$(readlink -f "$0")")/script.sh"

# made PROGRAM TEXT
made() {
  printf '#!/bin/bash\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
tree="$scratch/tree"
mkdir -p "$tree/tools" "$tree/build/release/bin" "$scratch/bin"
touch "$tree/build/release/build.ninja"
cp "$root/tools/quickstart" "$tree/tools/"
made "$tree/tools/install_packages" ':'
# shellcheck disable=SC2016
made "$scratch/bin/cmake" '
all="$*"
echo "cmake ${all##*--target }" >>'"$scratch"'/calls'
# Each file is compiled once, and linked into as many programs as like.
# shellcheck disable=SC2016
made "$scratch/bin/ninja" '
[[ $* == "-C build/release -t commands "* ]] || exit 2
echo "c++ -MF bin/uotbench.d -o bin/uotbench -c there.cpp"
for ((i = 0; i < $(cat '"$scratch"'/left); ++i)); do echo "c++ -o $i.o -c $i.cpp && c++ -o $i.o"; done'
# shellcheck disable=SC2016
made "$tree/build/release/bin/uotbench" '
echo "uotbench $*" >>'"$scratch"'/calls
[[ $1 != --sweep ]] || { echo TABLE; exit $(cat '"$scratch"'/code); }'
# quickstart CODE WANTED-CALLS [OPTION...]: what it says is in $said.
quickstart() {
  local wanted="$1" calls="$2" code=0
  shift 2
  rm -f "$scratch/calls"
  said="$(PATH="$scratch/bin:$PATH" "$tree/tools/quickstart" "$@" 2>&1)" || code=$?
  ((code == wanted)) || fail "quickstart $*: exit code $code, not $wanted: $said"
  # shellcheck disable=SC2053
  [[ $(tr '\n' '|' <"$scratch/calls") == $calls ]] || fail "quickstart $* calls: $(cat "$scratch/calls")"
}

first='cmake uotbench uotbench-worker-oracle uotbench-worker-native*|uotbench --sweep quickstart.json|'
echo 20 >"$scratch/left"
echo 0 >"$scratch/code"
quickstart 0 "${first}cmake programs|"
[[ $said == *TABLE*"Now the other workers are built"*"20 steps"*"You may stop it (Ctrl-C)"* ]] || fail "it says: $said"
echo 1 >"$scratch/code"
quickstart 1 "${first}cmake programs|"
echo 130 >"$scratch/code"
quickstart 130 "$first"
echo 0 >"$scratch/left"
echo 0 >"$scratch/code"
quickstart 0 "${first}cmake programs|"
[[ $said != *"other workers are built"* ]] || fail "nothing is left to build, and it says: $said"
quickstart 0 "cmake programs|" --build-only
