// Labels cover nothing, and are as wide as they are drawn.
#include "roofline/draw/label_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "roofline/draw/drawing.hpp"
#include "roofline/draw/style.hpp"

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

// A key holds every entry within its width, in as few rows as do.

using testing::HasSubstr;
using testing::Not;

std::vector<KeyEntry> entries_named(const std::vector<std::string>& texts) {
  std::vector<KeyEntry> entries;
  for (const auto& text : texts) entries.push_back({.text = text, .line = Stroke{.colour = "#000000"}});
  return entries;
}

/// The commands of a key on a canvas of 10 cm x 10 cm, from its upper edge.
std::string drawn_key(const Key& key) {
  Drawing drawing{.width = 10, .height = 10, .commands = {}, .hotspots = {}, .data = {}, .notes = {}};
  Canvas canvas(drawing);
  key.draw(canvas, 10);
  return drawing.commands;
}

TEST(Key, FillsColumnsDownOrRowsAcross) {
  const auto entries = entries_named({"one", "two", "three", "four", "five"});
  KeyStyle style{.left = 0, .right = 0, .sample = 1, .space = 0, .gap = 1, .row = 1, .below = 0};
  const auto place_of = [&](const char* text) {
    const std::string commands = drawn_key(Key(entries, style, 10));
    const std::string before = "set label '" + std::string(text) + "' at screen ";
    return commands.substr(commands.find(before) + before.size(), 23);
  };
  EXPECT_EQ(Key(entries, style, 10).rows(), 2u);  // three columns and one entry's room beside them
  EXPECT_EQ(place_of("two"), "0.10000, screen 0.85000");
  EXPECT_EQ(place_of("three").substr(9), "screen 0.95000");
  style.order = KeyStyle::Order::across;
  EXPECT_EQ(place_of("two").substr(9), "screen 0.95000");
  EXPECT_EQ(place_of("five").substr(9), "screen 0.85000");
}

TEST(Key, PacksEntriesOfDifferentWidths) {
  const auto entries = entries_named({"a", std::string(60, 'm'), "b"});
  const Key key(entries, {.order = KeyStyle::Order::packed}, 10);
  EXPECT_EQ(key.rows(), 3u);
  EXPECT_EQ(Key(entries_named({"a", "b", "c"}), {.order = KeyStyle::Order::packed}, 10).rows(), 1u);
}

TEST(Key, CutsTextsAndLeavesNotesOutWhereThereIsNoRoom) {
  auto entries = entries_named({std::string(90, 'm')});
  entries.front().note = "a sum";
  const std::string commands = drawn_key(Key(entries, {}, 10));
  EXPECT_THAT(commands, HasSubstr("mmm...'"));
  EXPECT_THAT(commands, Not(HasSubstr("a sum")));
  entries.front().text = "short";
  EXPECT_THAT(drawn_key(Key(entries, {}, 10)), HasSubstr("a sum"));
}

TEST(Key, TakesNoHeightWithoutEntries) { EXPECT_EQ(Key({}, {}, 10).height(), 0); }

}  // namespace
}  // namespace uotbench
