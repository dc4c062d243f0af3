#include "results/record/case_facts.hpp"

#include <cstdint>
#include <utility>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr const char* reported_key = "reported";

const Json& no_facts() {
  static const Json none = Json::object();
  return none;
}

void add_numbers(Json& facts, const Json& numbers) {
  if (!numbers.is_object()) return;
  for (const auto& [name, number] : numbers.items())
    if (number.is_number()) facts[reported_key][name].push_back(number);
}

}  // namespace

CaseFacts::CaseFacts(Json facts) : facts_(std::move(facts)) {}

const Json& CaseFacts::json() const { return facts_.is_null() ? no_facts() : facts_.json(); }

bool CaseFacts::empty() const { return json().empty(); }

const Json* CaseFacts::find(const std::string& name) const {
  const auto found = json().find(name);
  return found == json().end() ? nullptr : &*found;
}

std::string CaseFacts::text(const char* name) const { return text_in(json(), name); }

std::optional<double> CaseFacts::number(const std::string& name) const {
  const Json* const found = find(name);
  return found && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::vector<double> CaseFacts::clocks() const {
  std::vector<double> clocks;
  if (const Json* const measured = find(clock_fact); measured && measured->is_array())
    for (const auto& clock : *measured)
      if (clock.is_number() && clock.get<double>() > 0) clocks.push_back(clock.get<double>());
  return clocks;
}

const Json& CaseFacts::reported() const {
  const Json* const found = find(reported_key);
  return found && found->is_object() ? *found : no_facts();
}

void CaseFacts::set(const std::string& name, const Json& value) {
  Json facts = json();
  facts[name] = value;
  facts_ = std::move(facts);
}

void CaseFacts::add(const CaseFacts& process) {
  Json facts = json();
  for (const auto& [name, value] : process.json().items()) {
    const bool both = facts.contains(name) && facts[name].is_number() && value.is_number();
    if (name == reported_key) {
      add_numbers(facts, value);
    } else if (both && (name == "peak_rss" || name == "added_bytes")) {
      if (value.get<double>() > facts[name].get<double>()) facts[name] = value;
    } else if (both && name == "page_faults") {
      facts[name] = facts[name].get<std::int64_t>() + value.get<std::int64_t>();
    } else if (both && name == "steal") {
      facts[name] = facts[name].get<double>() + value.get<double>();
    } else if (name == clock_fact && value.is_array() && facts.contains(name) && facts[name].is_array()) {
      for (const auto& clock : value) facts[name].push_back(clock);
    } else {
      facts[name] = value;
    }
  }
  facts_ = std::move(facts);
}

void CaseFacts::add_reported(const Json& numbers) {
  Json facts = json();
  add_numbers(facts, numbers);
  facts_ = std::move(facts);
}

void CaseFacts::add_counting_build(const std::string& worker, const Json& build) {
  Json facts = json();
  facts["counted_by"][worker] = build;
  facts_ = std::move(facts);
}

}  // namespace uotbench
