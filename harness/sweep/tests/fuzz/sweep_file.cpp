// Sweeps, in files and on command lines: read, and written into a run file, they are the same sweep.
#include "harness/sweep/language/sweep_file.hpp"

#include <cmath>

#include "harness/sweep/tests/planned.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const Sweep sweep = sweep_of(std::string(input));
  const Sweep again =
      sweep_from(parse_strictly(to_line(sweep.document.json()), "again.json"), schema(), "again.json");
  require_same(sweep.document.json(), again.document.json(), "a sweep, read and written");
  if (sweep.cases.empty()) throw Broken("a sweep without cases");
}

/// Conditions, over values of every kind.
void read_condition(std::string_view input) {
  const Condition condition(std::string(input), "s.json: /cases/0/where/0");
  for (const Value& value : {Value(0), Value(7), Value(-2.5), Value(1e308), Value("f32"), Value("")}) {
    const std::vector<const Value*> all(condition.axes().size(), &value);
    try {
      condition.holds(all);
    } catch (const UsageError& error) {
      require_readable(error.what(), input.size());
    }
  }
}

/// What stands behind -a and other flags.
void read_words(std::string_view input) {
  const std::string text(input);
  const auto give = [&](const auto& reader) {
    try {
      reader(text);
    } catch (const Error& error) {
      require_readable(error.what(), input.size());
    }
  };
  give(parse_axis_override);
  for (double (*const reader)(const std::string&) : {parse_duration, parse_percent, parse_bytes})
    give([&](const std::string& quantity) {
      if (const double amount = reader(quantity); !(amount >= 0 && std::isfinite(amount)))
        throw Broken(quantity + " is read as no amount");
    });
}

std::vector<std::string> conditions() {
  return {"Tx*Ty <= 1024 && M % rows == 0", "dtype == 'f32' || (N > 2 && N != M)", "M / 0 > 1",
          "-M + 3 - -N * 2.5e3 >= 1", "((((M)))) < 2"};
}
std::vector<std::string> words() {
  return {"M,N=4096,4096;512,512",
          "threads=1,2",
          "N={\"pow2\":[9,12]}",
          "path=[\"a,b\"]",
          "500ms",
          "1.5m",
          "2%",
          "512MiB",
          "4GiB",
          "N={\"from\":1,\"to\":9,\"step\":2}"};
}

const Registration sweep_file{{.name = "sweep_file", .one_input = read, .corpus = [] {
                                 return files_of({"configs", "kernels/uot", "kernels/match"}, ".json");
                               }}};
const Registration condition{{.name = "condition", .one_input = read_condition, .corpus = conditions}};
const Registration flags{{.name = "flags", .one_input = read_words, .corpus = words}};

}  // namespace
}  // namespace uotbench::fuzz
