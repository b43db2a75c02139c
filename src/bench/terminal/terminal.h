#pragma once

#include <cstddef>

namespace mgbench {

/// How standard output may be written to.
struct Terminal {
  bool is_one = false;    ///< also where a launcher's pipe lies between (launch.h says so to the ranks)
  bool color = false;     ///< wanted, too: no NO_COLOR (https://no-color.org), and TERM is not "dumb"
  std::size_t width = 0;  ///< columns
};
Terminal standard_output();

/// Tells the program that this one becomes whether standard output is a terminal, and how wide.
void hand_down_terminal();

}  // namespace mgbench
