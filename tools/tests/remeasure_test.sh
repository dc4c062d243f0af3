#!/usr/bin/env bash
# tools/remeasure names the numbers that no longer hold, and only those.
source "$(dirname "$(readlink -f "$0")")/script.sh"
remeasure=("$root/tools/remeasure" --program "$programs/uotbench")
run="$root/tools/tests/golden/small.jsonl"
cases='"cases": {"slow": {"variant": "uot/numpy_order", "threads": 1}, "fast": {"variant": "uot/map_uot", "threads": 1}}'
value='"sweep": "one", "value": "max(slow.time.seconds / fast.time.seconds)"'
cat >"$scratch/my.json" <<END
{"title": "T", "source": "S", "sweeps": {"one": {"minutes": 3, "here": "quickstart"}, "two": {"minutes": 90, "here": "quickstart"}}, $cases,
 "claims": [{"id": "holds", "in": "docs/a.md", "says": "Fast is faster.", "printed": 1.5, "kind": "trend", $value},
            {"id": "not", "in": "docs/b.md", "says": "Fast takes longer.", "printed": 0.01, $value},
            {"id": "long", "in": "docs/c.md", "says": "Later.", "printed": 1, "sweep": "two", "value": "max(slow.axis.M)"}]}
END
said="$("${remeasure[@]}" --from "$run" --minutes 10 "$scratch/my.json")" || fail "exit code $?: $said"
grep -q '^| docs/b.md | Fast takes longer. | 0.01 | [0-9.]* .*| contradicted |$' <<<"$said" || fail "b.md is not named: $said"
if grep -q 'docs/a.md\|docs/c.md' <<<"$said"; then fail "what holds, or takes too long, is named: $said"; fi
grep -qx '2 numbers: 1 contradicted, 1 reproduced' <<<"$said" || fail "no summary: $said"
code=0
"${remeasure[@]}" --from "$run" --minutes 10 --strict "$scratch/my.json" >"$scratch/out" || code=$?
((code == 1)) || fail "--strict ends with $code"
# As in the scheduled job of docs/notes/details.md, whose commands there are.
page="$root/docs/notes/details.md"
commands="$(sed -n '/^## Numbers measured again/,/^## /s/^ *- run: //p' "$page")"
while read -r command; do
  [[ -x $root/${command%% *} ]] || fail "$page: no such program: $command"
done <<<"$commands"
line="$(grep -o '^tools/remeasure [^|]*' <<<"$commands")" || fail "$page has no job that measures again"
grep -qF "$line>remeasure.md" "$page" || fail "$page: another line of a crontab"
code=0
read -ra words <<<"${line#tools/remeasure }"
"${remeasure[@]}" "${words[@]}" --from "$run" "$scratch/my.json" >"$scratch/out" || code=$?
((code == 1)) || fail "$line ends with $code"
flags="$("$root/tools/quickstart" --help)"
for flag in $(grep -o 'tools/quickstart .*' <<<"$commands" | grep -o -- '--[a-z-]*'); do
  grep -qe "$flag" <<<"$flags" || fail "tools/quickstart has no $flag"
done
code=0
said="$("${remeasure[@]}" "$scratch/none.json" 2>&1)" || code=$?
[[ $code == 1 && $said == "remeasure: $scratch/none.json: expected a file of configs/claims or a path, got neither" ]] ||
  fail "a file that is not there: $code $said"
