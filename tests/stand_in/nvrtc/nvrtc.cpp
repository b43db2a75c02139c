// NVRTC's interface: finds the names of kernels in a source, and makes an image of them.
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <set>

#include "core/refusal.h"
#include "driver/image.h"

struct _nvrtcProgram {
  std::string source;
  std::string log{};
  std::string portable{}, binary{};  // what was compiled; empty: nothing
};

namespace stand_in {

namespace {

std::set<nvrtcProgram>& programs() {
  static auto* all = new std::set<nvrtcProgram>;
  return *all;
}

template <class Body>
nvrtcResult call(const char* function, Body body) {
  return answer<nvrtcResult>(function, body);
}

_nvrtcProgram& program_of(nvrtcProgram program) {
  require(programs().count(program) == 1, NVRTC_ERROR_INVALID_PROGRAM, "no such program");
  return *program;
}

/// That the library of CUDA 13 compiles for.
constexpr int kArchitectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

struct Target {
  bool real = false;
  int architecture = 75;  // the library's default, a virtual one
};

/// Understands the options that change what is made, knows some that do not, and refuses others.
Target target(int count, const char* const* options) {
  Target result;
  const std::regex architecture("(?:--gpu-architecture|-arch)=(sm|compute)_([0-9]+)[af]?");
  const std::regex harmless(
      "(?:--std=|-std=|--fmad=|-fmad=|--use_fast_math|-use_fast_math|--define-macro=|-D|-I|--include-path=|"
      "-default-device|--device-as-default-execution-space|--restrict|--dopt=|-lineinfo|--generate-line-info|"
      "-w|--disable-warnings|--ftz=|--prec-div=|--prec-sqrt=|--minimal|-minimal).*");
  for (int i = 0; i < count; ++i) {
    require(options != nullptr && options[i] != nullptr, NVRTC_ERROR_INVALID_INPUT, "an option is null");
    std::cmatch found;
    const bool known = std::regex_match(options[i], found, architecture);
    if (known &&
        std::count(std::begin(kArchitectures), std::end(kArchitectures), std::atoi(found[2].str().c_str())) == 1) {
      result = {found[1] == "sm", std::atoi(found[2].str().c_str())};
    } else {
      require(!known && std::regex_match(options[i], harmless), NVRTC_ERROR_INVALID_OPTION,
              std::string("option ") + options[i]);
    }
  }
  return result;
}

/// Kernels that keep their names: those of C linkage. The others' are mangled, and nobody finds them.
std::vector<std::string> kernels(const std::string& source) {
  const std::regex declaration("extern\\s+\"C\"\\s+__global__\\s+void\\s+(\\w+)");
  std::vector<std::string> names;
  for (std::sregex_iterator found(source.begin(), source.end(), declaration); found != std::sregex_iterator();
       ++found) {
    names.push_back((*found)[1]);
  }
  return names;
}

void put_size(std::size_t bytes, std::size_t* size) {
  require(size != nullptr, NVRTC_ERROR_INVALID_INPUT, "nowhere to put the size");
  *size = bytes;
}

/// The final zero counts; nothing is an empty text.
std::size_t bytes_of(const std::string& text) {
  return text.size() + 1;
}

void put(const std::string& text, char* place) {
  require(place != nullptr, NVRTC_ERROR_INVALID_INPUT, "nowhere to put the text");
  require(!text.empty(), NVRTC_ERROR_INVALID_PROGRAM, "nothing of the kind was compiled");
  std::memcpy(place, text.c_str(), text.size() + 1);
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
  return call(__func__, [&] {
    require(major != nullptr && minor != nullptr, NVRTC_ERROR_INVALID_INPUT, "a pointer is null");
    *major = 13;
    *minor = 0;
  });
}

const char* nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
    case NVRTC_SUCCESS:
      return "NVRTC_SUCCESS";
    case NVRTC_ERROR_INVALID_INPUT:
      return "NVRTC_ERROR_INVALID_INPUT";
    case NVRTC_ERROR_INVALID_PROGRAM:
      return "NVRTC_ERROR_INVALID_PROGRAM";
    case NVRTC_ERROR_INVALID_OPTION:
      return "NVRTC_ERROR_INVALID_OPTION";
    case NVRTC_ERROR_COMPILATION:
      return "NVRTC_ERROR_COMPILATION";
    default:
      return "NVRTC_ERROR unknown";
  }
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char*, int headers, const char* const*,
                               const char* const*) {
  return call(__func__, [&] {
    require(program != nullptr, NVRTC_ERROR_INVALID_PROGRAM, "program is null");
    require(source != nullptr, NVRTC_ERROR_INVALID_INPUT, "source is null");
    require(headers == 0, NVRTC_ERROR_INVALID_INPUT, "the stand-in takes no headers");
    *program = new _nvrtcProgram{source};
    programs().insert(*program);
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  return call(__func__, [&] {
    require(program != nullptr, NVRTC_ERROR_INVALID_PROGRAM, "program is null");
    programs().erase(&program_of(*program));
    delete *program;
    *program = nullptr;
  });
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram handle, int count, const char* const* options) {
  return call(__func__, [&] {
    _nvrtcProgram& program = program_of(handle);
    Target where;
    try {
      where = target(count, options);
    } catch (const Refusal<nvrtcResult>& refusal) {
      program.log = "error: " + refusal.reason;
      throw;
    }
    const auto braces = [&](char brace) { return std::count(program.source.begin(), program.source.end(), brace); };
    if (braces('{') != braces('}')) {
      program.log = "error: braces do not match";
      throw Refusal<nvrtcResult>{NVRTC_ERROR_COMPILATION, program.log};
    }
    const auto names = kernels(program.source);
    program.portable = write(Image{false, where.architecture, names});
    program.binary = where.real ? write(Image{true, where.architecture, names}) : "";
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* size) {
  return call(__func__, [&] { put_size(bytes_of(program_of(program).portable), size); });
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
  return call(__func__, [&] { put(program_of(program).portable, text); });
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* size) {
  return call(__func__, [&] {
    const std::string& binary = program_of(program).binary;
    put_size(binary.empty() ? 0 : bytes_of(binary), size);
  });
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
  return call(__func__, [&] { put(program_of(program).binary, image); });
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* size) {
  return call(__func__, [&] { put_size(bytes_of(program_of(program).log), size); });
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return call(__func__, [&] {
    require(log != nullptr, NVRTC_ERROR_INVALID_INPUT, "nowhere to put the log");
    std::strcpy(log, program_of(program).log.c_str());
  });
}

}  // extern "C"
