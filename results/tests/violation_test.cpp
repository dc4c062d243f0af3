// What was found and what was expected reach a message as one line, and a list of checks as two parts.
#include "results/base/violation.hpp"

#include <gtest/gtest.h>

namespace uotbench {
namespace {

TEST(Violation, IsALineAndItsParts) {
  const Violation got = at_place("/inner: ", expected_got("an integer from 1", "0"));
  EXPECT_EQ(got.text, "/inner: expected an integer from 1, got 0");
  EXPECT_EQ(got.found, "/inner: got 0");
  EXPECT_EQ(got.expected, "an integer from 1");
  const Violation lacking = at_place("hello: ", found_instead("no name", "a text"));
  EXPECT_EQ(lacking.text, "hello: no name; expected a text");
  EXPECT_EQ(lacking.found, "hello: no name");
  EXPECT_EQ(lacking.expected, "a text");
  EXPECT_EQ(violation_text(lacking), lacking.text);
  EXPECT_EQ(violation_text(std::nullopt), "");
}

TEST(Violation, IsThrownOnOneLine) {
  try {
    throw Violated(found_instead("the name \"a\nb\"", "a name"));
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the name \"a\\nb\"; expected a name");
  }
  const Violated thrown(found_instead("a\nb", "a name"));
  EXPECT_EQ(thrown.violation.found, "a\\nb");
  EXPECT_EQ(thrown.violation.text, thrown.what());
}

}  // namespace
}  // namespace uotbench
