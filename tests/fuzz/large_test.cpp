// Files that are well made and far larger than any that people have: reading must not take time or memory by the
// square.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "fuzz/reader.h"

namespace mgbench {
namespace {

struct LargeFile {
  std::string reader;
  std::string what;
  std::string begin;
  std::function<std::string(std::size_t)> part;  ///< by index
  std::string end = "";
};

std::string number(std::size_t index) {
  return std::to_string(index);
}

std::vector<LargeFile> large_files() {
  const std::string profile = "schema: 1\nmodel: m\nbackend: b\nranks: 8\nbatch: 4\nupdate_seconds: 0.006\nsteps:\n";
  const std::string step = "  - {name: s, forward_seconds: 0, backward_seconds: 1e-3, tensors: [";
  return {
      {"csv", "sizes", "# ranks=8\nbytes,seconds\n", [](std::size_t i) { return number(4 * i + 4) + ",1e-5\n"; }},
      {"csv", "repetitions", "# ranks=8\nbytes,seconds\n", [](std::size_t i) { return number(4 + i % 3) + ",1e-5\n"; }},
      {"calibration-yaml", "points",
       "schema: 1\nranks: 8\ncurves:\n  - name: library\n    communicator: c\n    points:\n",
       [](std::size_t i) { return "      - {bytes: " + number(4 * i + 4) + ", seconds: 1e-5, samples: 1}\n"; }},
      {"calibration-yaml", "curves", "schema: 1\nranks: 8\ncurves:\n",
       [](std::size_t i) {
         return "  - {name: c" + number(i) +
                ", communicator: c, points: [{bytes: 4, seconds: 1, samples: 1}, {bytes: 8, seconds: 1, samples: 1}, "
                "{bytes: 12, seconds: 1, samples: 1}]}\n";
       }},
      {"pairs", "nodes", R"({"slow": [], "link_rates_bytes_per_second": {}, "pairs": [)",
       [](std::size_t i) {
         return std::string(i == 0 ? "" : ", ") + R"({"nodes": ["a)" + number(i) + R"(", "b)" + number(i) +
                R"("], "latency_seconds": 1e-5, "bandwidth_bytes_per_second": 1e9})";
       },
       "]}"},
      {"profile-yaml", "steps", profile,
       [=](std::size_t i) { return step + "{name: t" + number(i) + ", bytes: 4}]}\n"; }},
      {"profile-yaml", "tensors", profile + step,
       [](std::size_t i) { return std::string(i == 0 ? "" : ", ") + "{name: t" + number(i) + ", bytes: 4}"; }, "]}\n"},
      {"profile-csv", "gradients", "# forward_us=30000\n# update_us=500\n# batch=32\nname,bytes,backward_us\n",
       [](std::size_t i) { return "t" + number(i) + ",400,10\n"; }},
      {"interconnect", "lines", "name: x\nsource: y\nallreduce:\n",
       [](std::size_t i) { return "  " + number(i + 2) + ": {a: 1e-4, b: 1e-9}\n"; }},
      {"plan", "groups", "schema: 1\nname: n\nmodel: m\ngroups:\n",
       [](std::size_t i) { return "  - [{name: t" + number(i) + ", bytes: 4}]\n"; }},
      {"criteria", "criteria", "criteria:\n",
       [](std::size_t i) {
         return "  - {name: n" + number(i) + ", metric: iteration, strategy: s" + number(i) +
                ", at_most: 5, unit: us}\n";
       }},
      {"tolerances", "metrics", "", [](std::size_t i) { return "iteration/s" + number(i) + ": 0.1\n"; }},
      {"config", "options", "", [](std::size_t i) { return "model" + number(i) + ": 1\n"; }},
  };
}

class Large : public testing::TestWithParam<LargeFile> {};

TEST_P(Large, IsReadOrRefused) {
  constexpr std::size_t kParts = 50'000;
  const LargeFile& file = GetParam();
  std::string text = file.begin;
  for (std::size_t i = 0; i < kParts; ++i) text += file.part(i);
  text += file.end;
  const auto& readers = fuzz_readers();
  const auto reader =
      std::find_if(readers.begin(), readers.end(), [&](const FuzzReader& each) { return each.name == file.reader; });
  ASSERT_NE(reader, readers.end());
  EXPECT_NO_THROW(check_reader(*reader, text));
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Large, testing::ValuesIn(large_files()),
                         [](const testing::TestParamInfo<LargeFile>& tested) {
                           std::string name = tested.param.reader + "_" + tested.param.what;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace mgbench
