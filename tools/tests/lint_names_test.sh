#!/usr/bin/env bash
# lint_names finds two types of one name in one namespace, and nothing else.
set -euo pipefail

lint="$(dirname "$(readlink -f "$0")")/../lint_names"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
fail() {
  echo "FAILED: $1"
  exit 1
}

mkdir -p "$scratch"/{results,harness,kernels/uot/oracle,kernels/uot/timed}
cd "$scratch"
cat >results/cells.hpp <<'END'
namespace uotbench {
struct Cells : Base<int> {
  struct Inner {};
};
enum class Kind { one };
const char* const text = "} struct Cells {";  // struct Kind {
}  // namespace uotbench
END
printf 'namespace uotbench {\nclass Cells::Impl {};\nstruct Cells;\n}\n' >results/cells.cpp
printf 'namespace uotbench {\nnamespace {\nstruct Cells {};\n}\nstruct Inner {};\n}\n' >harness/own.cpp
printf 'namespace uotbench::uot {\nstruct Cells {};\n}\n' >kernels/uot/timed/cells.hpp
printf 'namespace uotbench::uot {\nstruct Cells {};\n}\n' >kernels/uot/oracle/cells.hpp
"$lint" "$scratch" >said || fail "sound sources are refused: $(cat said)"

printf 'namespace uotbench {\nenum Kind { two };\nclass Cells final : public Other {};\n}\n' >harness/other.hpp
code=0
"$lint" "$scratch" >said || code=$?
[[ $code == 1 && $(wc -l <said) == 2 ]] || fail "exit code $code: $(cat said)"
grep -q '^results/cells.hpp:2: uotbench::Cells is also in harness/other.hpp: ' said || fail "$(cat said)"
grep -q '^results/cells.hpp:5: uotbench::Kind is also in harness/other.hpp: ' said || fail "$(cat said)"

mkdir "$scratch/empty"
code=0
"$lint" "$scratch/empty" 2>said || code=$?
[[ $code == 2 ]] || fail "a folder without sources: exit code $code"
