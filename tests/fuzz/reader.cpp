#include "fuzz/reader.h"

#include "base/error.h"
#include "base/printable.h"
#include "fuzz/invariants.h"
#include "report/config_file.h"
#include "report/criteria.h"
#include "report/device_file.h"
#include "report/forms.h"
#include "report/import/import_logs.h"
#include "report/named_result.h"
#include "report/nccl_facts.h"
#include "report/pair_matrix.h"
#include "report/plan_file.h"
#include "report/profile_csv.h"
#include "report/profile_file.h"
#include "report/profile_horovod.h"
#include "report/profile_pytorch.h"
#include "report/profile_reader.h"
#include "report/tolerances.h"

namespace mgbench {
namespace {

constexpr const char* kFile = "file";
constexpr std::size_t kLongestMessage = 2000;

/// A log of any kind, and what becomes of it; 4 ranks where it does not tell.
void read_any_log(const std::string& text) {
  const LogSeries series = read_log({kFile, text}, {});
  for (const LogRow& row : series.rows) expect(row.bytes > 0 && row.seconds > 0, "row of a log");
  const bool told = !series.rows.empty() && series.rows[0].ranks != 0;
  const ImportOptions options{.ranks = told ? std::nullopt : std::optional<int>(4)};
  const ImportedLogs imported = import_logs({{kFile, text}}, options);
  for (const std::string& remark : imported.remarks)
    expect(remark == printable(remark), "a remark of several lines, or with control characters");
  for (const Calibration& calibration : imported.calibrations) {
    expect(calibration.ranks >= 2, "ranks of a log");
    check_invariants(calibration);
  }
}

/// Logs of one kind, recognized or not.
FuzzReader log_reader(const std::string& format) {
  return {format, [format](const std::string& text) {
            log_formats().find(format).read(text, kFile, {});
            read_any_log(text);
          }};
}

/// What NCCL logs is of any kind; nothing of it is refused.
void read_nccl_words(const std::string& text) {
  const NcclWords words = nccl_words(text);
  Bytes before = 0;
  for (const NcclChoice& choice : words.allreduce) {
    expect(choice.bytes > before && choice.channels >= 1, "a size or its channels");
    before = choice.bytes;
  }
  for (const NcclOffer& offer : words.offers)
    expect(offer.bandwidth >= 0 && is_same_nccl_name(offer.algorithm, offer.algorithm), "what is offered");
  expect(words.channels.value_or(1) >= 1 && words.nvls_channels.value_or(0) >= 0, "channels");
  for (const auto& [key, value] : nccl_facts(words)) check_for_terminal(value);
  for (const auto& [variable, value] : words.forced) check_for_terminal(value);
}

FuzzReader profile_reader(const std::string& name, ReadProfile (*read)(const std::string&, const std::string&)) {
  return {name, [read](const std::string& text) {
            const ReadProfile profile = read(text, kFile);
            check_invariants(profile.profile);
            for (const std::string& remark : profile.remarks)
              expect(remark == printable(remark), "a remark of several lines, or with control characters");
          }};
}

}  // namespace

const std::vector<FuzzReader>& fuzz_readers() {
  static const std::vector<FuzzReader> readers{
      {"log", read_any_log},
      log_reader("osu-allreduce"),
      log_reader("imb-allreduce"),
      log_reader("nccl-tests"),
      log_reader("nccl-tests-json"),
      log_reader("csv"),
      {"nccl-words", read_nccl_words},
      profile_reader("profile", read_profile_text),
      profile_reader("profile-csv", profile_from_csv),
      profile_reader("pytorch-trace", profile_from_pytorch_trace),
      profile_reader("horovod-timeline", profile_from_horovod_timeline),
      {"profile-yaml", [](const std::string& text) { check_invariants(profile_from_yaml(text, kFile)); }},
      {"profile-json",
       [](const std::string& text) {
         const Document document = parse_json(text, kFile);
         check_invariants(read_profile(document.root()));
       }},
      {"calibration-yaml", [](const std::string& text) { check_invariants(calibration_from_yaml(text, kFile)); }},
      {"calibration-json",
       [](const std::string& text) {
         const Document document = parse_json(text, kFile);
         check_invariants(read_calibration(document.root()));
       }},
      {"interconnect", [](const std::string& text) { check_invariants(interconnect_from_yaml(text, kFile)); }},
      {"device", [](const std::string& text) { check_invariants(device_from_yaml(text, kFile)); }},
      {"plan",
       [](const std::string& text) {
         const PlanFile plan = plan_from_yaml(text, kFile);
         expect(plan_from_yaml(to_yaml(plan), kFile).plan() == plan.plan(), "a plan reads back");
       }},
      {"run-result", [](const std::string& text) { check_invariants(run_result_from_json(text, kFile)); }},
      {"named-result", [](const std::string& text) { check_invariants(read_named_result(text, kFile)); }},
      {"pairs",
       [](const std::string& text) {
         const PairMatrix pairs = pairs_from_json(text, kFile);
         expect(pairs_to_json(pairs_from_json(pairs_to_json(pairs), kFile)) == pairs_to_json(pairs), "pairs read back");
         check_for_terminal(format_pairs(pairs));
       }},
      {"measurement", [](const std::string& text) { check_invariants(measurement_from_text(text, kFile)); }},
      {"criteria", [](const std::string& text) { expect(!criteria_from_yaml(text, kFile).empty(), "no criteria"); }},
      {"tolerances",
       [](const std::string& text) {
         const Tolerances tolerances = tolerances_from_yaml(text, kFile);
         expect(tolerances.of("iteration/mg-wfbp") > 0 && tolerances.of("latency") < 1, "a tolerance is a share");
       }},
      {"config", [](const std::string& text) {
         for (const std::string& word : ConfigFile(text, kFile, {"model", "batch", "json", "n"}).arguments())
           expect(!word.empty(), "an empty word of a command line");
       }}};
  return readers;
}

void check_reader(const FuzzReader& reader, const std::string& text) {
  try {
    reader.read(text);
  } catch (const Error& error) {
    const std::string message = error.what();
    expect(error.exit_code() == ExitCode::bad_input, "not the exit code of bad input: " + message);
    expect(message == printable(message), "more than one line, or control characters: " + message);
    expect(message.size() <= kLongestMessage, "a message of " + std::to_string(message.size()) + " bytes");
    expect(message.starts_with(kFile), "does not name the file: " + message);
  }
}

}  // namespace mgbench
