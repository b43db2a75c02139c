#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace mgbench {

/// An integer that steers the MPI library, through MPI's tools interface (MPI 3.1, section 14.3). Every rank has its
/// own. Not freed: MPI_Finalize takes the interface down.
class ControlVariable {
 public:
  /// One of the values that the library gives names to.
  struct Choice {
    std::string name;
    int value = 0;
    bool operator==(const Choice&) const = default;
  };

  /// A library that has no integer of that name: exists() is false. After MPI_Init.
  explicit ControlVariable(std::string name);

  const std::string& name() const { return name_; }
  bool exists() const { return exists_; }
  int value() const { return value_; }
  /// What the library says of it, for people.
  const std::string& description() const { return description_; }
  /// Empty where the library does not enumerate them.
  const std::vector<Choice>& choices() const { return choices_; }

  /// Cheap while the value does not change. Throws Error(not_measured) when the library refuses.
  void write(int value);
  /// To the value that it had at first, as far as the library lets.
  void restore() noexcept;

 private:
  std::string name_;
  std::string description_;
  MPI_T_cvar_handle handle_ = nullptr;
  bool exists_ = false;
  int first_value_ = 0;
  int value_ = 0;
  std::vector<Choice> choices_;
};

}  // namespace mgbench
