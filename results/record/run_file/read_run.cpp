// Reading a run back: every line judged by itself, so that one broken line costs one record.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <string_view>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/parallel.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

// Bytes of text that are taken apart at once: some hundred lines for each CPU of a large machine. A long file
// as text beside its records would be twice the memory.
constexpr std::size_t block_bytes = std::size_t{1} << 25;

/// A small file is read at once, without a large block being cleared for it.
std::size_t block_of(const fs::path& path) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(path, unknown);
  return unknown ? block_bytes : std::clamp<std::uintmax_t>(size + 1, std::size_t{1} << 16, block_bytes);
}

/// The text of a file, some lines at a time.
class Lines {
 public:
  explicit Lines(const fs::path& path) : block_bytes_(block_of(path)) {
    std::error_code unknown;
    if (!fs::exists(path, unknown)) throw UsageError(fmt::format("{}: no such run file", path.string()));
    require_regular(path);
    in_.open(path, std::ios::binary);
    if (!in_) throw UsageError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }

  /// The next whole lines, without their ends, until the next call; none: there are no more.
  std::vector<std::string_view> next() {
    block_.erase(0, used_);
    used_ = 0;
    while (used_ == 0 && in_) {
      const std::size_t before = block_.size();
      block_.resize(before + block_bytes_);
      in_.read(block_.data() + before, static_cast<std::streamsize>(block_bytes_));
      block_.resize(before + static_cast<std::size_t>(in_.gcount()));
      used_ = block_.rfind('\n') + 1;  // npos + 1 is 0
    }
    std::vector<std::string_view> lines;
    for (std::string_view text = std::string_view(block_).substr(0, used_); !text.empty();) {
      const auto end = text.find('\n');
      lines.push_back(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    return lines;
  }

  /// Whether something follows the last whole line.
  bool torn() const { return block_.size() > used_; }

 private:
  std::ifstream in_;
  std::size_t block_bytes_;
  std::string block_;
  std::size_t used_ = 0;
};

/// Taking numbers out of text is most of the work.
std::vector<RunLine> parse_all(const std::vector<std::string_view>& lines) {
  std::vector<RunLine> parsed(lines.size());
  in_parts(lines.size(), 500, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) parsed[i] = parse_run_line(lines[i]);
  });
  return parsed;
}

}  // namespace

void read_into(RunBuilder& builder, const fs::path& path) {
  Lines lines(path);
  bool any = false;
  for (auto some = lines.next(); !some.empty(); some = lines.next())
    for (auto& line : parse_all(some)) builder.take(std::move(line)), any = true;
  if (!any && !lines.torn()) throw UsageError(fmt::format("{}: an empty file, not a run", path.string()));
  if (!any) throw not_a_run(path);
  if (lines.torn()) builder.take_torn();
}

Json to_json(const CeilingAgain& ceiling) {
  if (!ceiling.needed_by.empty())
    return {{"kind", "ceiling"}, {"needed_by", ceiling.needed_by}, {"record", to_json(ceiling.record)}};
  return {{"kind", "ceiling"},
          {"exceeded_by", ceiling.exceeded_by},
          {"was", ceiling.was},
          {"record", to_json(ceiling.record)}};
}

const std::vector<std::string>& Run::plan() const {
  static const std::vector<std::string> none;
  return header.plan ? *header.plan : none;
}

const MachineFacts& Run::machine_of(const Record& record) const {
  static const MachineFacts unknown;
  if (!record.machine) return header.machine;
  if (const MachineFacts* const found = header.machines.find(*record.machine)) return *found;
  return header.machine.fingerprint() == *record.machine ? header.machine : unknown;
}

const MachineFacts& Run::newest_machine() const {
  for (auto start = resumes.rbegin(); start != resumes.rend(); ++start)
    if (start->machine) return *start->machine;
  return header.machine;
}

const Named<WorkerBuild>& Run::newest_workers() const {
  for (auto start = resumes.rbegin(); start != resumes.rend(); ++start)
    if (start->workers) return *start->workers;
  return header.workers;
}

std::optional<RunHeader> first_line_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const Json json = parse_shallow(line).value_or(nullptr);
  return json.is_object() && header_violation(json).empty() ? std::optional(header_from(json)) : std::nullopt;
}

std::optional<std::vector<std::string>> plan_in_force(const fs::path& path) {
  std::error_code unknown;
  std::optional<std::vector<std::string>> plan;
  if (!fs::is_regular_file(path, unknown)) return plan;
  std::ifstream in(path, std::ios::binary);
  bool first = true;
  for (std::string line; std::getline(in, line) && !in.eof(); first = false) {
    if (!first && !line.starts_with(R"({"kind":"resume")")) continue;
    const Json start = parse_shallow(line).value_or(nullptr);
    if (!start.is_object() || !header_violation(start).empty()) continue;
    if (auto planned = header_from(start).plan) plan = std::move(planned);
  }
  return plan;
}

Run read_run(const fs::path& path) {
  RunBuilder builder(path);
  read_into(builder, path);
  return std::move(builder).finished();
}

const Run& read_run_for_good(const fs::path& path) {
  static auto* const kept = new std::deque<Run>;  // in reach until the end, so that no leak is found
  return kept->emplace_back(read_run(path));
}

}  // namespace uotbench
