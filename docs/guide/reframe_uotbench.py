"""A ReFrame test (pip install ReFrame-HPC) that runs uotbench on a system's nodes and reads its numbers.

    reframe -c docs/guide/reframe_uotbench.py -r -S program=/path/to/uotbench

uotbench starts the processes itself (UOTBENCH_MPIRUN="srun --quiet --mpi=pmix --overlap" within a job), so ReFrame launches one program.
A wrong result fails the test. Times are compared with `reference`, which you fill in for your system.
"""
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class UotbenchOverRanks(rfm.RunOnlyRegressionTest):
    program = variable(str, value="uotbench")
    ranks = parameter([1, 2])
    size = variable(int, value=2048)
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    descr = "one read of K over processes, verified and timed"
    num_tasks = 1
    local = True

    @run_before("run")
    def set_command(self):
        self.num_cpus_per_task = self.ranks
        self.executable = self.program
        self.executable_opts = ["run", "uot/mpi_one_read", "-a", f"M,N={self.size},{self.size}", "-a", f"ranks={self.ranks}",
                                "--rounds", "3", "--max-time", "1s", "--output", "run.jsonl", "--force", "--quiet"]
        self.postrun_cmds = [f"{self.program} show run.jsonl --json"]

    @sanity_function
    def is_right(self):
        return sn.assert_found(r'"status": "ok"', self.stdout)

    @performance_function("s")
    def median(self):
        return sn.extractsingle(r'"median": ([0-9.e+-]+),', self.stdout, 1, float)

    @performance_function("B/s")
    def bandwidth(self):
        return sn.extractsingle(r'"bytes_per_second": ([0-9.e+-]+),', self.stdout, 1, float)
