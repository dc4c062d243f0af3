// Stands in for an OpenBLAS that is older than the CPU: its kernels are Prescott's unless OPENBLAS_CORETYPE
// names others when it is loaded.
#include <cstdlib>

static const char* const core = std::getenv("OPENBLAS_CORETYPE");

extern "C" const char* openblas_get_corename() { return core ? core : "Prescott"; }
// As PyPI's builds call theirs.
extern "C" const char* scipy_openblas_get_config() { return "prefixed"; }
