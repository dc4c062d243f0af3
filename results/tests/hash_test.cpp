// Run files, baselines and kept builds are found again by these values: they are FNV-1a's own, for ever.
#include <gtest/gtest.h>

#include "results/base/text.hpp"

namespace uotbench {
namespace {

// From Fowler, Noll and Vo's own test vectors.
TEST(Hash, IsFnv1a) {
  EXPECT_EQ(hash_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_text("foobar"), "85944171f73967e8");
  EXPECT_EQ(hash_text(std::uint64_t{0x1f}), "000000000000001f") << "always 16 digits";
  EXPECT_EQ(fnv1a("\xff"), (fnv1a_start ^ 0xff) * 0x100000001b3u) << "bytes have no sign";
}

TEST(Hash, OfPartsIsThatOfTheWhole) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

}  // namespace
}  // namespace uotbench
