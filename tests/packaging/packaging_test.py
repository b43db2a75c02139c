"""What packaging/ says is what CMake asks for: the Spack recipe against a stand-in of Spack's own words, versions, licences."""

import pathlib
import re
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE = (ROOT / "CMakeLists.txt").read_text()

# What find_package() and pkg-config call a library, as Spack does. OpenMP and threads are the compiler's own.
SPACK_NAMES = {"MPI": "mpi", "dnnl": "onednn", "Eigen3": "eigen", "yaml-cpp": "yaml-cpp", "nlohmann_json": "nlohmann-json", "fmt": "fmt",
               "CLI11": "cli11", "Boost": "boost", "PkgConfig": "pkgconfig", "hwloc": "hwloc", "Threads": None, "OpenMP": None}


def recipe():
    """The recipe's class, and what it told Spack."""
    told = {"version": [], "depends_on": [], "conflicts": []}
    words = {name: (lambda value, name=name, **_: told[name].append(value)) for name in told}
    words["CMakePackage"] = type("CMakePackage", (), {"define": staticmethod(lambda name, value: (name, value))})
    package = types.ModuleType("spack.package")
    package.__dict__.update(words)
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = package
    names = {}
    path = ROOT / "packaging" / "spack" / "package.py"
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["Mgbench"], told


class Packaging(unittest.TestCase):
    def setUp(self):
        self.version = re.search(r"^project\(mgbench VERSION (\S+)", CMAKE, re.MULTILINE).group(1)
        self.package, self.told = recipe()

    def test_versions_are_those_of_cmake(self):
        self.assertEqual(self.told["version"], [self.version])
        self.assertIn(f"mgbench-{self.version}.tar.gz", self.package.url)
        for path in (ROOT / "packaging" / "modulefiles" / "mgbench").iterdir():
            self.assertEqual(path.name.removesuffix(".lua"), self.version)
            self.assertIn(f"/{self.version}", path.read_text())

    def test_version_is_told_where_it_is_cited(self):
        self.assertIn(f"\nversion: {self.version}\n", (ROOT / "CITATION.cff").read_text())
        self.assertIn(f"\n## {self.version}\n", (ROOT / "CHANGELOG.md").read_text())

    def test_licences_that_are_installed_are_explained(self):
        cmake = (ROOT / "cmake" / "Licences.cmake").read_text()
        installed = re.search(r"foreach\(package (.*)\)", cmake).group(1).split()
        explained = re.findall(r"\| `(lib\S+|nlohmann\S+)` \|", (ROOT / "packaging" / "licences" / "README.md").read_text())
        self.assertEqual(sorted(installed), sorted(explained))

    def test_every_library_is_a_dependency(self):
        asked = set(re.findall(r"^find_package\((\S+)", CMAKE, re.MULTILINE)) | set(re.findall(r"IMPORTED_TARGET (\S+)\)", CMAKE))
        wanted = {SPACK_NAMES[name] for name in asked} - {None}
        depends = {re.split(r"[@ ~+]", spec)[0] for spec in self.told["depends_on"]}
        self.assertEqual(depends, wanted | {"cxx", "cmake"})

    def test_cmake_is_new_enough(self):
        least = re.search(r"^cmake_minimum_required\(VERSION (\S+)\)", CMAKE, re.MULTILINE).group(1)
        self.assertIn(f"cmake@{least}:", self.told["depends_on"])

    def test_options_are_cmakes(self):
        mpi = types.SimpleNamespace(mpicxx="mpicxx")
        package = self.package()
        package.spec = {"mpi": mpi}
        for name, _ in package.cmake_args():
            self.assertTrue(name.startswith("MPI_") or f"option({name} " in CMAKE, name)


if __name__ == "__main__":
    unittest.main()
