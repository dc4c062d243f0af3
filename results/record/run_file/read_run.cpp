// Reading a run back: every line judged by itself, so that one broken line costs one record.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/parallel.hpp"
#include "results/base/shape.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/line_shapes.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/record/run_file/run_line.hpp"

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

/// Throws Error naming what is missing.
CeilingAgain ceiling_again_from(const Json& json) try {
  if (json.contains("needed_by"))
    return {.record = record_from(json.at("record")),
            .needed_by = json.at("needed_by").get<std::vector<std::string>>()};
  return {.record = record_from(json.at("record")),
          .exceeded_by = json.at("exceeded_by").get<std::vector<std::string>>(),
          .was = json.at("was").get<double>()};
} catch (const Json::exception& error) {
  throw Error(plain_words(error));
}

bool names_nothing_twice(const Json& plan) {
  std::unordered_set<std::string_view> ids;
  ids.reserve(plan.size());
  return std::ranges::all_of(
      plan, [&](const Json& id) { return ids.insert(id.get_ref<const std::string&>()).second; });
}

/// What a later start says anew; null: it has none of it.
void replace_parts(Json& header, const Json& start) {
  for (const char* part : parts_in_force)
    if (const auto found = start.find(part); found == start.end())
      continue;
    else if (found->is_null())
      header.erase(part);
    else
      header[part] = *found;
}

class RunReader {
 public:
  explicit RunReader(const fs::path& path) { run_.path = path; }

  Run read() {
    Lines lines(run_.path);
    for (auto some = lines.next(); !some.empty(); some = lines.next())
      for (auto& line : parse_all(some)) take(std::move(line));
    if (number_ == 0 && !lines.torn())
      throw UsageError(fmt::format("{}: an empty file, not a run", run_.path.string()));
    if (number_ == 0) throw not_a_run(run_.path);
    ++number_;
    if (lines.torn()) leave_out(" is torn (cut off while being written)");
    keep_the_plan();
    return std::move(run_);
  }

 private:
  /// `why`: " is torn", or ": " and what is wrong.
  void leave_out(const std::string& why) {
    run_.warnings.push_back(fmt::format("line {} of {}{}: left out", number_, run_.path.string(), why));
  }

  void take(RunLine line) {
    if (++number_ == 1) {
      take_header(std::move(line));
    } else if (line.kind.empty() || line.kind == "run") {
      leave_out(" is not a record");
    } else if (line.kind == "case") {
      take_case(std::move(line));
    } else if (line.kind == "resume") {
      take_resume(std::move(line.json));
    } else if (line.kind == "ceiling") {
      take_ceiling(line.json);
    } else if (line.kind == "end") {
      run_.end = std::move(line.json);
    }
  }

  void take_header(RunLine line) {
    if (line.kind != "run") throw not_a_run(run_.path);
    run_.header = std::move(line.json);
    for (const char* part :
         {"machine", "machines", "sweep", "options", "workers", "problem_axes", "axis_roles"})
      if (const auto found = run_.header.find(part); found != run_.header.end() && found->is_null())
        run_.header.erase(found);  // not told
    if (const std::string wrong = misfit_of_header(run_.header); !wrong.empty())
      throw UsageError(fmt::format("{}: line 1: {}", run_.path.string(), wrong));
    plan_ = run_.header.value("plan", Json::array());
    run_.records.reserve(plan_.size());
    in_order_ = names_nothing_twice(plan_);
    if (run_.header.value("schema", 0) > run_schema)
      run_.warnings.push_back(fmt::format("{} was written by a newer uotbench (schema {})",
                                          run_.path.string(), run_.header.value("schema", 0)));
  }

  void take_case(RunLine line) {
    run_.end.reset();
    if (!line.record) {
      leave_out(": " + line.problem);
      return;
    }
    if (is_as_planned(line.record->id)) {
      run_.records.push_back(*std::move(line.record));
      return;
    }
    find_places();
    const auto [place, fresh] = places_.try_emplace(line.record->id, run_.records.size());
    if (fresh)
      run_.records.push_back(*std::move(line.record));
    else
      run_.records[place->second] = *std::move(line.record);
  }

  /// Whether all records so far, and one of this id, are the plan's first ones, in its order: most files are
  /// so from their first line to their last, and are read without a look at what has come before.
  bool is_as_planned(const std::string& id) const {
    return in_order_ && run_.records.size() < plan_.size() && plan_[run_.records.size()] == id;
  }

  void find_places() {
    if (!std::exchange(in_order_, false)) return;
    places_.reserve(plan_.size());
    for (std::size_t i = 0; i < run_.records.size(); ++i) places_.try_emplace(run_.records[i].id, i);
  }

  void take_resume(Json line) {
    if (const std::string wrong = misfit_of_header(line); !wrong.empty()) {
      leave_out(": " + wrong);
      return;
    }
    if (line.contains("plan") && line["plan"] != plan_) {
      find_places();
      plan_ = line["plan"];
    }
    replace_parts(run_.header, line);
    run_.resumes.push_back(std::move(line));
    run_.end.reset();
  }

  void take_ceiling(const Json& line) try {
    run_.ceilings_again.push_back(ceiling_again_from(line));
  } catch (const Error& error) {
    leave_out(std::string(": ") + error.what());
  }

  /// The planned records, in the plan's order.
  void keep_the_plan() {
    if (in_order_) {
      for (std::size_t i = 0; i < plan_.size(); ++i)
        if (i >= run_.records.size() || !is_final(run_.records[i].status))
          run_.unfinished.push_back(plan_[i].get_ref<const std::string&>());
      return;
    }
    std::vector<std::size_t> order;
    order.reserve(run_.records.size());
    for (const auto& planned : plan_) {
      const auto& id = planned.get_ref<const std::string&>();
      const auto found = places_.find(id);
      if (found == places_.end() || !is_final(run_.records[found->second].status))
        run_.unfinished.push_back(id);
      if (found == places_.end()) continue;
      order.push_back(found->second);
      places_.erase(found);
    }
    for (const auto& [id, place] : places_)
      if (is_final(run_.records[place].status)) run_.unplanned.push_back(std::move(run_.records[place]));
    if (const auto others = places_.size(); others > 0)
      run_.warnings.push_back(fmt::format("{} holds {} that its plan does not name: left out",
                                          run_.path.string(),
                                          others == 1 ? "a record" : fmt::format("{} records", others)));
    std::vector<Record> planned;
    planned.reserve(order.size());
    for (const auto place : order) planned.push_back(std::move(run_.records[place]));
    run_.records = std::move(planned);
  }

  Run run_;
  std::size_t number_ = 0;     ///< of the line, from 1
  Json plan_ = Json::array();  ///< the last: --resume --force may have changed it
  bool in_order_ = false;      ///< the records are the plan's first ones
  std::unordered_map<std::string, std::size_t>
      places_;  ///< of every id's record, where they are not in order
};

}  // namespace

Json to_json(const CeilingAgain& ceiling) {
  if (!ceiling.needed_by.empty())
    return {{"kind", "ceiling"}, {"needed_by", ceiling.needed_by}, {"record", to_json(ceiling.record)}};
  return {{"kind", "ceiling"},
          {"exceeded_by", ceiling.exceeded_by},
          {"was", ceiling.was},
          {"record", to_json(ceiling.record)}};
}

Json Run::newest(const char* key) const {
  for (auto resume = resumes.rbegin(); resume != resumes.rend(); ++resume)
    if (const auto found = resume->find(key); found != resume->end()) return *found;
  return header.value(key, Json());
}

Json plan_in_force(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return nullptr;
  std::ifstream in(path, std::ios::binary);
  Json plan;
  bool first = true;
  for (std::string line; std::getline(in, line) && !in.eof(); first = false) {
    if (!first && !line.starts_with(R"({"kind":"resume")")) continue;
    const Json start = parse_shallow(line);
    if (start.is_object() && start.contains("plan")) plan = start["plan"];
  }
  return plan;
}

Run read_run(const fs::path& path) { return RunReader(path).read(); }

const Run& read_run_for_good(const fs::path& path) {
  static auto* const kept = new std::deque<Run>;  // in reach until the end, so that no leak is found
  return kept->emplace_back(read_run(path));
}

}  // namespace uotbench
