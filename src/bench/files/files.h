#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mgbench {

/// The whole file. Throws Error naming the path and the system's reason, or when it is larger than 64 MiB.
std::string read_file(const std::filesystem::path& path);

/// The folder that a file is to be in.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// Makes the folder if need be and proves that files can be made in it. Throws Error naming it and the
/// system's reason.
void require_writable_folder(const std::filesystem::path& folder);

/// Who may read a file.
enum class Readers { all, owner };

/// Writes `text` to a temporary name, syncs it and gives it the name `path`, or one with -2, -3, ... before the
/// extension where that is taken: never overwrites, never leaves half a file. Returns the path. Throws
/// Error(not_measured) with the system's reason.
std::filesystem::path write_new_file(const std::filesystem::path& path, const std::string& text,
                                     Readers readers = Readers::all);

/// The same for `folder`/`stem``extension`. A stem may hold names from files: what is neither letter, digit nor one of
/// ._+- becomes '-', and 150 characters are kept.
std::filesystem::path write_new_file(const std::filesystem::path& folder, const std::string& stem,
                                     const std::string& extension, const std::string& text,
                                     Readers readers = Readers::all);

/// Writes `text` to a temporary name beside `path`, syncs it and moves it there, in the place of what is there. Throws
/// Error(not_measured) with the system's reason.
void replace_file(const std::filesystem::path& path, const std::string& text, Readers readers = Readers::all);

/// A file of the project's configs/, as given or by its bare name ("10GbE" in `interconnects`): beside the
/// installed program or in the source tree that it was built from. Throws Error naming the names that there
/// are.
std::filesystem::path find_config(const std::string& kind, const std::string& name);

/// Those names, sorted.
std::vector<std::string> config_names(const std::string& kind);

}  // namespace mgbench
