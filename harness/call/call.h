/* Any variant as a function, from C: link libuotbench.so. docs/guide/call_any.md shows a whole program.
 *
 * Every function may be called from several threads, one handle from one thread at a time: a function that
 * finds another thread in the handle returns UOTBENCH_INVALID (or NULL). No function throws, and none ends
 * the process. A function that fails returns a status other than 0 (or NULL), and uotbench_error() says why
 * in one line. Texts are valid until the same thread's next call of a function that returns one. */
#pragma once
#ifndef UOTBENCH_CALL_H
#define UOTBENCH_CALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  UOTBENCH_OK = 0,
  UOTBENCH_INVALID = 1,     /* an argument, a setting or the data: the caller can mend it */
  UOTBENCH_UNKNOWN = 2,     /* no such variant or worker, or the CPU cannot run it */
  UOTBENCH_NO_MEMORY = 3,   /* more than there is */
  UOTBENCH_NO_SOLUTION = 4, /* the kernel ended without a solution */
  UOTBENCH_INTERNAL = 5,
  UOTBENCH_STOPPED = 6 /* by uotbench_stop() or a signal */
};

/* An array in memory. */
typedef struct uotbench_array {
  const char* name;       /* a, b, X, Y, C, K: `uotbench list FAMILY` has them */
  const char* type;       /* as NPY spells it: <f4, <f8, <i4, >f8, |b1 */
  int64_t dimensions;     /* at most 8 */
  const int64_t* shape;   /* elements along each axis */
  const int64_t* strides; /* bytes between them; NULL: C order */
  void* data;
} uotbench_array;

typedef struct uotbench_problem uotbench_problem;

/* Chooses the worker whose kernels later problems get: "native-v3", "native-v4" or "native". NULL: the best
 * that is built and that this CPU runs, which is the default. */
int uotbench_use(const char* worker);

/* {"worker", "variants": [{"name", "summary", "axes", "code"}], "families": [{"name", "axes", "arrays"}]}. `code`
 * is the hash of the machine code that `describe` of the worker's program reports, too: what was timed is what is
 * called. Absent where the build noted none. */
const char* uotbench_describe(void);

/* A problem, loaded into a variant: FAMILY/NAME. Settings are "reg=.05", "threads=2"; what they leave out has
 * the default of `uotbench list`, dtype and sizes those of the arrays, and where a family goes to a solution
 * (stop), it does. The arrays are copied, but K of uot and C of sinkhorn_log in C order and of the problem's
 * dtype: those must stay until uotbench_free(), and are only read. Families without data of the user's make
 * their own inputs; arrays replace those of the same name. NULL: it failed, and uotbench_status() has the
 * status. */
uotbench_problem* uotbench_create(const char* variant, const uotbench_array* arrays, size_t array_count,
                                  const char* const* settings, size_t setting_count);

/* Computes from the inputs: a solution or, with a variant that counts iterations, `iterations` of them. May
 * be called again. Where max_iterations are too few (UOTBENCH_NO_SOLUTION), uotbench_finish() writes what the
 * last one came to. */
int uotbench_solve(uotbench_problem* problem, int64_t iterations);
/* `iterations` more, with a variant that counts them. */
int uotbench_iterate(uotbench_problem* problem, int64_t iterations);
/* Writes the outputs. plan == 0: without the plan, where the variant has other outputs. */
int uotbench_finish(uotbench_problem* problem, int plan);
/* Those, counted from 0; UOTBENCH_UNKNOWN after the last. They live as long as the problem, and the next
 * uotbench_finish() writes them again. */
int uotbench_output(uotbench_problem* problem, size_t index, uotbench_array* output);

/* Of the last solve, or since; 0 while another thread uses the problem. */
int64_t uotbench_iterations(uotbench_problem* problem);

/* Seconds by a steady clock. */
typedef struct uotbench_times {
  double prepare; /* of uotbench_create(): reads the arrays, makes the inputs, loads the variant */
  double solve;   /* of the last uotbench_solve() or uotbench_iterate(), as a benchmark times it */
  double outputs; /* of the last uotbench_finish() */
} uotbench_times;
int uotbench_times_of(uotbench_problem* problem, uotbench_times* times);

/* Ends the solve that runs: it returns UOTBENCH_STOPPED after the current iteration, and may be made again.
 * Solves by a library of others (LEMON, CLP) go on to their end. Any thread and any signal handler may call
 * it. */
void uotbench_stop(uotbench_problem* problem);
/* From now on this signal stops a solve of the calling thread, too, before the program's own handler is
 * called. 0: none does. A signal without a handler is left alone. */
void uotbench_stop_at(int signal);

/* {"variant", "worker", "code", "iterations", "facts": {…}} */
const char* uotbench_facts(uotbench_problem* problem);
/* All settings, those that were left out and sizes too: {"M", "N", "dtype", …} */
const char* uotbench_settings(uotbench_problem* problem);
/* What the oracle, which verifies benchmarks, says of the outputs, the plan included: {"right", "reason",
 * "error", "tolerance", …}. It takes many times as long as a solve. NULL: it failed. */
const char* uotbench_certify(uotbench_problem* problem);

void uotbench_free(uotbench_problem* problem);

/* Of this thread's last call that failed. */
const char* uotbench_error(void);
int uotbench_status(void);

#ifdef __cplusplus
}
#endif
#endif
