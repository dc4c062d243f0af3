#!/usr/bin/env bash
# The tables and figures on the pages are those of the stored runs, and tools/results_pages finds what is not.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
pages=("$root/tools/results_pages" --program "$programs/uotbench")

"${pages[@]}" --check || fail "a page differs from its stored runs: tools/results_pages writes it again"

# Numbers in sentences of the README and the results pages are those of the stored runs, to the printed digits.
claims_hold() {
  local claims="$1" run from=()
  shift
  for run in "$@"; do
    gzip -dc "$root/results/evidence/$run.jsonl.gz" >"$scratch/$run.jsonl"
    from+=(--from "$scratch/$run.jsonl")
  done
  "$programs/uotbench" claims "$claims" "${from[@]}" --format json >"$scratch/claims.json"
  python3 - "$scratch/claims.json" "$claims" <<'END'
import json
import re
import sys

NUMBER = re.compile(r"\d[\d,]*(?:\.(\d+))?( ms| µs| us|%|)")
UNITS = {"": 1, "%": 1e-2, " ms": 1e-3, " µs": 1e-6, " us": 1e-6}


def half_a_digit(claim):
    """Of the last one that is printed."""
    numbers = NUMBER.findall(claim["quotes"][0])
    decimals, unit = numbers[claim["nth"][0] - 1 if "nth" in claim else -1]
    return .5 * 10 ** -len(decimals) * UNITS[unit]


def holds(claim, ours):
    if ours is None:
        return False
    off = ours - claim["printed"]
    bounds = {"at least": off >= 0, "at most": off <= 0}
    return bounds.get(claim.get("bound"), abs(off) <= half_a_digit(claim) * (1 + 1e-9))


found = {claim["id"]: claim for claim in json.load(open(sys.argv[1]))["claims"]}
written = json.load(open(sys.argv[2]))["claims"]
wrong = 0
for claim in written:
    ours = found[claim["id"]]["readings"][0]["ours"]
    if not holds(claim, ours):
        print(f"{claim['in']}: \"{claim['quotes'][0]}\": expected {claim['printed']} as printed, got {ours}: {claim['says']}")
        wrong = 1
sys.exit(wrong or len(written) < 5)
END
}
claims_hold "$root/configs/claims/uotbench_readme.json" peers solve_large simplex_large log_peers call || fail "the README has other numbers than its stored runs"
claims_hold "$root/configs/claims/uotbench_results.json" applications limit peers quickstart ranks-pairs simplex_points solve_large solve_reg stencil ||
  fail "sentences of results pages have other numbers than their stored runs"
sed 's/"printed": 2.2,/"printed": 2.3,/' "$root/configs/claims/uotbench_results.json" >"$scratch/uotbench_results.json"
! claims_hold "$scratch/uotbench_results.json" peers >"$scratch/out" || fail "a number that no run gives passes"
grep -q 'expected 2.3 as printed, got 2.1' "$scratch/out" || fail "the wrong number is not named: $(cat "$scratch/out")"

# A page of its own: the first time it is filled, the second time nothing changes, and a typed number is found.
run="$(basename "$(find "$root/results/evidence" -name '*.jsonl.gz' | sort | head -n 1)")"
[[ -n $run ]] || fail "no stored run"
page="$scratch/page.md"
printf '# A page\n\n<!-- uotbench export results/evidence/%s --format markdown --columns median -->\n<!-- end -->\n\nText.\n' "$run" >"$page"
code=0
"${pages[@]}" --check "$page" >"$scratch/out" || code=$?
((code == 1)) || fail "an empty table passes: $code"
"${pages[@]}" "$page" >"$scratch/out"
grep -q '^| .* | [0-9.]* [mun]*s |$' "$page" || fail "no table: $(cat "$page")"
grep -q "results/evidence/$run" "$page" || fail "the run is not named"
tail -n 1 "$page" | grep -qx 'Text.' || fail "text was lost"
"${pages[@]}" --check "$page" || fail "the second time it differs"
sed -i 's/ ms |$/1 ms |/; s/ us |$/1 us |/; s/ s |$/1 s |/' "$page"
code=0
"${pages[@]}" --check "$page" >"$scratch/out" || code=$?
((code == 1)) || fail "a changed number passes: $code"
grep -q '^-| ' "$scratch/out" || fail "the changed row is not shown: $(cat "$scratch/out")"

# Notes about ceilings are only below a table that has roofs.
for columns in median median,roof; do
  printf '<!-- uotbench export results/evidence/call.jsonl.gz --format markdown --columns %s -->\n<!-- end -->\n' "$columns" >"$page"
  "${pages[@]}" "$page" >"$scratch/out"
  [[ $(grep -c 'ceilings that these cases need were measured' "$page") == $([[ $columns == *roof ]] && echo 1 || echo 0) ]] ||
    fail "--columns $columns: another number of notes about ceilings: $(cat "$page")"
done

# A figure: it is drawn next to its page, drawing it again gives the same bytes, and a changed file is found.
printf '# A page\n\n<!-- uotbench figure speedup results/evidence/peers.jsonl.gz --filter M:4096.*threads:2 -o figure.png # Speedups -->\n<!-- end -->\n' >"$page"
"${pages[@]}" "$page" >"$scratch/out"
grep -qE '^<img src="figure.png" width="[0-9]+" alt="Speedups">$' "$page" || fail "no picture: $(cat "$page")"
"${pages[@]}" --check "$page" || fail "the figure is drawn with other bytes the second time"
printf x >>"$scratch/figure.png"
code=0
"${pages[@]}" --check "$page" >"$scratch/out" || code=$?
((code == 1)) || fail "a changed figure passes: $code"
grep -q 'figure.png is not what its command draws' "$scratch/out" || fail "the changed figure is not named: $(cat "$scratch/out")"

# A table of keys is the schema's: value, default and meaning; one of files has what each says about itself; one of
# members has the comments of a struct; a listing is the file's text.
mkdir -p "$scratch/keys/tools" "$scratch/keys/configs/groups"
cp "$root/tools/results_pages" "$scratch/keys/tools/"
cat >"$scratch/keys/configs/made.schema.json" <<'END'
{"properties": {"list": {"items": {"required": ["a"], "properties": {
  "a": {"description": "a text such as \"x|y\" (what it is called)"}, "b_c": {"$ref": "#/definitions/count"},
  "d": {"title": "of `a`", "default": true, "description": "true or false (unused)"}}}}},
 "definitions": {"count": {"description": "a number", "default": 2}}}
END
cat >"$scratch/keys/made.hpp" <<'END'
struct Made {
  /// A number, `n`,
  /// of lines.
  std::int64_t count = 1;
  /// A function.
  Work (*work)(const Point&) = nullptr;
};
END
echo '{"name": "one", "about": "why", "counters": ["cache"]}' >"$scratch/keys/configs/groups/one.json"
echo '{"name": "two", "about": "a*b", "counters": {"x.y": {}, "z": {}}}' >"$scratch/keys/configs/groups/two.json"
printf '<!-- schema made /properties/list/items -->\n<!-- end -->\n<!-- about configs/groups/*.json -->\n<!-- end -->\n<!-- file json configs/groups/one.json one=1 why=how -->\n<!-- end -->\n<!-- members made.hpp Made -->\n<!-- end -->\n' >"$scratch/keys/page.md"
"$scratch/keys/tools/results_pages" "$scratch/keys/page.md" >"$scratch/out"
# shellcheck disable=SC2016
diff - "$scratch/keys/page.md" <<'END' || fail "the tables of keys are others"
<!-- schema made /properties/list/items -->

| key | value | default | meaning |
|---|---|---|---|
| `a` | a text such as `"x\|y"` | required | what it is called |
| `b_c` | a number | 2 |  |
| `d` | true or false | true | of `a` |

<!-- end -->
<!-- about configs/groups/*.json -->

| name | about | counters |
|---|---|---|
| `one` | why |  |
| `two` | a\*b | `x.y`, `z` |

<!-- end -->
<!-- file json configs/groups/one.json one=1 why=how -->

```json
{"name": "1", "about": "how", "counters": ["cache"]}
```

<!-- end -->
<!-- members made.hpp Made -->

| entry | default | meaning |
|---|---|---|
| `.count` | `1` | A number, `n`, of lines. |
| `.work` |  | A function. |

<!-- end -->
END

# Pictures of results and explanations are drawn by a command on a page, but for those of arrays.
arrays=' applications_colors.png applications_moons.png sinkhorn_log_barycenter.png stencil_cavity.png '
for picture in "$root"/docs/results/*.png "$root"/docs/explain/*.png; do
  name="$(basename "$picture")"
  [[ $arrays == *" $name "* ]] || grep -rqE "^<!-- (uotbench .* -o (docs/[a-z]+/)?$name # |gnuplot ${name%.png}\.gp # )" "$root/README.md" "$root/docs" ||
    fail "no command draws $picture"
done

# A run that is not there, and a command that is wrong: one line each, and the page stays.
for command in 'uotbench export results/evidence/none.jsonl.gz --format markdown' "uotbench export results/evidence/$run --format markdown --columns none" 'uotbench --version' \
  'uotbench figure speedup results/evidence/peers.jsonl.gz --filter M:4096.*threads:2 -o figure.png' 'uotbench figure speedup results/evidence/peers.jsonl.gz --filter M:4096.*threads:2 -o figure.pdf # Speedups' \
  "uotbench export results/evidence/$run --format markdown --columns median # : none" \
  'schema none' 'schema protocol /definitions/none' 'schema protocol /definitions/name' 'about configs/none/*.json' \
  'file json configs/none.json' 'file json configs/gate.json none=1' 'members none.hpp None' 'members harness/worker/variant.hpp None'; do
  printf '<!-- %s -->\n<!-- end -->\n' "$command" >"$page"
  cp "$page" "$scratch/before.md"
  code=0
  "${pages[@]}" "$page" 2>"$scratch/out" || code=$?
  [[ $code == 2 && $(wc -l <"$scratch/out") == 1 ]] || fail "$command: $code: $(cat "$scratch/out")"
  cmp -s "$page" "$scratch/before.md" || fail "$command: the page changed"
done

# Equal runs are stored as equal bytes.
cp "$root/tools/tests/golden/small.jsonl" "$scratch/small.jsonl"
mkdir -p "$scratch/clone/tools"
cp "$root/tools/results_pages" "$scratch/clone/tools/"
mkdir -p "$scratch/clone/results"
"$scratch/clone/tools/results_pages" --store small "$scratch/small.jsonl"
stored="$scratch/clone/results/evidence/small.jsonl.gz"
gzip -dc "$stored" | cmp - "$scratch/small.jsonl" || fail "the stored run differs"
cp "$stored" "$scratch/first.gz"
touch -d 2001-01-01 "$scratch/small.jsonl"
"$scratch/clone/tools/results_pages" --store small "$scratch/small.jsonl"
cmp "$stored" "$scratch/first.gz" || fail "equal runs give other bytes"
