// One of libFuzzer's programs: kFuzzReader says for which reader.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/reader.h"

namespace mgbench {
extern const char* const kFuzzReader;
}  // namespace mgbench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const mgbench::FuzzReader& reader =
      *std::find_if(mgbench::fuzz_readers().begin(), mgbench::fuzz_readers().end(),
                    [](const mgbench::FuzzReader& candidate) { return candidate.name == mgbench::kFuzzReader; });
  mgbench::check_reader(reader, std::string(data, data + size));
  return 0;
}
