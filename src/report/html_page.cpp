#include "report/html_page.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "report/page/texts.h"
#include "report/page_data.h"
#include "report/summary_table.h"

namespace mgbench {
namespace {

std::string html_text(std::string_view text) {
  static const std::map<char, std::string> kEscapes{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string result;
  for (const char c : text) {
    const auto escape = kEscapes.find(c);
    result += escape == kEscapes.end() ? std::string(1, c) : escape->second;
  }
  return result;
}

/// JSON inside of <script>, which ends at </script and changes its meaning at <!--, whatever stands around them. In
/// JSON a < is always part of a text, where it has another spelling.
std::string script_data(const Json& data) {
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

/// Replaces each {{name}} of the page in one pass: what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string_view>& values) {
  std::string result;
  for (std::size_t at = 0;;) {
    const std::size_t open = page.find("{{", at);
    result += page.substr(at, open - at);
    if (open == std::string_view::npos) return result;
    const std::size_t close = page.find("}}", open);
    result += values.at(page.substr(open + 2, close - open - 2));
    at = close + 2;
  }
}

}  // namespace

std::string html_page(const std::vector<NamedResult>& results) {
  const std::string title =
      results.size() == 1 ? run_title(results.front().result) : fmt::format("{} results", results.size());
  const std::string escaped_title = html_text("mgbench: " + title);
  const std::string data = script_data(page_data(results));
  return filled(kPageHtml, {{"title", escaped_title},
                            {"style", kPageStyle},
                            {"data", data},
                            {"echarts", kPageEcharts},
                            {"elements", kPageElements},
                            {"charts", kPageCharts},
                            {"page", kPageScript}});
}

}  // namespace mgbench
