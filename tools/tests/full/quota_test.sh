#!/usr/bin/env bash
# Under a CPU quota (docker --cpus=0.25) honest kernels are right: a run says once what its times are of, and a gate that
# compares a worker with itself fails no case. Skipped where no control group with a quota can be made.
source "$(dirname "$(readlink -f "$0")")/../script.sh"

group=""
trap '[[ -z $group ]] || rmdir "$group"; rm -rf "$scratch"' EXIT
# Version 2 first, then version 1.
for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/cpu; do
  made="$hierarchy/uotbench_test.$$"
  mkdir "$made" 2>/dev/null || continue
  if [[ -w $made/cgroup.procs ]] && { [[ -w $made/cpu.max ]] || [[ -w $made/cpu.cfs_quota_us ]]; }; then
    group="$made"
    break
  fi
  rmdir "$made"
done
if [[ -z $group ]]; then
  echo "skipped: no control group with a CPU quota can be made (this needs root, and cgroups that can be written)"
  exit 77
fi

# set_quota MICROSECONDS of each 100 ms.
set_quota() {
  if [[ -e $group/cpu.max ]]; then
    echo "$1 100000" >"$group/cpu.max"
  else
    echo 100000 >"$group/cpu.cfs_period_us"
    echo "$1" >"$group/cpu.cfs_quota_us"
  fi
}
limited() { (echo "$BASHPID" >"$group/cgroup.procs" && exec "$programs/uotbench" "$@" 2>&1); }

worker="$programs/uotbench-worker-native"
[[ $(uname -m) != x86_64 ]] || worker+=-v3
cd "$scratch"
for quota in 0.25 0.1; do
  set_quota "$(awk "BEGIN { print 100000 * $quota }")"
  said="$(limited run uot/map_uot uot/one_read -a M,N=256,256 -a threads=1,2 --max-time 300ms --rounds 2 \
    --worker "${worker##*-worker-}" --output "$quota.jsonl")" || fail "a run under a quota of $quota CPUs: $said"
  [[ $(grep -c "CPU quota $quota: times are of bursts" <<<"$said") == 1 ]] ||
    fail "a run does not say once that its quota is $quota: $said"
done

set_quota 25000
# 4: it has no verdict, which is true of such times.
code=0
said="$(limited gate uot/one_read -a M,N=256,256 -a threads=2 --baseline-worker "$worker" --candidate-worker "$worker" \
  --budget 30s --counters none --output gate.jsonl)" || code=$?
[[ $code == 0 || $code == 4 ]] || fail "a gate under a quota of 0.25 CPUs ended with $code: $said"
