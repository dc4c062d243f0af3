#!/usr/bin/env bash
# The workflow for a fork in docs/guide/packages.md is what GitHub takes, and its gate is a command that runs, as is that of
# docs/guide/ci.md: in a clone of a repository of two commits, whose sweep gate.json is a small one. UOTBENCH_BIN_DIR is the
# programs' folder.
set -euo pipefail

root="$(readlink -f "$(dirname "$0")/../../..")"
bin="${UOTBENCH_BIN_DIR-$root/build/release/bin}"
fail() {
  echo "FAILED: $*"
  exit 1
}
if ! python3 -c 'import yaml' 2>/dev/null; then
  echo "skipped: python3-yaml is missing"
  exit 77
fi

# The workflow's commands, a line each. The other gate is the first command of docs/guide/ci.md, which the README has, too.
commands="$(
  sed -n '/^## A fork/,$ { /^```yaml$/,/^```$/p }' "$root/docs/guide/packages.md" | grep -v '^```' | python3 -c '
import sys, yaml
flow = yaml.safe_load(sys.stdin)
assert set(flow) == {"name", True, "jobs"}, set(flow)  # YAML 1.1 takes "on" for a truth value
for job in flow["jobs"].values():
    assert {"runs-on", "steps"} <= set(job) <= {"runs-on", "steps", "container"}, set(job)
    checkout = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout[0]["with"]["fetch-depth"] == 0, "origin/main has to be there"
    for step in job["steps"]:
        assert ("run" in step) != ("uses" in step), step
        assert set(step) <= {"run", "uses", "with", "if"}, step
        print(step.get("run", ""), end="\n" if "run" in step else "")
'
)" || fail "the workflow of docs/guide/packages.md is none"
flow="$(grep ' gate ' <<<"$commands")" || fail "the workflow of docs/guide/packages.md has no gate"
line="$(sed -n 's/^\$ //p' "$root/docs/guide/ci.md" | grep -m1 ' gate ')" || fail "no line for CI in docs/guide/ci.md"
grep -qxF "\$ $line" "$root/README.md" || fail "the README has another line than docs/guide/ci.md: $line"
for words in "$flow" "$line"; do
  [[ $words == *" --baseline-ref origin/main --sweep gate.json"* ]] || fail "not the one line: $words"
done
while read -r command; do
  [[ $command != tools/* ]] || [[ -x $root/${command%% *} ]] || fail "no such program: $command"
done <<<"$commands"
[[ -f $root/configs/gate.json ]] || { echo "skipped: configs/gate.json is not in this tree" && exit 77; }
"$bin/uotbench" gate --help >/dev/null 2>&1 || { echo "skipped: this build has no gate" && exit 77; }

tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
export XDG_CACHE_HOME="$tree/cache" GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main "$@"; }
git init -q "$tree/upstream"
cd "$tree/upstream"
cp "$root/docs/my_worker.py" worker.py
echo '{"build": "", "worker": "python3 {checkout}/worker.py"}' >uotbench.project.json
echo '{"name": "gate", "cases": [{"variants": ["uot/python_lists"], "axes": {"M,N": [[37, 53]]}}]}' >gate.json
git add . && git commit -qm "the baseline"
git clone -q "$tree/upstream" "$tree/clone"
cd "$tree/clone"
echo '# changes nothing' >>worker.py
git commit -qam "the candidate"
mkdir -p build
ln -s "$(dirname "$bin")" build/release
export PATH="$PWD/build/release/bin:$PATH" # as the README sets it
for words in "$line" "$flow"; do
  code=0
  timeout 100 bash -c "$words" >output 2>&1 || code=$?
  # 4: nothing changed, and this machine is too busy to say so.
  if ((code != 0)) && ! { ((code == 4)) && grep -q 'no verdict on any of 1 case' output; }; then
    tail -20 output
    fail "a command of the pages ends with $code, expected 0: $words"
  fi
done
[[ -s gate.xml && -s gate.md ]] || fail "the workflow's gate writes no gate.xml and gate.md"
