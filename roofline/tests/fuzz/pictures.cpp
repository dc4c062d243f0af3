// Files that describe a paper's figures, and those that tell what a machine can do.
#include "results/base/error.hpp"
#include "results/tests/fuzz/target.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench::fuzz {
namespace {

void read_machine(std::string_view input) {
  const Ceilings ceilings = read_ceilings(as_file(input, "machine.json"));
  const Json told = to_json(ceilings);
  require_same(told, to_json(ceilings_from(told)), "ceilings, read and written");
  const std::string doubts = doubts_about(ceilings);
  if (!doubts.empty()) require_readable(doubts);
}

void read_length(std::string_view input) {
  const double length = parse_length(std::string(input));
  if (!(length >= 2 && length <= 120)) throw Broken(std::string(input) + " is no width of a figure");
}

void read_over(std::string_view input) {
  if (!parse_over(std::string(input)).json().is_object()) throw Broken("speedups over no object");
}

const Registration machine{{.name = "machine", .one_input = read_machine, .corpus = [] {
                              return files_of({"configs/machines"}, ".json");
                            }}};
const Registration length{{.name = "length",
                           .one_input = read_length,
                           .corpus =
                               [] {
                                 return std::vector<std::string>{"8.8cm", "88mm", "3.5in", "252pt"};
                               },
                           .share = 0.3}};
const Registration over{{.name = "over",
                         .one_input = read_over,
                         .corpus =
                             [] {
                               return std::vector<std::string>{"uot/numpy_order", "uot/numpy_order,threads=1",
                                                               "threads=1,dtype=f64"};
                             },
                         .share = 0.3}};

}  // namespace
}  // namespace uotbench::fuzz
