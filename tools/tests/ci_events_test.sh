#!/usr/bin/env bash
# What the scripts of packaging/ci compare a commit with, event by event, in clones as CI services make them; and that a
# report which is too long, or a token that may not comment, hides no verdict.
source "$(dirname "$(readlink -f "$0")")/script.sh"
ci="$root/packaging/ci"
cd "$scratch"
export GIT_CONFIG_GLOBAL=/dev/null
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY BASELINE EVENT BASE BEFORE DEFAULT_BRANCH MERGE_COMMIT
git() { command git -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main "$@"; }
commit() { git commit -q --allow-empty -m "$1" && git rev-parse HEAD; }
zeros=0000000000000000000000000000000000000000

# main: first, second, third; change: first, a, b; merged: the change with second, as a service merged it a while ago.
git init -q --bare upstream
git -C upstream config uploadpack.allowAnySHA1InWant true
git clone -q upstream made 2>/dev/null
cd made
first="$(commit first)"
git checkout -q -b change
a="$(commit a)"
b="$(commit b)"
git checkout -q main
second="$(commit second)"
git checkout -q --detach main
git merge -q --no-ff --no-edit -m merged change
merged="$(git rev-parse HEAD)"
git checkout -q main
third="$(commit third)"
git push -q origin main change "$merged:refs/pull/1/merge"
cd ..

# at COMMIT [DEPTH]: a clone whose HEAD is that one, detached.
at() {
  rm -rf clone
  git init -q clone
  git -C clone remote add origin "file://$scratch/upstream"
  git -C clone fetch -q ${2:+--depth="$2"} origin "$1"
  ((${2-0})) || git -C clone fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
  git -C clone checkout -q --detach "$1" 2>/dev/null
}
# expect "REV FLAG" VARIABLE=VALUE...: what is chosen in the clone.
expect() {
  local wanted="$1" got
  shift
  got="$(cd clone && env "$@" "$ci/baseline" 2>said)" || fail "$*: $(cat clone/said)"
  got="$(tr '\n' ' ' <<<"$got")"
  [[ "${got#--baseline-ref }" == "$wanted "* && ($wanted == *--exact-ref || $got != *--exact-ref*) ]] ||
    fail "$*: compared with ${got:-nothing}, not with $wanted: $(cat clone/said)"
}

for depth in "" 1; do # the rest of a shallow clone is fetched
  at "$merged" $depth
  expect "$second --exact-ref" EVENT=pull_request MERGE_COMMIT="$merged" BASE="$first" DEFAULT_BRANCH=main
  at "$b" $depth
  expect "$third" EVENT=pull_request MERGE_COMMIT="$merged" BASE="$third" DEFAULT_BRANCH=main
  expect "$third --exact-ref" EVENT=merge_group BASE="$third" DEFAULT_BRANCH=main
  expect "$a --exact-ref" EVENT=push BEFORE="$a" DEFAULT_BRANCH=main
  expect origin/main EVENT=push BEFORE="$zeros" DEFAULT_BRANCH=main
  expect origin/main EVENT=push BEFORE="$second" DEFAULT_BRANCH=main # forced: it came from elsewhere
  expect origin/main EVENT=push BEFORE=1111111111111111111111111111111111111111 DEFAULT_BRANCH=main
  expect origin/main EVENT=workflow_dispatch DEFAULT_BRANCH=main
  at "$third" $depth
  expect "$second --exact-ref" EVENT=push BEFORE="$zeros" DEFAULT_BRANCH=main
  expect "$second --exact-ref" EVENT=workflow_dispatch DEFAULT_BRANCH=main
  expect "$first --exact-ref" EVENT=push BEFORE="$a" DEFAULT_BRANCH=main # main itself was forced
  expect v1 BASELINE=v1
  expect "$second --exact-ref" BASELINE="$zeros"
done

# The first commit of all: a report, and no red job. Without its history: an error that says what to set.
at "$first"
(cd clone && EVENT=push BEFORE="$zeros" DEFAULT_BRANCH=main GITHUB_STEP_SUMMARY="$scratch/summary" "$ci/gate") >out 2>&1 ||
  fail "the first commit: $(cat out)"
grep -q "first commit" clone/uotbench-gate.md summary || fail "no report of the first commit: $(cat out)"
at "$third" 1
git -C clone remote set-url origin "$scratch/nowhere"
code=0
(cd clone && EVENT=push BEFORE="$zeros" "$ci/gate") >out 2>&1 || code=$?
[[ $code == 2 && -s clone/uotbench-gate.md ]] && grep -q "fetch-depth: 0" out || fail "shallow: $code, $(cat out)"

# A comment that may not be written is a warning; one that is too long is cut, and never goes by the command line.
mkdir gh
cat >gh/gh <<END
#!/bin/sh
case "\$*" in
*PATCH* | *POST*)
  [ -e "$scratch/forbidden" ] && { echo "gh: Resource not accessible by integration (HTTP 403)" >&2; exit 1; }
  for word; do case "\$word" in body=@*) cp "\${word#body=@}" "$scratch/body" ;; esac; done ;;
esac
END
chmod +x gh/gh
export PATH="$scratch/gh:$PATH" GITHUB_REPOSITORY=o/n WHERE="the artefact of run 17"
python3 - <<'END'
row = "| `uot/one_read/M:1/N:16@native-v4` | **regressed** | 1.10x | 1 us | é |\n"
open("long.md", "w").write("### gate\n\n<details><summary>all</summary>\n\n" + row * 3000 + "\n</details>\n")
open("line.md", "w").write("é" * 100000)
open("short.md", "w").write("ok\n")
END
for name in long line; do
  "$ci/comment" 7 $name.md || fail "$name.md: not written"
  python3 - $name <<'END' || fail "$name.md: cut in the wrong place"
import sys
text = open("body", encoding="utf-8").read()
assert text.startswith("<!-- uotbench gate -->\n") and 50000 < len(text.encode()) < 65536, len(text)
assert text.rstrip().endswith("All of it: the artefact of run 17."), text[-200:]
assert text.count("<details>") == text.count("</details>")
END
done
"$ci/comment" 7 short.md && [[ $(tail -n 1 body) == ok ]] || fail "a short comment is cut: $(cat body)"
touch forbidden
"$ci/comment" 7 short.md >out || fail "a comment that is forbidden fails the job"
grep -q "^::warning .*HTTP 403" out || fail "nothing is said of it: $(cat out)"
