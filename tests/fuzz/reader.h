#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace mgbench {

/// One reader of texts from outside, under test with texts of any kind.
struct FuzzReader {
  std::string name;  ///< of its fuzzer and of its folder in corpus/
  /// Reads the text, and throws std::logic_error where what was accepted breaks an invariant.
  std::function<void(const std::string& text)> read;
};

inline void PrintTo(const FuzzReader& reader, std::ostream* stream) {
  *stream << reader.name;
}

const std::vector<FuzzReader>& fuzz_readers();

/// Whatever the text: it is read, or refused with one line of bounded length that names the file and exit code 2.
/// Throws std::logic_error for anything else.
void check_reader(const FuzzReader& reader, const std::string& text);

}  // namespace mgbench
