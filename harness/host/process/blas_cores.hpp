// The cores that OpenBLAS has kernels for, and what a CPU could run.
#pragma once

#include <string>

namespace uotbench {

inline constexpr const char* openblas_core_variable = "OPENBLAS_CORETYPE";

/// Width in bits of the vectors that an OpenBLAS core's GEMV uses (names: driver/others/dynamic.c of
/// OpenBLAS); 0: a name that is not known.
int vector_bits_of_core(const std::string& core);

/// Width in bits of this CPU's vectors as far as OpenBLAS has kernels for them: 512 (AVX-512 F, BW, DQ, VL,
/// CD), 256 (AVX2 and FMA) or 128; 0: not an x86-64.
int vector_bits_of_cpu();

/// The core to ask for by OPENBLAS_CORETYPE; empty: what OpenBLAS chose, `found`, uses the CPU's vectors, or
/// one of both is not known.
std::string better_core(const std::string& found, int cpu_bits);

/// Why a time of `core`'s kernels says little of OpenBLAS on this CPU; empty: it uses the CPU's vectors, or
/// one of both is not known. `forced`: the value of OPENBLAS_CORETYPE that the user set; empty: none.
std::string core_handicap(const std::string& core, int cpu_bits, const std::string& forced);

}  // namespace uotbench
