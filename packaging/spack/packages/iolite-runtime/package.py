# What is loaded into programs. `spack repo add PREFIX/packaging/spack`, then `spack install iolite-runtime +mpi`.
import os

from spack.package import *

try:  # a part of its own since Spack 1.0
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class IoliteRuntime(CMakePackage):
    """Records what the I/O of programs and MPI jobs does, into logs in the format of Darshan."""

    homepage = "https://iolite.example"
    maintainers("iolite")
    license("BSD-3-Clause")

    version("main", branch="main", git="https://iolite.example/iolite.git")

    variant("mpi", default=True, description="Logs of MPI jobs, written by their ranks together")
    variant(
        "scheduler",
        default="none",
        values=("none", "slurm", "pbs", "lsf", "cobalt"),
        description="The batch system whose variable holds the job's number; all of them are recognised without it",
    )
    variant("log_path", default="none", description="Root of the dated tree of logs (LOGPATH)")
    variant("group_readable_logs", default=False, description="Logs are readable for a group (LOGMODE 0440)")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("zlib-api")
    depends_on("libdeflate")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        args = [self.define("IOLITE_TESTS", False)]
        if self.spec.satisfies("+mpi"):
            # Which of the two ABIs the MPI has is looked up in its header; the other name is then not used.
            for abi in ("openmpi", "mpich"):
                args.append(self.define(f"IOLITE_MPICC_{abi}", self.spec["mpi"].mpicc))
        return args

    @run_after("install")
    def write_config(self):
        jobid = {"slurm": "SLURM_JOB_ID", "pbs": "PBS_JOBID", "lsf": "LSB_JOBID", "cobalt": "COBALT_JOBID"}
        lines = []
        if self.spec.variants["log_path"].value != "none":
            lines.append("LOGPATH " + self.spec.variants["log_path"].value)
        if self.spec.variants["scheduler"].value != "none":
            lines.append("JOBID " + jobid[self.spec.variants["scheduler"].value])
        if self.spec.satisfies("+group_readable_logs"):
            lines.append("LOGMODE 0440")
        if lines:
            mkdirp(join_path(self.prefix, "etc"))
            with open(join_path(self.prefix, "etc", "iolite.conf"), "w") as config:
                config.write("\n".join(lines) + "\n")

    def setup_run_environment(self, env):
        config = join_path(self.prefix, "etc", "iolite.conf")
        if os.path.exists(config):
            env.set("IOLITE_CONFIG", config)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def record_a_program(self):
        """A program that is run leaves a log that the tools read."""
        iolite = Executable(join_path(self.prefix.bin, "iolite"))
        with working_dir(self.stage.path):
            iolite("run", "-q", "-o", "test.darshan", "--", "cp", "/etc/passwd", "copy")
            iolite("check", "test.darshan")
