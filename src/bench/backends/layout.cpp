#include "bench/backends/layout.h"

#include "base/error.h"
#include "base/names.h"
#include "bench/run_config.h"

namespace mgbench {

const char* name_of(Layout layout) {
  return layout == Layout::channels_first ? "channels-first" : "channels-last";
}

std::optional<Layout> layout_named(const std::string& name) {
  if (name == kAutomatic) return std::nullopt;
  for (const Layout layout : {Layout::channels_first, Layout::channels_last})
    if (name == name_of(layout)) return layout;
  fail(ExitCode::bad_input, "unknown layout '{}'{}", name,
       suggestion(name, {kAutomatic, name_of(Layout::channels_first), name_of(Layout::channels_last)}));
}

}  // namespace mgbench
