// What somebody else's run file makes of everything that prints it.
#include "harness/sweep/language/schema.hpp"
#include "results/export/export.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/fuzz/target.hpp"
#include "results/view/quantity.hpp"
#include "roofline/figures/figure.hpp"
#include "tools/uotbench/views/run.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const Run run = read_run(as_file(input, "run.jsonl"));
  const RunView view = view_of(run);
  require_printable(table_of(view));
  require_printable(to_markdown(view));
  require_printable(to_tex(view));
  require_printable(html_of(run_table(view)));
  require_printable(to_csv(view));
  if (!parse_shallow(to_gbench(view))) throw Broken("an export as JSON that is none");
  if (!parse_shallow(to_line(json_of(view)))) throw Broken("a table as JSON that is none");
}

void read_figures(std::string_view input) {
  static const Json schema = Json::parse(files_of({"configs/figures.schema.json"}).front());
  const Json json = parse_strictly(std::string(input), "figs.json");
  validate(json, schema, "figs.json");
  for (const auto& job : figures_from(json, "figs.json", "/paper"))
    if (job.file.empty() || job.runs.empty()) throw Broken("a figure without a file or a run");
}

const Registration shown{{.name = "show", .one_input = read, .corpus = [] {
                            return files_of({"tools/tests/golden", "tools/tests/golden/first"}, ".jsonl");
                          }}};
const Registration figures{{.name = "figures", .one_input = read_figures, .corpus = [] {
                              return files_of({"configs/figures"}, ".json");
                            }}};

}  // namespace
}  // namespace uotbench::fuzz
