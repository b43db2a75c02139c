#include "bench/mpi/mpi_session.h"

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

#include "bench/communicators/iallreduce_algorithm.h"
#include "bench/mpi/process_group.h"

namespace mgbench {
namespace {

bool is_mpi_up() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) : exceptions_(std::uncaught_exceptions()) {
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &thread_level_), "MPI_Init_thread");
  int ranks = 1;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  settings_ = iallreduce_settings(ranks);
}

MpiSession::~MpiSession() {
  if (std::uncaught_exceptions() == exceptions_) MPI_Finalize();
}

std::string mpi_library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  const std::string version(text.data());
  return version.substr(0, version.find_first_of(",\n"));
}

const char* thread_level_name(int level) {
  if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
  if (level == MPI_THREAD_FUNNELED) return "MPI_THREAD_FUNNELED";
  if (level == MPI_THREAD_SERIALIZED) return "MPI_THREAD_SERIALIZED";
  return "MPI_THREAD_MULTIPLE";
}

void require_helper_thread(int provided) {
  require(provided >= MPI_THREAD_SERIALIZED,
          "this MPI provides {} only, and sending in the background needs MPI_THREAD_SERIALIZED: a helper "
          "thread calls "
          "MPI beside the main one. Use an MPI that was built with threads",
          thread_level_name(provided));
}

void require_helper_thread() {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
  require_helper_thread(provided);
}

std::string helper_thread_obstacle() {
  int initialized = 0;
  check_mpi(MPI_Initialized(&initialized), "MPI_Initialized");
  if (initialized == 0) return "";
  try {
    require_helper_thread();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void abort_job(ExitCode code) {
  if (is_mpi_up()) {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    MPI_Finalize();  // alone: without the noise that launchers make about an abort
  }
  std::exit(static_cast<int>(code));
}

void abort_job_from_helper(ExitCode code) {
  if (is_mpi_up()) {
    // MPI_Abort may itself wait for the thread that hangs; a rank that ends unasked makes the launcher end the others.
    std::thread([code] { MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code)); }).detach();
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace mgbench
