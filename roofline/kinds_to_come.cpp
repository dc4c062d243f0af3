#include "results/error.hpp"
#include "roofline/kinds.hpp"

namespace uotbench {
namespace {

[[noreturn]] Drawing to_come(const FigureSpec& spec) {
  throw UsageError("figures of the kind " + spec.kind + " are not drawn yet");
}

}  // namespace

using Views = std::vector<const RunView*>;

Drawing roofline_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }
Drawing tiles_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }
Drawing speedup_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }
Drawing scaling_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }
Drawing sizes_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }
Drawing misses_figure(const FigureSpec& s, const Views&, const std::vector<Ceilings>&) { to_come(s); }

}  // namespace uotbench
