#include "bench/calibration/control_variable.h"

#include <array>
#include <utility>

#include "bench/mpi/process_group.h"

namespace mgbench {
namespace {

struct Description {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_enum values = MPI_T_ENUM_NULL;
  std::string text;
};

Description describe(int index) {
  Description description;
  description.text.resize(4096);
  int name_length = 0;
  auto text_length = static_cast<int>(description.text.size());
  int verbosity = 0;
  int binding = 0;
  int scope = 0;
  check_mpi(MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &description.type, &description.values,
                                description.text.data(), &text_length, &binding, &scope),
            "MPI_T_cvar_get_info");
  description.text.resize(description.text.find('\0'));
  return description;
}

std::vector<ControlVariable::Choice> choices_of(MPI_T_enum values) {
  if (values == MPI_T_ENUM_NULL) return {};
  int count = 0;
  int name_length = 0;
  check_mpi(MPI_T_enum_get_info(values, &count, nullptr, &name_length), "MPI_T_enum_get_info");
  std::vector<ControlVariable::Choice> choices;
  for (int item = 0; item < count; ++item) {
    std::array<char, 256> name{};
    int length = static_cast<int>(name.size());
    int value = 0;
    check_mpi(MPI_T_enum_get_item(values, item, &value, name.data(), &length), "MPI_T_enum_get_item");
    choices.push_back({name.data(), value});
  }
  return choices;
}

}  // namespace

ControlVariable::ControlVariable(std::string name) : name_(std::move(name)) {
  int provided = 0;
  check_mpi(MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided), "MPI_T_init_thread");
  int index = 0;
  int count = 0;
  if (MPI_T_cvar_get_index(name_.c_str(), &index) != MPI_SUCCESS) return;
  const Description description = describe(index);
  exists_ = description.type == MPI_INT && MPI_T_cvar_handle_alloc(index, nullptr, &handle_, &count) == MPI_SUCCESS &&
            count == 1;
  if (!exists_) return;
  check_mpi(MPI_T_cvar_read(handle_, &value_), "MPI_T_cvar_read");
  first_value_ = value_;
  description_ = description.text;
  choices_ = choices_of(description.values);
}

void ControlVariable::write(int value) {
  if (value == value_) return;
  check_mpi(MPI_T_cvar_write(handle_, &value), "MPI_T_cvar_write");
  value_ = value;
}

void ControlVariable::restore() noexcept {
  if (value_ != first_value_ && MPI_T_cvar_write(handle_, &first_value_) == MPI_SUCCESS) value_ = first_value_;
}

}  // namespace mgbench
