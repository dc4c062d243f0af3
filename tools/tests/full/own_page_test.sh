#!/usr/bin/env bash
# Every command of docs/guide/own_benchmarks.md runs, in the page's order, in a repository that has what they name: eleven
# commits of a benchmark program whose times are given, of which one makes a benchmark three times as slow. Gates get a
# budget of a minute.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

export PATH="$programs:$PATH" XDG_CACHE_HOME="$scratch/cache" GIT_CONFIG_GLOBAL="$scratch/gitconfig"
page="$root/docs/guide/own_benchmarks.md"
git config --global user.name test
git config --global user.email test@example.org
git config --global init.defaultBranch main

mkdir "$scratch/origin"
cd "$scratch/origin"
git init -q .
cp "$root/tools/tests/adapters/made_gbench.py" bench.py
cat >CMakeLists.txt <<'END'
add_executable(bench bench.cpp)
target_link_libraries(bench benchmark::benchmark)
END
printf '2\n1\n' >data.txt
printf '1\n2\n' >expected.txt
printf '#!/bin/sh\nexec sort "$@"\n' >sort
chmod +x sort
for commit in {1..11}; do
  ns=1000
  ((commit < 6)) || ns=3000
  echo "[{\"name\": \"sum_float/4096\", \"ns\": $ns}, {\"name\": \"BM_copy\", \"ns\": 500}]" >made.json
  echo "commit $commit" >notes.txt
  mkdir -p old build
  for folder in old build; do cp bench.py $folder/bench && cp made.json $folder/; done
  git add --force . && git commit -qm "Commit $commit"
done
git clone -q . "$scratch/page" 2>/dev/null
cd "$scratch/page"
./build/bench --benchmark_repetitions=2 --benchmark_out=bench.json >/dev/null

commands=0
undecided=false # a gate of a machine so busy that its budget times nothing leaves nothing for the history
while IFS= read -r command; do
  echo "\$ $command"
  code=0
  bash -c "$command" >output 2>&1 </dev/null || code=$?
  [[ $command != "uotbench gate"* ]] || undecided=$( ((code == 4)) && echo true || echo false)
  if $undecided && [[ $command == "uotbench history"* ]]; then
    grep -qE 'no case of it is ok|no history' output || { cat output && fail "not about a gate without times: $command"; }
    code=0
  fi
  # Of a gate 3 is slower, which one commit is, and 4 is no verdict within the budget.
  ((code == 0 || code == 3 || code == 4)) || { cat output && fail "a command of the page ends with $code: $command"; }
  commands=$((commands + 1))
  if [[ $command == "uotbench new project"* ]]; then
    sed -n '/^```json$/,/^```$/p' "$page" | grep -v '^```' | diff - uotbench.project.json || fail "the page shows another project"
    cat >uotbench.project.json <<'END'
{"name": "mine", "build": "cp {checkout}/bench.py {checkout}/made.json {prefix}", "worker": "gbench:{prefix}/bench.py"}
END
    git add uotbench.project.json && git commit -qm "How uotbench builds a commit"
  elif [[ $command == "uotbench bisect"* ]]; then
    grep -q 'subject: Commit 6' output || { cat output && fail "bisect names another commit"; }
  fi
done < <(sed -n -e '/^```sh$/,/^```$/{/^```/!p}' -e 's/^\$ //p' -e 's/^ *- run: uotbench/uotbench/p' "$page" |
  sed -e 's/ --budget [0-9a-z]*//' -e 's/^uotbench gate .*/& --budget 1m/')
((commands >= 10)) || fail "only $commands commands found in the page"
