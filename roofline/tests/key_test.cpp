// A key holds every entry within its width, in as few rows as do.
#include "roofline/draw/key.hpp"

#include <gmock/gmock.h>

namespace uotbench {
namespace {

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
