#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/calibration.h"
#include "report/criteria.h"
#include "report/examples.h"
#include "report/interconnect.h"
#include "report/plan_file.h"
#include "report/profile_file.h"
#include "report/run_result.h"
#include "report/tolerances.h"

namespace mgbench {
namespace {

using Reader = std::function<void(const std::string&)>;

/// Whatever the text: it is read, or refused with one line that names the file and exit code 2.
void expect_read_or_refused(const Reader& read, const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input) << error.what();
    EXPECT_EQ(std::string(error.what()).find("file"), 0U) << error.what();
  }
}

std::string mutated(std::string text, std::mt19937& random) {
  const std::size_t at = random() % text.size();
  const std::size_t from = random() % text.size();
  switch (random() % 6) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << (random() % 8)));
      break;
    case 1:
      text[at] = static_cast<char>(random() % 256);
      break;
    case 2:
      text.erase(at, 1 + random() % 40);
      break;
    case 3:
      text.insert(at, text.substr(from, random() % 200));
      break;
    case 4:
      text.insert(at, 1, "[]{}:,\"'&*!|>-?#%@`\n\t 0e.\0"[random() % 27]);
      break;
    default:
      text.insert(at, std::to_string(random()) + "e" + std::to_string(random() % 1000));
      break;
  }
  return text;
}

struct Case {
  std::string name;
  std::string text;
  Reader read;
};

std::vector<Case> cases() {
  const std::string interconnect =
      "name: 10GbE\nsource: >-\n  a paper\nallreduce:\n  8: {a: 5.230e-4, b: 8.571e-10}\n  16: {a: 1e-3, b: "
      "1e-9}\n";
  return {
      {"calibration", to_yaml(example_calibration()),
       [](const std::string& text) { calibration_from_yaml(text, "file"); }},
      {"profile", to_yaml(example_profile()), [](const std::string& text) { profile_from_yaml(text, "file"); }},
      {"interconnect", interconnect, [](const std::string& text) { interconnect_from_yaml(text, "file"); }},
      {"plan", to_yaml(example_plan()), [](const std::string& text) { plan_from_yaml(text, "file"); }},
      {"criteria", criteria_template(measurement_of(example_run(6), "file")),
       [](const std::string& text) { criteria_from_yaml(text, "file"); }},
      {"tolerances", "default: 0.05\niteration: 0.03\nallreduce/1MiB: 0.2\n",
       [](const std::string& text) { tolerances_from_yaml(text, "file"); }},
      {"run", to_json(example_run(6)), [](const std::string& text) { run_result_from_json(text, "file"); }},
  };
}

TEST(BadInput, TheTextsThemselvesAreRead) {
  for (const Case& entry : cases()) EXPECT_NO_THROW(entry.read(entry.text)) << entry.name;
}

TEST(BadInput, Truncations) {
  for (const Case& entry : cases())
    for (std::size_t i = 0; i < 200; ++i)
      expect_read_or_refused(entry.read, entry.text.substr(0, entry.text.size() * i / 200));
}

TEST(BadInput, ATruncatedRunIsNeverRead) {
  const std::string text = to_json(example_run(6));
  for (std::size_t i = 0; i < 200; ++i)
    EXPECT_THROW(run_result_from_json(text.substr(0, (text.size() - 2) * i / 200), "file"), Error);
}

TEST(BadInput, RandomMutations) {
  std::mt19937 random(4);
  for (const Case& entry : cases())
    for (int i = 0; i < 200; ++i) {
      std::string text = entry.text;
      for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) text = mutated(text, random);
      expect_read_or_refused(entry.read, text);
    }
}

TEST(BadInput, WhatIsNoDocumentOfOursAtAll) {
  const std::string deep(100'000, '[');
  std::string maps;
  for (int i = 0; i < 1000; ++i) maps += "{\"a\":";
  std::string blocks;
  for (std::size_t i = 0; i < 1000; ++i) blocks += std::string(i, ' ') + "a:\n";
  for (const Case& entry : cases())
    for (const std::string& text : {std::string(),
                                    std::string("\0", 1),
                                    std::string("\xff\xfe\x00\x01", 4),
                                    std::string("null"),
                                    std::string("1e999"),
                                    std::string("\"text\""),
                                    std::string("[]"),
                                    std::string("{}"),
                                    std::string("- - - - -"),
                                    std::string("? ? ? ?"),
                                    std::string(100'000, '-'),
                                    std::string(1000, '{'),
                                    std::string(1000, '?'),
                                    std::string("%YAML 9.9\n---\n"),
                                    std::string("a: &a [*a, *a]"),
                                    std::string("\xef\xbb\xbf{}"),
                                    std::string(5000, '\n') + "x",
                                    deep,
                                    maps,
                                    blocks})
      EXPECT_THROW(entry.read(text), Error) << entry.name << ": " << text.substr(0, 40);
}

}  // namespace
}  // namespace mgbench
