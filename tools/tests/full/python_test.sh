#!/usr/bin/env bash
# The worker `python` keeps the protocol with the standard library alone, says in one line what is missing, outlives
# variants that misbehave, and what is installed of POT, NumPy, JAX and OTT is right on awkward sizes.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
cd "$scratch"
export XDG_CACHE_HOME="$scratch/cache" XDG_CONFIG_HOME="$scratch/config" PYTHONDONTWRITEBYTECODE=1
uotbench="$programs/uotbench"
worker="$programs/uotbench-worker-python"

# expect CODE COMMAND...: its output is in $said.
expect() {
  local wanted="$1" code=0
  shift
  said="$("$@" 2>&1 </dev/null)" || code=$?
  [[ $code == "$wanted" ]] || fail "$*: exit code $code, not $wanted: $(grep -v skipped <<<"$said" | tail -n 40)"
}
said_to() { grep -Eq -- "$1" <<<"$said" || fail "\"$1\" is not in: $said"; }
# verdicts FILE: each case's variant, status and reason.
verdicts() {
  python3 -c 'import json, sys
for record in map(json.loads, open(sys.argv[1])):
    if record["kind"] == "case":
        print(record["id"].split("/M:")[0], record["status"] + ":", record.get("reason") or "")' "$1"
}

command -v python3 >/dev/null || {
  echo "no python3 here"
  exit 77
}

# Its parts, and kernels by themselves.
expect 0 env PYTHONPATH="$root/harness/python" python3 -m unittest discover -s "$root/harness/python/tests" -p '*_test.py'

# An interpreter that sees no packages.
python="$(python3 -c 'import sys; print(sys.executable)')"
printf '#!/bin/sh\nexec "%s" -S "$@"\n' "$python" >bare
chmod +x bare
export UOTBENCH_PYTHON="$scratch/bare" UOTBENCH_LIBRARY="$scratch/nowhere.so"
expect 0 "$uotbench" check-worker "$worker"
said_to '^ok +verify uot/pure_python: right at 5 points'
said_to '^ok +time uot/pure_python: '
said_to '5 refused: NumPy is not installed; try tools/quickstart --with-peers or apt install python3-numpy'
said_to ' 0 wrong'
run=(run --rounds 1 --max-time 20ms --force)
expect 0 "$uotbench" "${run[@]}" uot/pure_python uot/pot_knopp -a M,N=37,53 -a dtype=f32,f64 --worker python --output bare.jsonl
[[ $(verdicts bare.jsonl | sort | uniq -c | tr -s ' ') == *"2 uot/pot_knopp skipped: NumPy is not installed"*"2 uot/pure_python ok: "* ]] ||
  fail "with the standard library alone: $(verdicts bare.jsonl)"
grep -Eq '"python":\{"python":"3[0-9.]+","implementation":"[A-Za-z]+","hash":"[0-9a-f]{16}"\}' bare.jsonl || fail "the build is not told: $(head -n 1 bare.jsonl)"

# No interpreter at all: one line, and the other workers go on.
export UOTBENCH_PYTHON="$scratch/nowhere"
expect 0 "$uotbench" list
grep -q pure_python <<<"$said" && fail "a worker that cannot run is listed: $said"
expect 0 "$uotbench" "${run[@]}" uot/pure_python -a M,N=37,53 --worker python --output none.jsonl
[[ $(verdicts none.jsonl) == "uot/pure_python skipped: worker python cannot run here: UOTBENCH_PYTHON is $scratch/nowhere, which is no program; "* ]] ||
  fail "without an interpreter: $(verdicts none.jsonl)"
printf '#!/bin/sh\nexit 1\n' >old
chmod +x old
UOTBENCH_PYTHON="$scratch/old" expect 0 "$uotbench" "${run[@]}" uot/pure_python -a M,N=37,53 --worker python --output none.jsonl
[[ $(verdicts none.jsonl) == *"old is no Python of version 3.9 or newer"* ]] || fail "an old one: $(verdicts none.jsonl)"

# As installed, from a path with a space: its files are beside it.
export UOTBENCH_PYTHON="$scratch/bare"
mkdir -p "a b/bin" "a b/share/uotbench/python/harness" "a b/share/uotbench/python/kernels"
cp "$(dirname "$programs")/package/uotbench-worker-python" "a b/bin/"
cp -r "$root/harness/python" "a b/share/uotbench/python/harness/"
(cd "$root/kernels" && find uot -name '*.py' ! -path '*/tests/*' \
  -exec cp --parents -t "$scratch/a b/share/uotbench/python/kernels" {} +)
rm "a b/share/uotbench/python/kernels/uot/python/pot_ti.py" # the tree's is not found instead
expect 0 "$uotbench" check-worker "'$scratch/a b/bin/uotbench-worker-python'"
said_to '^ok +verify uot/pure_python: right'
grep -q pot_ti <<<"$said" && fail "an installed worker looks into the tree: $said"

# Two environments are two workers of one run, and the first line tells what each has installed.
for version in 1.2.3 4.5.6; do
  mkdir -p "env-$version/jaxlib-$version.dist-info"
  printf 'Metadata-Version: 2.1\nName: jaxlib\nVersion: %s\n' "$version" >"env-$version/jaxlib-$version.dist-info/METADATA"
  printf '#!/bin/sh\nPYTHONPATH="%s" exec "%s" -S "$@"\n' "$scratch/env-$version" "$python" >"python-$version"
  chmod +x "python-$version"
done
expect 0 "$uotbench" "${run[@]}" uot/pure_python -a M,N=7,9 --worker old="env UOTBENCH_PYTHON=$scratch/python-1.2.3 $worker" \
  --worker new="env UOTBENCH_PYTHON=$scratch/python-4.5.6 $worker" --output two.jsonl
python3 -c 'import json
lines = [json.loads(line) for line in open("two.jsonl")]
found = {name: build.get("jaxlib") for name, build in lines[0]["workers"].items() if name in ("old", "new")}
assert found == {"old": "1.2.3", "new": "4.5.6"}, found
done = sorted((line["worker"], line["status"]) for line in lines if line["kind"] == "case")
assert done == [("new", "ok"), ("old", "ok")], done' || fail "two environments: $(head -n 3 two.jsonl)"

# Variants of one's own, and what they may do wrong.
mkdir mine
head_of='from uotbench.uot.problem import elements, variant
from uotbench.uot.python.pure_python import PurePython

@variant("mine", work=elements(2), serial=True)
class Mine(PurePython):
'
peer() { printf '%s%s\n' "$head_of" "$2" >"mine/$1.py"; }
peer fine '    about = "as it is"'
peer wrong '    def finish(self):
        self.u[0] *= 2
        return super().finish()'
peer raises '    def iterate(self):
        raise IndexError("tile 3 does not fit")'
peer prints '    def iterate(self):
        print("{\"type\":\"record\"}")
        import os
        os.write(1, b"loud\n")
        super().iterate()'
peer hangs '    def iterate(self):
        while True:
            pass'
peer leaves '    def iterate(self):
        import os
        os._exit(3)'
peer forgets '    def finish(self):
        return {}'
peer short '    def finish(self):
        return {"plan": super().finish()["plan"][:-1]}'
expect 1 "$uotbench" "${run[@]}" 'uot/*' -a M,N=12,7 --worker mine="$worker $scratch/mine" --filter 'uot/(fine|wrong|raises|prints|hangs|leaves|forgets|short)/' \
  --case-timeout 5s --output mine.jsonl
verdicts mine.jsonl >verdicts
while IFS= read -r line; do
  grep -Eq "^uot/$line" verdicts || fail "\"$line\" is not among: $(cat verdicts) $said"
done <<'END'
fine ok: $
wrong failed: (after 2 iterations: )?wrong: .* of 84 cells, exactly row 0
raises failed: IndexError: tile 3 does not fit$
prints ok: $
hangs timeout: no answer within 5s: killed$
leaves crashed: exited with code 3 without answering
forgets failed: outputs untouched: nothing was written
short failed: plan.npy has room for 336 bytes, not 332$
END
printf 'import no_such_module\n' >typo.py
expect 0 "$uotbench" "${run[@]}" uot/pure_python -a M,N=12,7 --worker mine="$worker typo.py" --output typo.jsonl
[[ $(verdicts typo.jsonl) == *"skipped: worker mine cannot run here: typo.py: ModuleNotFoundError: No module named 'no_such_module'" ]] ||
  fail "a file that cannot be loaded: $(verdicts typo.jsonl)"

# What is installed: right on awkward sizes, both types, both schemes, masses of zero; and solutions.
unset UOTBENCH_PYTHON
expect 0 "$uotbench" "${run[@]}" uot/called -a M,N=37,53 --worker python --output none.jsonl
[[ $(verdicts none.jsonl) == "uot/called skipped: "*" is not installed; try "* ]] || fail "without the library: $(verdicts none.jsonl)"
unset UOTBENCH_LIBRARY
python3 - <<'END'
import array, random
dice = random.Random(5)
def write(name, shape, values):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).ljust(118).encode()  # elements begin at 128
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + array.array("d", values).tobytes())
M, N = 37, 53
write("K", (M, N), [dice.random() for _ in range(M * N)])
write("a", (M,), [0 if i in (0, 5, M - 1) else dice.random() for i in range(M)])
write("b", (N,), [0 if j in (3, N - 1) else dice.random() for j in range(N)])
END
log_peers='sinkhorn_log/scipy_logsumexp sinkhorn_log/numpy_gemm sinkhorn_log/pot_log sinkhorn_log/pot_batch
  sinkhorn_log/pot_many sinkhorn_log/jax_logsumexp sinkhorn_log/ott_lse sinkhorn_log/ott_kernel
  sinkhorn_log/torch_logsumexp sinkhorn_log/geomloss sinkhorn_log/keops sinkhorn_log/called_sinkhorn'
peers='uot/pure_python uot/numpy_gemv uot/numpy_in_place uot/pot_knopp uot/pot_ti uot/jax_gemv uot/jax_fused uot/ott uot/cupy_gemv uot/cupy_in_place uot/torch_gemv'
# POT's balanced solver divides by the masses: masses of zero are an error of POT's, which the case then says.
tried=""
first="$root/build/peers/bin/python" # as the launcher has it
[[ -x $first ]] || first=python3
for python in "" /usr/bin/python3; do
  [[ -z $python ]] || { "$python" -c 'import numpy' 2>/dev/null && export UOTBENCH_PYTHON="$python"; } || continue
  judge=(run --verify-only --force --worker python --output peers.jsonl --quiet)
  verify=("${judge[@]}" -a dtype=f32,f64 -a scheme=unbalanced,damped -a fi=0.5,1)
  for data in 'M,N=37,53;1,7;64,3' 'M,N=53,37 -a data=points'; do
    # shellcheck disable=SC2086
    expect 0 "$uotbench" "${verify[@]}" $peers uot/pot_balanced -a $data
    tried+="$(verdicts peers.jsonl | grep ' ok: $' | sort -u)"
  done
  # shellcheck disable=SC2086
  expect 0 "$uotbench" "${verify[@]}" $peers -a M,N=37,53 -a data=npy -a path="$scratch"
  apply=(uot/numpy_gemv uot/numpy_in_place uot/pot_knopp -a M,N=37,53 -a application=3)
  expect 0 "$uotbench" "${verify[@]}" "${apply[@]}" -a data=moons,noisy,surface,likelihood
  expect 0 "$uotbench" "${judge[@]}" "${apply[@]}" -a data=colors -a dtype=f32 -a scheme=unbalanced -a fi=0.5
  for more in 'dtype=f32,f64 -a scheme=alternating,symmetric -a masses=zeros -a ragged=yes' 'source=one' \
    'source=one -a stop=marginal -a tol=0.01'; do
    # shellcheck disable=SC2086
    expect 0 "$uotbench" run --verify-only --force --worker python --output log_peers.jsonl --quiet $log_peers -a B,M,N=3,37,53 -a $more
    tried+="$(verdicts log_peers.jsonl | grep ' ok: $' | sort -u)"
  done
  # Solutions: POT's functions next to ours, which are this project's library where it is built.
  points=(-a M,N=37,53 -a data=points -a dtype=f32,f64)
  expect 0 "$uotbench" "${judge[@]}" uot/called uot/pot_ti uot/pot_knopp "${points[@]}" -a stop=change -a reg_type=entropy,kl
  tried+="$(verdicts peers.jsonl | grep ' ok: $' | sort -u)"
  expect 0 "$uotbench" "${judge[@]}" uot/called -a given=costs,points -a timed=function,call,solver "${points[@]}" -a stop=change
  expect 0 "$uotbench" "${judge[@]}" simplex/called_emd simplex/pot_emd simplex/pot_emd_lazy simplex/scipy_assignment -a M,N=37,37 \
    -a cost=squared,integer,matrix
  tried+="$(verdicts peers.jsonl | grep ' ok: $' | sort -u)"
  mkdir -p docs
  rm -f docs/my_peer.py
  (cd docs && "$uotbench" new variant my_peer.py >/dev/null)
  expect 0 "$uotbench" "${run[@]}" uot/my_peer -a M,N=37,53 -a dtype=f32,f64 -a scheme=unbalanced,damped \
    --worker mine="$worker docs/my_peer.py" --output docs.jsonl
  # The page's kernel in JAX; skipped without it.
  sed -n '/^```py$/,/^```$/p' "$root/docs/guide/kernels.md" | grep -v '^```' >docs/my_jax.py
  expect 0 "$uotbench" "${run[@]}" uot/my_jax -a M,N=37,53 -a dtype=f32,f64 -a scheme=unbalanced,damped \
    --worker mine="$worker docs/my_jax.py" --output jax.jsonl
  expect 0 "$uotbench" "${run[@]}" uot/numpy_gemv uot/pot_knopp -a M,N=37,53 -a threads=1,2 --worker python --output time.jsonl
  for tests in "$root"/kernels/*/tests/python_test.py; do
    expect 0 env PYTHONPATH="$root/harness/python" "${python:-$first}" -m unittest discover -s "${tests%/*}" -p '*_test.py'
  done
done
# A file that does not load: why is said where its variant is missed.
echo 'import no_such_module' >mine/unloadable.py
expect 2 "$uotbench" "${run[@]}" uot/unloadable -a M,N=37,53 --worker mine="$worker mine/unloadable.py" --output unloadable.jsonl
said_to 'no variant "uot/unloadable".*mine/unloadable\.py: ModuleNotFoundError: No module named .no_such_module'
expect 0 "$uotbench" list --worker mine="$worker mine/unloadable.py"
said_to 'worker mine cannot run here: mine/unloadable\.py: ModuleNotFoundError'
rm mine/unloadable.py
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy' 2>/dev/null && ! grep -q numpy_gemv.*numpy_gemm <<<"${tried//$'\n'/ }" && fail "NumPy is here and was not tried: $tried"
  "$python" -c 'import ot' 2>/dev/null && ! grep -q pot_balanced <<<"$tried" && fail "POT is here and was not tried: $tried"
  "$python" -c 'import ot; exit(tuple(map(int, ot.__version__.split(".")[:3])) < (0, 9, 5))' 2>/dev/null &&
    ! grep -q pot_many <<<"$tried" && fail "POT is here, and its functions in logarithms were not tried: $tried"
done
grep -q pure_python <<<"$tried" || fail "nothing was tried"
[[ ! -e $(dirname "$programs")/lib/libuotbench.so ]] || grep -q uot/called.*simplex/called_emd <<<"${tried//$'\n'/ }" ||
  fail "libuotbench.so is here and was not called: $tried"
