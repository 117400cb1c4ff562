# SPDX-License-Identifier: BSD-3-Clause
"""Spack package, for `packages/stretto/package.py` of a repository; then `spack install stretto`."""

from spack.package import *  # noqa: F403


class Stretto(CMakePackage):  # noqa: F405
    """Measures how well MPI overlaps communication with computation, and provides what collects the gain."""

    maintainers("stretto")  # noqa: F405
    license("BSD-3-Clause")
    version("main", branch="main")  # noqa: F405

    depends_on("cxx", type="build")  # noqa: F405
    depends_on("cmake@3.22:", type="build")  # noqa: F405
    depends_on("ninja", type="build")  # noqa: F405
    depends_on("python@3.10:", type=("build", "run"))  # noqa: F405
    depends_on("mpi")  # noqa: F405
    depends_on("fmt@8:")  # noqa: F405
    depends_on("nlohmann-json@3:")  # noqa: F405
    depends_on("cli11@2:")  # noqa: F405
    depends_on("fftw@3:~mpi")  # noqa: F405

    generator("ninja")  # noqa: F405

    def cmake_args(self):
        """Libraries, headers and native programs; `pip install` adds the command."""
        compiler = self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx)
        return [self.define("STRETTO_MPI", "auto"), self.define("STRETTO_TESTS", False), compiler]
