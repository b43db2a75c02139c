#include "bench/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/help/command_tree.h"
#include "bench/host/machine.h"
#include "bench/launch/launch.h"
#include "bench/launch/launcher.h"
#include "bench/launch/readiness.h"
#include "bench/launch/shell_words.h"
#include "bench/training/workload.h"
#include "bench/watch/activity.h"
#include "bench/watch/interruption.h"
#include "report/config_file.h"

namespace mgbench {
namespace {

/// The value of --config among the words, if any: it must be read before the others are parsed.
std::optional<std::string> config_file_among(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--config" && i + 1 < words.size()) return words[i + 1];
    if (words[i].rfind("--config=", 0) == 0) return words[i].substr(9);
  }
  return std::nullopt;
}

/// Whether `text` names the option, and not a longer one that begins or ends like it.
bool mentions(const std::string& text, const std::string& option) {
  const auto belongs = [&](std::size_t i) {
    return i < text.size() && (text[i] == '-' || std::isalnum(static_cast<unsigned char>(text[i])) != 0);
  };
  for (std::size_t i = text.find(option); i != std::string::npos; i = text.find(option, i + 1))
    if ((i == 0 || !belongs(i - 1)) && !belongs(i + option.size())) return true;
  return false;
}

/// Turns what CLI11 found into one line that names the nearest valid option.
[[noreturn]] void explain(const CLI::ParseError& error, const CLI::App* command, const ConfigFile* file) {
  std::string text = error.what();
  if (command != nullptr && dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    for (const CLI::Option* option : command->get_options())
      if (mentions(text, option->get_name())) text += ", expected a number: " + option->get_type_name();
  if (command != nullptr && file != nullptr)
    for (const std::string& name : option_names(*command))
      if (mentions(text, with_hyphens(name))) file->blame(name, text);
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras && command != nullptr) {
    const std::string word = text.substr(text.rfind(' ') + 1);
    std::vector<std::string> names;
    for (const std::string& name : option_names(*command)) names.push_back(with_hyphens(name));
    fail(ExitCode::bad_input, "{}: unexpected argument '{}'{}", command->get_name(), word,
         suggestion(word.substr(0, word.find('=')), names));
  }
  fail(ExitCode::bad_input, "{}; 'mgbench {}--help' lists the options", text,
       command != nullptr ? command->get_name() + " " : "");
}

/// An empty value is mostly a variable that a script has not set, and would silently leave the option at its default.
void require_values(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& option = words[i].empty() ? words[i - 1] : words[i];
    const bool empty =
        words[i].empty() ? option.starts_with('-') : option.starts_with("--") && option.find('=') == option.size() - 1;
    require(!empty, "{}: expected a value, which is empty", option.substr(0, option.find('=')));
  }
}

/// The chosen command, its configuration filled in.
const CommandEntry& parse(CommandTree& line, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back("--help");
  const CommandEntry* entry = words[0].rfind('-', 0) == 0 ? nullptr : &commands().find(words[0]);
  CLI::App* command = entry != nullptr ? line.app.get_subcommand(entry->name) : nullptr;
  std::optional<ConfigFile> file;
  if (const auto path = config_file_among(words); path && command != nullptr) {
    file.emplace(read_file(*path), *path, option_names(*command));
    const std::vector<std::string> configured = file->arguments();
    words.insert(words.begin() + 1, configured.begin(), configured.end());
  }
  require_values(words);
  std::reverse(words.begin(), words.end());
  try {
    line.app.parse(words);
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    explain(error, command, file ? &*file : nullptr);
  }
  return *entry;
}

/// Ends the job. All ranks find most errors at the same time: the others leave the word to rank 0 for a
/// moment, so that the message appears once; one that fails alone speaks after it.
[[noreturn]] void end_job(const ProcessGroup& group, ExitCode code, const std::string& message) {
  if (!group.is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  fmt::print(stderr, "\nmgbench: rank {} on {}: {}\n", group.rank(), host_name(), message);
  std::fflush(stderr);
  abort_job(code);
}

/// Under a launcher one process does the work of all: each would write its own result.
int run_alone(const CommandEntry& command, const RunConfig& config, const std::optional<Launcher>& launcher) {
  if (launcher && launcher->rank != 0) return static_cast<int>(ExitCode::ok);
  return static_cast<int>(command.execute(config, nullptr));
}

/// What this rank alone can tell.
Readiness readiness_of(const CommandEntry& command, const RunConfig& config, bool is_root) {
  try {
    command.check(config);
    if (is_root) require_writable_folder(config.output);
    return {.refusal = "", .uses_gpu = uses_gpus(config), .no_gpu = backends().find("cudnn").unavailable()};
  } catch (const Error& error) {
    return {.refusal = error.what(), .uses_gpu = false, .no_gpu = ""};
  }
}

int run_on_ranks(const CommandEntry& command, const RunConfig& config, const Launcher& launcher, int argc,
                 char** argv) {
  const Readiness own = readiness_of(command, config, launcher.rank == 0);
  const bool ready = own.refusal.empty();
  if (ready && command.mpi_environment)
    for (const auto& [name, value] : command.mpi_environment(config)) setenv(name.c_str(), value.c_str(), 1);
  const Interruption interruption;
  Watchdog watchdog({.rank = launcher.rank,
                     .host = host_name(),
                     .patience = ready ? config.patience : std::nullopt,
                     .interruption = interruption.descriptor()});
  MpiSession mpi(argc, argv);
  ProcessGroup group(MPI_COMM_WORLD);
  Session session{mpi, group, watchdog};
  try {
    if (const auto warning = singleton_warning(std::getenv, group.size())) fail(ExitCode::bad_input, "{}", *warning);
    watchdog.connect(group);
    if (const std::string reason = reason_not_to_begin(group, own); !reason.empty()) {
      if (group.is_root()) fmt::print(stderr, "mgbench: {}\n", reason);
      return static_cast<int>(ExitCode::bad_input);
    }
    const ExitCode code = command.execute(config, &session);
    group.quiet_barrier();  // the others stay, to notice if rank 0 hangs while it writes
    activity().begin("ending MPI");
    return static_cast<int>(code);
  } catch (const Interrupted& stopped) {
    if (group.is_root()) fmt::print(stderr, "\nmgbench: {}: nothing was saved\n", stopped.what());
    return static_cast<int>(stopped.exit_code());
  } catch (const Error& error) {
    end_job(group, error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    end_job(group, ExitCode::not_measured, "out of memory: choose a smaller --batch or fewer ranks (-n)");
  } catch (const std::exception& error) {
    end_job(group, ExitCode::not_measured, error.what());
  }
}

/// What would go wrong, or elsewhere than was said, under a launcher that has started the ranks.
void check_launcher(const Launcher& launcher, const RunConfig& config) {
  require(!is_left_alone(std::getenv), "{}", singleton_warning(std::getenv, 1).value_or(""));
  if (config.nodes && launcher.nodes)
    require(*config.nodes == *launcher.nodes, "--nodes {}: {} has started the ranks on {}", *config.nodes,
            launcher.name, *launcher.nodes);
}

/// Where a launcher has started the ranks.
int tell_dry_run(const Launcher& launcher) {
  if (launcher.rank == 0)
    fmt::print("{} rank{} of {} ({})\n", launcher.ranks, launcher.ranks == 1 ? "" : "s", launcher.name,
               launcher.variable);
  return static_cast<int>(ExitCode::ok);
}

/// Says what it starts, and runs it, unless it is only to be said.
int start_ranks(const CommandEntry& command, const RunConfig& config, const std::vector<std::string>& words) {
  std::vector<std::string> program{std::filesystem::read_symlink("/proc/self/exe").string()};
  // The line that is said is one to copy, which starts what is said.
  std::copy_if(words.begin(), words.end(), std::back_inserter(program),
               [](const std::string& word) { return word != "--dry-run"; });
  const Launch launch = plan_launch(config, command.memory_per_rank(config), program);
  if (config.dry_run) {
    fmt::print("{}: {}\n", launch.where, shell_words(launch.command));
    return static_cast<int>(ExitCode::ok);
  }
  require_writable_folder(config.output);
  fmt::print(stderr, "mgbench: no launcher: starting {}: {}\n", launch.where, shell_words(launch.command));
  return run(launch);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  const std::optional<Launcher> launcher = find_launcher(std::getenv);
  try {
    CommandTree line;
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
      const CommandEntry& command = parse(line, words);
      line.config.command = "mgbench " + shell_words(words);
      const bool on_ranks = launcher && command.needs_ranks(line.config) && !line.config.dry_run;
      if (!on_ranks) command.check(line.config);  // ranks may differ in what they find, and tell one another
      if (!command.needs_ranks(line.config)) return run_alone(command, line.config, launcher);
      if (launcher) {
        check_launcher(*launcher, line.config);
        if (line.config.dry_run) return tell_dry_run(*launcher);
        return run_on_ranks(command, line.config, *launcher, argc, argv);
      }
      return start_ranks(command, line.config, words);
    } catch (const CLI::Success& help) {
      return line.app.exit(help);
    }
  } catch (const Error& error) {
    // Before MPI has started every rank finds the same; one of them says it.
    if (!launcher || launcher->rank == 0) fmt::print(stderr, "mgbench: {}\n", error.what());
    return static_cast<int>(error.exit_code());
  } catch (const std::exception& error) {
    // Standard output or error that cannot be written, or no memory.
    std::fputs(fmt::format("mgbench: {}\n", error.what()).c_str(), stderr);
    return static_cast<int>(ExitCode::not_measured);
  }
}

}  // namespace mgbench
