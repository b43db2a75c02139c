#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/names.h"

namespace mgbench {

/// The named implementations of one interface. `Entry` has at least `std::string name` and `std::string summary`.
/// The tables are generated at configure time (cmake/Registry.cmake); a module loaded at run time uses add().
template <typename Entry>
class Registry {
 public:
  /// `kind` is the word for one entry in messages ("model").
  Registry(std::string kind, std::vector<Entry> entries) : kind_(std::move(kind)), entries_(std::move(entries)) {}

  /// Throws Error naming the choices and the nearest one when `name` is not registered.
  const Entry& find(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return entry;
    fail(ExitCode::bad_input, "unknown {} '{}'{}", kind_, name, suggestion(name, names()));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Entry& entry : entries_) result.push_back(entry.name);
    return result;
  }

  void add(Entry entry) { entries_.push_back(std::move(entry)); }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace mgbench
