#!/usr/bin/env bash
# An installation is whole: without the tree it finds its data, and a kernel in somebody's own repository becomes a
# worker from five lines of CMake, whose records carry that repository's commit.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")"
programs="${UOTBENCH_BIN_DIR-$root/build/release/bin}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}
# expect COMMAND...: it ends with 0; its output is in $said.
expect() {
  said="$("$@" 2>&1 </dev/null)" || fail "$*: exit code $?: $(tail -n 30 <<<"$said")"
}

# Where docs/kernels.md installs to.
export HOME="$scratch"
uotbench="$HOME/uotbench/bin/uotbench"
expect cmake --install "$(dirname "$programs")" --prefix ~/uotbench
expect "$root/tools/lint_links" ~/uotbench/share/doc/uotbench # its pages have what they link to
[[ -s ~/uotbench/share/doc/uotbench/README.md ]] || fail "no README is installed"

# Shells find their completions there, and man its page.
share=~/uotbench/share
for file in bash-completion/completions/uotbench zsh/site-functions/_uotbench fish/vendor_completions.d/uotbench.fish man/man1/uotbench.1; do
  grep -q 'uotbench' "$share/$file" || fail "$share/$file says nothing of uotbench"
done

# With the commands of docs/kernels.md, the first of which writes a kernel and its CMakeLists.txt.
mkdir "$scratch/mine"
cd "$scratch/mine"
name=uot/mine
expect "$uotbench" new variant mine
(($(wc -l <CMakeLists.txt) <= 6)) || fail "a kernel needs more than six lines of CMake: $(cat CMakeLists.txt)"
git init -q .
git add .
git -c user.name=somebody -c user.email=somebody@example.org commit -qm "My kernel"
commit="$(git rev-parse HEAD)"
export CMAKE_BUILD_PARALLEL_LEVEL=2
commands=0
while IFS= read -r command; do
  expect bash -c "$command"
  commands=$((commands + 1))
done < <(sed -n '/^## Outside/,$ { /^```sh$/,/^```$/p }' "$root/docs/kernels.md" | grep -Ev '^```|--install build/release|new variant mine')
((commands == 5)) || fail "docs/kernels.md has $commands more commands for outside the tree, not 5"
rm -r results ~/uotbench/bin/uotbench-worker-mine ~/uotbench/share/uotbench/configs/workers/mine.json

# From here on the tree is hidden, where the system lets us.
unseen=()
if unshare -rm mount -t tmpfs none "$root" 2>/dev/null; then
  # shellcheck disable=SC2016
  unseen=(unshare -rm sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$root")
else
  echo "no mount namespaces here: the tree stays in sight"
fi
worker="mine=./build/uotbench-worker-mine"
expect "${unseen[@]}" "$uotbench" list --worker "$worker"
grep -Eq "^$name +mine " <<<"$said" || fail "$name is not listed: $said"
grep -Eq "^uot/one_read +native" <<<"$said" || fail "the installed workers are not listed: $said"
grep -Eq "^uot/pure_python +python" <<<"$said" || fail "the installed worker python is not listed: $said"
run=(run "$name" --rounds 1 --max-time 20ms -a 'M,N=37,53')
expect "${unseen[@]}" "$uotbench" "${run[@]}" -a dtype=f32,f64 --worker "$worker" --output "$scratch/run.jsonl"

# build RUN: how worker mine was built.
build() { head -n 1 "$1" | sed 's/.*"mine":\({[^}]*}\).*/\1/'; }
[[ $(grep -c '"kind":"case".*"status":"ok"' "$scratch/run.jsonl") == 2 ]] || fail "not two cases are ok: $said"
built="$(build "$scratch/run.jsonl")"
[[ $built == *"\"commit\":\"$commit\",\"dirty\":false,\"uotbench\":\""* ]] || fail "$commit is not the worker's: $built"
[[ $built == *'"flags":"'*'-march=native'* ]] || fail "the default flags are not told: $built"

# A change that is not committed is told; installed beside the program, the worker is known by name.
echo "// A change." >>mine.cpp
expect cmake --build build
expect cmake --install build
mv build "$scratch/away"
expect "${unseen[@]}" "$uotbench" "${run[@]}" --worker mine --output "$scratch/again.jsonl"
built="$(build "$scratch/again.jsonl")"
[[ $built == *"\"commit\":\"$commit\",\"dirty\":true"* ]] || fail "the change is not told: $built"

# Slips are refused when configuring, in one line that says what would be right.
refused() {
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nfind_package(uotbench REQUIRED)\n%s\n' "$1" >CMakeLists.txt
  if said="$(cmake -B "$scratch/slips" -DCMAKE_PREFIX_PATH="$HOME/uotbench" 2>&1)"; then fail "$1 is taken"; fi
  said="$(tr -s ' \n' ' ' <<<"$said")"
  [[ $said == *"$2"* ]] || fail "$1: \"$2\" is not in: $said"
}
refused 'uotbench_add_worker(mine)' 'uotbench_add_worker(mine): no source files; uotbench_add_worker(mine my_uot.cpp FLAGS -march=native) would be right'
refused 'uotbench_add_worker("my own" my_uot.cpp)' '"my own" is no name of letters, digits'
