// One table in every format: each shows what it can, and whatever a text holds stays a text.
#include "results/export/tables.hpp"

#include <gmock/gmock.h>

#include "results/tests/table_texts.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Table made_table() {
  Table table{.title = "Misses & co",
              .about = "100% made up.",
              .columns = {{"case"}, {"rate", Table::Holds::numbers}, {"source"}},
              .notes = {"no value of y: not counted"}};
  table.heading("uot  M:8 N:8");
  Table::Cell rate("2.50%");
  rate.value = 0.025;
  rate.source = "callgrind, simulated";
  table.row({"a_b threads:1", rate, "callgrind, simulated"});
  table.row({"c", "-", Table::Cell("failed", Style::bad, "wrong, \"by far\"")});
  return table;
}

TEST(Table, FallsApartByItsHeadings) {
  Table table = made_table();
  table.heading("second");
  table.row({"d", "1", "-"});
  const auto parts = by_heading(table);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].title, "uot  M:8 N:8");
  EXPECT_EQ(parts[0].rows.size(), 2u);
  EXPECT_EQ(parts[1].title, "second");
  EXPECT_THAT(texts_of(parts[1]), ElementsAre(ElementsAre("d", "1", "-")));
  EXPECT_THAT(titles_of(parts[1]), ElementsAre("case", "rate", "source"));
}

TEST(Table, LosesAColumnButNoHeading) {
  Table table = made_table();
  table.remove_column(1);
  EXPECT_THAT(texts_of(table),
              ElementsAre(ElementsAre("uot  M:8 N:8"), ElementsAre("a_b threads:1", "callgrind, simulated"),
                          ElementsAre("c", "failed")));
}

TEST(Tables, AsMarkdown) {
  EXPECT_EQ(markdown_of(made_table()),
            "### Misses \\& co\n\n100% made up.\n\n"
            "| case | rate | source |\n"
            "|:---|---:|:---|\n"
            "| `uot  M:8 N:8` | | |\n"
            "| `a_b threads:1` | 2.50% | callgrind, simulated |\n"
            "| `c` | - | failed |\n\n"
            "- no value of y: not counted\n\n");
}

TEST(Tables, AsTex) {
  EXPECT_EQ(tex_of({made_table()}),
            "% \\usepackage{booktabs}\n"
            "\n% Misses & co\n% 100% made up.\n"
            "\\begin{tabular}{lrl}\n\\toprule\nCase & Rate & Source \\\\\n"
            "\\midrule\n\\multicolumn{3}{l}{uot  M:8 N:8} \\\\\n"
            "\\quad a\\_b threads:1 & 2.50\\% & callgrind, simulated \\\\\n"
            "\\quad c & -- & failed \\\\\n"
            "\\bottomrule\n\\end{tabular}\n"
            "% no value of y: not counted\n");
  Table plain{.columns = {{"case"}, {"ratio", Table::Holds::numbers}}};
  for (const char* number : {"1.0%", "<0.01%", "4.66x", "60.0% fewer", "1.05 !", "5 max"})
    plain.row({"", number});
  EXPECT_EQ(tex_rows(plain),
            "\\begin{tabular}{lr}\n\\toprule\nCase & Ratio \\\\\n\\midrule\n"
            " & 1.0\\% \\\\\n & $<$0.01\\% \\\\\n & 4.66$\\times$ \\\\\n & 60.0\\%\\,fewer \\\\\n"
            " & 1.05\\,! \\\\\n & 5\\,max \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
}

TEST(Tables, AsCsvALineACell) {
  EXPECT_EQ(csv_of({made_table()}),
            "table,group,row,column,value,text,source\n"
            "Misses & co,uot  M:8 N:8,a_b threads:1,rate,0.025,2.50%,\"callgrind, simulated\"\n"
            "Misses & co,uot  M:8 N:8,a_b threads:1,source,,\"callgrind, simulated\",\n"
            "Misses & co,uot  M:8 N:8,c,rate,,,\n"
            "Misses & co,uot  M:8 N:8,c,source,,\"failed: wrong, \"\"by far\"\"\",\n");
}

TEST(Tables, AsHtml) {
  const std::string html = html_of(made_table());
  EXPECT_THAT(html, HasSubstr("<h2>Misses &amp; co</h2>\n<p>100% made up.</p>"));
  EXPECT_THAT(html, HasSubstr("<th class=\"number\">rate</th><th class=\"words\">source</th>"));
  EXPECT_THAT(html, HasSubstr("<tr class=\"group\"><th colspan=\"3\" scope=\"colgroup\">uot  M:8 N:8</th>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"words\">failed: wrong, &quot;by far&quot;</td>"));
  EXPECT_THAT(html, HasSubstr("<p class=\"soft\">no value of y: not counted</p>"));
}

}  // namespace
}  // namespace uotbench
