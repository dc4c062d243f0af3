#!/usr/bin/env bash
# What is carried to a GPU machine is whole: it starts in an empty environment and goes its whole way, on the CPU.
# Without a GPU the check says so in one line, and slips are refused before anything is done.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
export XZ_OPT=-0 # the pack is the same, a little larger, in a tenth of the time
gpu_check="$root/tools/gpu_check"

# expect CODE COMMAND...: it ends with CODE; its output is in $said.
expect() {
  local wanted="$1" code=0
  shift
  said="$("$@" 2>&1 </dev/null)" || code=$?
  ((code == wanted)) || fail "$*: exit code $code, not $wanted: $(tail -n 30 <<<"$said")"
}
# refused MESSAGE OPTION...: in one line, with exit code 2.
refused() {
  local message="$1"
  shift
  expect 2 "$gpu_check" "$@"
  [[ $said == "gpu_check: $message" ]] || fail "$* says: $said"
}

cd /
expect 0 "$gpu_check" --help
[[ $said == "usage: tools/gpu_check"* ]] || fail "--help says: $said"
refused 'unknown option "--bad"; see tools/gpu_check --help' --bad
refused '--arch needs a value; see tools/gpu_check --help' --pack --arch
refused '--arch: "sm_90" is no list of architectures such as 90 or "80;90"' --pack --arch sm_90
refused '--worker: "native" is neither cuda nor simt' --worker native
mkdir "$scratch/none" "$scratch/mine"
refused "there is no worker cuda in $scratch/none; tools/quickstart --build-only builds it where nvcc is" \
  --programs "$scratch/none"
touch "$scratch/mine/thesis"
refused "$scratch/mine is there and is no earlier pack; give a folder that is empty or not there" \
  --pack "$scratch/mine" --programs "$programs"
refused "there is no uotbench in $scratch/none" --pack "$scratch/pack" --programs "$scratch/none"
[[ ! -e $scratch/pack && -e $scratch/mine/thesis ]] || fail "a refusal left something, or took something"

for program in uotbench-worker-simt uotbench-worker-simt-trace; do
  if [[ ! -x $programs/$program ]]; then
    echo "no $program in this build"
    exit 77
  fi
done
# Where there is no nvcc a worker that cannot run is packed in its place: this machine has no GPU either.
if [[ ! -x $programs/uotbench-worker-cuda ]]; then
  mkdir "$scratch/programs"
  ln -s "$programs"/uotbench* "$scratch/programs"
  cp /bin/false "$scratch/programs/uotbench-worker-cuda"
  programs="$scratch/programs"
elif ! [[ -e /dev/nvidia0 ]]; then
  expect 2 "$gpu_check" --programs "$programs"
  [[ $said == "gpu_check: the worker cuda cannot run here: there is no "* && $(wc -l <<<"$said") == 1 ]] ||
    fail "without a GPU it says: $said"
fi

expect 0 "$gpu_check" --pack "$scratch/pack.tar.xz" --programs "$programs"
[[ $said == *"packed: $scratch/pack, "*" MiB; $scratch/pack.tar.xz, "*" MiB"* ]] || fail "--pack says: $said"
(($(du -sb "$scratch/pack" | cut -f 1) <= 64 << 20)) || fail "the pack is too large: $said"
expect 0 "$gpu_check" --pack "$scratch/pack" --programs "$programs" # again, over the first
rm -r "$scratch/pack"
mkdir "$scratch/there"
tar -C "$scratch/there" -xf "$scratch/pack.tar.xz"
rm "$scratch/pack.tar.xz"

# The tree is hidden, where the system lets us: what is there must do.
unseen=()
if unshare -rm mount -t tmpfs none "$root" 2>/dev/null; then
  # shellcheck disable=SC2016
  unseen=(unshare -rm sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$root")
fi
there="$scratch/there/pack"
alone=("${unseen[@]}" env -i "$there/gpu_check")
expect 2 "${alone[@]}" --pack
[[ $said == "gpu_check: this is a pack; --pack is for the project's tree" ]] || fail "a pack, asked to pack: $said"

# A library that was not packed would be taken from here: no program may find one that glibc does not bring.
for program in "$there"/bin/uotbench*; do
  [[ -x $program ]] || continue
  missing="$(LD_LIBRARY_PATH="$there/lib:$there/lib/gcc" ldd "$program" 2>/dev/null |
    awk -v there="$there/" '$2 == "=>" && index($3, there) != 1 && $1 !~ /^(libc|libm|libdl|librt|libpthread)\.so/' || true)"
  [[ -z $missing ]] || fail "$program is packed without $missing"
done

uotbench=("${unseen[@]}" env -i "LD_LIBRARY_PATH=$there/lib:$there/lib/gcc" "$there/bin/uotbench")
expect 0 "${uotbench[@]}" list
grep -Eq '^uot/cuda_map_part2 .*simt-trace' <<<"$said" || fail "part 2 is not listed: $said"
expect 0 "${uotbench[@]}" run uot/cuda_map -a M,N=37,53 --worker simt-trace --verify-only --output "$scratch/run.jsonl"
grep -q '"kind":"case".*"status":"ok"' "$scratch/run.jsonl" || fail "the case is not ok: $said"
# Of a sweep that names CPU workers, too, the GPU's part is there: of the 50 tiles none is lost.
tiles="$("${uotbench[@]}" run --sweep tiling.json --filter '@cuda$' --dry-run 2>"$scratch/errors" | grep -c '^uot/cuda_map_part' || true)"
((tiles == 50)) || fail "$tiles tiles are planned, not 50: $(cat "$scratch/errors")"

# And the Sinkhorn steps, of which one is in two lists.
steps="$("${uotbench[@]}" run --sweep gpu_sinkhorn.json --dry-run 2>"$scratch/errors" | grep -c '^sinkhorn_log/cuda_' || true)"
((steps == 27)) || fail "$steps Sinkhorn steps are planned, not 27: $(cat "$scratch/errors")"

rungs="$("${uotbench[@]}" run --sweep matching.json --filter '@cuda$' --dry-run 2>"$scratch/errors" | grep -c '^match/' || true)"
((rungs == 13)) || fail "$rungs rungs are planned, not 13: $(cat "$scratch/errors")"

expect 0 "${alone[@]}" --worker simt --output "$scratch/rehearsal"
for name in verify ceilings gpu limit sinkhorn applications stencil matching simt-trace tiling-32 tiling-512; do
  grep -Eq "^$name: ok, [0-9]+ s$" <<<"$said" || fail "$name is not ok: $said"
  grep -q '"kind":"case".*"status":"ok"' "$scratch/rehearsal/$name.jsonl" || fail "nothing is ok in $name.jsonl: $said"
done
[[ $said == "GPU: CPU-executor; run files and logs: $scratch/rehearsal"* && $said == *"; nothing failed" ]] ||
  fail "the rehearsal says: $said"

# A step that fails does not keep the others from being done.
chmod -x "$there/bin/uotbench-worker-simt-trace"
expect 1 "${alone[@]}" --worker simt --output "$scratch/again"
[[ $said == *"simt-trace: FAILED (no case was run)"*"tiling-512: ok"*"; something failed" ]] || fail "a failure: $said"
