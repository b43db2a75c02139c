# For packages/mgbench/ of a Spack repository of one's own: docs/install.md.
import os

from spack.package import *


class Mgbench(CMakePackage):
    """Parameter-free MPI benchmark and autotuner of gradient communication."""

    # scripts/tarball makes it; Spack looks in the folder that it is started in.
    manual_download = True
    url = f"file://{os.getcwd()}/mgbench-0.1.0.tar.gz"

    version("0.1.0")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi")
    depends_on("onednn@2.6:2 cpu_runtime=omp")
    depends_on("eigen@3.4:")
    depends_on("yaml-cpp@0.7:")
    depends_on("nlohmann-json@3.11:")
    depends_on("fmt@9:")
    depends_on("cli11@2.1:")
    depends_on("boost@1.74:")
    depends_on("hwloc@2:")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it")

    def cmake_args(self):
        return [
            self.define("MGBENCH_TESTS", False),
            self.define("MGBENCH_BENCHMARKS", False),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]
