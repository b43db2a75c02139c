#include "report/profile_reader.h"

#include "base/error.h"
#include "report/forms.h"
#include "report/import/log_text.h"
#include "report/profile_csv.h"
#include "report/profile_file.h"
#include "report/profile_horovod.h"
#include "report/profile_pytorch.h"

namespace mgbench {
namespace {

/// YAML has no comma before its first colon.
bool is_csv(const std::string& text) {
  for (const LogLine& line : log_lines(text)) {
    if (line.text.starts_with('#')) continue;
    const std::size_t comma = line.text.find(',');
    return comma != std::string_view::npos && comma < line.text.find(':');
  }
  return false;
}

ReadProfile read_json_text(const std::string& text, const std::string& file) {
  const bool pytorch = is_pytorch_trace(text);
  const bool horovod = is_horovod_timeline(text);
  require(!(pytorch && horovod), "{}: a PyTorch trace and a Horovod timeline at once, expected one of them", file);
  if (pytorch) return profile_from_pytorch_trace(text, file);
  if (horovod) return profile_from_horovod_timeline(text, file);
  require(!contains(text, "\"traceEvents\""),
          "{}: a trace without torch::autograd::AccumulateGrad, expected one of PyTorch's profiler over training steps",
          file);
  const Document document = parse_json(text, file);
  return {.profile = read_profile(document.root()), .remarks = {}};
}

}  // namespace

ReadProfile read_profile_text(const std::string& text, const std::string& file) {
  require_reasonable_size(file, text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  require(begin != std::string::npos, "{}: empty, expected a profile", file);
  if (text[begin] == '{' || text[begin] == '[') return read_json_text(text, file);
  if (is_csv(text)) return profile_from_csv(text, file);
  return {.profile = profile_from_yaml(text, file), .remarks = {}};
}

}  // namespace mgbench
