-- Lmod. Put this where MODULEPATH looks for mgbench/, and set the two lines of your site.
local prefix = "/opt/mgbench/0.1.0"
local mpi = "openmpi"  -- the module of the MPI that it was built with

whatis("Name: mgbench")
whatis("Version: 0.1.0")
whatis("Description: Parameter-free MPI benchmark and autotuner of gradient communication")
help("mgbench run --model resnet50 --strategy all; mgbench --help lists the commands.")

conflict("mgbench")
depends_on(mpi)
prepend_path("PATH", pathJoin(prefix, "bin"))
