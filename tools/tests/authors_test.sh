#!/usr/bin/env bash
# tools/authors builds a worker from a clone's function, which the oracle verifies, and runs programs that print a time.
# The clones are made here: the same files and names, and code of this test.
source "$(dirname "$(readlink -f "$0")")/script.sh"
authors=("$root/tools/authors")
for python in "${UOTBENCH_PYTHON-}" "$root/build/peers/bin/python" python3 /usr/bin/python3 ""; do
  [[ -n $python ]] || continue
  if "$python" -c 'import numpy' 2>/dev/null; then break; fi
done
[[ -n $python ]] || { echo "skipped: no Python here has NumPy (apt install python3-numpy)"; exit 77; }
export UOTBENCH_PYTHON="$python"

mkdir -p "$scratch/uot/src" "$scratch/coffee/src"
cat >"$scratch/uot/src/MAP-UOT_parameter.h" <<'END'
#pragma once
#define eps 0.25
extern int thread_count;
END
cat >"$scratch/uot/src/MAP-UOT_TestMap.h" <<'END'
#pragma once
#include <math.h>
#include <stdio.h>
#include <pthread.h>
#include "MAP-UOT_parameter.h"
double cpuSecond(void);
void UOT_MAP(double*, double*, double*, double*, double*, double*, int, const int, const int, const double, int, double,
             pthread_t*);
END
# Columns by the factors of their sums, then rows; the sums of what comes out.
cat >"$scratch/uot/src/MAP-UOT_TestMap.cpp" <<'END'
#include "MAP-UOT_TestMap.h"
#include <stdlib.h>
void UOT_MAP(double* plan, double* rows, double* columns, double* sums, double*, double* before, int, const int m,
             const int n, const double fi, int count, double error, pthread_t* handles) {
  for (; error >= eps; ++count) {
    for (int j = 0; j < n; ++j) before[j] = sums[j];
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) plan[i * n + j] *= pow(columns[j] / before[j], fi);
    for (int j = 0; j < n; ++j) sums[j] = 0;
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += plan[i * n + j];
      for (int j = 0; j < n; ++j) sums[j] += plan[i * n + j] *= pow(rows[i] / sum, FI);
    }
    error = fabs(sums[0] - before[0]);
  }
  printf("%f, ", cpuSecond() / count);
  free(handles);
}
END
cat >"$scratch/coffee/src/COFFEE_TestCPU.h" <<'END'
#pragma once
#include <math.h>
#include <stdio.h>
#include <mpi.h>
#define eps 1e-9
void CPU_Test(double*, double*, double*, double*, double*, double*, const int, const int, const int);
END
cat >"$scratch/coffee/src/COFFEE_TestCPU.cpp" <<'END'
#include "COFFEE_TestCPU.h"
void CPU_Test(double* plan, double*, double* rows, double* columns, double* own, double* sums, const int m, const int n,
              const int rank) {
  double error = 1, start = MPI_Wtime();
  for (bool more = true; more; more = !(error < eps)) {
    for (int j = 0; j < n; ++j) own[j] = 0;
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += plan[i * n + j];
      for (int j = 0; j < n; ++j) own[j] += plan[i * n + j] *= rows[rank * m + i] / sum;
    }
    MPI_Allreduce(own, sums, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) plan[i * n + j] *= columns[j] / sums[j];
  }
  printf("%f", MPI_Wtime() - start);
}
END
status() {  # WORKER-LINE, then axes: what the oracle says
  local worker="$1" variant="$2"
  shift 2
  "$programs/uotbench" run "$variant" "$@" --worker "$worker" --verify-only --force -o "$scratch/run.jsonl" >"$scratch/said" 2>&1 || true
  grep '"kind":"case"' "$scratch/run.jsonl" | grep -o '"status":"[a-z]*"' | sort | uniq -c | tr -s ' '
}

printed="$("${authors[@]}" map_uot "$scratch/uot" -o "$scratch/built" --bin "$programs" --flags "-O1 -DFI=fi")" || fail "map_uot: $printed"
grep -q "uotbench run uot/authors_map_uot uot/map_uot_published .* -a scheme=damped --worker 'authors=" <<<"$printed" || fail "no command: $printed"
worker="authors=$programs/uotbench-worker-python $scratch/built/authors_map_uot.py"
right="$(status "$worker" uot/authors_map_uot -a M,N=36,53 -a threads=1,2 -a dtype=f64 -a scheme=damped)"
[[ $right == ' 2 "status":"ok"' ]] || fail "a right function: $right; $(<"$scratch/said")"
refused="$(status "$worker" uot/authors_map_uot -a M,N=37,53 -a threads=2 -a dtype=f64 -a scheme=damped)"
[[ $refused == ' 1 "status":"skipped"' ]] || fail "rows that threads do not divide: $refused"
"${authors[@]}" map_uot "$scratch/uot" -o "$scratch/built" --bin "$programs" --flags "-O1 -DFI=1" >/dev/null
wrong="$(status "$worker" uot/authors_map_uot -a M,N=36,53 -a dtype=f64 -a scheme=damped)"
[[ $wrong == ' 1 "status":"failed"' ]] || fail "a wrong function: $wrong"

"${authors[@]}" coffee "$scratch/coffee" -o "$scratch/built" --bin "$programs" >/dev/null || fail "coffee is not built"
worker="authors=$programs/uotbench-worker-python $scratch/built/authors_coffee.py"
right="$(status "$worker" uot/authors_coffee -a M,N=5,1000 -a dtype=f64 -a scheme=damped -a fi=1)"
[[ $right == ' 1 "status":"ok"' ]] || fail "coffee: $right; $(<"$scratch/said")"

mkdir -p "$scratch/xla/mat_ops/cpu" "$scratch/xla/diff2d"
cat >"$scratch/xla/diff2d/diff2d_cpu.cpp" <<'END'
#include <cstdio>
#include <cstring>
int main(int count, char** words) {
  if (count != 3 || std::strcmp(words[1], "-size=4096") != 0 || std::strcmp(words[2], "-time=0.1") != 0) return 1;
  std::printf("  Run time: 3 seconds\n  Loops: 2\n");
}
END
echo '#include "nowhere.h"' >"$scratch/xla/mat_ops/cpu/mat_copy.cpp"
said="$("${authors[@]}" xla "$scratch/xla" -o "$scratch/built" --bin "$programs" --cells 4096 --seconds 0.1 --threads 1)" || fail "xla: $said"
grep -q '^| heat2d | 64 x 64 | diff2d_cpu | 1500 ms | [0-9.e+-]* ms | [0-9.e+-]* |$' <<<"$said" || fail "no row: $said"
grep -q '^left out: mat_ops/cpu/mat_copy.cpp: does not compile: .*nowhere.h' <<<"$said" || fail "no reason: $said"
grep -q '^left out: diff1d/diff1d_cpu.cpp: not in the clone$' <<<"$said" || fail "what lacks is not named: $said"

code=0
said="$("${authors[@]}" map_uot "$scratch/coffee" -o "$scratch/built" 2>&1)" || code=$?
[[ $code == 1 && $said == "authors: $scratch/coffee/src/MAP-UOT_TestMap.cpp: expected a clone with this file, got none" ]] ||
  fail "another clone: $code $said"
