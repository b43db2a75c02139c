// Prints for each size in bytes on the command line whether an allreduce of it works: "4096 ok" or "4096 failed".
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < argc; ++i) {
    std::vector<signed char> data(std::strtoul(argv[i], nullptr, 10));
    const int status = MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(data.size()), MPI_SIGNED_CHAR, MPI_SUM,
                                     MPI_COMM_WORLD);
    if (rank == 0) std::printf("%s %s\n", argv[i], status == MPI_SUCCESS ? "ok" : "failed");
  }
  MPI_Finalize();
}
