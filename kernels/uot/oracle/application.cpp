#include "kernels/uot/oracle/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/uot/oracle/data.hpp"
#include "kernels/uot/oracle/drawn.hpp"
#include "kernels/uot/shared/applications/picture_files.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {

bool has_application(const Point& point) {
  if (point.integer("application") == 0) return false;
  const std::string data = point.text("data");
  for (const char* known : {"colors", "moons", "noisy", "surface", "likelihood"})
    if (data == known) {
      if (point.text("stop") != "iterations" || point.text("matrix") != "stored")
        throw Error(
            "an application scales a stored matrix as often as it says; expected stop=iterations and "
            "matrix=stored");
      return true;
    }
  throw Error(
      fmt::format("application is for data that have one: colors, moons, noisy, surface or likelihood; "
                  "data is {}",
                  data));
}

std::vector<ArraySpec> application_inputs(const Point& point) {
  const std::string data = point.text("data"), type = point.text("dtype") == "f64" ? "<f8" : "<f4";
  const std::size_t M = point.size("M"), N = point.size("N");
  if (data == "likelihood") return {{"table", type, {M, N}}};
  if (data == "moons") return {{"labels", type, {M}}};
  if (data != "colors") return {};
  const Image source = load_image("source", point.text("source")),
              target = load_image("target", point.text("target"));
  std::vector<ArraySpec> inputs{{"pixels", type, {source.height, source.width, 3}},
                                {"palette", type, {target.height, target.width, 3}},
                                {"picked", "<i4", {M}},
                                {"chosen", "<i4", {N}}};
  for (const char* axis : {"source", "target"})
    if (is_png_file(point.text(axis)))
      inputs.push_back({fmt::format("{}_png", axis), type, {bytes_of_image(axis, point.text(axis)).size()}});
  return inputs;
}

template <class Real>
void fill_application(const Point& point, Arrays& inputs) {
  const auto put = [&](const char* name, const auto& values) {
    std::ranges::transform(values, inputs[name].as_mutable<Real>().begin(),
                           [](auto x) { return static_cast<Real>(x); });
  };
  const std::string data = point.text("data");
  if (data == "likelihood") put("table", evidence(point));
  if (data == "moons") put("labels", moon_labels(point.size("M"), true));
  if (data != "colors") return;
  const auto draw = [&](const char* axis, const char* pixels, const char* drawn, Stream stream) {
    const Image image = load_image(axis, point.text(axis));
    put(pixels, image.rgb);
    if (is_png_file(point.text(axis)))
      put(fmt::format("{}_png", axis).c_str(), bytes_of_image(axis, point.text(axis)));
    const auto to = inputs[drawn].as_mutable<std::int32_t>();
    std::ranges::copy(drawn_pixels(image, to.size(), {point.integer("seed"), stream}), to.begin());
  };
  draw("source", "pixels", "picked", row_point);
  draw("target", "palette", "chosen", column_point);
}

std::vector<ArraySpec> application_outputs(const Point& point) {
  const std::string data = point.text("data"), type = point.text("dtype") == "f64" ? "<f8" : "<f4";
  const std::size_t M = point.size("M"), N = point.size("N");
  if (data == "likelihood") return {{"agreement", type, {N}}};
  std::vector<ArraySpec> outputs{{"moved", type, {M, dimensions(point)}}};
  if (data == "moons") outputs.push_back({"labelled", type, {N}});
  if (data == "surface") outputs.push_back({"matches", type, {M}});
  if (data == "colors") {
    const Image source = load_image("source", point.text("source"));
    outputs.push_back({"picture", type, {source.height, source.width, 3}});
    if (is_png_file(point.text("source")) || is_png_file(point.text("target")))
      outputs.push_back({"png", type, {most_png_bytes(source.width, source.height)}});
  }
  return outputs;
}

template void fill_application<float>(const Point&, Arrays&);
template void fill_application<double>(const Point&, Arrays&);

}  // namespace uotbench::uot
