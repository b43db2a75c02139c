#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// A program, started without a shell, whose output on both streams is read while it runs. In a process group of its
/// own, with no signal blocked.
class RunningProgram {
 public:
  /// `variables` are set in its environment, in place of this program's; of its output `most` bytes are kept. One that
  /// cannot be started says nothing.
  RunningProgram(std::vector<std::string> command, const std::map<std::string, std::string>& variables,
                 std::size_t most);
  /// Kills it and those it has started in its group, where they have not ended.
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  /// Waits up to `patience` for more output; false: it has closed both streams, and there is none.
  bool listen(Seconds patience);
  /// Up to now.
  const std::string& output() const { return output_; }

 private:
  std::size_t most_;
  int descriptor_ = -1;
  pid_t process_ = -1;
  std::string output_;
};

}  // namespace mgbench
