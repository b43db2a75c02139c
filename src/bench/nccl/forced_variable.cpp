#include "bench/nccl/forced_variable.h"

#include <cstdlib>
#include <utility>

namespace mgbench {

ForcedVariable::ForcedVariable(std::string name, const std::string& value) : name_(std::move(name)) {
  if (const char* before = std::getenv(name_.c_str())) before_ = before;
  if (!value.empty()) setenv(name_.c_str(), value.c_str(), 1);
}

ForcedVariable::~ForcedVariable() {
  if (before_)
    setenv(name_.c_str(), before_->c_str(), 1);
  else
    unsetenv(name_.c_str());
}

}  // namespace mgbench
