// Sweep files as texts, and what is said of wrong ones.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/tests/complaint.hpp"
#include "results/base/json.hpp"

namespace uotbench {

namespace fs = std::filesystem;

inline const fs::path configs = fs::path(UOTBENCH_SOURCE_DIR) / "configs";

inline const Json& schema() {
  static const Json schema = read_strictly(configs / "sweep.schema.json");
  return schema;
}

inline Sweep sweep_of(const std::string& text) {
  return sweep_from(parse_strictly(text, "s.json"), schema(), "s.json");
}

/// What is said of a sweep, without the file's name.
inline std::string sweep_refusal(const std::string& text) {
  const std::string whole = complaint([&] { sweep_of(text); });
  EXPECT_EQ(whole.find('\n'), std::string::npos) << whole;
  return whole.starts_with("s.json: ") ? whole.substr(8) : whole;
}

/// Of a sweep with this single case.
inline std::string case_refusal(const std::string& entry) {
  return sweep_refusal(R"({"name": "x", "cases": [)" + entry + "]}");
}
inline std::string axes_refusal(const std::string& axes) {
  return case_refusal(R"({"variants": ["uot/x"], "axes": )" + axes + "}");
}
inline std::string measure_refusal(const std::string& measure) {
  return sweep_refusal(R"({"name": "x", "measure": )" + measure + R"(, "cases": [{"variants": ["uot/x"]}]})");
}
inline std::string override_refusal(const std::string& text) {
  return complaint([&] { parse_axis_override(text); });
}

}  // namespace uotbench
