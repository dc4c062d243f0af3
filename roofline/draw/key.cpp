#include "roofline/draw/key.hpp"

#include <algorithm>

namespace uotbench {
namespace {

constexpr double before_note = 0.3;  // cm

}  // namespace

Key::Key(std::vector<KeyEntry> entries, const KeyStyle& style, double width)
    : style_(style), entries_(std::move(entries)) {
  if (style_.order == KeyStyle::Order::packed)
    pack(width);
  else
    set_columns(width);
}

void Key::set_columns(double width) {
  const double all = width - style_.left - style_.right, around = style_.sample + style_.space + style_.gap;
  double note = 0;
  for (auto& entry : entries_) {
    entry.text = fitted(entry.text, all - around, text_size);
    text_width_ = std::max(text_width_, text_width(entry.text, text_size));
    if (!entry.note.empty()) note = std::max(note, before_note + text_width(entry.note, text_size));
  }
  if (around + text_width_ + note > width) {  // names are needed, sums are not
    for (auto& entry : entries_) entry.note.clear();
    note = 0;
  }
  const std::size_t count = entries_.size();
  auto columns = std::max<std::size_t>(1, static_cast<std::size_t>(all / (around + text_width_ + note)));
  const bool down = style_.order == KeyStyle::Order::down;
  if (down) columns = std::min(columns, std::max<std::size_t>(count, 1));
  const std::size_t rows = (count + columns - 1) / columns;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = down ? i / rows : i % columns, row = down ? i % rows : i / columns;
    places_.emplace_back(style_.left + all / static_cast<double>(columns) * static_cast<double>(column), row);
  }
}

/// Packed, an entry without a sample is a text alone; in columns texts stand below each other.
double Key::before_text(const KeyEntry& entry) const {
  const bool sample = entry.line || entry.marker || entry.upright || entry.box;
  return sample || style_.order != KeyStyle::Order::packed ? style_.sample + style_.space : 0;
}

void Key::pack(double width) {
  double x = style_.left;
  std::size_t row = 0;
  const double end = width - style_.right;
  for (auto& entry : entries_) {
    const double before = before_text(entry);
    const double its = before + text_width(entry.text, text_size);
    if (x > style_.left && x + its > end) ++row, x = style_.left;
    places_.emplace_back(x, row);
    entry.text = fitted(entry.text, end - x - before, text_size);
    x += its + style_.gap;
  }
}

std::size_t Key::rows() const {
  std::size_t rows = 0;
  for (const auto& [x, row] : places_) rows = std::max(rows, row + 1);
  return rows;
}

double Key::height() const {
  return entries_.empty() ? 0 : static_cast<double>(rows()) * style_.row + style_.below;
}

void Key::draw(Canvas& canvas, double top) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& entry = entries_[i];
    const double x = places_[i].first, y = top - style_.row * (static_cast<double>(places_[i].second) + 0.5);
    if (entry.box) {
      const Box& box = *entry.box;
      canvas.box({x + box.left, y + box.bottom, x + box.right, y + box.top}, entry.colour, entry.fill);
    }
    if (entry.line) canvas.line({x, y, x + style_.sample, y}, *entry.line);
    if (entry.upright)
      canvas.line({x + style_.sample / 2, y - 0.12, x + style_.sample / 2, y + 0.12}, *entry.upright);
    if (entry.marker) canvas.mark(x + style_.sample / 2, y, *entry.marker);
    const double words = x + before_text(entry);
    canvas.label(entry.text, words, y);
    if (!entry.note.empty()) canvas.label(entry.note, words + text_width_ + before_note, y);
  }
}

}  // namespace uotbench
