#include "bench/calibration/mpi_algorithms.h"

#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "bench/mpi/mpi_session.h"

namespace mgbench {
namespace {

/// Of Open MPI and of MPICH and what descends from it; 0 is the library's own choice in both.
constexpr std::array kVariables{"coll_tuned_allreduce_algorithm", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM"};

ControlVariable find_variable() {
  for (const char* name : kVariables)
    if (ControlVariable variable(name); variable.exists()) return variable;
  fail(ExitCode::bad_input,
       "--algorithms: {} has no variable that chooses the algorithm of MPI_Allreduce (looked for {})",
       mpi_library_version(), fmt::join(kVariables, ", "));
}

/// MPICH 4 names the values in its description alone, where each name follows the text before it without a space. These
/// come first in its enumeration, with a number each; one beyond the last ends the process, so that no others are
/// tried.
std::vector<ControlVariable::Choice> mpich_choices(const std::string& description) {
  std::vector<ControlVariable::Choice> choices;
  std::size_t place = 0;
  for (const char* name : {"nb", "smp", "recursive_doubling", "reduce_scatter_allgather"}) {
    place = description.find(name, place);
    if (place == std::string::npos) return {};
    place = description.find_first_not_of(' ', place + std::string_view(name).size());
    if (place == std::string::npos || description[place] != '-') return {};
    choices.push_back({name, static_cast<int>(choices.size()) + 1});
  }
  return choices;
}

std::vector<ControlVariable::Choice> choices_of(const ControlVariable& variable) {
  if (!variable.choices().empty()) return variable.choices();
  return variable.name() == kVariables.back() ? mpich_choices(variable.description())
                                              : std::vector<ControlVariable::Choice>();
}

/// On a communicator of its own. Open MPI reads the variable when a communicator is made, others at the call: both find
/// the algorithm's value.
class ForcedAllreduce final : public TimedAllreduce {
 public:
  ForcedAllreduce(ControlVariable& variable, const ProcessGroup& group)
      : variable_(variable), value_(variable.value()), group_(group.handle()), allreduce_(library_allreduce(group_)) {}

  Seconds operator()(const GradientView& data) override {
    variable_.write(value_);
    return (*allreduce_)(data);
  }

 private:
  ControlVariable& variable_;
  int value_;
  ProcessGroup group_;
  std::unique_ptr<TimedAllreduce> allreduce_;
};

}  // namespace

std::map<std::string, std::string> mpi_algorithm_environment() {
  return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}};
}

MpiAlgorithms::MpiAlgorithms(ProcessGroup& group)
    : variable_(find_variable()), own_choice_(std::make_unique<ForcedAllreduce>(variable_, group)) {
  require(variable_.value() == 0,
          "--algorithms: {} is set to {}, and the library's own choice could not be measured: leave it out",
          variable_.name(), variable_.value());
  const std::vector<ControlVariable::Choice> choices = choices_of(variable_);
  require(!choices.empty(), "--algorithms: {} does not name the values of {}", mpi_library_version(), variable_.name());
  for (const ControlVariable::Choice& choice : choices) {
    if (choice.value == 0) continue;
    variable_.write(choice.value);
    others_.push_back(
        {.name = choice.name, .value = choice.value, .allreduce = std::make_unique<ForcedAllreduce>(variable_, group)});
  }
}

MpiAlgorithms::~MpiAlgorithms() {
  variable_.restore();
}

}  // namespace mgbench
