#pragma once

#include <string>

namespace mgbench {

/// What `mgbench help strategies` says about a strategy: four lines of at most 69 characters. Symbols: tensor k is
/// ready at r_k and has s_k bytes; a message of m bytes takes T(m) = a + b m; f_g is the end of message g, whose bytes
/// are S_g.
struct Explanation {
  std::string does;     ///< which tensors travel together
  std::string formula;  ///< when a message ends, or a group closes
  std::string best;     ///< where it is the right choice
  std::string source;   ///< whom it copies
};

}  // namespace mgbench
