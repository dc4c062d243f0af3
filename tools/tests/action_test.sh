#!/usr/bin/env bash
# action.yml and the GitLab template are what GitHub and GitLab take; the lines of shell in them are shell; and what they
# start does what it says: the gate in a clone, a history that two jobs push to at once, a comment that is replaced.
source "$(dirname "$(readlink -f "$0")")/script.sh"
if ! python3 -c 'import yaml' 2>/dev/null; then
  echo "skipped: python3-yaml is missing"
  exit 77
fi
ci="$root/packaging/ci"
cd "$scratch"

# Each text of shell is written to a file of its own.
mkdir shell
python3 - "$root" <<'END' || fail "not what GitHub and GitLab take"
import itertools, os, re, sys, yaml
root = sys.argv[1]
count = itertools.count()
def shell(text, name=None):
    with open(f"shell/{name or next(count)}.sh", "w") as file:
        file.write(text + "\n")
    for path in re.findall(r'(?:\$GITHUB_ACTION_PATH|/opt/uotbench)"?/([a-z_/]+)', text):
        assert path.startswith("build/") or os.access(f"{root}/{path}", os.X_OK) or path == "build", f"no program {path}"

action = yaml.safe_load(open(f"{root}/action.yml"))
assert set(action) == {"name", "description", "author", "branding", "inputs", "outputs", "runs"}, set(action)
assert action["runs"]["using"] == "composite"
for name, told in action["inputs"].items():
    assert set(told) == {"description", "default"} and isinstance(told["description"], str), name
steps = action["runs"]["steps"]
for step in steps:
    assert ("run" in step) != ("uses" in step), step
    assert set(step) <= {"name", "id", "if", "uses", "with", "run", "shell", "env", "continue-on-error"}, step
    assert "uses" in step or step["shell"] == "bash", "a composite action names its shell"
    if "run" in step:
        assert "${{" not in step["run"], f"{step['name']}: what others write is told by the environment, never pasted in"
        shell(step["run"], step["name"])
text = open(f"{root}/action.yml").read()
asked = set(re.findall(r"inputs\.(\w+)", text))
assert asked == set(action["inputs"]), asked ^ set(action["inputs"])
ids = {step["id"] for step in steps if "id" in step}
assert set(re.findall(r"steps\.(\w+)\.", text)) <= ids, ids

flow = yaml.safe_load(open(f"{root}/packaging/gitlab.yml"))
template, job = flow[".uotbench"], flow["uotbench-gate"]
assert job["extends"] == ".uotbench" and template["variables"]["GIT_DEPTH"] == 0
assert set(template) | set(job) <= {"image", "variables", "cache", "before_script", "extends", "rules", "script", "artifacts"}
shell("\n".join(template["before_script"] + job["script"]))
# A worker in C++ is built with the uotbench that they install.
looks_in = re.search(r"-DCMAKE_PREFIX_PATH=(\S+)", open(f"{root}/templates/project/compiled.json").read())[1]
for commands in (text, "\n".join(template["before_script"])):
    assert f'--install build/release --prefix "{looks_in}"' in commands, looks_in
    assert f"{looks_in}/bin" in commands, looks_in
for block in re.findall(r"^```yaml\n(.*?)^```$", open(f"{root}/docs/guide/packages.md").read(), re.S | re.M):
    page = yaml.safe_load(block)
    for step in [step for told in page.get("jobs", {}).values() for step in told["steps"]]:
        if not step.get("uses", "").startswith("actions/"):  # GitHub's own
            assert set(step.get("with", {})) <= set(action["inputs"]), step
END
for text in shell/*.sh "$ci"/* "$root/packaging/try_deb"; do bash -n "$text" || fail "not shell: $text"; done

export XDG_CACHE_HOME="$scratch/cache" GIT_CONFIG_GLOBAL=/dev/null PATH="$programs:$PATH" HISTORY_WAIT=0
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
git() { command git -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main "$@"; }
git init -q --bare upstream
git clone -q upstream one 2>/dev/null
cd one
cp "$root/docs/my_worker.py" worker.py
echo '{"build": "", "worker": "python3 {checkout}/worker.py"}' >uotbench.project.json
echo '{"name": "gate", "measure": {"rounds": 0}, "cases": [{"variants": ["uot/python_lists"], "axes": {"M,N": [[7, 5]]}}]}' >gate.json
git add .
git commit -qm "the baseline"
git push -q origin HEAD:main
echo '# changes nothing' >>worker.py
git commit -qam "the candidate"
# step NAME VARIABLE=VALUE...: the lines of this step of the action, as GitHub runs them.
step() {
  local name="$1"
  shift
  env GITHUB_ACTION_PATH="$root" GITHUB_OUTPUT="$scratch/output" GITHUB_STEP_SUMMARY="$scratch/summary" "$@" \
    bash --noprofile --norc -eo pipefail "$scratch/shell/$name.sh" >step.out 2>&1
}
step gate BASELINE=origin/main SWEEP=gate.json BUDGET=1m FLAGS="--delta 5%" || fail "the step before the others ends: $(cat step.out)"
code="$(sed -n 's/^code=//p' "$scratch/output")"
[[ -s uotbench-gate.md && -s uotbench-gate.xml && -s uotbench-gate.jsonl ]] || fail "the gate leaves no report: $(cat step.out)"
((code == 4)) || fail "nothing is timed here, which is code 4; the gate ends with $code: $(cat step.out)"
cmp uotbench-gate.md "$scratch/summary" || fail "the summary is not the report"
step verdict CODE="$code" && fail "the verdict of 4 is none"
step verdict CODE=0 || fail "the verdict of 0 fails"
code=0
BASELINE=no_such_revision "$ci/gate" >gate.out 2>&1 || code=$?
((code == 2)) || fail "a baseline that is not there: exit code $code"
grep -q "ended with code 2" uotbench-gate.md || fail "a baseline that is not there: no report"

# Two jobs that add at once are both kept. The program's part is a file a commit; where this build has no history, another
# writes one.
if ! uotbench --help | grep -qw history; then
  echo "skipped: this build has no history: a stand-in writes its files"
  mkdir "$scratch/stand_in"
  # shellcheck disable=SC2016
  printf '#!/bin/sh\n[ "$1 $2 $4 $6" = "history add --commit --in" ] && cp "$3" "$7/$5.jsonl"\n' >"$scratch/stand_in/uotbench"
  chmod +x "$scratch/stand_in/uotbench"
  export PATH="$scratch/stand_in:$PATH"
fi
cp "$root/tools/tests/golden/first/times.jsonl" "$scratch/run.jsonl"
git clone -q "$scratch/upstream" "$scratch/two"
[[ ! -e uotbench-gate.jsonl ]] || fail "the run of an earlier gate is left for the steps after this one"
step history GITHUB_SHA=HEAD || fail "the step fails where there is no run: $(cat step.out)"
cp "$scratch/run.jsonl" uotbench-gate.jsonl
step history GITHUB_SHA="$(git rev-parse HEAD)" || fail "the first job: $(cat step.out)"
# The second does not see what a third pushes between its fetch and its push: a hook of the test, once.
git clone -q "$scratch/upstream" "$scratch/three"
git -C "$scratch/three" fetch -q origin uotbench-history
cat >"$scratch/two/.git/hooks/pre-push" <<END
#!/bin/sh
[ -e "$scratch/pushed" ] && exit 0
touch "$scratch/pushed"
cd "$scratch/three" && unset GIT_DIR GIT_WORK_TREE && git checkout -q origin/uotbench-history && touch history/third.jsonl &&
  git add history && git -c user.name=t -c user.email=t@example.org commit -qm third && git push -q origin HEAD:uotbench-history
END
chmod +x "$scratch/two/.git/hooks/pre-push"
(cd "$scratch/two" && "$ci/keep_history" "$scratch/run.jsonl" origin/main >"$scratch/second" 2>&1) || fail "the second job: $(cat "$scratch/second")"
grep -q "another job pushed first" "$scratch/second" || fail "the jobs did not meet: $(cat "$scratch/second")"
files="$(git -C "$scratch/upstream" ls-tree -r --name-only uotbench-history)"
[[ $(grep -c '^history/' <<<"$files") == 3 && $(wc -l <<<"$files") == 3 ]] || fail "not three of history alone: $files"
said="$("$ci/keep_history" "$scratch/run.jsonl" HEAD)"
[[ $said == *"nothing new"* ]] || fail "the same again: $said"
[[ $(git worktree list | wc -l) == 1 ]] || fail "a worktree is left: $(git worktree list)"

# The comment: made once, then replaced.
mkdir "$scratch/gh"
cat >"$scratch/gh/gh" <<END
#!/bin/sh
case "\$*" in
*PATCH*) echo "\$*" >"$scratch/patched" ;;
*POST*) echo "\$*" >"$scratch/posted" ;;
*) [ -e "$scratch/posted" ] && echo 17 || true ;;
esac
END
chmod +x "$scratch/gh/gh"
for _ in 1 2; do
  step comment PATH="$scratch/gh:$PATH" GITHUB_REPOSITORY=o/n NUMBER=5 || fail "the comment: $(cat step.out)"
done
grep -q "repos/o/n/issues/5/comments -F body=@" "$scratch/posted" || fail "not a comment: $(cat "$scratch/posted")"
grep -q "repos/o/n/issues/comments/17" "$scratch/patched" || fail "not replaced: $(cat "$scratch/patched")"
