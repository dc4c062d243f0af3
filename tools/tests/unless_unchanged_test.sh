#!/usr/bin/env bash
# A test of minutes is left out only where everything that it depends on is as it was when it passed: a byte of a
# kernel, of the harness, of a sweep or of the build makes it run again, and a text that it does not read does not.
source "$(dirname "$(readlink -f "$0")")/script.sh"

mkdir -p "$scratch/tree/build/release/bin"
"$root/tools/list_files" "$root" | tar -C "$root" -cf - -T - | tar -C "$scratch/tree" -xf -
cd "$scratch/tree"
echo "CMAKE_CXX_FLAGS:STRING=" >build/release/CMakeCache.txt
export UOTBENCH_BIN_DIR="$PWD/build/release/bin" XDG_CACHE_HOME="$scratch/cache"
unset UOTBENCH_SKIP_UNCHANGED
key() { tools/unless_unchanged --keys "$1" | sed "s/^$1 //"; }

asan="$(key tools.asan_test)" one_file="$(key tools.one_file_variant_test)" install="$(key tools.install_test)"
[[ $asan =~ ^[0-9a-f]{16}$ && $asan != "$one_file" && $one_file != "$install" ]] || fail "keys: $asan $one_file $install"
[[ $(key tools.asan_test) == "$asan" ]] || fail "the same content has two keys"
# changed FILE: one byte more of it changes all keys.
changed() {
  cp "$1" "$scratch/saved"
  echo >>"$1"
  local name
  for name in asan one_file install; do
    local test=tools.${name}_test
    [[ $name != one_file ]] || test=tools.one_file_variant_test
    [[ $(key "$test") != "${!name}" ]] || fail "a changed $1 does not change the key of $test"
  done
  cp "$scratch/saved" "$1"
  [[ $(key tools.asan_test) == "$asan" ]] || fail "$1 is as it was, and the key is not"
}
changed kernels/uot/map_uot.cpp
harness="$(find harness/worker -name measure.cpp -print -quit)"
changed "$harness"
changed "$(find kernels -name awkward.json -print -quit)"
changed CMakeLists.txt
changed tools/tests/asan_test.sh
changed tools/unless_unchanged
changed build/release/CMakeCache.txt
echo "int added;" >kernels/uot/added.cpp
[[ $(key tools.asan_test) != "$asan" ]] || fail "a new file does not change the key"
rm kernels/uot/added.cpp

# Of texts only those count that the test reads.
uot="$(key kernels_uot_tests)" tools="$(key tools_tests)"
echo "A line." >>README.md
echo "A line." >>docs/guide/gpu.md
[[ $(key tools.one_file_variant_test) == "$one_file" ]] || fail "one_file_variant_test does not read these pages, and its key is another"
[[ $(key kernels_uot_tests) == "$uot" ]] || fail "the tests of uot read no page, and their key is another"
[[ $(key tools_tests) != "$tools" ]] || fail "the tests of tools read pages, and their key is the same"
echo "A line." >>docs/guide/kernels.md
[[ $(key tools.asan_test) == "$asan" ]] || fail "asan_test reads no page, and its key is another"
cp kernels/uot/tests/judge_test.cpp "$scratch/saved"
echo "// A line." >>kernels/uot/tests/judge_test.cpp
[[ $(key tools.asan_test) == "$asan" ]] || fail "asan_test builds no tests, and its key is another"
[[ $(key tools.one_file_variant_test) != "$one_file" ]] || fail "one_file_variant_test has them in its tree; its key is the same"
cp "$scratch/saved" kernels/uot/tests/judge_test.cpp
echo "// A line." >>templates/variant/two_passes.cpp
[[ $(key tools.one_file_variant_test) != "$one_file" ]] || fail "one_file_variant_test writes from this template; its key is the same"
[[ $(key tools.install_test) != "$install" ]] || fail "install_test reads docs/guide/kernels.md; its key is the same"

# Only a pass is kept, only tools/check skips, and none for longer than a week.
printf '#!/bin/sh\necho ran\nexit $(cat %s)\n' "$scratch/code" >"$scratch/made"
chmod +x "$scratch/made"
# expect NAME CODE SAID [SKIPPED-FILE]
expect() {
  local code=0 said
  said="$(UOTBENCH_SKIP_UNCHANGED="${4-}" tools/unless_unchanged tools.made "$scratch/made" 2>&1)" || code=$?
  [[ $code == "$2" && $said == $3 ]] || fail "$1: exit code $code, and it says: $said"
}
echo 1 >"$scratch/code"
expect "a test that fails" 1 ran "$scratch/skipped"
expect "after a failure" 1 ran "$scratch/skipped"
echo 0 >"$scratch/code"
expect "a test that passes" 0 ran "$scratch/skipped"
expect "after a pass" 77 "tools.made: skipped; passed on equal content on 20* (key *)" "$scratch/skipped"
[[ $(wc -l <"$scratch/skipped") == 1 ]] || fail "the list of what was skipped: $(cat "$scratch/skipped")"
expect "where nobody asked to skip" 0 ran
find "$scratch/cache" -type f -exec touch -d '8 days ago' {} +
expect "after a week" 0 ran "$scratch/skipped"
echo "// A change." >>kernels/uot/map_uot.cpp
expect "after a change" 0 ran "$scratch/skipped"

# What is asked and kept by name, as tools/check does for programs of tests.
if tools/unless_unchanged --passed some_tests 0123; then fail "some_tests passed nowhere"; fi
tools/unless_unchanged --keep some_tests 0123
[[ $(tools/unless_unchanged --passed some_tests 0123) == "some_tests: skipped; passed on equal content on 20"*" (key 0123)" ]] ||
  fail "a pass that was kept is not found"
if tools/unless_unchanged --passed some_tests 0124; then fail "another content is not that which passed"; fi
