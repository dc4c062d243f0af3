// The order of basic blocks is the same after it was written and read; what is no such text is refused.
#include "results/record/block_sequence.hpp"

#include <gmock/gmock.h>

namespace uotbench {
namespace {

using testing::ElementsAre;
using Blocks = std::vector<std::size_t>;

constexpr std::size_t most_blocks = 1000;

TEST(BlockSequence, WritesRepetitionsOnce) {
  EXPECT_EQ(block_sequence_text({}), "");
  EXPECT_EQ(block_sequence_text({7}), "7");
  EXPECT_EQ(block_sequence_text({4, 0, 0, 0, 2}), "4 0*3 2");
  EXPECT_EQ(block_sequence_text({5, 6, 5, 6, 5, 6, 1}), "(5 6)*3 1");
  // Two rows: what is before the loop, its passes, what is after it.
  EXPECT_EQ(block_sequence_text({1, 0, 0, 0, 2, 1, 0, 0, 0, 2}), "(1 0*3 2)*2");
  EXPECT_EQ(block_sequence_text({1, 0, 0, 0, 2, 1, 0, 0, 2}), "1 0*3 2 1 0*2 2") << "of other lengths";
}

TEST(BlockSequence, ComesBackAsItWas) {
  Blocks rows;
  for (std::size_t row = 0; row < 20; ++row) {
    rows.push_back(3);
    rows.insert(rows.end(), 1 + row % 3, 0);
    for (std::size_t pass = 0; pass < row % 4; ++pass) rows.insert(rows.end(), {12, 5});
  }
  for (const Blocks& blocks : {Blocks{}, Blocks{0}, Blocks{1, 1, 1}, Blocks{1, 2, 1, 2, 1}, rows})
    EXPECT_EQ(block_sequence_from(block_sequence_text(blocks), most_blocks), blocks);
}

TEST(BlockSequence, ThatIsNoneIsAbsent) {
  for (const char* text : {"x", "1  2", " 1", "1 ", "1*", "1*0", "-1", "(1 2", "()", "(1)*0", "1,2",
                           "((1 2)*2 3)*2", "99999999999999999999999"})
    EXPECT_FALSE(block_sequence_from(text, most_blocks)) << text;
}

// A file may say more than there is memory for.
TEST(BlockSequence, IsNoLongerThanAllowed) {
  const auto three = block_sequence_from("1*3", 3);
  ASSERT_TRUE(three);
  EXPECT_THAT(*three, ElementsAre(1, 1, 1));
  EXPECT_FALSE(block_sequence_from("1*4", 3));
  EXPECT_TRUE(block_sequence_from("(1 2)*2", 4));
  EXPECT_FALSE(block_sequence_from("(1 2)*3", 5));
  EXPECT_FALSE(block_sequence_from("(1 2)*18446744073709551615", most_blocks));
}

}  // namespace
}  // namespace uotbench
