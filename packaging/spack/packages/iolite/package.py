# The commands that read logs, without what records programs.
from spack.package import *

try:  # a part of its own since Spack 1.0
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Iolite(CMakePackage):
    """Reads logs of every release of Darshan: what a program's I/O did, why it was slow and what to change."""

    homepage = "https://iolite.example"
    maintainers("iolite")
    license("BSD-3-Clause")

    version("main", branch="main", git="https://iolite.example/iolite.git")

    variant("portal", default=True, description="The portal (iolite serve)")
    variant("index", default=True, description="The index of all jobs of a centre")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("zlib-api")
    depends_on("libdeflate")
    depends_on("bzip2")
    depends_on("zstd")
    depends_on("xz")
    depends_on("sqlite", when="+index")
    depends_on("libmicrohttpd", when="+portal")

    def cmake_args(self):
        return [
            self.define("IOLITE_RUNTIME", False),
            self.define("IOLITE_STATIC_COMMAND", False),
            self.define_from_variant("IOLITE_WITH_SQLITE", "index"),
            self.define_from_variant("IOLITE_WITH_MICROHTTPD", "portal"),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def say_something(self):
        """The commands start and know their names."""
        Executable(join_path(self.prefix.bin, "iolite"))("help")
        Executable(join_path(self.prefix.bin, "darshan-parser"))("--version")
