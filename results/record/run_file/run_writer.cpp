#include "results/record/run_file/run_writer.hpp"

#include "results/base/json.hpp"
#include "results/record/run_file/header_json.hpp"

namespace uotbench {
namespace {

template <class T>
std::vector<Json> lines_for(const std::vector<T>& all) {
  std::vector<Json> lines;
  lines.reserve(all.size());
  for (const auto& one : all) lines.push_back(to_json(one));
  return lines;
}

}  // namespace

RunWriter::RunWriter(const std::filesystem::path& path, RunFile::Mode mode, bool resumable)
    : file_(path, mode, resumable), builder_(path) {
  if (mode != RunFile::Mode::continue_ || std::filesystem::file_size(path) == 0) return;
  read_into(builder_, path);
  empty_ = false;
}

void RunWriter::append(const std::vector<Json>& lines) {
  for (const auto& line : file_.append_all(lines)) builder_.take(parse_run_line(line));
  empty_ = false;
}

void RunWriter::begin(const RunHeader& header) { append({to_json(header)}); }
void RunWriter::resume(const RunHeader& now) { append({resume_line(now, builder_.run().header)}); }
void RunWriter::add(const std::vector<Record>& records) { append(lines_for(records)); }
void RunWriter::add(const std::vector<CeilingAgain>& ceilings) { append(lines_for(ceilings)); }
void RunWriter::end(const RunEnd& end) { append({end.json()}); }

}  // namespace uotbench
