// The texts that fuzzing starts from, and those that it has found, through the reader of their folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "fuzz/corpus_folder.h"
#include "fuzz/malformed.h"
#include "fuzz/reader.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus_of(const std::string& reader) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(kCorpusFolder) / reader)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// Files whose names begin so are whole; the others may be anything.
bool is_whole(const fs::path& path) {
  return path.filename().string().starts_with("good");
}

class Corpus : public testing::TestWithParam<FuzzReader> {};

TEST_P(Corpus, IsReadOrRefused) {
  for (const fs::path& path : corpus_of(GetParam().name))
    EXPECT_NO_THROW(check_reader(GetParam(), text_of(path))) << path;
}

TEST_P(Corpus, HoldsSomethingThatIsAccepted) {
  int good = 0;
  for (const fs::path& path : corpus_of(GetParam().name))
    if (is_whole(path)) {
      ++good;
      EXPECT_NO_THROW(GetParam().read(text_of(path))) << path;
    }
  EXPECT_GT(good, 0);
}

/// Two hundred and more of each whole text.
TEST_P(Corpus, MalformedIsReadOrRefused) {
  for (const fs::path& path : corpus_of(GetParam().name)) {
    if (!is_whole(path)) continue;
    const std::vector<std::string> texts = malformed(text_of(path));
    EXPECT_GE(texts.size(), 200U);
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_NO_THROW(check_reader(GetParam(), texts[i])) << path << ", text " << i << ": " << texts[i].substr(0, 80);
  }
}

/// Names and reasons come from outside, and stand in texts for people.
TEST_P(Corpus, ControlCharactersAreNotShown) {
  for (const fs::path& path : corpus_of(GetParam().name)) {
    if (!is_whole(path)) continue;
    for (const std::string& text : with_control_characters(text_of(path)))
      EXPECT_NO_THROW(check_reader(GetParam(), text)) << path << ":\n" << text.substr(0, 3000);
  }
}

/// What is whole for one reader is a file of another kind for the others.
TEST_P(Corpus, FilesOfOtherKindsAreReadOrRefused) {
  for (const FuzzReader& other : fuzz_readers())
    for (const fs::path& path : corpus_of(other.name)) EXPECT_NO_THROW(check_reader(GetParam(), text_of(path))) << path;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(fuzz_readers()));

TEST(CorpusFolders, AreOneForEachReader) {
  std::set<std::string> names, folders;
  for (const FuzzReader& reader : fuzz_readers()) names.insert(reader.name);
  for (const auto& entry : fs::directory_iterator(kCorpusFolder)) folders.insert(entry.path().filename().string());
  EXPECT_EQ(names, folders);
}

}  // namespace
}  // namespace mgbench
