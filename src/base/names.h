#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mgbench {

/// For the end of an error message: "; did you mean 'resnet50'? (alexnet, googlenet, resnet50, tiny)".
/// The question is left out when no choice is near, the list when it is empty.
std::string suggestion(std::string_view name, const std::vector<std::string>& choices);

}  // namespace mgbench
