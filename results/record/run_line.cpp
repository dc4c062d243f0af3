#include "results/record/run_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace uotbench {
namespace {

std::string kind_of(const Json& line) {
  const auto kind = line.is_object() ? line.find("kind") : line.end();
  return kind != line.end() && kind->is_string() ? kind->get<std::string>() : "";
}

/// A line without its samples, and these. They are most of a line, and as a tree of JSON values they would
/// cost most of the time of reading one.
struct Split {
  std::string rest;  ///< every list of samples is [] in it
  std::vector<std::vector<double>> samples;
};

/// "[1.5,2]" at `text`'s start, as `to_line` writes numbers; what follows it, or nothing where it is written
/// in another way.
std::optional<std::string_view> cut_numbers(std::string_view text, std::vector<double>& numbers) {
  const char *at = text.data(), *const end = at + text.size();
  if (at == end || *at++ != '[') return std::nullopt;
  for (; at != end && *at != ']'; at += *at == ',') {
    const bool number = *at == '-' || (*at >= '0' && *at <= '9');  // from_chars would take "inf", too
    const auto [rest, error] = std::from_chars(at, end, numbers.emplace_back());
    if (!number || error != std::errc{} || rest == end || (*rest != ',' && *rest != ']')) return std::nullopt;
    at = rest;
  }
  if (at == end || at[-1] == ',') return std::nullopt;
  return std::string_view(at + 1, end);
}

/// Nothing where a list is not as expected: then the line is read without this.
std::optional<Split> split(std::string_view text) {
  constexpr std::string_view key = R"("samples":)";
  Split split;
  for (auto found = text.find(key); found != std::string_view::npos; found = text.find(key)) {
    // Inside a text, every quote follows a backslash.
    if (found == 0 || text[found - 1] == '\\') return std::nullopt;
    split.rest += text.substr(0, found + key.size());
    split.rest += "[]";
    const auto after = cut_numbers(text.substr(found + key.size()), split.samples.emplace_back());
    if (!after) return std::nullopt;
    text = *after;
  }
  split.rest += text;
  return split;
}

std::optional<Record> without_detour(std::string_view text) try {
  if (!text.starts_with(R"({"kind":"case",)")) return std::nullopt;
  auto parts = split(text);
  if (!parts) return std::nullopt;
  Record record = record_from(parse_visible(parts->rest));
  const std::size_t processes = record.time ? record.time->processes.size() : 0;
  if (processes != parts->samples.size()) return std::nullopt;  // there are samples elsewhere
  for (std::size_t p = 0; p < processes; ++p)
    record.time->processes[p].samples = std::move(parts->samples[p]);
  if (record.time) require_sound(*record.time);
  return record;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace

RunLine parse_run_line(std::string_view text) {
  RunLine line;
  line.record = without_detour(text);
  if (line.record) {
    line.kind = "case";
    return line;
  }
  line.json = parse_visible(text);
  line.kind = kind_of(line.json);
  if (line.kind != "case") return line;
  try {
    line.record = record_from(line.json);
  } catch (const Error& error) {
    line.problem = error.what();
  }
  line.json = nullptr;
  return line;
}

UsageError not_a_run(const std::filesystem::path& path) {
  return UsageError(
      fmt::format("{}: not a run file (its first line is not {{\"kind\":\"run\",...}})", path.string()));
}

}  // namespace uotbench
