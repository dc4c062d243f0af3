"""Calls that need a process of their own: Ctrl-C, a limit of memory, two copies of the library, no OpenMP, a fork."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


class Processes(unittest.TestCase):
    """What needs a process of its own."""

    # A program that was started in the background ignores Ctrl-C.
    START = ("import numpy, os, resource, signal, sys, uotbench\n"
             "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
             "C = numpy.arange(12.).reshape(3, 4) / 12; a = numpy.ones(3) / 3; b = numpy.ones(4) / 4\n"
             "def solve(**more): return uotbench.call('uot/one_read_sor', **{**dict(C=C, a=a, b=b, reg=.05, reg_m=5), **more})\n")

    def run_python(self, text, **environment):
        return subprocess.run([sys.executable, "-c", self.START + text], text=True, capture_output=True, timeout=120,
                              env={**os.environ, **environment})

    def said(self, text, **environment):
        ended = self.run_python(text, **environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout.strip()

    def interrupted(self, variant, settings):
        """A child in a solve that would take years gets Ctrl-C, and solves something else afterwards."""
        child = subprocess.Popen(
            [sys.executable, "-c", self.START + f"solver = uotbench.Solver({variant!r}, C=C, a=a, b=b, {settings})\n"
             "try:\n    print('begins', flush=True)\n    solver.solve(1 << 50)\n"
             "except KeyboardInterrupt:\n    print('interrupted', len(solve()['u']), flush=True)\n"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(child.stdout.readline(), "begins\n")
        for _ in range(3):  # the first may come when the solve has nearly begun
            child.send_signal(signal.SIGINT)
            try:
                said, errors = child.communicate(timeout=20)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            child.kill()
            self.fail("it was not interrupted")
        self.assertEqual(said, "interrupted 3\n", errors)

    def test_ctrl_c(self):
        self.interrupted("uot/one_read", "reg=.05, reg_m=5, stop='iterations'")

    def test_ctrl_c_in_logarithms(self):
        self.interrupted("sinkhorn_log/base2", "reg=.05, stop='iterations'")

    def test_handlers_are_the_programs_again(self):
        self.assertEqual(self.said("signal.signal(signal.SIGINT, lambda *_: print('mine'))\nsolve()\n"
                                   "os.kill(os.getpid(), signal.SIGINT)\nprint(len(solve()['u']))\n"), "mine\n3")

    def test_memory_that_does_not_suffice(self):
        text = ("solve(threads=1)\n"
                "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
                "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))\n"
                "try:\n    uotbench.call('uot/one_read', M=4000, N=4000, iterations=1, dtype='f64')\n"
                "except MemoryError as error: print(error)\n"
                "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
                "print(len(solve()['u']))")
        self.assertEqual(self.said(text), "out of memory\n3")

    def test_of_points_no_matrix_is_made(self):
        text = ("random = numpy.random.default_rng(1)\nn = 6000\n"
                "given = dict(X=random.random((n, 2)), Y=random.random((n, 2)), a=numpy.full(n, 1 / n), b=numpy.full(n, 1 / n),\n"
                "             reg=.05, reg_m=5)\nsolve(threads=1)\n"
                "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
                "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))\n"  # K has 275 MiB
                "print(len(uotbench.call('uot/multiscale_free', **given)['u']))\n"
                "try:\n    uotbench.call('uot/multiscale_newton', **given)\nexcept MemoryError as error: print(error)\n")
        self.assertEqual(self.said(text), "6000\nout of memory")

    def test_threads_that_openmp_does_not_give(self):
        text = "try: solve(threads=2)\nexcept ValueError as error: print(error)\nprint(len(solve()['u']))"
        self.assertEqual(self.said(text, OMP_THREAD_LIMIT="1"),
                         "OpenMP gives 1 of 2 threads; unset OMP_THREAD_LIMIT\n3")

    def copy_libraries(self, folder):
        from uotbench import libraries

        for file in libraries.library_file().parent.glob("libuotbench*.so"):
            shutil.copy(file, folder)

    def test_two_copies(self):
        with tempfile.TemporaryDirectory() as folder:
            self.copy_libraries(folder)
            text = ("from uotbench import calling\none = uotbench.Solver('uot/one_read_sor', C=C, a=a, b=b, reg=.05, reg_m=5)\n"
                    f"calling._library, os.environ['UOTBENCH_LIBRARY'] = None, {folder + '/libuotbench.so'!r}\n"
                    "two = uotbench.Solver('uot/one_read_sor', C=C, a=a, b=b, reg=.05, reg_m=5)\n"
                    "assert one._library._name != two._library._name\n"
                    "us = [numpy.array(solver.solve().outputs()['u']) for solver in (one, two, one, two)]\n"
                    "print(all(numpy.array_equal(us[0], u) for u in us))")
            self.assertEqual(self.said(text), "True")

    def test_no_openmp(self):
        """Copies need a libgomp of a name that no system has: the library itself, then only the kernels, which it loads."""
        for needing, said in (("libuotbench.so", "{library}"), ("libuotbench_*.so", "worker native[-v0-9]*")):
            with self.subTest(needing), tempfile.TemporaryDirectory() as folder:
                self.copy_libraries(folder)
                for file in Path(folder).glob(needing):
                    content = file.read_bytes()
                    self.assertGreater(content.count(b"\0libgomp.so.1\0"), 0, f"{file} does not need GCC's OpenMP")
                    file.write_bytes(content.replace(b"\0libgomp.so.1\0", b"\0libgomp.so.0\0"))
                library = folder + "/libuotbench.so"
                ended = self.run_python("solve()", UOTBENCH_LIBRARY=library, LC_ALL="C")
                self.assertEqual(ended.returncode, 1, ended.stderr)
                self.assertRegex(ended.stderr.splitlines()[-1], "^LookupError: " + said.format(library=re.escape(library)) +
                                 r": libgomp\.so\.0: cannot open shared object file: No such file or directory; OpenMP is not "
                                 r"installed; try apt install libgomp1 \(Fedora, conda-forge: libgomp\)$")
                self.assertEqual(ended.stderr.count("Traceback"), 1, ended.stderr)  # no other exception before it

    def test_a_library_that_is_none(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            ended = self.run_python("solve()", UOTBENCH_LIBRARY=file.name)
            self.assertIn(f"LookupError: {file.name}: ", ended.stderr)

    def test_a_fork_after_use(self):
        self.assertEqual(self.said("solve(threads=2)\nchild = os.fork()\n"
                                   "if child == 0: os._exit(len(solve(threads=2)['u']))\n"
                                   "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"), "3")


if __name__ == "__main__":
    unittest.main()
