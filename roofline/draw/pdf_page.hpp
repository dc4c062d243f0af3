// gnuplot's PDF, with the exact size of the figure and without the time at which it was drawn.
#pragma once

#include <string>

namespace uotbench {

/// gnuplot cuts a page to whole points (1/72 inch), so a figure would be up to 0.35 mm narrower than asked.
/// Writes the size (cm) to a hundredth of a point, and blanks the date of creation, so that equal figures are
/// equal bytes. Only where the file has both as plain text, as cairo 1.16 writes it (Debian 12); else the PDF
/// stays as it is.
std::string exact_pdf(std::string pdf, double width, double height);

}  // namespace uotbench
