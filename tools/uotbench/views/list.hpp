// Variants and their axes, as text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/host/facts/terminal.hpp"
#include "harness/sweep/workers/worker_pool.hpp"

namespace uotbench {

/// A variant and the workers that hold it.
struct ListedVariant {
  VariantInfo info;
  std::vector<std::string> workers;
};

/// A row a variant.
std::string table_of(const std::map<std::string, ListedVariant>& variants, const Terminal& terminal = {});

/// The variant, its workers, and a row for each of its axes: `axes` are the family's and its own.
std::string axes_of(const ListedVariant& variant, const std::vector<Axis>& axes,
                    const Terminal& terminal = {});

/// What a family computes: its formulas, the files of a problem, and its axes.
std::string page_of(const FamilyInfo& family, const Terminal& terminal);

}  // namespace uotbench
