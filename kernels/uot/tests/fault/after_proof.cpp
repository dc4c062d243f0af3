// Right until one of its processes was proved, and idle in those that are timed later, which find its note.
// Without a folder for notes the kernel is right throughout.
#include <cstdint>

#include "kernels/uot/tests/fault/fine.hpp"
#include "kernels/uot/tests/fault/state.hpp"

namespace uotbench::uot {
namespace {

/// Before this process was started.
bool was_proved() {
  static const bool found =
      state_folder() && std::filesystem::exists(std::filesystem::path(state_folder()) / "proved");
  return found;
}

template <class Real>
class AfterProof : public Fine<Real> {
 public:
  using Fine<Real>::Fine;

  void iterate() {
    made = made + 1;
    if (!was_proved()) return Fine<Real>::iterate();
    if (made == many) leave_note("cheated");
  }

  void finish(Result<Real>& out) {
    if (made > many) leave_note("proved");
    Fine<Real>::finish(out);
  }

 private:
  static constexpr std::int64_t many = 1000;     // more than a verification makes, fewer than timing does
  static inline volatile std::int64_t made = 0;  // in this process
};

const Variant<AfterProof<float>, AfterProof<double>> variant{{
    .name = "uot/fault_after_proof",
    .summary = "right until one of its processes was proved",
    .work =
        [](const Point& at) { return Work{.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; },
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::uot
