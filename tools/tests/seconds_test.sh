#!/usr/bin/env bash
# The table of tools/check tells what each part took beside its budget, marks what is over, and sums tests up by kind.
set -euo pipefail

tools="$(dirname "$(readlink -f "$0")")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

printf 'configure\t2\t10\nother workers\t500\t420\n' >"$scratch/parts"
cat >"$scratch/tests.xml" <<'END'
<testsuite name="x" tests="6">
<testcase name="tools.asan_test" classname="tools.asan_test" time="1001.5" status="run">
</testcase>
<testcase name="tools.code_test" classname="tools.code_test" time="10" status="run"/>
<testcase name="tools.match_test" classname="tools.match_test" time="12" status="run"/>
<testcase name="lint.words" classname="lint.words" time="1.25" status="run"/>
<testcase name="Gate.Holds" classname="Gate.Holds" time="3" status="run"/>
<testcase name="Gate.Stops" classname="Gate.Stops" time="4" status="run"/>
</testsuite>
END
said="$("$tools/seconds" "$scratch/parts" "$scratch/tests.xml" | tr -s ' ')"
for line in "configure 2 s of 10 s" "other workers 500 s of 420 s over" \
  " scripts 1024 s of 900 s over" " lints 1 s of 60 s" " unit tests 7 s of 600 s"; do
  grep -qxF -- "$line" <<<"$said" || {
    echo "FAILED: no line \"$line\" in: $said"
    exit 1
  }
done
