#include "bench/files/files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "base/error.h"
#include "bench/launch/shell_words.h"
#include "support/run_program.h"

namespace mgbench {
namespace {

/// The message of the Error that `action` throws; empty if none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WriteNewFile, NeverOverwrites) {
  const ScratchFolder folder;
  EXPECT_EQ(write_new_file(folder.path(), "run", ".json", "first").filename(), "run.json");
  EXPECT_EQ(write_new_file(folder.path(), "run", ".json", "second").filename(), "run-2.json");
  EXPECT_EQ(read_file(folder.path() / "run.json"), "first");
  EXPECT_EQ(read_file(folder.path() / "run-2.json"), "second");
  EXPECT_EQ(folder.names().size(), 2U) << "no temporary file is left";
}

TEST(WriteNewFile, KeepsAPathThatWasGiven) {
  const ScratchFolder folder;
  const auto path = folder.path() / "my \xc3\xa9 page.v1.html";
  EXPECT_EQ(write_new_file(path, "first"), path);
  EXPECT_EQ(write_new_file(path, "second"), folder.path() / "my \xc3\xa9 page.v1-2.html");
}

TEST(WriteNewFile, TakesNoPathFromAName) {
  const ScratchFolder folder;
  EXPECT_EQ(write_new_file(folder.path(), "run-../../x/\xc3\xa9 a", ".json", "1"),
            folder.path() / "run-..-..-x----a.json");
  const auto path = write_new_file(folder.path(), std::string(1000, 'm'), ".json", "1");
  EXPECT_EQ(path.filename().string(), std::string(150, 'm') + ".json");
}

TEST(WriteNewFile, KeepsAllOfSeveralAtOnce) {
  const ScratchFolder folder;
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i)
    writers.emplace_back([&, i] { write_new_file(folder.path(), "run", ".json", std::to_string(i)); });
  for (std::thread& writer : writers) writer.join();
  std::string all;
  for (const std::string& name : folder.names()) all += read_file(folder.path() / name);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, "01234567");
}

TEST(WriteNewFile, LeavesNothingBehindWhenItFails) {
  const ScratchFolder folder;
  EXPECT_THROW(write_new_file(folder.path(), "run", std::string(300, 'x'), "text"), Error);
  EXPECT_TRUE(folder.names().empty());
}

TEST(ReplaceFile, PutsATextInThePlaceOfAnother) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "junit.xml";
  replace_file(path, "first");
  replace_file(path, "second");
  EXPECT_EQ(read_file(path), "second");
  EXPECT_EQ(folder.names().size(), 1U) << "no temporary file is left";
}

TEST(ReplaceFile, LeavesWhatIsThereWhenItFails) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_THROW(replace_file(folder.path() / "taken", "text"), Error);
  EXPECT_THROW(replace_file(folder.path() / "nowhere" / "file", "text"), Error);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"taken"});
}

TEST(Folder, UnwritableOnesAreNamed) {
  const ScratchFolder folder;
  const std::string file = folder.write("file", "");
  const std::string message = error_of([&] { require_writable_folder(std::filesystem::path(file) / "results"); });
  EXPECT_NE(message.find(file + "/results: the results folder cannot be made"), std::string::npos) << message;
  errno = 0;
  EXPECT_EQ(error_of([] { require_writable_folder("/proc"); }),
            std::string("/proc: the results folder cannot be written to: ") + std::strerror(ENOENT));
}

TEST(ReadFile, SaysWhatIsWrong) {
  const ScratchFolder folder;
  EXPECT_NE(error_of([&] { read_file(folder.path() / "none"); }).find("none: no such file"), std::string::npos);
  EXPECT_NE(error_of([&] { read_file(folder.path()); }).find("not a file"), std::string::npos);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(FindConfig, TakesFilesAndBareNames) {
  const ScratchFolder folder;
  const std::string file = folder.write("own.yaml", "");
  EXPECT_EQ(find_config("interconnects", file), file);
  EXPECT_EQ(find_config("interconnects", "10GbE").filename(), "10GbE.yaml");
  const std::string message = error_of([] { find_config("interconnects", "10Gbe"); });
  EXPECT_NE(message.find("did you mean '10GbE'?"), std::string::npos) << message;
}

TEST(ShellWords, QuoteWhatAShellWouldChange) {
  EXPECT_EQ(shell_words({"mgbench", "run", "--model=tiny"}), "mgbench run --model=tiny");
  EXPECT_EQ(shell_words({"a b", "it's", "", "$(rm)"}), "'a b' 'it'\\''s' '' '$(rm)'");
}

}  // namespace
}  // namespace mgbench
