#!/usr/bin/env bash
# One new file is a new variant, with nothing else edited: the example of docs/kernels.md, added to a copy of the tree,
# is listed and judged right; so is another in a folder outside it (UOTBENCH_KERNEL_DIRS), whose commit is told.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../..")"
programs="${UOTBENCH_BIN_DIR-$root/build/release/bin}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

mkdir "$scratch/tree"
"$root/tools/list_files" "$root" | tar -C "$root" -cf - -T - | tar -C "$scratch/tree" -xf -
cd "$scratch/tree"
awk '/^```cpp$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/kernels.md >"$scratch/example.cpp"
name="$(sed -n 's|.*\.name = "uot/\([a-z_]*\)".*|\1|p' "$scratch/example.cpp")"
[[ -n $name ]] || fail "docs/kernels.md shows no variant of uot"
(($(wc -l <"$scratch/example.cpp") < 60)) || fail "the variant of docs/kernels.md has 60 lines or more"
[[ ! -e kernels/uot/$name.cpp ]] || fail "uot/$name is there already"
mv "$scratch/example.cpp" "kernels/uot/$name.cpp"

# Somebody's repository with the same kernel under another name.
theirs="$scratch/some folder"
mkdir -p "$theirs/uot"
sed "s|uot/$name|uot/another|" "kernels/uot/$name.cpp" >"$theirs/uot/another.cpp"
git -C "$theirs" init -q .
git -C "$theirs" add .
git -C "$theirs" -c user.name=somebody -c user.email=somebody@example.org commit -qm "My kernel"

# One worker, and of it as little as can be: a compiler cache, where there is one, has the rest.
worker=native
[[ $(uname -m) != x86_64 ]] || worker=native-v3
cmake --preset release -DUOTBENCH_TESTS=OFF -DUOTBENCH_KERNEL_DIRS="$theirs" >/dev/null
cmake --build build/release --target "uotbench-worker-$worker" --parallel 2 >"$scratch/log" ||
  fail "it does not build: $(tail -n 30 "$scratch/log")"

cd "$scratch"
mine="mine=$scratch/tree/build/release/bin/uotbench-worker-$worker"
"$programs/uotbench" list --worker "$mine" >"$scratch/list"
grep -Eq "^uot/$name +mine " "$scratch/list" || fail "uot/$name is not listed: $(cat "$scratch/list")"
"$programs/uotbench" run "uot/$name" uot/another --worker "$mine" -a "M,N=1,1;37,53;64,33" -a dtype=f32,f64 \
  -a scheme=unbalanced,damped -a threads=1,2 --verify-only --quiet --output run.jsonl ||
  fail "uot/$name is not right: $("$programs/uotbench" show run.jsonl)"
told="{\"folder\":\"$theirs/uot\",\"commit\":\"$(git -C "$theirs" rev-parse HEAD)\",\"dirty\":false}"
head -n 1 run.jsonl | grep -Fq "\"kernel_dirs\":[$told]" || fail "$told is not in: $(head -n 1 run.jsonl)"
