#include "bench/training/training_run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <utility>

#include "bench/communicators/no_communication.h"
#include "bench/files/files.h"
#include "bench/gpu/module.h"
#include "bench/host/environment.h"
#include "bench/host/load_meter.h"
#include "bench/host/observe_ranks.h"
#include "bench/host/preflight.h"
#include "bench/training/automatic_communicator.h"
#include "bench/training/correctness.h"
#include "bench/training/observe.h"
#include "bench/training/race_judge.h"
#include "bench/watch/activity.h"
#include "bench/watch/interruption.h"
#include "planner/cost_family.h"
#include "planner/exact_plan.h"
#include "planner/strategy.h"

namespace mgbench {
namespace {

constexpr Seconds kReserve = 1.5;          // start of the ranks, end of the run, writing
constexpr Seconds kGrace = 1;              // beyond a given budget, where the six rounds of an interval are that short
constexpr double kChoiceShare = 0.1;       // of the budget: the choice of a communicator
constexpr double kCalibrationShare = 0.1;  // of the budget
constexpr double kLibraryShare = 0.2;      // of the calibration
constexpr double kFirstLookShare = 0.1;

// Beside the strategies rounds hold three schedules that explain them; the first in every round, as predictions rest on
// it.
constexpr std::size_t kQuiet = 0;  // no communication: forward, ready times and update for predictions
constexpr std::size_t kProbe = 1;  // what messages in flight cost computation
constexpr std::size_t kAlone = 2;  // one rank, the others idle: the iteration that efficiency refers to
constexpr std::size_t kHelpers = 3;
constexpr int kEvery = 3;

// Without those of the choice of a communicator: two of each check and of each shortest block, and the first look.
constexpr double kIterationsOfAPlan = 4;
constexpr double kFixedIterations = 2 + 2 * kHelpers + 10;

/// Making a network writes its memory, and more; no machine takes longer.
constexpr double kBytesASecond = 100e6;

Seconds median_iteration(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.iteration);
  return median(values);
}

std::string given_plan_remark(const PlanFile& plan, const std::string& file, int ranks) {
  std::string remark = fmt::format("{}: the plan of {}", plan.name, file);
  if (plan.ranks && *plan.ranks != ranks)
    remark += fmt::format(", which was made for {} ranks, not {}", *plan.ranks, ranks);
  if (!plan.emulated.empty()) remark += fmt::format(", which was made for an emulated {}", plan.emulated);
  return remark;
}

void label_profile(RunResult& result) {
  result.profile.model = result.model;
  result.profile.backend = result.backend;
  result.profile.ranks = result.ranks;
  result.profile.batch = result.batch;
}

void append(std::vector<IterationRecord>& records, std::vector<IterationRecord> more) {
  std::move(more.begin(), more.end(), std::back_inserter(records));
}

}  // namespace

TrainingRun::TrainingRun(const RunConfig& config, TimeLimits limits, Session& session, Journal& journal)
    : config_(config),
      limits_(limits),
      session_(session),
      group_(session.group),
      journal_(journal),
      exceptions_(std::uncaught_exceptions()),
      begin_(steady_clock().now()),
      workload_(config),
      given_(given_plans(config, workload_.outline())),
      progress_(group_.is_root()),
      emulated_(emulated_cost(config)) {
  if (config_.cuda_graphs) config_.communicator = capturing_communicator().name;
}

TrainingRun::~TrainingRun() {
  if (std::uncaught_exceptions() == exceptions_) return;
  [[maybe_unused]] static Network* kept = nullptr;
  kept = network_.release();
}

Seconds TrainingRun::end_of(Seconds budget) const {
  return begin_ + budget - kReserve;
}

Seconds TrainingRun::deadline() const {
  return end_of(config_.budget.value_or(limits_.budget));
}

void TrainingRun::preflight() {
  placement_ = place_rank(group_, config_.threads);
  placement_.device = workload_.claim_device(group_);
  const Preflight found = run_preflight(session_, placement_, workload_.training_memory_per_rank());
  progress_.remark(found.layout);
  for (const std::string& remark : found.remarks) progress_.remark(remark);
  for (const std::string& remark : workload_.remarks()) progress_.remark(remark);

  result_.command = config_.command;
  result_.date = utc_now();
  result_.environment = collect_environment(session_, placement_);
  result_.environment["software.backend"] = workload_.backend().library();
  if (workload_.backend().device) {
    result_.environment["device.name"] = gpu_module().name;
    result_.environment["software.precision"] = workload_.precision();
    if (config_.cuda_graphs) result_.environment["software.graphs"] = "an iteration is a CUDA graph";
  }
  result_.seed = config_.seed;
  result_.model = workload_.name();
  result_.backend = workload_.backend().name;
  result_.emulated = emulation_name(config_);
  result_.ranks = group_.size();
  result_.threads = placement_.threads;
  result_.batch = workload_.batch();
  result_.remarks = found.remarks;
  result_.remarks.insert(result_.remarks.end(), workload_.remarks().begin(), workload_.remarks().end());
}

void TrainingRun::build() {
  stop_if_told(group_, "building");
  progress_.stage("building");
  activity().expect(static_cast<double>(workload_.memory_per_rank()) / kBytesASecond);
  if (const auto layout = workload_.choose_layout(group_, placement_.threads)) {
    result_.environment["software.layout"] = describe(*layout);
    progress_.remark(layout_remark(*layout));
  }
  network_ = workload_.make_network(group_, placement_.threads);
  const BackendEntry& backend = workload_.backend();
  arena_ = gradient_arena(*network_, backend.device ? &backend.device() : nullptr);
}

std::string TrainingRun::lack_of_time() {
  progress_.stage("looking at one iteration");
  const NetworkState before = network_->save();
  NoCommunication none;
  const std::vector<IterationRecord> records = Trainer(group_, *network_, none).run_block({}, 1);
  network_->restore(before);
  const auto plans = static_cast<double>(chosen_strategies(config_).size() + given_.size());
  const Seconds needed =
      median_iteration(agree_on_samples(group_, records, 0)) * (kFixedIterations + kIterationsOfAPlan * plans);
  const Seconds left = group_.minimum(deadline() + kReserve - steady_clock().now());
  if (needed <= left) return "";
  return fmt::format("checks and one round take about {:.0f} s, and the budget leaves {:.0f} s", needed,
                     std::max(left, 0.0));
}

void TrainingRun::choose_communicator() {
  stop_if_told(group_, "the choice of a communicator");
  if (config_.chooses_communicator()) {
    progress_.stage("choosing how messages travel");
    const Seconds budget = kChoiceShare * (deadline() - begin_);
    result_.communicator_choice =
        mgbench::choose_communicator(group_, *network_, placement_.threads,
                                     {.budget = budget, .seed = config_.seed, .device = arena_.device}, progress_);
    config_.communicator = result_.communicator_choice->chosen;
  }
  result_.communicator = config_.emulates() ? "emulated" : config_.communicator;
  communicator_ = make_communicator(config_, group_, emulated_, config_.emulated_moves_data, arena_);
  trainer_.emplace(group_, *network_, *communicator_, config_.cuda_graphs);
  result_.environment.merge(communicator_facts(config_, group_, arena_, progress_));
}

void TrainingRun::calibrate() {
  stop_if_told(group_, "calibrating");
  if (!config_.calibration.empty()) {
    result_.calibration = calibration_from_yaml(read_file(config_.calibration), config_.calibration);
    require_ranks(result_.calibration, config_.calibration, group_.size());
    result_.remarks.push_back(fmt::format("calibration: taken from {}, not measured in this run", config_.calibration));
    const std::string& calibrated = result_.calibration.planning_curve().communicator;
    if (calibrated != result_.communicator)
      result_.remarks.push_back(
          fmt::format("calibration: its times are of {}, and messages travel by {}", calibrated, result_.communicator));
  } else {
    const CalibrationBudget budget{.seconds = kCalibrationShare * (deadline() - begin_), .library = kLibraryShare};
    result_.calibration = mgbench::calibrate(config_, group_, *communicator_, arena_, budget, progress_);
  }
  result_.planning_cost = result_.calibration.planning_choice().reason;
  cost_ = result_.calibration.planning_cost();
}

void TrainingRun::plan() {
  stop_if_told(group_, "planning");
  progress_.stage("planning");
  activity().expect(cost_->time(Collective::allreduce, workload_.gradient_bytes()));
  const std::size_t tensors = ready_tensors(network_->outline()).size();
  contestants_.resize(kHelpers);
  contestants_[kQuiet] = {.name = "without communication", .schedule = Schedule{}, .sums = false};
  contestants_[kProbe] = {
      .name = "probe", .schedule = make_schedule(network_->outline(), probe_plan(tensors)), .every = kEvery};
  contestants_[kAlone] = {.name = "one rank alone", .schedule = std::nullopt, .sums = false, .every = kEvery};
  first_look();
  for (const StrategyEntry* strategy : chosen_strategies(config_))
    add(strategy->name, "", [&] { return strategy->plan(result_.profile, *cost_, config_.strategy_options); });
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const PlanFile& given = given_[i];
    add(given.name, "file " + config_.plans[i], [&] { return given.plan(); });
    result_.remarks.push_back(given_plan_remark(given, config_.plans[i], group_.size()));
  }
}

void TrainingRun::add_cost_family() {
  for (const NamedCost& member : cost_family(*cost_))
    add(member.name, "exact plan with " + member.name, [&] { return exact_plan(result_.profile, member.cost); });
  leave_one_of_equal_plans();
}

void TrainingRun::first_look() {
  constexpr int kBlocks = 10;
  constexpr int kIterations = 3;
  const Seconds end = steady_clock().now() + kFirstLookShare * (deadline() - begin_);
  const NetworkState before = network_->save();
  trainer_->run_block({}, 1);  // warm-up
  std::vector<IterationRecord> quiet, probe;
  for (int block = 0; block < kBlocks && (block == 0 || group_.all(steady_clock().now() < end)); ++block) {
    append(quiet, trainer_->run_block({}, kIterations));
    network_->restore(before);
    append(probe, trainer_->run_block(*contestants_[kProbe].schedule, kIterations));
    network_->restore(before);
  }
  result_.profile = observe_profile(group_, network_->outline(), quiet);
  cost_ = cost_->with_overlap(
      fit_overlap({observe_schedule(group_, quiet, probe, *contestants_[kProbe].schedule, *cost_)}));
  typical_iteration_ = median_iteration(agree_on_samples(group_, probe, 0));
}

void TrainingRun::add(const std::string& name, const std::string& origin, const std::function<MergePlan()>& make) {
  std::vector<std::uint64_t> ends;
  if (group_.is_root()) {
    const MergePlan plan = make();
    ends.assign(plan.ends().begin(), plan.ends().end());
  }
  group_.broadcast(ends);
  StrategyResult planned;
  planned.strategy = name;
  planned.origin = origin;
  planned.group_ends.assign(ends.begin(), ends.end());
  const Schedule schedule = make_schedule(network_->outline(), MergePlan(planned.group_ends));
  for (const Message& message : schedule) planned.group_bytes.push_back(message.arena.size());
  result_.strategies.push_back(std::move(planned));
  contestants_.push_back({.name = name, .schedule = schedule});
}

void TrainingRun::leave_one_of_equal_plans() {
  std::vector<StrategyResult> strategies;
  std::vector<Contestant> contestants(contestants_.begin(), contestants_.begin() + kHelpers);
  for (std::size_t i = 0; i < result_.strategies.size(); ++i) {
    StrategyResult& strategy = result_.strategies[i];
    const auto equal = std::find_if(strategies.begin(), strategies.end(), [&](const StrategyResult& other) {
      return other.group_ends == strategy.group_ends;
    });
    if (equal != strategies.end()) {
      equal->same.push_back(strategy.strategy);
      continue;
    }
    strategies.push_back(std::move(strategy));
    contestants.push_back(std::move(contestants_[kHelpers + i]));
  }
  result_.strategies = std::move(strategies);
  contestants_ = std::move(contestants);
}

void TrainingRun::check_correctness() {
  stop_if_told(group_, "checking");
  progress_.stage("checking");
  activity().expect(typical_iteration_);
  // An emulation that only takes the time proves nothing: here it sums.
  const auto summing =
      communicator_->moves_data() ? nullptr : make_communicator(config_, group_, emulated_, true, arena_);
  CorrectnessCheck correctness(group_, *network_);
  for (std::size_t i = 0; i < result_.strategies.size(); ++i) {
    StrategyResult& strategy = result_.strategies[i];
    progress_.advance(static_cast<double>(i) / static_cast<double>(result_.strategies.size()), strategy.strategy);
    strategy.failure = correctness.check(summing ? *summing : *communicator_, *contestants_[kHelpers + i].schedule,
                                         config_.cuda_graphs);
  }
}

void TrainingRun::measure() {
  RoundsRequest request;
  if (config_.within) {  // as long as it takes
    constexpr int kMostRounds = 1000;
    request.within = *config_.within;
    request.most_rounds = kMostRounds;
  }
  run_rounds(request);
}

void TrainingRun::race() {
  constexpr int kRounds = 20;  // a clear loser among a dozen needs ten
  constexpr int kMostRounds = 300;
  run_rounds({.least_rounds = kRounds, .most_rounds = kMostRounds, .judge = race_judge(kHelpers)});
}

void TrainingRun::run_rounds(RoundsRequest request) {
  stop_if_told(group_, "measuring");
  progress_.stage("measuring");
  activity().expect(typical_iteration_);
  std::vector<Contestant> correct;
  for (std::size_t i = 0; i < contestants_.size(); ++i)
    if (i < kHelpers || result_.strategies[i - kHelpers].failure.empty()) correct.push_back(std::move(contestants_[i]));
  contestants_ = std::move(correct);
  request.deadline = deadline();
  request.patience = config_.budget ? std::max(deadline(), steady_clock().now()) + kGrace : end_of(limits_.patience);
  request.iteration = typical_iteration_;
  request.seed = config_.seed;
  request.after_round = [this](int rounds) {
    if (group_.is_root()) journal_.keep(rounds, [this] { return so_far(); });
  };
  LoadMeter load(group_, placement_);
  result_.ended = measure_rounds(*trainer_, contestants_, request, progress_).reason;
  result_.load = load.read();

  std::string broken;
  if (!group_.all(std::isfinite(network_->loss()))) broken = "the loss at the end of the run is not finite";
  if (communicator_->moves_data() && !parameters_agree(group_, *network_))
    broken = "parameters at the end of the run differ between ranks";
  if (broken.empty()) return;
  for (StrategyResult& strategy : result_.strategies) strategy.failure = broken;
  contestants_.resize(kHelpers);
}

RunResult TrainingRun::so_far() const {
  RunResult result = result_;
  label_profile(result);
  result.overlap = cost_->overlap();
  result.without_communication = contestants_[kQuiet].samples;
  result.probe = contestants_[kProbe].samples;
  result.alone = contestants_[kAlone].iteration();
  result.stages = progress_.stages();
  auto contestant = contestants_.begin() + kHelpers;
  for (StrategyResult& strategy : result.strategies) {
    const Schedule schedule = make_schedule(result.profile, MergePlan(strategy.group_ends));
    strategy.predicted = mgbench::predict(result.profile, schedule, *cost_);
    strategy.predicted_no_overlap = mgbench::predict(result.profile, schedule, cost_->with_overlap({}));
    if (!strategy.failure.empty()) continue;
    strategy.samples = contestant->samples;
    strategy.measured = observe_timeline(contestant->records);
    strategy.dropped = contestant->dropped;
    ++contestant;
  }
  return result;
}

void TrainingRun::predict() {
  activity().begin("evaluating");
  const Contestant& quiet = contestants_[kQuiet];
  const Contestant& probe = contestants_[kProbe];
  result_.profile = observe_profile(group_, network_->outline(), quiet.records);
  const auto observe = [&](const Contestant& contestant) {
    return observe_schedule(group_, quiet.records, contestant.records, *contestant.schedule, *cost_);
  };
  std::vector<ObservedSchedule> observed{observe(probe)};
  for (auto contestant = contestants_.begin() + kHelpers; contestant != contestants_.end(); ++contestant)
    observed.push_back(observe(*contestant));
  result_.overlap = fit_overlap(observed);
  result_.without_communication = quiet.samples;
  result_.probe = probe.samples;
  result_.computation = observe_ranks(group_, quiet, placement_.host);
  result_.alone = contestants_[kAlone].iteration();

  const CostModel without_overlap = cost_->with_overlap({});
  auto contestant = contestants_.begin() + kHelpers;
  for (StrategyResult& strategy : result_.strategies) {
    const Schedule schedule = make_schedule(result_.profile, MergePlan(strategy.group_ends));
    // What is predicted must not have been seen.
    std::vector<ObservedSchedule> others = observed;
    if (strategy.failure.empty()) others.erase(others.begin() + 1 + (contestant - contestants_.begin() - kHelpers));
    const CostModel with_overlap = cost_->with_overlap(fit_overlap(others));
    strategy.predicted = mgbench::predict(result_.profile, schedule, with_overlap);
    strategy.predicted_no_overlap = mgbench::predict(result_.profile, schedule, without_overlap);
    if (!strategy.failure.empty()) continue;
    strategy.samples = contestant->samples;
    strategy.measured = observe_timeline(contestant->records);
    strategy.transfers = observe_transfers(group_, contestant->records);
    if (strategy.iteration().samples > 0) strategy.arrival = observe_ranks(group_, *contestant, placement_.host);
    strategy.dropped = contestant->dropped;
    ++contestant;
  }
  progress_.finish();
  result_.stages = progress_.stages();
}

RunResult TrainingRun::result() && {
  label_profile(result_);
  return std::move(result_);
}

}  // namespace mgbench
