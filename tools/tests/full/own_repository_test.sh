#!/usr/bin/env bash
# The tutorial of docs/guide/own_benchmarks.md on a repository of ten commits, whose benchmark program has given times: one
# commit makes a benchmark three times as slow, one only relinks. Gate, history and bisect name the first and not the
# second.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

export PATH="$programs:$PATH" XDG_CACHE_HOME="$scratch/cache" GIT_CONFIG_GLOBAL=/dev/null
git() { command git -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main "$@"; }
slow=external/BM_sum/arg1:4096@mine
same=external/BM_copy@mine

mkdir "$scratch/repository"
cd "$scratch/repository"
git init -q .
cp "$root/tools/tests/adapters/made_gbench.py" bench.py
cat >uotbench.project.json <<'END'
{"name": "mine", "build": "cp {checkout}/bench.py {checkout}/made.json {prefix}", "worker": "gbench:{prefix}/bench.py"}
END
for commit in {1..10}; do
  ns=1000
  ((commit < 6)) || ns=3000
  echo "[{\"name\": \"BM_sum/4096\", \"ns\": $ns}, {\"name\": \"BM_copy\", \"ns\": 500}]" >made.json
  echo "commit $commit" >notes.txt
  ((commit != 8)) || echo "# nothing" >>bench.py # another program of the same code
  git add . && git commit -qm "Commit $commit"
done

# said CODE COMMAND...: it ends so; what it printed is in `output`.
said() {
  local wanted="$1" code=0
  shift
  "$@" >"$scratch/output" 2>&1 </dev/null || code=$?
  ((code == wanted)) || { cat "$scratch/output" && fail "expected code $wanted, got $code: $*"; }
}
has() {
  grep -qF -- "$1" "$scratch/output" || { cat "$scratch/output" && fail "no line has: $1"; }
}
gate=(uotbench gate 'external/*' --delta 9% --pairs 4 --quiet)

said 3 "${gate[@]}" --baseline-ref HEAD~5 --exact-ref --json
python3 - "$scratch/output" "$slow" "$same" <<'END' || fail "the gate's report"
import json, sys
text = open(sys.argv[1]).read()
report = json.loads(text[text.index("{"):])
cases = {case["id"]: case for case in report["cases"]}
slow, same = (cases[id] for id in sys.argv[2:])
assert slow["verdict"] == "regressed", slow
assert abs(slow["time"]["ratio"] - 3) < 1e-6, slow
assert same["verdict"] == "ok", same
assert not slow.get("counters"), "valgrind counts a whole program only on request"
assert any("not verified" in note for note in report["notes"]), report["notes"]
END
# The commit that only relinks is no slowdown.
git checkout -q HEAD~2
said 0 "${gate[@]}" --baseline-ref HEAD~1 --exact-ref
git checkout -q main

# History: each commit's run is added; the first slow one is named.
for commit in {9..0}; do
  git checkout -q "main~$commit"
  said 0 uotbench run 'external/*' --worker mine="gbench:./bench.py" --rounds 2 --min-samples 3 --quiet --output "$scratch/run$commit.jsonl"
  git checkout -q main
  said 0 uotbench history add "$scratch/run$commit.jsonl" --commit "main~$commit" --in "$scratch/history"
done
said 0 uotbench history show --in "$scratch/history" --json
python3 - "$scratch/output" "$slow" <<'END' || fail "the history"
import json, sys
text = open(sys.argv[1]).read()
history = json.loads(text[text.index("{"):])
ids = {line["case"]: line for line in history["lines"]}
assert len(ids[sys.argv[2]]["points"]) == 10, ids[sys.argv[2]]
END

said 3 uotbench bisect HEAD~9 HEAD --case "$slow" --delta 9% --pairs 8 --quiet
has "$(git rev-parse main~4)"
has 'subject: Commit 6'
