// How long a training iteration of a model takes on oneDNN, which kinds of layers it is spent in, and what the engine's
// loop adds to them. Communication plays no part. scripts/compare_pytorch holds the iteration against PyTorch's.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/backends/onednn/network.h"
#include "bench/training/train_step.h"

namespace mgbench {
namespace {

struct Options {
  std::string model = "resnet50";
  NetworkRequest request;
  int warmup = 3;
  int iterations = 10;
  bool layers = false;
};

Seconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

clockid_t clock_read = CLOCK_MONOTONIC;
Seconds now() {
  return read(clock_read);
}

Seconds median(std::vector<Seconds> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

struct Iteration {
  Seconds forward, backward, update;
  Seconds total() const { return forward + backward + update; }
};

Iteration time_iteration(onednn::OnednnNetwork& network) {
  const Seconds begin = now();
  for (std::size_t step = 0; step < network.steps(); ++step) network.forward(step);
  const Seconds forwarded = now();
  for (std::size_t step = network.steps(); step-- > 0;) network.backward(step);
  const Seconds backwarded = now();
  network.update();
  return {forwarded - begin, backwarded - forwarded, now() - backwarded};
}

/// Samples by what was timed: an operation's kind or a layer's name.
using Samples = std::map<std::string, std::vector<Seconds>>;

void time_layers(onednn::OnednnNetwork& network, const ModelSpec& model, bool by_layer, Samples& samples) {
  std::map<std::string, Seconds> sums;
  const auto timed = [&](const char* pass, int index, auto&& run) {
    const LayerSpec& layer = model.layers[static_cast<std::size_t>(index)];
    const std::string name(by_layer ? std::string_view(layer.name) : operation_name(layer.operation));
    const Seconds begin = now();
    run();
    sums[fmt::format("{:<24} {}", name, pass)] += now() - begin;
  };
  const auto& steps = network.execution_steps();
  for (const ExecutionStep& step : steps)
    for (const int layer : step.forward) timed("forward", layer, [&] { network.run_forward(layer); });
  for (std::size_t step = steps.size(); step-- > 0;)
    for (std::size_t i = 0; i < steps[step].backward.size(); ++i) {
      const BackwardOperation operation = steps[step].backward[i];
      timed(operation.part == BackwardPart::weights ? "weights" : "backward", operation.layer,
            [&] { network.run_backward(step, i); });
    }
  network.update();
  for (const auto& [name, time] : sums) samples[name].push_back(time);
}

/// Takes messages and forgets them.
class Nowhere final : public Communicator {
 public:
  void prepare(std::size_t) override {}
  void start(const Message&, const GradientView&, const Event&) override {}
  Event join() override { return {}; }
  std::span<const MessageTimes> spans() const override { return {}; }
};

/// The engine's loop with a message a tensor, in turn with the same calls alone: median of the differences.
Seconds time_engine(onednn::OnednnNetwork& network, int iterations) {
  std::vector<std::size_t> ends(ready_tensors(network.outline()).size());
  std::iota(ends.begin(), ends.end(), std::size_t{1});
  const Schedule schedule = make_schedule(network.outline(), MergePlan(std::move(ends)));
  IterationMarks marks(network.steps());
  Nowhere nowhere;
  std::vector<Seconds> differences;
  for (int i = 0; i < iterations; ++i) {
    const Seconds alone = time_iteration(network).total();
    const Seconds begin = now();
    train_step(network, nowhere, schedule, marks);
    differences.push_back(now() - begin - alone);
  }
  return median(differences);
}

void run(const Options& options) {
  const ModelSpec model = models().find(options.model).make();
  NetworkRequest request = options.request;
  request.model = &model;
  onednn::OnednnNetwork network(request);

  for (int i = 0; i < options.warmup; ++i) time_iteration(network);
  std::vector<Seconds> forward, backward, update, total;
  for (int i = 0; i < options.iterations; ++i) {
    const Iteration iteration = time_iteration(network);
    forward.push_back(iteration.forward);
    backward.push_back(iteration.backward);
    update.push_back(iteration.update);
    total.push_back(iteration.total());
  }
  fmt::print(
      "model {} batch {} threads {} median_ms {:.2f} forward_ms {:.2f} backward_ms {:.2f} update_ms {:.2f} "
      "memory {}\n",
      model.name, request.batch, request.threads, median(total) * 1e3, median(forward) * 1e3, median(backward) * 1e3,
      median(update) * 1e3, format_bytes(network.bytes()));

  const Seconds engine = time_engine(network, options.iterations);
  fmt::print(
      "engine_ms {:.3f} ({:+.2f} %): its loop with a message a tensor, sent nowhere, less the same calls alone\n",
      engine * 1e3, 100 * engine / median(total));

  Samples samples;
  for (int i = 0; i < options.iterations; ++i) time_layers(network, model, options.layers, samples);
  std::vector<std::pair<Seconds, std::string>> medians;
  for (const auto& [name, times] : samples) medians.emplace_back(median(times), name);
  std::ranges::sort(medians, std::greater<>());
  for (const auto& [time, name] : medians) fmt::print("{:10.3f} ms  {}\n", time * 1e3, name);
}

}  // namespace
}  // namespace mgbench

int main(int argc, char** argv) {
  mgbench::Options options;
  bool processor_time = false;
  CLI::App app("Times the layers of a model on oneDNN");
  app.add_option("--model", options.model, "a model's name")->capture_default_str();
  app.add_option("--batch", options.request.batch, "images")->capture_default_str();
  app.add_option("--threads", options.request.threads, "threads")->capture_default_str();
  app.add_option("--warmup", options.warmup, "iterations before the first that counts")->capture_default_str();
  app.add_option("--iterations", options.iterations, "iterations that count")->capture_default_str();
  app.add_flag("--processor-time", processor_time, "the thread's processor time, not the clock's: for a busy machine");
  app.add_flag("--layers", options.layers, "by layer, not by kind of operation");
  CLI11_PARSE(app, argc, argv);
  if (processor_time) mgbench::clock_read = CLOCK_THREAD_CPUTIME_ID;
  try {
    mgbench::run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "layers_benchmark: {}\n", error.what());
    return 2;
  }
}
