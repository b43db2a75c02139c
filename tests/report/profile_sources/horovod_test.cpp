#include "report/profile_sources/support.h"

namespace mgbench {
namespace {

std::string lane(int pid, const std::string& name) {
  return fmt::format(
      "{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": {0}, \"args\": {{\"name\": \"{1}\"}}}},\n"
      "{{\"name\": \"process_sort_index\", \"ph\": \"M\", \"pid\": {0}, \"args\": {{\"sort_index\": {0}}}}},\n",
      pid, name);
}

/// One tensor's way through an operation, ready at `ts` on the first rank.
std::string operation(int pid, int ts, const std::string& shape, const std::string& type = "float32",
                      const std::string& kind = "ALLREDUCE") {
  return fmt::format(
      "{{\"ph\": \"B\", \"name\": \"NEGOTIATE_{4}\", \"ts\": {1}, \"pid\": {0}}},\n"
      "{{\"ph\": \"X\", \"name\": \"0\", \"ts\": {1}, \"pid\": {0}, \"dur\": 0}},\n"
      "{{\"ph\": \"E\", \"ts\": {5}, \"pid\": {0}}},\n"
      "{{\"ph\": \"B\", \"name\": \"{4}\", \"ts\": {5}, \"pid\": {0}}},\n"
      "{{\"ph\": \"B\", \"name\": \"NCCL_ALLREDUCE\", \"ts\": {5}, \"pid\": {0}}},\n"
      "{{\"ph\": \"E\", \"ts\": {5}, \"pid\": {0}}},\n"
      "{{\"ph\": \"E\", \"ts\": {5}, \"pid\": {0}, \"args\": {{\"dtype\": \"{3}\", \"shape\": \"{2}\"}}}},\n",
      pid, ts, shape, type, kind, ts + 50);
}

const std::string kBegin =
    "[\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": "
    "{\"start_time_since_epoch_in_micros\":1700000000}},\n";
const std::string kLanes = lane(1, "fc") + lane(2, "conv2") + lane(3, "conv1");

/// conv2 is ready 300 us and conv1 `last` us after fc.
std::string iteration(int begin, int last = 1000) {
  return operation(1, begin, "[10, 64]") + "{\"ph\": \"i\", \"name\": \"CYCLE_START\", \"ts\": 5, \"s\": \"g\"},\n" +
         operation(3, begin + last, "[64, 3, 7, 7]", "float16") + operation(2, begin + 300, "[]");
}

std::string closed(std::string text) {
  text.erase(text.rfind(",\n"));
  return text + "]";
}

const std::vector<Expected> kThree{{"fc", 2560, 0}, {"conv2", 4, 3e-4}, {"conv1", 64 * 3 * 7 * 7 * 2, 1e-3}};

TEST(HorovodTimeline, GivesOrderTimesNamesAndSizes) {
  const ReadProfile read =
      read_profile_text(closed(kBegin + kLanes + iteration(1000) + iteration(11000, 1700) + iteration(21000)), "x");
  expect_gradients(read.profile, kThree);
  EXPECT_EQ(read.profile.forward(), 0);
  EXPECT_EQ(read.profile.update, 0);
  EXPECT_EQ(
      read.remarks,
      std::vector<std::string>{
          "x: medians over 3 iterations of a Horovod timeline, which has no forward, no update, and no time until the "
          "first gradient: they count as 0; gradients are ready when the first rank says so, at the next of Horovod's "
          "cycles"});
}

TEST(HorovodTimeline, IsReadUpToItsLastWholeEvent) {
  const std::string text = kBegin + kLanes + iteration(1000) + iteration(11000);
  EXPECT_EQ(read_profile_text(text, "x").remarks.at(0).find("unfinished"), std::string::npos)
      << "only the end is missing";
  const ReadProfile cut = read_profile_text(text + "{\"ph\": \"B\", \"name\": \"NEGOT", "x");
  expect_gradients(cut.profile, kThree);
  EXPECT_NE(cut.remarks.at(0).find("unfinished"), std::string::npos);
}

TEST(HorovodTimeline, LeavesOutBroadcastsAndWhatIsNotReducedInEveryIteration) {
  const std::string more = lane(4, "metric") + lane(5, "weight");
  const ReadProfile read =
      read_profile_text(closed(kBegin + kLanes + more + operation(5, 10, "[9]", "float32", "BROADCAST") +
                               iteration(1000) + iteration(11000) + iteration(21000) + operation(4, 30000, "[1]")),
                        "x");
  expect_gradients(read.profile, kThree);
  EXPECT_NE(read.remarks.at(0).find("left out as not reduced in every iteration: 1 tensor ('metric')"),
            std::string::npos)
      << read.remarks.at(0);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kTwo = closed(kBegin + kLanes + iteration(1000) + iteration(11000));

class HorovodRefusal : public testing::TestWithParam<ProfileRefusal> {};

TEST_P(HorovodRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Profile, HorovodRefusal,
    testing::Values(
        ProfileRefusal{"no size",
                       closed(kBegin + kLanes + lane(4, "x") + iteration(1000) +
                              "{\"ph\": \"B\", \"name\": \"NEGOTIATE_ALLREDUCE\", \"ts\": 1100, \"pid\": 4},\n"),
                       "x: no operation of 'x' ends with its dtype and shape, so that its size is not known"},
        ProfileRefusal{"no name", closed(kBegin + iteration(1000)),
                       "x: a lane with allreduces has no name, expected a process_name of each"},
        ProfileRefusal{"name of two lines", replaced(kTwo, "\"conv2\"", R"("a\nb")"),
                       "x: [3].args.name: control characters in a name"},
        ProfileRefusal{"one name twice", replaced(kTwo, "\"conv2\"", "\"fc\""),
                       "x: two lanes are named 'fc', expected one for each tensor"},
        ProfileRefusal{"unknown type", replaced(kTwo, "float16", "float61"),
                       "x: [21]: unknown element type 'float61'; did you mean 'float64'? choices: float32, "
                       "float64, float16, "
                       "bfloat16, uint8, int8, uint16, int16, int32, int64, bool"},
        ProfileRefusal{"no shape", replaced(kTwo, "[10, 64]", "10x64"),
                       "x: [13].args.shape: '10x64' is not a shape, expected one like [64, 3, 7, 7]"},
        ProfileRefusal{"another size later",
                       closed(kBegin + kLanes + iteration(1000) + replaced(iteration(11000), "[10, 64]", "[10, 65]")),
                       "x: [35]: 'fc' has 2600 B, and had 2560 B before"},
        ProfileRefusal{"overlapping iterations", closed(kBegin + kLanes + iteration(1000) + iteration(1500)),
                       "x: iteration 2 begins before the one before it has all its tensors"},
        ProfileRefusal{"all at once", closed(kBegin + lane(1, "fc") + operation(1, 1000, "[4]")),
                       "x: all gradients are ready at once, expected times of a backward pass"},
        ProfileRefusal{"not JSON", replaced(kTwo, "\"pid\": 1", "\"pid\": one"),
                       "x:3: not JSON: syntax error while parsing value - invalid literal; last read: '\"pid\": o'"}));

}  // namespace
}  // namespace mgbench
