#include "report/profile_sources/support.h"

namespace mgbench {
namespace {

std::string event(const std::string& name, double begin, double duration, const std::string& arguments = "",
                  const std::string& category = "cpu_op") {
  return fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}, "args": {{{}}}}})", category,
      name, begin, duration, arguments);
}

std::string accumulate(double begin, double duration, const std::string& shape, const std::string& type = "float") {
  return event("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", begin - 1, duration + 2) + ", " +
         event("torch::autograd::AccumulateGrad", begin, duration,
               fmt::format(R"("External id": 9, "Input type": ["{}"], "Input Dims": [{}])", type, shape));
}

/// Forward takes 1000 us; gradients are ready 200, 210 and 500 us after backward began, and it ends 100 us later.
std::string step(int number, double begin, double slower = 0, const std::string& more = "") {
  std::string text = event(fmt::format("ProfilerStep#{}", number), begin, 5000, "", "user_annotation") + ", ";
  text += event("aten::conv2d", begin + 10, 900) + ", ";
  text += event("autograd::engine::evaluate_function: NllLossBackward0", begin + 1000, 50) + ", ";
  text += accumulate(begin + 1190 + slower, 10, "[10, 64]") + ", ";
  text += accumulate(begin + 1205 + slower, 5, "[10]") + ", ";
  text += accumulate(begin + 1480 + slower, 20, "[64, 3, 7, 7]", "c10::BFloat16") + ", ";
  text += event("autograd::engine::evaluate_function: ConvolutionBackward0", begin + 1510 + slower, 90) + more;
  return text;
}

std::string update(double begin) {
  return ", " + event("Optimizer.step#SGD.step", begin + 2000, 300, "", "user_annotation");
}

std::string trace(const std::string& events) {
  return R"({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, )"
         R"("args": {"name": "python"}}, )" +
         events + "]}";
}

void expect_three(const Profile& profile) {
  EXPECT_NEAR(profile.forward(), 1e-3, 1e-9);
  EXPECT_NEAR(profile.backward(), 0.6e-3, 1e-9);
  EXPECT_EQ(profile.steps.size(), 4U);
  EXPECT_EQ(profile.steps[0].name, "rest");
  expect_gradients(profile, {{"grad0", 2560, 1.2e-3}, {"grad1", 40, 1.21e-3}, {"grad2", 64 * 3 * 7 * 7 * 2, 1.5e-3}});
}

TEST(PyTorchTrace, GivesOrderTimesAndSizes) {
  const ReadProfile read = read_profile_text(trace(step(1, 1e6, 0, update(1e6))), "x");
  expect_three(read.profile);
  EXPECT_NEAR(read.profile.update, 3e-4, 1e-9);
  EXPECT_EQ(
      read.remarks,
      std::vector<std::string>{
          "x: medians over 1 step of a PyTorch trace, which hold what the profiler costs; forward begins with the "
          "step, loading of data included; gradients have no names in a trace (grad0 is ready first); the update is "
          "Optimizer.step"});
}

TEST(PyTorchTrace, TakesMediansOverItsStepsInWhateverOrderEventsStand) {
  const ReadProfile read = read_profile_text(trace(step(3, 3e6) + ", " + step(1, 1e6, 400) + ", " + step(2, 2e6)), "x");
  expect_three(read.profile);
  EXPECT_EQ(read.profile.update, 0);
  EXPECT_NE(read.remarks.at(0).find("no Optimizer.step"), std::string::npos);
}

TEST(PyTorchTrace, MayBeAnArrayAndHoldOtherEventsBetweenSteps) {
  const std::string outside =
      event("torch::autograd::AccumulateGrad", 10, 5, R"("Input type": ["float"], "Input Dims": [[1]])");
  const std::string device = event("ProfilerStep#1", 1.5e6, 5000, "", "gpu_user_annotation");
  expect_three(read_profile_text("[" + outside + ", " + device + ", " + step(1, 1e6) + "]", "x").profile);
}

TEST(PyTorchTrace, SaysThatCommunicationRan) {
  const ReadProfile read =
      read_profile_text(trace(step(1, 1e6, 0, ", " + event("gloo:all_reduce", 1e6 + 1200, 50))), "x");
  EXPECT_NE(read.remarks.at(0).find("communication ran meanwhile"), std::string::npos);
}

/// Work that the host launches at `launched`.
std::string device(int correlation, double launched, double begin, double duration, const std::string& name = "sgemm") {
  const std::string arguments = fmt::format("\"correlation\": {}", correlation);
  return ", " + event("cudaLaunchKernel", launched, 5, arguments, "cuda_runtime") + ", " +
         event(name, begin, duration, arguments, "kernel");
}

TEST(PyTorchTrace, OfAGpuTellsWhenTheWorkIsDoneAndNotWhenItIsQueued) {
  const double begin = 1e6;
  const std::string text = step(1, begin, 0, update(begin)) +
                           device(1, begin - 500, begin + 50, 2000) +    // of the step before
                           device(2, begin + 20, begin + 2050, 950) +    // forward: 2050 to 3000
                           device(3, begin + 1010, begin + 3100, 300) +  // for grad0: done at 3400
                           device(4, begin + 1201, begin + 3400, 7) +    // for grad1: done at 3407
                           device(5, begin + 1300, begin + 3407, 593) +
                           device(6, begin + 1310, begin + 3410, 9000, "ncclDevKernel_AllReduce") +
                           device(7, begin + 1520, begin + 4000, 80) +  // the rest of backward: done at 4080
                           device(8, begin + 2100, begin + 4080, 250);  // the update
  const ReadProfile read = read_profile_text(trace(text), "x");
  EXPECT_NEAR(read.profile.forward(), 1050e-6, 1e-9) << "from 2050 to 3100";
  expect_gradients(read.profile,
                   {{"grad0", 2560, 1350e-6}, {"grad1", 40, 1357e-6}, {"grad2", 64 * 3 * 7 * 7 * 2, 1950e-6}});
  EXPECT_NEAR(read.profile.backward(), 980e-6, 1e-9);
  EXPECT_NEAR(read.profile.update, 250e-6, 1e-9);
  EXPECT_NE(read.remarks.at(0).find(", on the GPU, "), std::string::npos) << read.remarks.at(0);
  EXPECT_NE(read.remarks.at(0).find("communication ran meanwhile"), std::string::npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class PyTorchRefusal : public testing::TestWithParam<ProfileRefusal> {};

TEST_P(PyTorchRefusal, IsOneLineWithThePlace) {
  expect_refused(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Profile, PyTorchRefusal,
    testing::Values(
        ProfileRefusal{"no shapes", trace(replaced(step(1, 1e6), ", \"Input Dims\": [[10, 64]]", "")),
                       "x: traceEvents[5]: torch::autograd::AccumulateGrad without its shape, expected a trace with "
                       "record_shapes=True"},
        ProfileRefusal{"no steps", trace(accumulate(1e6, 10, "[10]")),
                       "x: no ProfilerStep#N, expected a trace with profiler.step() after each iteration"},
        ProfileRefusal{"a step without gradients", trace(step(1, 1e6) + ", " + event("ProfilerStep#2", 2e6, 10)),
                       "x: step 2 of the trace has no gradient, expected training steps alone"},
        ProfileRefusal{
            "two backward passes", trace(step(1, 1e6) + ", " + step(2, 2e6) + ", " + accumulate(2e6 + 3000, 9, "[10]")),
            "x: step 2 of the trace has 4 gradients and the first has 3, expected steps of one backward pass each"},
        ProfileRefusal{"another order", trace(step(1, 1e6) + ", " + replaced(step(2, 2e6), "[10, 64]", "[11, 64]")),
                       "x: step 2 of the trace has its gradients in another order than the first"},
        ProfileRefusal{
            "unknown type", trace(replaced(step(1, 1e6), "[\"float\"]", "[\"c10::Haff\"]")),
            "x: traceEvents[5]: unknown element type 'c10::Haff'; did you mean 'c10::Half'? choices: float, double, "
            "c10::Half, c10::BFloat16"},
        ProfileRefusal{"nothing in it", trace(replaced(step(1, 1e6), "[10, 64]", "[10, 0]")),
                       "x: traceEvents[5]: an extent of 0 gives no gradient of 1 B to 2^40 B"},
        ProfileRefusal{"absurd size", trace(replaced(step(1, 1e6), "[10, 64]", "[1000000000, 1000000000]")),
                       "x: traceEvents[5]: an extent of 1000000000 gives no gradient of 1 B to 2^40 B"},
        ProfileRefusal{"GPU without launches",
                       trace(step(1, 1e6, 0, ", " + event("sgemm", 1e6, 10, R"("correlation": 7)", "kernel"))),
                       "x: work of a GPU without the calls that launched it, expected cuda_runtime events"},
        ProfileRefusal{"GPU without correlations", trace(step(1, 1e6, 0, ", " + event("sgemm", 1e6, 10, "", "kernel"))),
                       "x: traceEvents[11].args: missing key: correlation"},
        ProfileRefusal{"cut off", trace(step(1, 1e6)).substr(0, 700),
                       "x:1: not JSON: syntax error while parsing object key - invalid string: missing closing quote; "
                       "last read: '\"ph'; expected string literal"}));

}  // namespace
}  // namespace mgbench
