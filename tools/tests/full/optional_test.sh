#!/usr/bin/env bash
# A build without libpng, minizip, hwloc, PAPI, NVTX, MPI, nvcc, Boost.Context and LEMON does all the rest, and says
# what it cannot do where it is asked for; a package that is needed and not there is named in one line, whoever packs it.
# Only the libraries and objects that differ are compiled; they are linked with those of the build that is tested.
source "$(dirname "$(readlink -f "$0")")/../script.sh"
build="$(dirname "$programs")"

# expect CODE COMMAND...: it ends with CODE; its output is in $said, line ends and indentation made blanks.
expect() {
  local wanted="$1" code=0
  shift
  said="$("$@" 2>&1 </dev/null)" || code=$?
  ((code == wanted)) || fail "$*: exit code $code, not $wanted: $(tail -n 30 <<<"$said")"
  said="$(tr -s ' \n' ' ' <<<"$said")"
}
says() { [[ $said == *"$1"* ]] || fail "\"$1\" is not in: $said"; }

# Lines for the build: what is nearly one, and would be overlooked, is an error with file and line.
sed '/^file(GLOB/,$d' "$root/cmake/UotbenchFamilies.cmake" >"$scratch/said.cmake"
printf 'uotbench_said(words ${KEY} ${FILE})\nmessage("for ${words}")\n' >>"$scratch/said.cmake"
# line CODE KEY LINE: that line, the second of a file, is read so; what is said of it is in $said.
line() {
  printf '// A kernel.\n%s\n#include <x>\n' "$3" >"$scratch/apart.cpp"
  expect "$1" cmake "-DPROJECT_SOURCE_DIR=$root" "-DFILE=$scratch/apart.cpp" "-DKEY=$2" -P "$scratch/said.cmake"
}
line 0 workers '// workers: mpi native*'
says 'for mpi;native*'
line 0 workers '# workers: mpi4py'
says 'for mpi4py'
line 0 needs '// needs: BLAS LAPACK'
says 'for BLAS;LAPACK'
line 0 workers '// It works: two passes, as workers do.'
line 1 workers '// It needs much. workers: mpi'
says 'apart.cpp:2: "// It needs much. workers: mpi": "workers:" is within a line of a comment, where it is not read; '
for wrong in '// worker: mpi' '// wokers: mpi' '//workers: mpi' '// Workers: mpi' '// workers = mpi' '/// workers: mpi' \
  '/* workers: mpi */' '  // workers: mpi' '// workers:' '// workers: mpi, mpi4py' '// workers: mpi needs: BLAS'; do
  line 1 workers "$wrong"
  says "apart.cpp:2: \"$(tr -s ' ' <<<"$wrong")\": expected \"// workers: NAME...\""
done
for wrong in '// need: BLAS' '// neds: BLAS' '//needs: BLAS' '// Needs: BLAS' '// needs:'; do
  line 1 needs "$wrong"
  says "apart.cpp:2: \"$wrong\": expected \"// needs: NAME...\""
done
line 1 workers '// workers: native-v3 cdua'
says 'apart.cpp:2: "// workers: native-v3 cdua": no worker is called cdua; expected one of callgrind, '
rm "$scratch"/{apart.cpp,said.cmake}

cd "$root"
configure=(cmake --preset release -B "$scratch/build" -DUOTBENCH_WITH_PNG=OFF -DUOTBENCH_WITH_MINIZIP=OFF -DUOTBENCH_WITH_HWLOC=OFF
  -DUOTBENCH_WITH_PAPI=OFF -DUOTBENCH_WITH_NVTX=OFF -DUOTBENCH_WITH_SIMT=OFF -DUOTBENCH_WITH_CUDA=OFF
  -DUOTBENCH_WITH_MPI=OFF)
expect 1 "${configure[@]}" -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON
says 'fmt: Debian/Ubuntu libfmt-dev; Fedora/RHEL fmt-devel; conda-forge "fmt<11"; Spack fmt@:10 '
says 'Google Benchmark: Debian/Ubuntu libbenchmark-dev; Fedora/RHEL google-benchmark-devel; conda-forge benchmark; '
expect 1 "${configure[@]}" -DCMAKE_DISABLE_FIND_PACKAGE_fmt=OFF -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=OFF \
  -DUOTBENCH_TESTS=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
says 'GoogleTest with gmock: Debian/Ubuntu libgtest-dev libgmock-dev; '
says '-DUOTBENCH_TESTS=OFF does without'
expect 1 "${configure[@]}" -DUOTBENCH_TESTS=OFF "-DUOTBENCH_KERNEL_DIRS=$scratch;here"
says "UOTBENCH_KERNEL_DIRS: $scratch holds no .cpp or .cu file, neither itself nor in "
expect 0 "${configure[@]}" -DUOTBENCH_TESTS=OFF -DUOTBENCH_KERNEL_DIRS= \
  -DUOTBENCH_LEMON_INCLUDE=OFF
says 'libpng: not wanted (UOTBENCH_WITH_PNG=OFF); data=colors knows only its own scenes'
says 'minizip: not wanted (UOTBENCH_WITH_MINIZIP=OFF); uotbench pack says what is missing'
says 'hwloc (2.4 or later): not wanted (UOTBENCH_WITH_HWLOC=OFF); cores and caches as /sys reports'
says "PAPI: not wanted (UOTBENCH_WITH_PAPI=OFF); counters by perf's names alone"
says 'NVTX 3: not wanted (UOTBENCH_WITH_NVTX=OFF); profilers see no phases'
says 'Boost.Context: not wanted (UOTBENCH_WITH_SIMT=OFF); no workers simt and simt-trace'
says 'MPI: not wanted (UOTBENCH_WITH_MPI=OFF); no worker mpi: no kernels over several processes'
says 'nvcc: not wanted (UOTBENCH_WITH_CUDA=OFF); no worker cuda; simt runs its kernels on the CPU'
says 'LEMON: not found; apt-get install liblemon-dev would bring the variants simplex/lemon_*'
if ninja -C "$scratch/build" -t targets all | grep -E 'worker-(cuda|simt|mpi)'; then fail "there are their workers all the same"; fi
if ninja -C "$scratch/build" -t targets all | grep -iE 'simplex.*lemon.*\.o:'; then fail "LEMON is wanted all the same"; fi

host=libuotbench_harness_host
images=CMakeFiles/uotbench_oracle_families.dir/together/uotbench_oracle_families_kernels_common_oracle_0.cpp.o
joined=uotbench_tools_uotbench_joined
zip=CMakeFiles/$joined.dir/tools/uotbench/packing/zip.cpp.o
worker=CMakeFiles/uotbench_worker.dir/harness/worker
expect 0 cmake --build "$scratch/build" --parallel 2 --target ${host}_facts.a ${host}_findings.a $images $zip \
  $worker/{phases,counters/counter_sources}.cpp.o
cp "$build"/lib{uotbench_worker,$joined}.a "$scratch"
ar r "$scratch/lib$joined.a" "$scratch/build/$zip"
ar r "$scratch/libuotbench_worker.a" "$scratch/build/$worker"/{phases,counters/counter_sources}.cpp.o
ar d "$scratch/libuotbench_worker.a" papi_backend.cpp.o
mkdir "$scratch/bin"
# link PROGRAM: as Ninja would, but with these objects and neither library.
link() {
  local command
  command="$(ninja -C "$build" -t commands "bin/$1" | grep -- "-o bin/$1 " | tail -n 1)"
  command="$(sed -E "s| -o bin/| -o $scratch/bin/|; s| $images| $scratch/build/$images|; s#[^ ]*lib(png|z|archive|hwloc|papi)[^ ]*\.so##g
                     s# (${host}_(facts|findings)\.a)# $scratch/build/\1#g; s# lib(uotbench_worker|$joined)\.a# $scratch/lib\1.a#g" <<<"$command")"
  [[ -n $command ]] || fail "Ninja does not say how it links $1"
  (cd "$build" && sh -c "$command")
}
link uotbench
link uotbench-worker-oracle
for worker in "$programs"/uotbench-worker-native*; do
  [[ $worker == *.json ]] || link "$(basename "$worker")"
done
for program in "$scratch"/bin/*; do
  if ldd "$program" | grep -E 'libpng|libminizip|hwloc|papi'; then fail "$program still needs them"; fi
done

cd "$scratch"
expect 0 bin/uotbench doctor
says "built without libpng costs: data=colors reads no PNG files"
says "cmake -DUOTBENCH_WITH_PNG=ON $scratch/build && cmake --build $scratch/build"
says "built without minizip costs: no artefacts: uotbench pack needs it"
says "built without hwloc costs: cores and caches are those reported by /sys"
says "built without PAPI costs: no counters by PAPI's names; perf's names are there without it"
says "built without NVTX costs: profilers that read NVTX (nsys) see no phases"
run=(bin/uotbench run uot/one_read --rounds 1 --max-time 20ms -a 'M,N=37,53' -a threads=1,2 -a data=colors --force)
expect 0 "${run[@]}" --output run.jsonl
[[ $(grep -c '"kind":"case".*"status":"ok"' run.jsonl) == 2 ]] || fail "not two cases are ok: $said"
grep -q '"caches":\[{"level":1' run.jsonl || fail "the caches are not told: $(head -n 1 run.jsonl)"
"${run[@]}" -a source=mine.png --output run.jsonl >said 2>&1 </dev/null && code=0 || code=$?
said="$(cat said)"
says "source: mine.png: PNG files cannot be read, this was built without libpng (see uotbench doctor)"
((code == 2)) || fail "a PNG file: exit code $code, not 2: $said"
expect 2 bin/uotbench pack run.jsonl -o artefact.zip
says "pack: this uotbench was built without minizip, which writes and reads ZIP files; see uotbench doctor"
