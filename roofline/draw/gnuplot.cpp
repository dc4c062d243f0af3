#include "roofline/draw/gnuplot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/base/whole_file.hpp"
#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

/// A file in memory: neither side of it waits for the other, as with pipes.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text = "") : fd_(::memfd_create("gnuplot", MFD_CLOEXEC)) {
    if (fd_ < 0) fail();
    while (!text.empty()) {
      const ssize_t count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail();
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    ::lseek(fd_, 0, SEEK_SET);
  }
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int fd() const { return fd_; }
  std::string text() const {
    std::string text;
    std::vector<char> part(1 << 16);
    for (;;) {
      const ssize_t count = ::pread(fd_, part.data(), part.size(), static_cast<off_t>(text.size()));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail();
      if (count == 0) return text;
      text.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(fmt::format("no memory for gnuplot's script or picture: {}", std::strerror(errno)));
  }
  int fd_ = -1;
};

/// What gnuplot starts with: 0, 1 and 2 are these files.
class Actions {
 public:
  Actions(int in, int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
  }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// GNUTERM, GNUPLOT_LIB and the like are for the user's own figures.
std::vector<char*> environment_without_settings() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable; ++variable)
    if (!std::string_view(*variable).starts_with("GNU")) kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

/// gnuplot repeats the line and points below it; what is wrong comes last.
std::string complaint_in(const std::string& words) {
  std::string last;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    if (words.find_first_not_of(" \t\r", at) < end) last = words.substr(at, end - at);
    at = end + 1;
  }
  return last.empty() ? "it does not say why" : last.substr(last.find_first_not_of(" \t"));
}

/// Replaces what is from `begin` up to `end`. A shorter text is filled with blanks, because a PDF lists the
/// places of its objects in bytes; a longer one is not written.
void overwrite(std::string& pdf, std::size_t begin, std::size_t end, std::string text) {
  const std::size_t room = end - begin;
  if (text.size() > room) return;
  text.resize(room, ' ');
  pdf.replace(begin, room, text);
}

}  // namespace

namespace fs = std::filesystem;

namespace {

int dots(double cm, double dots_per_inch) {
  return static_cast<int>(std::lround(cm / cm_per_inch * dots_per_inch));
}

/// The terminals have units of their own for texts, lines, points and dashes; the factors make pictures of
/// the same look of them all, with the sizes of drawing.hpp. Their scale of texts is 4/3 for a point in
/// pixels of 1/96 inch, and half of that by nature in PDF. `noenhanced`: texts are drawn as they are.
std::string terminal(const Drawing& drawing, const std::string& ending) {
  const std::string font = fmt::format("noenhanced font '{},{}'", font_family, font_size);
  if (ending == ".pdf")
    return fmt::format("set terminal pdfcairo {} size {}cm,{}cm fontscale 0.75 pointscale 0.75\n", font,
                       drawing.width, drawing.height);
  if (ending == ".png")
    return fmt::format(
        "set terminal pngcairo {} size {},{} fontscale 3.125 linewidth 2.0833 pointscale 3.125 "
        "dashlength 0.5\n",
        font, dots(drawing.width, 300), dots(drawing.height, 300));
  return fmt::format("set terminal svg {} size {},{} fontscale 1.3333 linewidth 0.6667\n", font,
                     dots(drawing.width, svg_dots_per_inch), dots(drawing.height, svg_dots_per_inch));
}

std::string script_of(const Drawing& drawing, const std::string& ending, const std::string& output) {
  // Numbers in scripts have decimal points, whatever the country.
  return "set encoding utf8\nset decimalsign '.'\n" + terminal(drawing, ending) + output + drawing.commands +
         (drawing.commands.ends_with('\n') ? "" : "\n");
}

std::string csv_of(const DataTable& data) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i ? "," : "") + csv_field(fields[i]);
    text += '\n';
  };
  add(data.columns);
  for (const auto& row : data.rows) add(row);
  return text;
}

/// cairo's name for the glyphs in a PDF.
bool has_glyphs(const std::string& pdf) { return pdf.find("/FontFile") != std::string::npos; }

/// Without any font gnuplot draws everything but the letters, ends well and says nothing. Of a PNG a small
/// PDF tells it.
void require_letters(const std::string& picture, const std::string& ending) {
  if (ending == ".svg" || (ending == ".pdf" && has_glyphs(picture)))
    return;  // an SVG holds texts, not letters
  Drawing probe;
  probe.commands = "set label 'a' at 1,1\nunset tics\nplot [0:2] [0:2] 0 notitle\n";
  if (!has_glyphs(gnuplot_output(script_of(probe, ".pdf", ""))))
    throw UsageError(
        "gnuplot found no font, so the figure would have no letters: apt-get install fonts-liberation "
        "(Debian/Ubuntu), dnf install liberation-sans-fonts (Fedora/RHEL); uotbench doctor checks it");
}

/// What gnuplot draws. It leaves "]]>" as it is in the texts of an SVG, where XML wants its last character
/// escaped (XML 1.0, section 2.4).
std::string picture_of(const Drawing& drawing, const std::string& ending) {
  // Drawn to gnuplot's standard output: a path is no part of what it runs.
  std::string picture = gnuplot_output(script_of(drawing, ending, ""));
  constexpr std::string_view end = "]]>", escaped = "]]&gt;";
  if (ending == ".svg")
    for (std::size_t at = 0; (at = picture.find(end, at)) != std::string::npos; at += escaped.size())
      picture.replace(at, end.size(), escaped);
  require_letters(picture, ending);
  if (ending == ".pdf") return exact_pdf(std::move(picture), drawing.width, drawing.height);
  return picture;
}

}  // namespace

void draw(const Drawing& drawing, const fs::path& path, const DrawOptions& options) {
  const std::string ending = path.extension().string();
  if (ending != ".pdf" && ending != ".svg" && ending != ".png")
    throw UsageError(fmt::format("{}: {}; a figure's format is that of its ending: .pdf, .svg or .png",
                                 path.string(),
                                 ending.empty() ? "has no ending" : fmt::format("no format \"{}\"", ending)));
  const std::string picture = picture_of(drawing, ending);
  const auto beside = [&](const char* other) { return fs::path(path).replace_extension(other); };
  if (options.keep)
    write_whole(beside(".gp"),
                "# gnuplot -d, with this file, draws the figure into the current folder.\n" +
                    script_of(drawing, ending,
                              fmt::format("set output {}\n", gnuplot_text("./" + path.filename().string()))));
  if (options.data) write_whole(beside(".csv"), csv_of(drawing.data));
  if (options.caption)
    write_whole(beside(".tex"), fmt::format("\\caption{{{}}}\n", tex_escaped(drawing.caption)));
  write_whole(path, picture);  // last: where what goes beside it is refused, there is no figure either
}

std::string svg_of(const Drawing& drawing, const std::string& prefix) {
  return svg_element(picture_of(drawing, ".svg"), drawing, prefix);
}

std::string gnuplot_output(const std::string& script) {
  const MemoryFile in(script), out, err;
  const Actions actions(in.fd(), out.fd(), err.fd());
  std::string name = "gnuplot", no_settings = "-d";
  char* argv[] = {name.data(), no_settings.data(), nullptr};
  auto environment = environment_without_settings();
  pid_t child = -1;
  const int failure = ::posix_spawnp(&child, "gnuplot", actions.get(), nullptr, argv, environment.data());
  if (failure == ENOENT)
    throw UsageError(
        "gnuplot is not installed, and figures are drawn by it: apt-get install gnuplot-nox (Debian/Ubuntu), "
        "dnf install gnuplot (Fedora/RHEL), conda install -c conda-forge gnuplot, spack install gnuplot");
  if (failure != 0) throw Error(fmt::format("gnuplot cannot be started: {}", std::strerror(failure)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) throw Error(fmt::format("gnuplot was killed by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw Error(fmt::format("gnuplot: {}", complaint_in(err.text())));
  std::string picture = out.text();
  if (picture.empty()) throw Error(fmt::format("gnuplot drew nothing: {}", complaint_in(err.text())));
  return picture;
}

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
