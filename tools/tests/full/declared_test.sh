#!/usr/bin/env bash
# The compiler refuses a kernel that has not what it declares, or declares not what it has, and names the member.
set -euo pipefail

root="$(readlink -f "$(dirname "$(readlink -f "$0")")/../../..")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/kernel.cpp" <<'END'
#include "kernels/uot/problem.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
struct Mine {
  DECLARED
  explicit Mine(const Problem<Real>&) {}
  void iterate() {}
  void finish(Result<Real>&) {}
  MEMBER
};

const Variant<KERNELS> variant{{.name = "uot/mine", .work = [](const Point&) { return Work{}; }}};

}  // namespace
}  // namespace uotbench::uot
END

# The header is read once: GCC takes what it made of it where that comes first.
kept="$scratch/kept/kernels/uot/problem.hpp.gch"
mkdir -p "$(dirname "$kept")"
"${CXX:-c++}" -std=c++20 -fopenmp -w -I "$root" -x c++-header -o "$kept" "$root/kernels/uot/problem.hpp"

# compiled DECLARED MEMBER [KERNELS]: what the compiler says.
compiled() {
  local declared="${1:+static constexpr ${traits-KernelTraits} declares{$1\};}" kernels="${3-Mine<float>, Mine<double>}" made
  made="$(<"$scratch/kernel.cpp")"
  made="${made//DECLARED/"$declared"}"
  made="${made//MEMBER/"$2"}"
  printf '%s\n' "${made//KERNELS/"$kernels"}" >"$scratch/made.cpp"
  "${CXX:-c++}" -std=c++20 -fopenmp -fsyntax-only -I "$scratch/kept" -I "$root" "$scratch/made.cpp" 2>&1
}
compiles() { # the same arguments
  compiled "$@" >"$scratch/said" || { echo "FAILED: '$1' with '$2' does not compile:"; cat "$scratch/said"; exit 1; }
}
refused() { # LINE, and the same arguments
  if compiled "${@:2}" >"$scratch/said"; then
    echo "FAILED: '$2' with '$3' compiles"
    exit 1
  fi
  grep -Fq "$1" "$scratch/said" || { echo "FAILED: '$2' with '$3' is refused without '$1':"; cat "$scratch/said"; exit 1; }
}

compiles "" ""
compiles ".unit = Unit::part" "void part() {}"
compiles ".unit = Unit::part, .begins = true, .facts = true" "void part() {} void begin() {} Facts facts() const { return {}; }"
compiles "" "" "void, Mine<double>"
compiles "" "" "Mine<float>, void"
refused "has no part()" ".unit = Unit::part" "void prat() {}"
refused "does not declare .unit = Unit::part" "" "void part() {}"
refused "has no begin()" ".begins = true" "void begni() {}"
refused "does not declare .begins" "" "void begin() {}"
refused "has no restart()" ".restarts = true" "void restrat() {}"
refused "does not declare .restarts" "" "void restart() {}"
compiles ".restarts = true, .lifetime = true" "void restart() {} std::int64_t lifetime() const { return 9; }"
refused "has no lifetime() const" ".restarts = true, .lifetime = true" "void restart() {} std::int64_t lifteime() const { return 9; }"
refused "and no restart()" ".lifetime = true" "std::int64_t lifetime() const { return 9; }"
refused "does not declare .lifetime" ".restarts = true" "void restart() {} std::int64_t lifetime() const { return 9; }"
refused "has no iterations() const" ".iterations = true" "std::optional<std::int64_t> iterations() { return 1; }"
refused "does not declare .iterations" "" "std::optional<std::int64_t> iterations() const { return 1; }"
refused "has no facts() const" ".facts = true" "Facts facts() { return {}; }"
refused "does not declare .facts" "" "Facts facts() const { return {}; }"
# What a kernel of this family takes is one constant; its entries were constants of the class before.
compiles "" "static constexpr Takes takes{.batches = true};"
for entry in "batches = true" "from_points = true" "warm_starts = true" "canonical = false"; do
  refused "write static constexpr Takes takes{.$entry};" "" "static constexpr bool $entry;"
done
compiles "" "std::size_t batches = 1;" # of its own
refused "for f32, for f64 or for both" "" "" "void, void"
# The type's earlier name compiles, with a warning.
traits=Declares compiles ".restarts = true" "void restart() {}"
grep -Fq "use KernelTraits" "$scratch/said" || { echo "FAILED: the earlier name has no warning:"; cat "$scratch/said"; exit 1; }
