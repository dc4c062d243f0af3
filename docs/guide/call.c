#include <stdio.h>
#include <uotbench/call.h>

int main(void) {
  const double C[] = {0, 1, 1, 0}, a[] = {.5, .5};
  const int64_t square[] = {2, 2}, two[] = {2};
  const uotbench_array arrays[] = {{"C", "<f8", 2, square, NULL, (void*)C},
                                   {"a", "<f8", 1, two, NULL, (void*)a},
                                   {"b", "<f8", 1, two, NULL, (void*)a}};
  const char* settings[] = {"reg=.05", "reg_m=5", "reg_type=kl", "threads=1"};
  uotbench_problem* problem = uotbench_create("uot/one_read_sor", arrays, 3, settings, 4);
  if (!problem || uotbench_solve(problem, 1) || uotbench_finish(problem, 0)) {
    fprintf(stderr, "%s\n", uotbench_error());
    return 1;
  }
  uotbench_array output;
  for (size_t i = 0; uotbench_output(problem, i, &output) == UOTBENCH_OK; ++i)
    printf("%s[0] = %g\n", output.name, *(double*)output.data);
  printf("%s\n", uotbench_facts(problem)); /* {"iterations": …} */
  uotbench_free(problem);
  return 0;
}
