// A case has one time, one time per iteration and one speedup, whatever shows it: every kind of figure, every
// export, the page and the comparison have the numbers that `show` has, also where cases of one problem were
// timed by different units.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/export/export.hpp"
#include "results/record/counters.hpp"
#include "results/view/compare.hpp"
#include "results/view/quantity.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/model/model.hpp"
#include "roofline/report/report.hpp"
#include "roofline/tests/made_rounds.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;

const Json over_numpy{{"variant", "uot/numpy_order"}, {"worker", "native-v4"}};

class SameNumbers : public testing::Test {
 protected:
  static RunView view(const Json& over = over_numpy) {
    static const uotbench::Run run = run_of_units();
    return view_under_roofs(run, {}, over);
  }

  /// What `show RUN --json` prints of each case, by id.
  static std::map<std::string, Json> shown(const Json& over = over_numpy) {
    std::map<std::string, Json> cases;
    const Json json = json_of(view(over));
    for (const auto& one : json.at("cases")) cases[one.at("id")] = one;
    return cases;
  }

  using Row = std::map<std::string, std::string>;
  /// What `figure KIND RUN --data` writes of the cases that are drawn.
  static std::vector<Row> drawn(FigureSpec spec) {
    const RunView its = view();
    const Drawing drawing = figure_of(spec, {&its});
    std::vector<Row> rows;
    for (const auto& fields : drawing.data.rows) {
      Row row;
      for (std::size_t i = 0; i < fields.size(); ++i) row[drawing.data.columns[i]] = fields[i];
      if (row["left_out"].empty()) rows.push_back(std::move(row));
    }
    return rows;
  }

  static void expect_close(const std::string& text, const Json& wanted, const std::string& what) {
    ASSERT_TRUE(wanted.is_number()) << what;
    ASSERT_NE(text, "") << what;
    EXPECT_NEAR(std::stod(text) / wanted.get<double>(), 1, 1e-5) << what;
  }

  /// The seconds of a case in the unit that a row names.
  static Json seconds_in(const Json& one, const std::string& per) {
    if (one.at("per") == per) return one.at("median");
    return per == "iteration" ? one.at("seconds_per_iteration") : Json();
  }

  static std::set<std::string> units_of(const std::vector<Row>& rows) {
    std::set<std::string> units;
    const auto cases = shown();
    for (const auto& row : rows) units.insert(cases.at(row.at("id")).at("per").get<std::string>());
    return units;
  }
};

const std::set<std::string> all_units{"iteration", "solve", "part"}, of_iterations{"iteration", "solve"};

// The numbers themselves: POT's 380 units over 100 iterations against an iteration of 2.
TEST_F(SameNumbers, TheTableDividesLikeByLike) {
  const auto cases = shown();
  const std::string point = "/M:4096/N:4096/dtype:f32/stop:iterations/threads:2";
  EXPECT_NEAR(cases.at("uot/pot_knopp" + point + "@python").at("speedup").get<double>(), 2 / 3.8, 1e-9);
  EXPECT_NEAR(cases.at("uot/ott" + point + "@python").at("speedup").get<double>(), 2 / 9., 1e-9);
  EXPECT_NEAR(cases.at("uot/one_read" + point + "@native-v4").at("speedup").get<double>(), 2.5, 1e-9);
  EXPECT_TRUE(cases.at("uot/part_a" + point + "@native-v4").at("speedup").is_null());
}

TEST_F(SameNumbers, FigureSpeedup) {
  for (const Json& over : {over_numpy, Json{{"variant", "uot/pot_knopp"}}, Json{{"variant", "uot/part_a"}},
                           Json{{"variant", "uot/pot_ti"}}}) {
    const auto cases = shown(over);
    const auto rows = drawn({.kind = "speedup", .filter = "", .over = over});
    std::set<std::string> ids;
    for (const auto& row : rows) {
      const std::string id = row.at("id");
      ids.insert(id);
      expect_close(row.at("speedup"), cases.at(id).at("speedup"), id);
      expect_close(row.at("seconds"), seconds_in(cases.at(id), row.at("per")), id);
      expect_close(row.at("reference_seconds"), seconds_in(cases.at(row.at("reference")), row.at("per")), id);
      // Of three rounds, all of one scatter: the interval of the ratio is around it.
      EXPECT_LE(std::stod(row.at("speedup_low")), std::stod(row.at("speedup")) * 1.0001) << id;
      EXPECT_GE(std::stod(row.at("speedup_high")), std::stod(row.at("speedup")) * 0.9999) << id;
    }
    for (const auto& [id, one] : cases)
      if (one.at("speedup").is_number() && !id.starts_with(over.at("variant").get<std::string>()))
        EXPECT_TRUE(ids.contains(id)) << id << " has a speedup in the table and none in the figure";
  }
  EXPECT_EQ(units_of(drawn({.kind = "speedup", .filter = "", .over = over_numpy})), of_iterations);
}

TEST_F(SameNumbers, FigureScaling) {
  for (const Json& over : {Json{{"threads", 1}}, Json{{"variant", "uot/pot_knopp"}, {"threads", 1}}}) {
    const auto cases = shown(over);
    const auto rows =
        drawn({.kind = "scaling", .filter = "", .over = over.contains("variant") ? over : Json()});
    for (const auto& row : rows)
      expect_close(row.at("speedup"), cases.at(row.at("id")).at("speedup"), row.at("id"));
    EXPECT_EQ(units_of(rows), over.contains("variant") ? of_iterations : all_units);
  }
}

TEST_F(SameNumbers, FigureTiles) {
  const auto cases = shown();
  const auto rows = drawn({.kind = "tiles", .filter = "", .x = "rows", .y = "block"});
  ASSERT_FALSE(rows.empty());
  std::map<std::string, double> fastest;
  for (const auto& row : rows) {
    expect_close(row.at("median_s"), cases.at(row.at("id")).at("median"), row.at("id"));
    auto& least = fastest.try_emplace(row.at("map"), HUGE_VAL).first->second;
    least = std::min(least, std::stod(row.at("median_s")));
  }
  for (const auto& row : rows)
    EXPECT_NEAR(std::stod(row.at("over_fastest")), std::stod(row.at("median_s")) / fastest.at(row.at("map")),
                1e-9);
}

TEST_F(SameNumbers, FigureSizes) {
  const auto cases = shown();
  for (const char* value : {"time", "bandwidth"}) {
    const auto rows = drawn({.kind = "sizes", .filter = "stop:iterations", .value = value});
    for (const auto& row : rows) {
      const Json& one = cases.at(row.at("id"));
      EXPECT_EQ(row.at("per"), "iteration") << "one axis has one unit";
      expect_close(row.at("seconds"), seconds_in(one, "iteration"), row.at("id"));
      expect_close(row.at("bytes_per_second"), one.at("bytes_per_second"), row.at("id"));
      EXPECT_LT(std::stod(row.at("low_s")), std::stod(row.at("seconds")));
      EXPECT_GT(std::stod(row.at("high_s")), std::stod(row.at("seconds")));
    }
    EXPECT_EQ(units_of(rows), of_iterations);
  }
  for (const auto& row : drawn({.kind = "sizes", .filter = "part_"})) {
    EXPECT_EQ(row.at("per"), "part");
    expect_close(row.at("seconds"), cases.at(row.at("id")).at("median"), row.at("id"));
  }
}

TEST_F(SameNumbers, FigureSolves) {
  const auto cases = shown();
  const auto rows = drawn({.kind = "solves", .filter = ""});
  EXPECT_EQ(rows.size(), 4u) << "those that a test ended";
  for (const auto& row : rows) {
    expect_close(row.at("median_s"), cases.at(row.at("id")).at("median"), row.at("id"));
    expect_close(row.at("iterations"), cases.at(row.at("id")).at("iterations"), row.at("id"));
  }
}

TEST_F(SameNumbers, FigurePhases) {
  const auto cases = shown();
  const auto rows = drawn({.kind = "phases", .filter = "N:4096"});
  for (const auto& row : rows) {
    const Json& one = cases.at(row.at("id"));
    for (const auto& phase : one.at("phases"))
      if (phase.at("name") == row.at("phase")) {
        const double scale = seconds_in(one, row.at("per")).get<double>() / one.at("median").get<double>();
        expect_close(row.at("share"), phase.at("share"), row.at("id"));
        expect_close(row.at("seconds"), phase.at("seconds").get<double>() * scale, row.at("id"));
        EXPECT_EQ(row.at("per"), "iteration") << "one axis has one unit";
      }
  }
  EXPECT_EQ(units_of(rows), of_iterations);
}

TEST_F(SameNumbers, FigureMisses) {
  const auto cases = shown();
  const RunView its = view();
  std::map<std::string, const Record*> records;
  for (const auto& record : its.run->records) records[record.id] = &record;
  const auto rows = drawn({.kind = "misses", .filter = "N:4096", .value = "count"});
  for (const auto& row : rows) {
    const Record& record = *records.at(row.at("id"));
    const double steps = row.at("per") == name_of(record.time->per) ? 1 : double(*record.time->iterations);
    EXPECT_EQ(row.at("per"), "iteration") << "one axis has one unit";
    expect_close(row.at("misses"), *counter_of(record, "L1D.misses")->value / steps, row.at("id"));
  }
  EXPECT_EQ(units_of(rows), of_iterations);
  for (const auto& row : drawn({.kind = "misses", .filter = "N:4096"})) {
    const Record& record = *records.at(row.at("id"));
    expect_close(row.at("miss_rate"), *counted(record, "L1D.misses") / *counted(record, "L1D.accesses"),
                 row.at("id"));
  }
}

TEST_F(SameNumbers, FigureRooflineAndLadder) {
  const auto cases = shown();
  const RunView its = view();
  std::map<std::string, double> flops;
  for (const auto& record : its.run->records) flops[record.id] = record.work->flops;
  std::size_t points = 0;
  for (const auto& row : drawn({.kind = "roofline", .filter = ""})) {
    if (row.at("kind") != "point") continue;
    ++points;
    const std::string id = row.at("id");
    expect_close(row.at("flops_per_s"), flops.at(id) / cases.at(id).at("median").get<double>(), id);
    expect_close(row.at("roof_fraction"), cases.at(id).at("roof").at("fraction"), id);
  }
  EXPECT_GT(points, 10u);
  std::size_t bars = 0;
  for (const auto& row : drawn({.kind = "ladder", .filter = ""}))
    if (const std::string id = row.at("id"); !id.empty() && row.at("quantity") == "rate") {
      ++bars;
      expect_close(row.at("ours"), flops.at(id) / cases.at(id).at("median").get<double>(), id);
    }
  EXPECT_GT(bars, 5u);
}

TEST_F(SameNumbers, FigureEfficiency) {
  const uotbench::Run run = run_of_units({1, 2, 4});
  const RunView its = view_of(run);
  std::map<std::string, Json> cases;
  const Json table = json_of(its);
  for (const auto& one : table.at("cases")) cases[one.at("id")] = one;
  const Drawing drawing =
      figure_of({.kind = "scaling", .filter = "numpy|pot_knopp|part_", .value = "efficiency"}, {&its});
  std::set<std::string> units;
  for (const auto& row : drawing.data.rows) {
    units.insert(cases.at(row[0]).at("per").get<std::string>());
    expect_close(row[3], cases.at(row[0]).at("efficiency"), row[0]);
  }
  EXPECT_EQ(units, all_units);
  // A solve's as its iteration's, over one thread: 1.7 times the seconds on half and on a quarter of the
  // CPUs.
  const std::string pot = "uot/pot_knopp/M:4096/N:4096/dtype:f32/stop:iterations/threads:";
  EXPECT_NEAR(cases.at(pot + "2@python").at("efficiency").get<double>(), 1.7 / 2, 1e-9);
  EXPECT_NEAR(cases.at(pot + "4@python").at("efficiency").get<double>(), 1.7 / 4, 1e-9);
}

// A new kind of figure needs a test of its numbers here.
TEST_F(SameNumbers, EveryKindOfFigureIsHeldToTheTable) {
  EXPECT_THAT(figure_kinds(),
              testing::UnorderedElementsAre("roofline", "speedup", "tiles", "scaling", "sizes", "misses",
                                            "ladder", "solves", "phases",
                                            "ecm",      // EcmFigure.StacksTheComponentsOfAnExplanation
                                            "ranks"));  // RanksFigure.DividesAnIterationOfASolveByAnIteration
}

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::istringstream in(line);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

TEST_F(SameNumbers, ExportCsv) {
  const auto cases = shown();
  std::istringstream lines(to_csv(view()));
  std::string line;
  std::getline(lines, line);
  const auto columns = split(line, ',');
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    const auto fields = split(line, ',');
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < std::min(columns.size(), fields.size()); ++i) row[columns[i]] = fields[i];
    const Json& one = cases.at(row.at("id"));
    ++rows;
    for (const auto& quantity : quantities()) {
      if (!quantity.csv || !quantity.key || quantity.json) continue;
      const Json& value = one.at(quantity.key);
      const std::string what = row["id"] + " " + quantity.csv;
      if (value.is_number())
        EXPECT_EQ(std::stod(row[quantity.csv]), value.get<double>()) << what;
      else
        EXPECT_EQ(row[quantity.csv], value.is_null() ? "" : value.get<std::string>()) << what;
    }
  }
  EXPECT_EQ(rows, cases.size());
}

TEST_F(SameNumbers, ExportGbench) {
  const auto cases = shown();
  std::set<std::string> seen;
  const Json exported = Json::parse(to_gbench(view()));
  for (const auto& row : exported.at("benchmarks"))
    if (row.value("aggregate_name", "") == "median") {
      const std::string id = row.at("run_name");
      seen.insert(id);
      EXPECT_NEAR(row.at("real_time").get<double>() / cases.at(id).at("median").get<double>(), 1e9, 1);
      EXPECT_NEAR(row.at("cpu_time").get<double>() / row.at("real_time").get<double>(), 0.5, 1e-9);
    }
  EXPECT_EQ(seen.size(), cases.size());
}

// Tables for people: each case's median, time per iteration and speedup as `show` writes them.
TEST_F(SameNumbers, ExportsForPeopleAndPages) {
  const RunView its = view();
  const std::string markdown = to_markdown(its), tex = to_tex(its);
  const Report report{.runs = {&its}, .figures = report_figures({&its}, {}), .tables = {}};
  const std::string page = html_of(report), summary = markdown_of(report);
  for (const auto& [id, one] : shown())
    for (const auto& text :
         {format_seconds(one.at("median")),
          one.at("seconds_per_iteration").is_null() ? "" : format_seconds(one.at("seconds_per_iteration")),
          one.at("speedup").is_null() ? "" : format_fixed(one.at("speedup"), 2) + 'x'}) {
      for (const auto& [name, whole] :
           {std::pair("markdown", &markdown), {"page", &page}, {"summary", &summary}})
        EXPECT_THAT(*whole, HasSubstr(text)) << name << " of " << id;
      const std::string number = text.substr(0, text.find_first_of(" x"));
      EXPECT_THAT(tex, HasSubstr(number)) << "tex of " << id;
    }
  // The page's figure of speedups says the same of each case when pointed at.
  const auto speedups = std::ranges::find(report.figures, "Speedups", &ReportFigure::title);
  ASSERT_NE(speedups, report.figures.end());
  for (const auto& [id, one] : shown())
    if (id.find("pot_knopp") != std::string::npos)
      EXPECT_THAT(speedups->svg,
                  HasSubstr(fmt::format("{}&#10;{:.3g}× over", id, one.at("speedup").get<double>())));
}

TEST_F(SameNumbers, CompareWithinARun) {
  for (const char* base : {"numpy_order", "pot_knopp", "part_a"}) {
    const auto cases = shown({{"variant", std::string("uot/") + base}});
    const RunView its = view();
    const Comparison comparison = compare_within(its, "variant", std::string("uot/") + base);
    std::size_t rows = 0;
    for (const auto& row : comparison.rows) {
      const Json& one = cases.at(row.b->record->id);
      if (row.a->record->variant != std::string("uot/") + base || one.at("speedup").is_null()) continue;
      ++rows;
      EXPECT_NEAR(row.ratio() * one.at("speedup").get<double>(), 1, 1e-9) << row.b->record->id;
      ASSERT_TRUE(row.interval);
      EXPECT_LE(row.interval->low, row.ratio() * 1.0001);
      EXPECT_GE(row.interval->high, row.ratio() * 0.9999);
    }
    EXPECT_GT(rows, 0u) << base;
  }
}

// A page without a solve that a test ended has no figure of solves.
TEST_F(SameNumbers, APageHasSolvesOnlyWhereSomethingWasSolved) {
  const auto titles = [](const uotbench::Run& run) {
    const RunView its = view_of(run);
    std::set<std::string> all;
    for (const auto& figure : report_figures({&its}, {})) all.insert(figure.title);
    return all;
  };
  uotbench::Run run = run_of_units();
  EXPECT_TRUE(titles(run).contains("Solves"));
  std::erase_if(run.records, [](const Record& record) { return record.point.json().at("stop") == "change"; });
  const auto left = titles(run);
  EXPECT_FALSE(
      std::ranges::any_of(left, [](const auto& title) { return title.find("Solves") != std::string::npos; }));
}

}  // namespace
}  // namespace uotbench
