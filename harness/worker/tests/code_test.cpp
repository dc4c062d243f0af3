// A variant's hash changes with its own code and with what all share, not with its neighbours'.
#include <gmock/gmock.h>

#include <fstream>

#include "harness/worker/serve/serve.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

class CodeTest : public testing::Test {
 protected:
  std::map<std::string, std::string> code(const std::string& noted) {
    std::ofstream(folder_ / "code.json") << noted;
    return code_of_variants(folder_ / "code.json", {"uot/a", "uot/b", "match/twin", "uot/twin"});
  }
  const Folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(CodeTest, IsFoundByTheFilesName) {
  const auto found = code(R"({"a": "1", "b": "2", "uot/twin": "3", "match/twin": "4", "": "5"})");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found.at("uot/a").size(), 16u);
  EXPECT_NE(found.at("uot/twin"), found.at("match/twin"));
}

TEST_F(CodeTest, OfAVariantWithoutAFileOfItsNameIsThatOfAll) {
  const auto before = code(R"({"a": "1", "b": "2", "others": "3"})");
  for (const char* one : {R"({"a": "9", "b": "2", "others": "3"})", R"({"a": "1", "b": "2", "others": "9"})"})
    EXPECT_NE(code(one).at("uot/twin"), before.at("uot/twin")) << one;
}

TEST_F(CodeTest, ChangesWithItsOwnAndWithWhatAllShare) {
  const auto before = code(R"({"a": "1", "b": "2", "helper": "3", "": "4"})");
  const auto own = code(R"({"a": "9", "b": "2", "helper": "3", "": "4"})");
  EXPECT_NE(own.at("uot/a"), before.at("uot/a"));
  EXPECT_EQ(own.at("uot/b"), before.at("uot/b"));
  for (const char* shared : {R"({"a": "1", "b": "2", "helper": "9", "": "4"})",
                             R"({"a": "1", "b": "2", "helper": "3", "": "9"})"}) {
    EXPECT_NE(code(shared).at("uot/a"), before.at("uot/a")) << shared;
    EXPECT_NE(code(shared).at("uot/b"), before.at("uot/b")) << shared;
  }
}

TEST_F(CodeTest, IsAbsentWhereNothingWasNoted) {
  EXPECT_THAT(code_of_variants(folder_ / "none.json", {"uot/a"}), IsEmpty());
  EXPECT_THAT(code("no JSON"), IsEmpty());
  EXPECT_THAT(code("[1]"), IsEmpty());
}

}  // namespace
}  // namespace uotbench
