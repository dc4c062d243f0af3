#!/usr/bin/env bash
# tools/compare_proof counts the intervals that hold 1, and its commands are those of the program.
source "$(dirname "$(readlink -f "$0")")/script.sh"
proof="$root/tools/compare_proof"

# A made program, whose comparisons have two intervals that hold 1 and one that does not.
mkdir "$scratch/made"
cat >"$scratch/made/uotbench" <<'END'
#!/bin/sh
[ "$1" = compare ] || exit 0
echo '{"rows": [{"low": 0.9, "high": 1.1, "coverage": 0.75}, {"low": 1, "high": 2, "coverage": 0.75},
                {"low": 1.01, "high": 1.02, "coverage": 0.75}]}'
END
printf '#!/bin/sh\n' >"$scratch/made/uotbench-worker-native-v3"
chmod +x "$scratch"/made/*
said="$(UOTBENCH_BIN_DIR="$scratch/made" "$proof" --runs 2 --output "$scratch/made/runs" 2>"$scratch/progress")" ||
  fail "with a made program: exit code $?"
grep -qx 'within a run, 6 rounds: 4 of 6 intervals hold 1 (66.7%); promised: 75.0%' <<<"$said" || fail "within: $said"
grep -qx 'between two runs: 2 of 3 ranges hold 1 (66.7%); nothing is promised' <<<"$said" || fail "between: $said"
[[ $(tail -n 1 "$scratch/progress") == '4 of 6 intervals hold 1' ]] || fail "progress: $(cat "$scratch/progress")"

code=0
said="$(UOTBENCH_BIN_DIR="$scratch" "$proof" 2>&1)" || code=$?
[[ $code == 1 && $said == "compare_proof: no program $scratch/uotbench; expected a build, as tools/quickstart makes it" ]] ||
  fail "without a build: $code $said"

# The program itself; what it measures is not looked at.
if [[ -x $programs/uotbench-worker-native-v3 ]]; then
  said="$(UOTBENCH_BIN_DIR="$programs" "$proof" --runs 1 --rounds 2 --size 16 --output "$scratch/runs" 2>"$scratch/progress")" ||
    fail "exit code $?: $(cat "$scratch/progress")"
  grep -q '^within a run, 2 rounds: [0-9]* of [1-9][0-9]* intervals hold 1 (.*); promised: 50.0%$' <<<"$said" || fail "$said"
fi
