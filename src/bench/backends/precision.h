#pragma once

#include <string>
#include <vector>

#include "bench/network.h"

namespace mgbench {

/// "fp32", "tf32", "fp16", "bf16"; throws Error naming them for another word.
Precision precision_named(const std::string& name);
const std::vector<std::string>& precision_names();

/// "fp32", "fp16", "bf16".
ElementType element_type_named(const std::string& name);
const std::vector<std::string>& element_type_names();

/// "fp16, gradients in fp32".
std::string describe(Precision precision, ElementType gradients);

}  // namespace mgbench
