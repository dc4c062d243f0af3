#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/text.hpp"
#include "roofline/draw/gnuplot.hpp"

namespace uotbench {
namespace {

struct Tag {
  std::string name;  ///< "/g" where it ends an element
  std::vector<std::pair<std::string, std::string>> attributes;
  bool empty = false;  ///< <…/>

  explicit Tag(std::string_view text) {
    std::size_t at = 0;
    const auto space = [&] {
      return at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos;
    };
    while (at < text.size() && !space() && (at == 0 || text[at] != '/')) name += text[at++];
    while (at < text.size()) {
      if (space() || text[at] == '/') {
        empty = text[at++] == '/' || empty;
        continue;
      }
      const std::size_t equals = text.find('=', at);
      if (equals == std::string_view::npos || equals + 1 >= text.size()) break;
      std::size_t key_end = equals;
      while (key_end > at && text[key_end - 1] == ' ') --key_end;
      const std::size_t open = text.find_first_of("'\"", equals);
      if (open == std::string_view::npos) break;
      const std::size_t close = text.find(text[open], open + 1);
      if (close == std::string_view::npos) break;
      attributes.emplace_back(text.substr(at, key_end - at), text.substr(open + 1, close - open - 1));
      at = close + 1;
    }
  }

  std::string text() const {
    std::string text = "<" + name;
    for (const auto& [key, value] : attributes)
      text += fmt::format(" {}=\"{}\"", key, value);  // no value of gnuplot's holds a quote
    return text + (empty ? "/>" : ">");
  }
};

/// Rewrites gnuplot's file tag by tag; texts between tags stay as they are.
class Rewriter {
 public:
  Rewriter(const Drawing& drawing, const std::string& prefix) : drawing_(drawing), prefix_(prefix) {}

  std::string rewritten(const std::string& svg) {
    for (std::size_t at = svg.find("<svg"); at < svg.size() && !whole_;) {
      const std::size_t open = std::min(svg.find('<', at), svg.size());
      if (skipped_.empty()) text_.append(svg, at, open - at);
      if (open == svg.size()) break;
      const std::size_t close = std::min(svg.find('>', open), svg.size());
      if (svg[open + 1] != '?' && svg[open + 1] != '!')
        take(Tag(std::string_view(svg).substr(open + 1, close - open - 1)));
      at = close + 1;
    }
    return text_;
  }

 private:
  void take(Tag tag) {
    if (!skipped_.empty()) {
      if (tag.name == "/" + skipped_) skipped_.clear();
    } else if (tag.name == "title" || tag.name == "desc" || tag.name == "script" || tag.name == "filter") {
      if (!tag.empty) skipped_ = tag.name;
    } else if (tag.name == "svg") {
      begin();
    } else if (tag.name == "/svg") {
      for (const auto& spot : drawing_.hotspots) add(spot);
      text_ += "</svg>";
      whole_ = true;
    } else if (tag.name == "/g") {
      end_group();
    } else {
      if (tag.name == "g") group_ = text_.size();
      for (auto& [key, value] : tag.attributes) rewrite(key, value);
      std::erase_if(tag.attributes, [](const auto& attribute) { return attribute.first.starts_with("on"); });
      text_ += tag.text();
    }
  }

  void rewrite(std::string& key, std::string& value) const {
    if (key == "xlink:href") key = "href";
    if (key == "font-family") value += std::string(", ") + fonts_of_same_widths;
    if (key == "id")
      value = prefix_ + value;
    else if (key == "href" && value.starts_with('#'))
      value = "#" + prefix_ + value.substr(1);
    else if (value.starts_with("url(#"))
      value = "url(#" + prefix_ + value.substr(5);
    else if ((key == "stroke" || key == "fill" || key == "color") && value == "black")
      value = "currentColor";
  }

  void begin() {
    text_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">",
        std::lround(pixels(drawing_.width)), std::lround(pixels(drawing_.height)));
  }

  /// gnuplot opens and closes many groups without putting anything into them.
  void end_group() {
    const std::size_t open_end = group_ == std::string::npos ? group_ : text_.find('>', group_);
    if (open_end != std::string::npos &&
        text_.find_first_not_of(" \t\r\n", open_end + 1) == std::string::npos)
      text_.resize(group_);
    else
      text_ += "</g>";
    group_ = std::string::npos;
  }

  void add(const Hotspot& spot) {
    text_ += fmt::format(
        "<rect class=\"hotspot\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"none\" "
        "pointer-events=\"all\"><title>{}</title></rect>\n",
        pixels(spot.left), pixels(drawing_.height - spot.top), pixels(spot.right - spot.left),
        pixels(spot.top - spot.bottom), xml_escaped(spot.text));
  }

  static double pixels(double cm) { return cm / cm_per_inch * svg_dots_per_inch; }

  const Drawing& drawing_;
  const std::string& prefix_;
  std::string text_;
  bool whole_ = false;
  std::string skipped_;                    ///< the element that is being left out
  std::size_t group_ = std::string::npos;  ///< where the last opened group begins
};

}  // namespace

std::string svg_element(const std::string& svg, const Drawing& drawing, const std::string& prefix) {
  return Rewriter(drawing, prefix).rewritten(svg);
}

}  // namespace uotbench
