// cuBLAS, loaded when a kernel asks for it: it is ten times as large as all else that the worker needs, and a
// machine without it runs all the rest.
#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace uotbench {

class CuBlas {
 public:
  static std::string file() { return "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR); }
  static bool available() { return library() != nullptr; }

  /// Throws std::runtime_error where it is not installed, or lacks a function.
  CuBlas() {
    if (!available()) throw std::runtime_error(file() + " cannot be loaded");
    check(find<decltype(&cublasCreate_v2)>("cublasCreate_v2")(&handle_), "cublasCreate");
  }
  ~CuBlas() { find<decltype(&cublasDestroy_v2)>("cublasDestroy_v2")(handle_); }
  CuBlas(const CuBlas&) = delete;
  CuBlas& operator=(const CuBlas&) = delete;

  /// y = A x, or A' x, A being n columns of m numbers, `pitch` apart.
  void gemv(cublasOperation_t operation, int m, int n, const float* A, int pitch, const float* x,
            float* y) const {
    const float one = 1, zero = 0;
    check(find<decltype(&cublasSgemv_v2)>("cublasSgemv_v2")(handle_, operation, m, n, &one, A, pitch, x, 1,
                                                            &zero, y, 1),
          "cublasSgemv");
  }
  void gemv(cublasOperation_t operation, int m, int n, const double* A, int pitch, const double* x,
            double* y) const {
    const double one = 1, zero = 0;
    check(find<decltype(&cublasDgemv_v2)>("cublasDgemv_v2")(handle_, operation, m, n, &one, A, pitch, x, 1,
                                                            &zero, y, 1),
          "cublasDgemv");
  }
  /// C (m x n) = A' B, A being m columns and B n columns of k numbers, side by side; C likewise, of m.
  void multiply_transposed(int m, int n, int k, const float* A, const float* B, float* C) const {
    const float one = 1, zero = 0;
    check(find<decltype(&cublasSgemm_v2)>("cublasSgemm_v2")(handle_, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one,
                                                            A, k, B, k, &zero, C, m),
          "cublasSgemm");
  }
  std::string version() const {
    int number = 0;
    check(find<decltype(&cublasGetVersion_v2)>("cublasGetVersion_v2")(handle_, &number), "cublasGetVersion");
    return std::to_string(number);
  }

 private:
  /// Loaded once and never unloaded: it keeps a state on the device.
  static void* library() {
    static void* const loaded = ::dlopen(file().c_str(), RTLD_NOW);
    return loaded;
  }
  template <class Function>
  static Function find(const char* name) {
    if (void* const symbol = ::dlsym(library(), name)) return reinterpret_cast<Function>(symbol);
    throw std::runtime_error(file() + " has no " + name);
  }
  static void check(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(std::string(what) + ": cuBLAS status " + std::to_string(int(status)));
  }

  cublasHandle_t handle_ = nullptr;
};

}  // namespace uotbench
