#include "results/record/reported.hpp"

#include <set>

#include "results/base/json_parts.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

std::optional<double> reported_of(const Record& record, const std::string& name) {
  const Json numbers = value_in(record.env.reported(), name.c_str());
  std::vector<double> values;
  if (numbers.is_array())
    for (const auto& number : numbers)
      if (number.is_number()) values.push_back(number.get<double>());
  return values.empty() ? std::nullopt : std::optional(median(values));
}

std::vector<std::string> reported_names(std::span<const Record> records) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& record : records)
    for (const auto& [name, numbers] : record.env.reported().items())
      if (known.insert(name).second) names.push_back(name);
  return names;
}

}  // namespace uotbench
