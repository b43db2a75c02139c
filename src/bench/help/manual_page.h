#pragma once

#include <string>

namespace mgbench {

/// mgbench(1) in roff, for man: every command with its options, and every topic of `mgbench help`.
std::string manual_page();

}  // namespace mgbench
