# spack repo create FOLDER uotbench; copy this to FOLDER/packages/uotbench/; then, in the tree:
# spack dev-build uotbench@main. Names are those of docs/guide/install.md.
from spack.package import *


class Uotbench(CMakePackage):
    """Benchmarks of memory-bound optimal-transport kernels: sweeps, a judge, rooflines, a gate for CI."""

    git = "https://example.org/uotbench.git"  # where your copy is; dev-build takes the tree in its place

    license("Apache-2.0")
    version("main", branch="main")

    variant("mpi", default=True, description="the worker mpi: kernels over several processes")
    variant("papi", default=True, description="hardware counters by PAPI's names")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("git", type=("build", "run"))
    depends_on("fmt@:10")
    depends_on("nlohmann-json")
    depends_on("benchmark")
    depends_on("eigen@3")
    depends_on("boost+math+context")
    depends_on("cli11")
    depends_on("xxhash")
    depends_on("re2")
    depends_on("libpng")
    depends_on("minizip")
    depends_on("hwloc")
    depends_on("papi", when="+papi")
    depends_on("openmpi", when="+mpi")
    depends_on("openblas", type="run")
    depends_on("gnuplot", type="run")
    depends_on("valgrind", type="run")
    depends_on("py-numpy", type="run")
    conflicts("%gcc@:11", msg="C++20 as of g++ 12")

    build_targets = ["packaged"]

    def cmake_args(self):
        return [
            self.define("UOTBENCH_TESTS", False),
            self.define("UOTBENCH_WITH_CCACHE", False),
            self.define("UOTBENCH_WITH_CUDA", False),
            self.define_from_variant("UOTBENCH_WITH_MPI", "mpi"),
            self.define_from_variant("UOTBENCH_WITH_PAPI", "papi"),
        ]
