#include "results/base/parallel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace uotbench {
namespace {

TEST(InParts, TextsStandInOrderAndNothingIsLeftOut) {
  for (const std::size_t count : {0, 1, 7, 1000}) {
    std::string expected;
    for (std::size_t i = 0; i < count; ++i) expected += std::to_string(i) + ' ';
    for (const std::size_t worth : {1, 3, 5000})
      EXPECT_EQ(text_in_parts(count, worth,
                              [](std::size_t begin, std::size_t end) {
                                std::string text;
                                for (std::size_t i = begin; i < end; ++i) text += std::to_string(i) + ' ';
                                return text;
                              }),
                expected);
  }
}

TEST(InParts, WhatAPartThrowsIsThrown) {
  EXPECT_THROW(in_parts(100, 1,
                        [](std::size_t, std::size_t end) {
                          if (end == 100) throw std::runtime_error("the last part");
                        }),
               std::runtime_error);
}

}  // namespace
}  // namespace uotbench
