#pragma once

#include <optional>
#include <string>
#include <vector>

namespace stand_in {

/// What NVRTC hands to the driver: no code, but the names of the kernels, which are compiled into the driver.
struct Image {
  bool binary;       // of a real architecture; else to be compiled for any that is not older
  int architecture;  // 10 major + minor
  std::vector<std::string> kernels;
};

std::string write(const Image& image);
/// None where the text is no image.
std::optional<Image> read(const char* text);

}  // namespace stand_in
