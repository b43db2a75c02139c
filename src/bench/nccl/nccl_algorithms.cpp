#include "bench/nccl/nccl_algorithms.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "bench/nccl/forced_variable.h"
#include "bench/nccl/make_nccl.h"
#include "report/json.h"
#include "report/nccl_facts.h"
#include "report/nccl_ways.h"

namespace mgbench {
namespace {

constexpr std::array kVariables{"NCCL_ALGO", "NCCL_PROTO"};
constexpr const char* kNotOffered = "NCCL does not offer that here (no bandwidth in its own table)";

/// One that can be had, and the sizes at which it does what is timed anyway.
struct Candidate {
  NcclWay way;
  std::set<Bytes> same_as_own_choice = {};
  std::set<Bytes> same_as_another = {};
};

std::string to_text(const std::vector<Candidate>& candidates) {
  Json json = Json::array();
  for (const Candidate& one : candidates)
    json.push_back({one.way.algorithm, one.way.protocol, one.same_as_own_choice, one.same_as_another});
  return json.dump();
}

std::vector<Candidate> candidates_from(const std::string& text) {
  std::vector<Candidate> candidates;
  for (const Json& one : Json::parse(text))
    candidates.push_back({.way = {one.at(0), one.at(1)},
                          .same_as_own_choice = one.at(2).get<std::set<Bytes>>(),
                          .same_as_another = one.at(3).get<std::set<Bytes>>()});
  return candidates;
}

std::vector<Candidate> share(ProcessGroup& group, const std::vector<Candidate>& candidates) {
  std::string text = to_text(candidates);
  group.broadcast(text);
  return candidates_from(text);
}

std::string share(ProcessGroup& group, std::string text) {
  group.broadcast(text);
  return text;
}

/// Which variable something else than this process's environment has set; "" where none is.
std::string set_in_a_file(const NcclWords& words) {
  for (const auto& [variable, value] : words.forced) return fmt::format("{} is set to {}", variable, value);
  return "";
}

std::vector<Candidate> candidates_of(const std::vector<NcclOffer>& offers) {
  std::vector<Candidate> candidates;
  for (const NcclWay& way : ways_to_try(offers)) candidates.push_back({.way = way});
  return candidates;
}

/// Those that took effect; the others go to `left_out`.
std::vector<Candidate> checked(const std::vector<Candidate>& candidates, const std::vector<NcclAnswer>& answers,
                               const NcclWords& own, const std::vector<Bytes>& sizes,
                               std::map<std::string, std::string>& left_out) {
  std::vector<Candidate> result;
  std::vector<NcclChoice> before;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const NcclWay& way = candidates[i].way;
    const std::vector<NcclChoice>& said = answers[i].words.allreduce;
    std::string reason = answers[i].failure;
    if (reason.empty()) reason = deviation(way, said, sizes);
    if (!reason.empty()) {
      left_out[way.name()] = reason;
      continue;
    }
    result.push_back({.way = way,
                      .same_as_own_choice = same_choices(said, own.allreduce),
                      .same_as_another = same_choices(said, before)});
    before.insert(before.end(), said.begin(), said.end());
  }
  return result;
}

/// Of one that NCCL offers.
std::string first_reason(const std::map<std::string, std::string>& left_out) {
  for (const auto& [name, reason] : left_out)
    if (reason != kNotOffered) return fmt::format("{}: {}", name, reason);
  return "";
}

}  // namespace

void require_free_nccl() {
  for (const char* variable : kVariables)
    if (const char* value = std::getenv(variable))
      fail(ExitCode::bad_input,
           "--algorithms: {} is set to {}, and NCCL's own choice could not be measured: leave it out", variable, value);
}

NcclAlgorithms::NcclAlgorithms(ProcessGroup& group, const GradientArena& largest) {
  require(group.size() > 1, "--algorithms: there is one GPU, and one rank has nothing to sum");
  require_free_nccl();
  const std::vector<Bytes> sizes = compared_sizes(largest.bytes);
  const NcclAnswer own = ask_nccl(group, largest.type, sizes, {{}}).front();
  const std::string set = share(group, set_in_a_file(own.words));
  require(set.empty(),
          "--algorithms: {} by nccl.conf or a plugin, and NCCL's own choice could not be measured: leave it out", set);
  std::vector<Candidate> candidates = share(group, candidates_of(own.words.offers));
  if (candidates.empty())
    fail(ExitCode::not_measured, "--algorithms: NCCL did not say which algorithms it has here ({})",
         share(group, own.failure.empty() ? "its log has no table of them that is understood" : own.failure));

  std::vector<NcclForce> forces;
  for (const Candidate& one : candidates) forces.push_back({one.way.algorithm, one.way.protocol});
  const std::vector<NcclAnswer> answers = ask_nccl(group, largest.type, sizes, forces);
  if (group.is_root()) {
    facts_ = nccl_facts(own.words, own.failure);
    for (const std::string& name : not_offered(own.words.offers)) left_out_[name] = kNotOffered;
    candidates = checked(candidates, answers, own.words, sizes, left_out_);
  }

  candidates = share(group, candidates);
  if (candidates.empty())
    fail(ExitCode::not_measured, "--algorithms: nothing can be compared with NCCL's own choice ({})",
         share(group, first_reason(left_out_)));

  const auto make = [&] { return library_allreduce(*largest.device, make_nccl(group)); };
  own_choice_ = make();
  for (Candidate& one : candidates) {
    const ForcedVariable algorithm(kVariables[0], one.way.algorithm);
    const ForcedVariable protocol(kVariables[1], one.way.protocol);
    others_.push_back({.name = one.way.name(),
                       .value = static_cast<int>(others_.size()) + 1,
                       .allreduce = make(),
                       .same_as_own_choice = std::move(one.same_as_own_choice),
                       .same_as_another = std::move(one.same_as_another)});
  }
}

}  // namespace mgbench
