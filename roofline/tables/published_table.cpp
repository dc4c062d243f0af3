#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/view/published.hpp"
#include "roofline/tables/counter_table.hpp"
#include "roofline/tables/tables.hpp"

namespace uotbench {
namespace {

constexpr int warp = 32;

}  // namespace

std::optional<LaunchShape> launch_shape_of(const Record& record, std::string& why) {
  double values[4];
  const char* const names[]{"GPU.launches", "GPU.blocks", "GPU.threads", "GPU.shared_bytes"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const Counter counter = counter_or_why(record, names[i]);
    if (!counter.value) {
      why = fmt::format("{}: {}", names[i], counter.reason);
      return std::nullopt;
    }
    values[i] = *counter.value;
  }
  const auto [launches, blocks, threads, shared] = values;
  if (launches != 1 || !(blocks > 0)) {
    why = fmt::format("it is reported for one launch, and {} were counted", launches);
    return std::nullopt;
  }
  return LaunchShape{.blocks = blocks, .threads = threads / blocks, .shared_bytes = shared / blocks};
}

Occupancy occupancy_of(const LaunchShape& launch, const Multiprocessor& multiprocessor) {
  const double warps = std::ceil(launch.threads / warp), warps_possible = multiprocessor.threads / warp;
  std::pair<double, const char*> limits[]{{multiprocessor.blocks, "blocks"},
                                          {std::floor(warps_possible / warps), "threads"},
                                          {multiprocessor.blocks, "shared memory"}};
  if (launch.shared_bytes > 0)
    limits[2].first = std::floor(multiprocessor.shared_bytes / launch.shared_bytes);
  const auto least = *std::ranges::min_element(limits, {}, &std::pair<double, const char*>::first);
  Occupancy occupancy{.blocks = static_cast<int>(least.first), .limited_by = least.second};
  occupancy.theoretical = least.first * warps / warps_possible;
  if (occupancy.blocks > 0)
    occupancy.fill = std::min(1., launch.blocks / (least.first * multiprocessor.count));
  return occupancy;
}

namespace {

/// With no more digits than these, and no more than four: "464 GFLOP/s", "1.6G".
std::string text_of(double value, int digits, bool rate) {
  if (!rate && digits > 3) return format_count(value);
  double scale = 1;
  const char* prefix = "";
  for (const auto& [size, name] : {std::pair{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}})
    if (value >= size && !(rate && size > 1e9)) scale = size, prefix = name;
  const double scaled = value / scale;
  const int before = scaled > 0 ? static_cast<int>(std::floor(std::log10(scaled) + 1e-9)) + 1 : 1;
  return fmt::format("{:.{}f}{}", scaled, std::clamp(std::min(digits, 4) - before, 0, 4),
                     rate ? fmt::format(" {}FLOP/s", prefix) : prefix);
}

/// Digits that mean something beside a number of so many; five at most.
std::string ratio_text(const PublishedRow& row) {
  const double ratio = *row.ratio();
  // What would be written as 1.0000 has one digit before the point.
  const int whole = ratio > 0 ? static_cast<int>(std::floor(std::log10(ratio) + 1e-4)) : 0;
  return fmt::format("{:.{}f}", ratio, std::clamp(std::clamp(row.digits, 2, 5) - 1 - whole, 0, 6));
}

std::string short_name(const std::string& variant) { return variant.substr(variant.rfind('/') + 1); }

std::string scale_text(double scale) {
  if (scale == 1) return "1";
  return scale > 1 ? fmt::format("{:.6g}", scale) : fmt::format("1/{:.6g}", 1 / scale);
}

Table::Cell of_value(std::string text, double value, const std::string& source = "") {
  Table::Cell cell(std::move(text));
  cell.value = value;
  cell.source = source;
  return cell;
}

class BesideTable {
 public:
  BesideTable(const RunView& view, const Published& published)
      : published_(published), rows_(published_rows(view, published)) {}

  Table made(const RunView& view) {
    Table table{
        .title = "Compared with published values",
        .about = fmt::format(
            "Published: {}. A problem of {} GFLOP: rates are flops over times, whatever the size; counts "
            "of another size are multiplied by the flops of the published problem over their own, which "
            "overstates what grows more slowly than they do.",
            published_.source, format_giga(published_.flops)),
        .columns = {{"variant"},
                    {"quantity"},
                    {"published", Table::Holds::numbers},
                    {"ours", Table::Holds::numbers},
                    {"ratio", Table::Holds::numbers},
                    {"scaled by", Table::Holds::numbers},
                    {"of"},
                    {"source"}}};
    for (std::size_t machine = 0; machine < published_.machines.size(); ++machine) {
      const std::size_t before = table.rows.size();
      for (const auto& row : rows_) {
        if (row.machine != machine) continue;
        if (table.rows.size() == before) table.heading(published_.machines[machine].name);
        table.row(row_of(row));
      }
    }
    for (const auto& [quantity, reasons] : reasons_)
      for (const auto& text : reasons.texts(("no " + quantity + " of ").c_str())) table.notes.push_back(text);
    add_absent(table, view);
    return table;
  }

 private:
  static std::string format_giga(double flops) { return fmt::format("{:.4g}", flops / 1e9); }

  Table::Row row_of(const PublishedRow& row) {
    const bool is_rate = row.quantity == flop_rate_name;
    Table::Row cells{short_name(row.variant), row.quantity,
                     of_value(text_of(row.published, row.digits, is_rate), row.published, published_.source)};
    if (!row.value) {
      reasons_[row.quantity].add(short_name(row.variant), row.reason);
      cells.insert(cells.end(), 5, "-");
      return cells;
    }
    cells.push_back(of_value(text_of(*row.value, 4, is_rate), *row.value, row.source));
    cells.push_back(of_value(ratio_text(row), *row.ratio()));
    cells.push_back(is_rate ? "-" : of_value(scale_text(row.scale), row.scale));
    cells.push_back(row.ours->record->id);
    cells.push_back(row.source);
    return cells;
  }

  /// Published, and no case of it is shown here.
  void add_absent(Table& table, const RunView& view) const {
    std::vector<std::string> absent;
    for (const auto& variant : published_.variants())
      if (std::ranges::none_of(view.groups, [&](const GroupView& group) {
            return std::ranges::any_of(
                group.cases, [&](const CaseView& member) { return member.record->variant == variant; });
          }))
        absent.push_back(short_name(variant));
    if (!absent.empty())
      table.notes.push_back(fmt::format("published, and not among these cases: {}", shortened(absent, 12)));
  }

  const Published& published_;
  std::vector<PublishedRow> rows_;
  std::map<std::string, Reasons> reasons_;  ///< by quantity
};

/// A variant's launch on a published machine.
struct OccupancyRow {
  std::string variant;
  std::size_t machine = 0;
  const CaseView* ours = nullptr;  ///< whose launch it is; null: none was counted
  std::string why;                 ///< then
  LaunchShape launch;
  Occupancy occupancy;
  const PublishedValue* published = nullptr;  ///< null: nothing was
};

/// Of the variants that have one, or of which one was published, in the published order.
std::vector<OccupancyRow> occupancy_rows(const RunView& view, const Published& published) {
  std::vector<std::string> variants = published.variants();
  for (const auto& record : view.run->records)
    if (std::ranges::find(variants, record.variant) == variants.end()) variants.push_back(record.variant);
  std::vector<OccupancyRow> rows;
  for (std::size_t machine = 0; machine < published.machines.size(); ++machine) {
    const auto& multiprocessor = published.machines[machine].multiprocessor;
    if (!multiprocessor) continue;
    for (const auto& variant : variants) {
      std::vector<const CaseView*> cases;
      for (const auto& group : view.groups)
        for (const auto& member : group.cases)
          if (member.record->variant == variant) cases.push_back(&member);
      if (cases.empty()) continue;
      OccupancyRow row{.variant = variant, .machine = machine, .why = {}, .launch = {}, .occupancy = {}};
      for (const auto& value : published.values)
        if (value.variant == variant && value.machine == machine &&
            (value.theoretical_occupancy || value.achieved_occupancy))
          row.published = &value;
      const CaseView* counted = nearest_counted(cases, "GPU.blocks", published.flops);
      const auto launch = launch_shape_of(*(counted ? counted : cases.front())->record, row.why);
      if (!launch && !row.published && !counted) continue;
      if (launch) {
        row.ours = counted;
        row.launch = *launch;
        row.occupancy = occupancy_of(*launch, *multiprocessor);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Table::Cell share_cell(std::optional<double> share) {
  return share ? of_value(fmt::format("{:.1f}%", 100 * *share), *share) : "-";
}

/// Cells of a launch; without one "-".
Table::Row launch_cells(const OccupancyRow& row) {
  if (!row.ours) return Table::Row(5, "-");
  return {of_value(fmt::format("{:.0f}", row.launch.threads), row.launch.threads),
          of_value(format_bytes(row.launch.shared_bytes), row.launch.shared_bytes),
          of_value(fmt::format("{}", row.occupancy.blocks), static_cast<double>(row.occupancy.blocks)),
          row.occupancy.limited_by, share_cell(row.occupancy.theoretical)};
}

Table occupancy_table(const std::vector<OccupancyRow>& rows, const Published& published) {
  Table table{
      .title = "Theoretical occupancy",
      .about =
          "Warps that a multiprocessor can hold at a time, of those it could, from launch parameters alone: "
          "threads, dynamic shared memory and the limit of blocks. Registers and what a kernel declares as "
          "shared itself are not known on the CPU, and may allow fewer. Filled: blocks of the grid of the "
          "case named over those that the whole GPU holds at a time; of its own size, not the published one. "
          "Achieved is what a profiler measured: at most about theoretical times filled.",
      .columns = {{"variant"},
                  {"threads/block", Table::Holds::numbers},
                  {"shared/block", Table::Holds::numbers},
                  {"blocks held", Table::Holds::numbers},
                  {"limited by"},
                  {"theoretical", Table::Holds::numbers},
                  {"published", Table::Holds::numbers},
                  {"achieved (published)", Table::Holds::numbers},
                  {"filled", Table::Holds::numbers},
                  {"of"}}};
  Reasons reasons;
  std::size_t machine = published.machines.size();
  for (const auto& row : rows) {
    if (!row.ours) reasons.add(short_name(row.variant), row.why);
    if (!row.ours && !row.published) continue;
    if (row.machine != machine) table.heading(published.machines[row.machine].name);
    machine = row.machine;
    const auto theirs = [&](std::optional<double> PublishedValue::*share) {
      return share_cell(row.published ? row.published->*share : std::nullopt);
    };
    Table::Row cells{short_name(row.variant)};
    for (auto& cell : launch_cells(row)) cells.push_back(std::move(cell));
    cells.push_back(theirs(&PublishedValue::theoretical_occupancy));
    cells.push_back(theirs(&PublishedValue::achieved_occupancy));
    cells.push_back(row.ours ? share_cell(row.occupancy.fill) : "-");
    cells.push_back(row.ours ? row.ours->record->id : "-");
    table.row(std::move(cells));
  }
  for (const auto& text : reasons.texts("no launch of ")) table.notes.push_back(text);
  return table;
}

}  // namespace

std::vector<Table> published_tables(const RunView& view) {
  const auto published = published_of(view.run->header);
  if (!published) return {};
  std::vector<Table> tables{BesideTable(view, *published).made(view)};
  if (const auto rows = occupancy_rows(view, *published); !rows.empty())
    tables.push_back(occupancy_table(rows, *published));
  for (auto& table : tables) put_on_one_line(table);
  return tables;
}

Json published_json(const RunView& view) {
  const auto published = published_of(view.run->header);
  if (!published) return nullptr;
  Json rows = Json::array(), occupancies = Json::array();
  for (const auto& row : published_rows(view, *published))
    rows.push_back({{"variant", row.variant},
                    {"machine", published->machines[row.machine].name},
                    {"quantity", row.quantity},
                    {"unit", row.unit},
                    {"published", row.published},
                    {"ours", or_null(row.value)},
                    {"ratio", or_null(row.ratio())},
                    {"scale", row.value ? Json(row.scale) : Json(nullptr)},
                    {"id", row.ours ? Json(row.ours->record->id) : Json(nullptr)},
                    {"source", row.value ? Json(row.source) : Json(nullptr)},
                    {"reason", row.value ? Json(nullptr) : Json(row.reason)}});
  for (const auto& row : occupancy_rows(view, *published)) {
    const auto theirs = [&](std::optional<double> PublishedValue::*share) {
      return row.published ? or_null(row.published->*share) : Json(nullptr);
    };
    const auto ours = [&](const auto& value) { return row.ours ? Json(value) : Json(nullptr); };
    occupancies.push_back({{"variant", row.variant},
                           {"machine", published->machines[row.machine].name},
                           {"threads_per_block", ours(row.launch.threads)},
                           {"shared_bytes_per_block", ours(row.launch.shared_bytes)},
                           {"blocks_held", ours(row.occupancy.blocks)},
                           {"limited_by", ours(row.occupancy.limited_by)},
                           {"theoretical", ours(row.occupancy.theoretical)},
                           {"published_theoretical", theirs(&PublishedValue::theoretical_occupancy)},
                           {"published_achieved", theirs(&PublishedValue::achieved_occupancy)},
                           {"filled", ours(row.occupancy.fill)},
                           {"id", row.ours ? Json(row.ours->record->id) : Json(nullptr)},
                           {"reason", row.ours ? Json(nullptr) : Json(row.why)}});
  }
  return {{"source", published->source},
          {"flops", published->flops},
          {"rows", std::move(rows)},
          {"occupancy", std::move(occupancies)}};
}

}  // namespace uotbench
