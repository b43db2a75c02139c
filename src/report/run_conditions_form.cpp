#include "report/drift.h"
#include "report/forms.h"

namespace mgbench {
namespace {

constexpr int kMany = 1'000'000'000;

template <typename T>
Json optional_form(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json_form(const RankTime& rank) {
  return {
      {"rank", rank.rank}, {"host", rank.host}, {"seconds", rank.seconds}, {"ratio", rank.ratio}, {"slow", rank.slow}};
}

RankTime read_rank_time(const Value& value) {
  value.fields({"rank", "host", "seconds", "ratio", "slow"});
  return {.rank = value.at("rank").integer<int>(0, kMany),
          .host = value.at("host").text(),
          .seconds = value.at("seconds").seconds(),
          .ratio = value.at("ratio").positive(),
          .slow = value.at("slow").boolean()};
}

Json json_form(const HostLoad& load) {
  return {{"host", load.host},
          {"first_rank", load.first_rank},
          {"processors", load.processors},
          {"seconds", load.seconds},
          {"others", load.others},
          {"steal", load.steal},
          {"stalled", optional_form(load.stalled)},
          {"begin_hertz", optional_form(load.begin_hertz)},
          {"end_hertz", optional_form(load.end_hertz)},
          {"throttled", optional_form(load.throttled)}};
}

HostLoad read_host_load(const Value& value) {
  value.fields({"host", "first_rank", "processors", "seconds", "others", "steal"},
               {"stalled", "begin_hertz", "end_hertz", "throttled"});
  HostLoad load{.host = value.at("host").text(),
                .first_rank = value.at("first_rank").integer<int>(0, kMany),
                .processors = value.at("processors").integer<int>(1, kMany),
                .seconds = value.at("seconds").positive(),
                .others = value.at("others").number(0, 1),
                .steal = value.at("steal").number(0, 1)};
  if (const auto stalled = value.find("stalled")) load.stalled = stalled->number(0, 1);
  if (const auto hertz = value.find("begin_hertz")) load.begin_hertz = hertz->positive(1e12);
  if (const auto hertz = value.find("end_hertz")) load.end_hertz = hertz->positive(1e12);
  if (const auto throttled = value.find("throttled")) load.throttled = throttled->integer<std::size_t>(0, kMany);
  return load;
}

}  // namespace

Json json_form(const RankTimes& times) {
  Json slowest = Json::array();
  for (const RankTime& rank : times.slowest) slowest.push_back(json_form(rank));
  return {{"typical_seconds", times.typical},
          {"spread_seconds", times.spread},
          {"slow_ranks", times.slow},
          {"lost_seconds", times.lost},
          {"slowest", std::move(slowest)}};
}

RankTimes read_rank_times(const Value& value) {
  value.fields({"typical_seconds", "spread_seconds", "slow_ranks", "lost_seconds", "slowest"});
  RankTimes times{.typical = value.at("typical_seconds").seconds(),
                  .spread = value.at("spread_seconds").seconds(),
                  .slow = value.at("slow_ranks").integer<std::size_t>(0, kMany),
                  .lost = value.at("lost_seconds").seconds(),
                  .slowest = {}};
  for (const Value& rank : value.at("slowest").items()) times.slowest.push_back(read_rank_time(rank));
  if (times.slowest.empty()) value.at("slowest").wrong("there are no ranks, expected at least one");
  return times;
}

Json json_form(const MachineLoad& load) {
  Json worst = Json::array();
  for (const HostLoad& host : load.worst) worst.push_back(json_form(host));
  return {{"hosts", load.hosts}, {"disturbed_hosts", load.disturbed}, {"worst", std::move(worst)}};
}

MachineLoad read_machine_load(const Value& value) {
  value.fields({"hosts", "disturbed_hosts", "worst"});
  MachineLoad load{.hosts = value.at("hosts").integer<std::size_t>(0, kMany),
                   .disturbed = value.at("disturbed_hosts").integer<std::size_t>(0, kMany),
                   .worst = {}};
  for (const Value& host : value.at("worst").items()) load.worst.push_back(read_host_load(host));
  return load;
}

Json json_form(const Drift& drift) {
  Json strategies = Json::object();
  for (const auto& [strategy, ratio] : drift.strategies) strategies[strategy] = ratio;
  return {{"machine", optional_form(drift.machine)}, {"strategies", std::move(strategies)}};
}

}  // namespace mgbench
