#include "roofline/tables/counter_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/view/view.hpp"

namespace uotbench {

const char* const of_elements =
    "the source trace counts accesses element by element, before the code is vectorised, and those written "
    "with vectors by the vector: its rates per access compare neither with other sources nor between "
    "variants";

void Reasons::add(const std::string& of, const std::string& reason) {
  const auto [place, fresh] = known_.try_emplace(reason, all_.size());
  if (fresh) all_.push_back({on_one_line(reason), {}});
  auto& names = all_[place->second].second;
  if (std::ranges::find(names, of) == names.end()) names.push_back(of);
}

std::vector<std::string> Reasons::texts(const char* before) const {
  std::vector<std::string> texts;
  for (const auto& [reason, names] : all_)
    texts.push_back(on_one_line(fmt::format("{}{}: {}", before, shortened(names, 6), reason)));
  return texts;
}

Origins::Origin& Origins::at(const CounterOrigin& origin) {
  const std::string text = text_of(origin);
  for (auto& one : all_)
    if (text_of(one.origin) == text) return one;
  return all_.emplace_back(Origin{origin, {}});
}

void Origins::add(const std::string& counter, const CounterOrigin& origin) {
  if (origin.source.empty()) return;
  const bool canonical = std::ranges::find(counter_names::all, counter) != std::end(counter_names::all);
  const std::string subject = canonical ? counter.substr(0, counter.find('.')) : counter;
  auto& subjects = at(origin).subjects;
  if (std::ranges::find(subjects, subject) == subjects.end()) subjects.push_back(subject);
}

void Origins::add(const Origins& other) {
  for (const auto& one : other.all_) at(without_share(one.origin));
}

std::string Origins::text() const {
  if (all_.size() == 1) return text_of(all_.front().origin);
  std::vector<std::string> texts;
  for (const auto& one : all_)
    texts.push_back(fmt::format("{} {}", fmt::join(one.subjects, ", "), text_of(one.origin)));
  return texts.empty() ? "-" : on_one_line(fmt::format("{}", fmt::join(texts, "; ")));
}

std::string Origins::alone() const {
  std::vector<std::string> texts;
  for (const auto& one : all_) texts.push_back(text_of(one.origin));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, "; "));
}

std::string geometry_of(const Json& header) {
  const Json shapes = header.value("caches", Json());
  if (!shapes.is_object()) return "";
  std::vector<std::string> texts;
  for (const char* name : {"L1D", "L2", "L3"}) {
    const Json shape = shapes.value(name, Json());
    const auto number = [&](const char* key) {
      const Json value = shape.is_object() ? shape.value(key, Json()) : Json();
      return value.is_number() ? value.get<double>() : 0;
    };
    if (number("bytes") <= 0) continue;
    texts.push_back(fmt::format("{} {}", name, format_bytes(number("bytes"))));
    if (number("ways") > 0) texts.back() += fmt::format(" {:.0f}-way", number("ways"));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace uotbench
