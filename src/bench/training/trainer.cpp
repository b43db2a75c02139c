#include "bench/training/trainer.h"

#include <algorithm>
#include <array>

#include "bench/communicators/no_communication.h"
#include "bench/training/captured_step.h"

namespace mgbench {

Trainer::Trainer(ProcessGroup& group, Network& network, Communicator& communicator, bool captures)
    : group_(group), network_(network), communicator_(communicator), captures_(captures) {}

std::vector<IterationRecord> Trainer::run_block(const Schedule& schedule, int iterations) {
  group_.barrier();
  return captures_ ? run_captured(communicator_, schedule, iterations) : run(communicator_, schedule, iterations);
}

std::vector<IterationRecord> Trainer::run_alone(int iterations) {
  std::vector<IterationRecord> records;
  NoCommunication none;
  if (group_.is_root()) records = captures_ ? run_captured(none, {}, iterations) : run(none, {}, iterations);
  group_.quiet_barrier();
  return records;
}

std::vector<IterationRecord> Trainer::run(Communicator& communicator, const Schedule& schedule, int iterations) {
  const auto count = static_cast<std::size_t>(iterations) + 1;
  std::vector<IterationMarks> marks(count, IterationMarks(network_.steps()));
  std::vector<std::vector<MessageTimes>> spans(count);
  std::vector<std::size_t> overruns(count);
  for (auto& one : spans) one.reserve(schedule.size());

  for (std::size_t i = 0; i < count; ++i) {
    communicator.prepare(schedule.size());
    train_step(network_, communicator, schedule, marks[i]);
    spans[i].assign(communicator.spans().begin(), communicator.spans().end());
    overruns[i] = communicator.overruns();
  }

  std::vector<IterationRecord> records;
  for (std::size_t i = 1; i < count; ++i) {
    records.push_back(read(marks[i], spans[i]));
    records.back().duration = network_.seconds(marks[i].end) - network_.seconds(marks[i - 1].end);
    records.back().overrun = overruns[i] > 0;
  }
  return records;
}

/// A launch gives an iteration's marks new times, so that they are read before the next one. The device has nothing to
/// do meanwhile: for how long, two marks outside of the graph tell, and durations are without it.
std::vector<IterationRecord> Trainer::run_captured(Communicator& communicator, const Schedule& schedule,
                                                   int iterations) {
  struct Pause {
    Seconds end;  ///< of the iteration before
    Mark begin;
    Mark resumed;
  };
  const auto count = static_cast<std::size_t>(iterations) + 1;
  std::vector<Pause> pauses;
  std::vector<IterationRecord> records;
  pauses.reserve(count);
  records.reserve(count);

  CapturedStep step(network_, communicator, schedule);
  for (std::size_t i = 0; i < count; ++i) {
    step.run();
    const Mark begin = network_.mark();
    records.push_back(read(step.marks(), communicator.spans()));
    pauses.push_back({network_.seconds(step.marks().end), begin, network_.mark()});
  }
  network_.synchronize();
  for (std::size_t i = 1; i < count; ++i) {
    const Pause& pause = pauses[i - 1];
    const Seconds idle = network_.seconds(pause.resumed) - network_.seconds(pause.begin);
    records[i].duration = pauses[i].end - pause.end - idle;
  }
  records.erase(records.begin());
  return records;
}

IterationRecord Trainer::read(const IterationMarks& marks, std::span<const MessageTimes> spans) const {
  const Seconds begin = network_.seconds(marks.begin);
  auto since_begin = [&](Mark mark) { return network_.seconds(mark) - begin; };
  IterationRecord record;
  for (const Mark mark : marks.forward) record.forward_ends.push_back(since_begin(mark));
  for (const Mark mark : marks.backward) record.backward_ends.push_back(since_begin(mark));
  for (const MessageTimes& span : spans)
    record.timeline.messages.push_back({span.ready - begin, span.start - begin, span.end - begin});
  record.timeline.forward_end = record.forward_ends.back();
  record.timeline.backward_end = record.backward_ends.front();
  record.timeline.communication_end = since_begin(marks.joined);
  record.timeline.iteration = since_begin(marks.end);
  record.update = record.timeline.iteration - record.timeline.communication_end;
  return record;
}

std::vector<Sample> agree_on_samples(ProcessGroup& group, const std::vector<IterationRecord>& records, int round) {
  std::vector<double> durations;
  for (const IterationRecord& record : records) durations.push_back(record.duration);
  const std::vector<int> slowest = group.rank_of_maximum(durations);

  // Every rank adds its components where it is the slowest, and zeros elsewhere: no rank holds more than one
  // rank's values.
  constexpr std::size_t kFields = 6;
  std::vector<double> fields(records.size() * kFields);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const IterationRecord& record = records[i];
    if (slowest[i] == group.rank()) {
      const std::array<double, kFields> own{record.duration,
                                            record.timeline.forward_end,
                                            record.timeline.backward_end - record.timeline.forward_end,
                                            record.timeline.exposed(),
                                            record.update,
                                            0};
      std::copy(own.begin(), own.end(), fields.begin() + static_cast<std::ptrdiff_t>(i * kFields));
    }
    fields[i * kFields + 5] = record.overrun ? 1 : 0;  // of any rank
  }
  group.sum(fields);

  std::vector<Sample> samples;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const double* value = &fields[i * kFields];
    samples.push_back({.round = round,
                       .position = static_cast<int>(i),
                       .slowest_rank = slowest[i],
                       .iteration = value[0],
                       .forward = value[1],
                       .backward = value[2],
                       .exposed = value[3],
                       .update = value[4],
                       .rejected = value[5] > 0});
  }
  return samples;
}

}  // namespace mgbench
