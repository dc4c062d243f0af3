#!/usr/bin/env bash
# docs/guide/cluster.md's array of jobs, as it is written there, in a Slurm of one node: a part that is asked to end before its
# time is over goes on in a second job, and so does one whose node fails; the parts are one run, in which every record
# says which job made it, and where. Processes of MPI are launched by srun.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
export PATH="$programs:$PATH:/usr/sbin:/sbin"
for program in munged slurmctld slurmd sbatch python3; do
  command -v "$program" >/dev/null || {
    echo "skipped: no $program here (apt-get install --no-install-recommends slurmctld slurmd slurm-client munge)"
    exit 77
  }
done
if [[ -z ${SLURM_HERE-} ]]; then
  "$root/tools/slurm_here" "$0"
  exit
fi
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config"

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
  local tries=$(($1 * 5)) what="$2"
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((--tries > 0)) || fail "$what: $(squeue; sinfo --noheader --format='%T %E'; tail -n 30 "$scratch"/*.out)"
    sleep 0.2
  done
}
# Ends the node's daemon and all of its jobs at once, as a machine that loses its power.
kill_node() {
  local its
  mapfile -t its < <(python3 - <<'END'
import os, pathlib
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        said, name = (process / "environ").read_bytes().split(b"\0"), (process / "comm").read_text()
    except OSError:  # another's, or ended
        continue
    if f"SLURM_CONF={os.environ['SLURM_CONF']}".encode() in said:
        if name.startswith("slurmstepd") or any(word.startswith(b"SLURM_JOB_ID=") for word in said):
            print(process.name)
END
  )
  ((${#its[@]} > 1)) || fail "the node has no job"
  kill -KILL "$(cat "$SLURM_HERE/slurmd.pid")" "${its[@]}"
}
cases_of() { grep -c '"kind":"case"' "$1"; }

# Processes that srun launches, within the job's allocation.
if srun --mpi=list 2>&1 | grep -q pmix && [[ -x $programs/uotbench-mpirun ]] && (($(nproc) > 1)); then
  UOTBENCH_MPIRUN="$(sed -n 's/^UOTBENCH_MPIRUN="\(srun [^"]*\)".*/\1/p' "$root/docs/guide/ranks.md")"
  export UOTBENCH_MPIRUN
  [[ $UOTBENCH_MPIRUN == *pmix* ]] || fail "docs/guide/ranks.md has no line for srun"
  sbatch --wait --ntasks=2 --output=ranks.out --wrap "uotbench run uot/mpi_one_read --worker mpi -a M,N=37,53 -a ranks=1,2 \
    --rounds 1 --max-time 50ms --output ranks.jsonl" >/dev/null || fail "in a job of Slurm: $(cat ranks.out)"
  grep -q '"binding":"rank 0 of 2 on [^:]*: CPU [0-9]*; rank 1 of 2 on [^:]*: CPU [0-9]*"' ranks.jsonl ||
    fail "srun's processes are not bound: $(cat ranks.jsonl)"
  unset UOTBENCH_MPIRUN
fi

# Sixteen groups, two a part. A worker of Python's sleeps once in part 1, within the first group, until Slurm's signal has
# come: it looks at the time that is left every 30 s. And once in part 2, within the second group.
cat >tiling.json <<'END'
{"name": "tiling", "about": "small", "measure": {"rounds": 2, "min_samples": 2, "max_noise": "50%", "max_time": "40ms"},
 "cases": [{"variants": ["uot/pure_python"], "workers": ["python"],
            "axes": {"M,N": [[3,5],[4,5],[5,5],[6,5],[7,5],[8,5],[9,5],[10,5],[11,5],[12,5],[13,5],[14,5],[15,5],[16,5],[17,5],[18,5]]}}]}
END
cat >napping <<END
#!/bin/sh
case "\$SLURM_ARRAY_TASK_ID \$*" in
  [12]" "*main.py*)
    echo >>"$scratch/starts.\$SLURM_ARRAY_TASK_ID"
    case "\$SLURM_ARRAY_TASK_ID \$(wc -l <"$scratch/starts.\$SLURM_ARRAY_TASK_ID")" in "1 2" | "2 4") sleep 32 ;; esac ;;
esac
exec "$(python3 -c 'import sys; print(sys.executable)')" "\$@"
END
chmod +x napping
export UOTBENCH_PYTHON="$scratch/napping"

sed -n '/^#!\/bin\/bash$/,/^```$/p' "$root/docs/guide/cluster.md" | grep -v '^```$' >array.sh
for line in '#SBATCH --array=1-8' '#SBATCH --time=' '#SBATCH --signal=USR1@' '#SBATCH --requeue' ' --resume '; do
  grep -q -- "$line" array.sh || fail "docs/guide/cluster.md's job has no \"$line\": $(cat array.sh)"
done
# As it is written, on a machine as small as this one, and with a time limit that is near.
sbatch --parsable --cpus-per-task="$(nproc)" --time=2 --output=%a.out --open-mode=append array.sh >job
job="$(cat job)"
state_of() { squeue --noheader --array --format='%i %T' | grep "^${job}_$1 "; }
in_state() { [[ $(state_of "$1") == *" $2" ]]; }

wait_for 30 "part 1 does not begin" in_state 1 RUNNING
wait_for 60 "part 1 was not asked to end" grep -q 'asked to end' 1.out
wait_for 60 "part 2 does not get to its second group" eval '(($(cases_of tiling.2.jsonl) == 1))'
wait_for 10 "part 2 does not sleep" eval '(($(wc -l <starts.2) >= 4))'
# The node fails: nothing of its jobs is left, and after a while it is there again.
kill_node
wait_for 40 "part 2 is not requeued" in_state 2 PENDING
slurmd -f "$SLURM_CONF"
wait_for 120 "the jobs do not end" eval '[[ -z $(squeue --noheader) ]]'

for part in {1..8}; do
  [[ -e tiling.$part.jsonl ]] || fail "part $part made no file: $(cat "$part.out")"
  (($(cases_of "tiling.$part.jsonl") == 2)) || fail "part $part has not two cases: $(cat "$part.out")"
  tail -n 1 "tiling.$part.jsonl" | grep -q '"status":"complete"' || fail "part $part is not complete: $(cat "$part.out")"
done
# The page's next commands.
mapfile -t next < <(grep -E '^uotbench (merge|show) tiling' "$root/docs/guide/cluster.md")
((${#next[@]} == 2)) || fail "docs/guide/cluster.md joins the parts otherwise: ${next[*]}"
for command in "${next[@]}"; do
  bash -c "$command" >said 2>&1 || fail "$command: $(cat said)"
done
grep -q 'warning: shard' said && fail "a part is missing: $(cat said)"
python3 - "$job" <<'END'
import json, os, sys
job, restarts = sys.argv[1], {}
with open("tiling.jsonl") as file:
    cases = [line for line in map(json.loads, file) if line["kind"] == "case"]
assert len(cases) == 16, len(cases)
for case in cases:
    env = case["env"]
    assert case["status"] == "ok", (case["id"], case["status"], case.get("reason"))
    assert env["scheduler"] == "Slurm" and env["job"].startswith(job + "_") and env["job_id"].isdigit(), env
    assert env["node"] == os.uname().nodename and env["job_nodes"] == env["node"].split(".")[0] and env["node_cpus"], env
    restarts.setdefault(env["job"].split("_")[1], []).append(env["job_restarts"])
assert sorted(restarts) == list("12345678"), restarts
for part in "12":  # others may have been asked to end as well
    assert sorted(restarts[part]) == [0, 1], f"part {part} was to be made by two jobs: {restarts}"
END
