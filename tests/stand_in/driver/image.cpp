#include "driver/image.h"

#include <sstream>

namespace stand_in {

namespace {

constexpr const char* kBinary = "stand-in-binary";
constexpr const char* kPortable = "stand-in-portable";

}  // namespace

std::string write(const Image& image) {
  std::ostringstream text;
  text << (image.binary ? kBinary : kPortable) << ' ' << image.architecture;
  for (const std::string& kernel : image.kernels) text << ' ' << kernel;
  return text.str();
}

std::optional<Image> read(const char* text) {
  std::istringstream words(text);
  std::string kind, kernel;
  Image image{};
  if (!(words >> kind >> image.architecture) || (kind != kBinary && kind != kPortable)) return std::nullopt;
  image.binary = kind == kBinary;
  while (words >> kernel) image.kernels.push_back(kernel);
  return image;
}

}  // namespace stand_in
