#include "roofline/draw/pdf_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

/// Replaces what is from `begin` up to `end`. A shorter text is filled with blanks, because a PDF lists the
/// places of its objects in bytes; a longer one is not written.
void overwrite(std::string& pdf, std::size_t begin, std::size_t end, std::string text) {
  const std::size_t room = end - begin;
  if (text.size() > room) return;
  text.resize(room, ' ');
  pdf.replace(begin, room, text);
}

}  // namespace

std::string exact_pdf(std::string pdf, double width, double height) {
  // "   /MediaBox [ 0 0 249 247 ]": its blanks make room for two decimals of both lengths.
  constexpr std::string_view box = "   /MediaBox [ 0 0 ";
  const std::size_t page = pdf.find(box);
  const std::size_t page_end = page == std::string::npos ? page : pdf.find(']', page);
  if (page_end != std::string::npos)
    overwrite(pdf, page, page_end + 1,
              fmt::format("/MediaBox[0 0 {:.2f} {:.2f}]", width / cm_per_point, height / cm_per_point));
  const std::size_t date = pdf.rfind("/CreationDate (D:");
  const std::size_t date_end = date == std::string::npos ? date : pdf.find(')', date);
  if (date_end != std::string::npos) overwrite(pdf, date, date_end + 1, "");
  return pdf;
}

}  // namespace uotbench
