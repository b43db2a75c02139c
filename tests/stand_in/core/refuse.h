#pragma once

namespace stand_in {

/// Says on stderr that a function is not in the stand-in, and returns the status that tells a program so.
int refuse(const char* function, int status);

}  // namespace stand_in
