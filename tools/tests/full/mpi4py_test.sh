#!/usr/bin/env bash
# The worker `mpi4py` is right whatever the number of processes, times them by one clock, names the process that fails, and
# says what is missing; skipped where there is no mpi4py of the launcher's MPI.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config" PYTHONDONTWRITEBYTECODE=1
[[ -x $programs/uotbench-mpirun ]] || {
  echo "skipped: there is no MPI here"
  exit 77
}
for python in python3 /usr/bin/python3 ""; do
  [[ -n $python ]] || {
    echo "skipped: no Python here has NumPy and mpi4py (apt install python3-numpy python3-mpi4py)"
    exit 77
  }
  ! "$python" -c 'import numpy, mpi4py' 2>/dev/null || break
done
UOTBENCH_PYTHON="$("$python" -c 'import sys; print(sys.executable)')"
export UOTBENCH_PYTHON
launched="$programs/uotbench-mpirun {ranks} {threads} $programs/uotbench-worker-python --ranks"

# verdicts CODE ARGUMENT...: of a run that ends so: each case's name, processes, status and reason.
verdicts() {
  local wanted="$1" code=0
  shift
  "$programs/uotbench" run "$@" --output run.jsonl --force --quiet >said 2>&1 </dev/null || code=$?
  [[ $code == "$wanted" ]] || fail "$*: exit code $code, not $wanted: $(tail -n 20 said)"
  python3 -c 'import json
for record in map(json.loads, open("run.jsonl")):
    if record["kind"] == "case":
        print(record["variant"].split("/")[1], record["point"]["ranks"], record["status"] + ":", record.get("reason") or "")'
}

# Fewer rows than processes, rows that nothing divides, one process.
said="$(verdicts 0 'uot/mpi4py_*' --worker mpi4py -a 'M,N=2,3;37,53' -a ranks=1,3 -a scheme=unbalanced,damped --rounds 0)"
[[ $(grep -c ' ok: $' <<<"$said") == 24 ]] || fail "not 24 cases are right: $said"
said="$(verdicts 0 uot/mpi4py_map_uot --worker mpi4py -a M,N=37,53 -a dtype=f64 -a ranks=2 -a stop=iterations,change --rounds 0)"
[[ $said == *"mpi4py_map_uot 2 ok: "*"mpi4py_map_uot 2 skipped: uot/mpi4py_map_uot has no stopping test; "* ]] || fail "$said"

# A time, from the first start to the last end; each process has a CPU of its own.
verdicts 0 uot/mpi4py_gemv --worker mpi4py -a M,N=37,53 -a "ranks=$(($(nproc) > 1 ? 2 : 1))" --rounds 1 --max-time 50ms >/dev/null
python3 - <<'END'
import json
case = next(line for line in map(json.loads, open("run.jsonl")) if line["kind"] == "case")
env, process = case["env"], case["time"]["processes"][0]
assert case["time"]["proof"], case
assert [phase["name"] for phase in process["phases"]] == ["exchange"], process
assert 0 < env["rank_time_least"] <= env["rank_time_mean"] <= env["rank_time_most"] <= 1, env
assert env["clock_drift"] == 0 and env["pinned"], env
cpus = [one.rsplit(" ", 1)[1] for one in env["binding"].split("; ")]
assert len(set(cpus)) == len(cpus) == case["point"]["ranks"], env
END

# One that fails while the other waits for it in a kernel, and one that fails before all meet again.
cat >bad.py <<'END'
from uotbench.uot.problem import elements
from uotbench.uot.shared.ranks.over_ranks import rank_variant


class Bad:
    def __init__(self, problem):
        from mpi4py import MPI

        self.problem, self.rank = problem, MPI.COMM_WORLD.Get_rank()
        self.K, self.a, self.b = problem.inputs()

    def finish(self):
        return self.problem.whole(self.K)


@rank_variant("fails in the last process while the others wait for it", elements(1))
class bad(Bad):
    def iterate(self):
        if self.rank == 1:
            raise ValueError("tile 3 does not fit")
        self.problem.add_up(self.b)
END
sed 's/^        self.problem.add_up.*//' bad.py >late.py
for file in bad late; do
  said="$(verdicts 1 "uot/$file" --worker mine="$launched $file.py" -a M,N=12,7 -a ranks=2 --rounds 0)"
  [[ $said == *"rank 1 of 2"*"tile 3 does not fit"* ]] || fail "$file: $said"
done

# Processes that another MPI's launcher starts each think that they are alone.
said="$(verdicts 1 uot/mpi4py_gemv --worker mine="env UOTBENCH_RANKS={ranks} $programs/uotbench-worker-python --ranks" \
  -a M,N=12,7 -a ranks=2 --rounds 0)"
[[ $said == *"MPI finds 1 process where 2 were started"*"UOTBENCH_MPIRUN"* ]] || fail "another MPI: $said"

# Without mpi4py.
printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$UOTBENCH_PYTHON" >bare
chmod +x bare
said="$(UOTBENCH_PYTHON="$scratch/bare" verdicts 0 uot/mpi4py_gemv --worker mpi4py -a M,N=12,7 -a ranks=1,2 --rounds 0)"
[[ $(grep -c 'skipped: NumPy is not installed' <<<"$said") == 2 ]] || fail "without packages: $said"
