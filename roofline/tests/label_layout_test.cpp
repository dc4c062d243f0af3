// Labels cover nothing, and are as wide as they are drawn.
#include "roofline/draw/label_layout.hpp"

#include <gtest/gtest.h>

#include "roofline/draw/text_size.hpp"

namespace uotbench {
namespace {

TEST(TextWidth, IsThatOfHelvetica) {
  // Helvetica.afm: A 667, i 222, blank 278.
  EXPECT_NEAR(text_width("Ai i", 10), (667 + 222 + 278 + 222) / 1000. * 10 * 2.54 / 72, 1e-12);
  EXPECT_EQ(text_width("", 10), 0);
  EXPECT_GT(text_width("\u6f22", 10), text_width("W", 10)) << "one character, though three bytes";
}

TEST(Overlap, SeesTurnedRectangles) {
  const TextBox level{0, 0, 4, 1, 0};
  EXPECT_TRUE(overlap(level, {1.9, 0.4, 1, 1, 0}));
  EXPECT_FALSE(overlap(level, {2.6, 0, 1, 1, 0}));
  EXPECT_FALSE(overlap(level, {2.6, 1.2, 3, 0.2, -45})) << "its bounds overlap, it does not";
  EXPECT_TRUE(overlap(level, {1.9, 0.6, 3, 0.2, -45}));
  EXPECT_TRUE(overlap(Segment{-3, -3, 3, 3}, level));
  EXPECT_FALSE(overlap(Segment{-3, -1, -1, 3}, level));
}

TEST(Labels, CoverNeitherEachOtherNorMarksNorLines) {
  std::vector<Wanted> labels;
  for (int i = 0; i < 10; ++i)
    labels.push_back(
        {.x = 3 + 0.3 * (i % 5), .y = 2 + 0.25 * (i / 5), .radius = 0.08, .width = 1.2, .height = 0.25});
  const Scene scene{.bounds = {0, 0, 7, 5}, .taken = {{5, 4, 1, 1, 0}}, .lines = {{0, 0, 7, 5}}};
  const auto placed = place_labels(labels, scene);
  ASSERT_EQ(placed.size(), labels.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (!placed[i]) continue;
    ++found;
    const Box box = placed[i]->box.bounds();
    EXPECT_TRUE(box.left >= 0 && box.bottom >= 0 && box.right <= 7 && box.top <= 5);
    EXPECT_FALSE(overlap(scene.lines[0], placed[i]->box));
    EXPECT_FALSE(overlap(scene.taken[0], placed[i]->box));
    for (const auto& label : labels)
      EXPECT_FALSE(overlap(TextBox{label.x, label.y, 0.16, 0.16, 0}, placed[i]->box));
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(placed[j] && overlap(placed[i]->box, placed[j]->box)) << i << " and " << j;
  }
  EXPECT_GE(found, 8u);
}

TEST(Labels, ThatHaveNoRoomAreNotPlaced) {
  const Scene scene{.bounds = {0, 0, 1, 1}, .taken = {}, .lines = {}};
  EXPECT_FALSE(
      place_labels({{.x = 0.5, .y = 0.5, .radius = 0.1, .width = 2, .height = 0.25}}, scene)[0].has_value());
  EXPECT_TRUE(place_labels({}, scene).empty());
}

}  // namespace
}  // namespace uotbench
