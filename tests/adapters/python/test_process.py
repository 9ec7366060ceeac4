# SPDX-License-Identifier: MIT
"""What is the process's: threads, fork, interrupts, devices, and where the library comes from."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import clslice


def python(code, **environment):
    """Runs code in a process of its own; what it wrote, to be shown where it failed."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=1200,
    )


class Threads(unittest.TestCase):
    def test_share_everything(self):
        x = np.arange(60_000, dtype=np.float32).reshape(60, 1000)

        def work(seed):
            for i in range(100):
                key = np.s_[:: -1 - (seed + i) % 3, (seed * i) % 900 :: 1 + i % 4]
                if clslice.getitem(x, key).tobytes() != x[key].tobytes():
                    return key
            return None

        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(work, range(8))), [None] * 8)

    def test_the_first_use_of_a_device(self):
        """All threads at once ask for one that nobody has used."""
        x, barrier = np.arange(10), threading.Barrier(8)

        def work(_):
            barrier.wait()
            return clslice.getitem(x, np.s_[::-1], device="cpu,auto").tolist()

        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(work, range(8))), [x[::-1].tolist()] * 8)

    def test_others_run_meanwhile(self):
        """Another thread gets the GIL many times during most calls, not once before or after one.

        On a busy machine it may be the turn of neither, so one of several rounds has to show it. If
        calls kept the GIL, a quarter of them would at most, as the other thread may go on for long
        before or after one.
        """
        x, counted, done = np.zeros((1 << 14, 1 << 13), np.uint8), [0], threading.Event()
        clslice.getitem(x[:64], np.s_[:, ::-1])

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0)

        def counts_much():
            before = counted[0]
            clslice.getitem(x, np.s_[:, ::-1], out=out)
            return counted[0] - before > 10

        thread = threading.Thread(target=count)
        thread.start()
        out = np.empty_like(x)
        most = rounds = 0
        while most <= 10 and rounds < 10:
            most = max(most, sum(counts_much() for _ in range(20)))
            rounds += 1
        done.set()
        thread.join()
        self.assertGreater(most, 10)


class Fork(unittest.TestCase):
    def test_a_child_gets_an_exception(self):
        x = np.arange(10)
        clslice.getitem(x, np.s_[::-1])
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for attempt in (
                    lambda: clslice.getitem(x, np.s_[::-1]),
                    lambda: clslice.getitem(x, np.s_[::-3]),
                ):
                    try:
                        attempt()
                    except clslice.Error as error:
                        status = 0 if error.rule == 67 and "fork" in str(error) else 2
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(clslice.getitem(x, np.s_[::-1]).tolist(), x[::-1].tolist())

    def test_a_child_of_a_process_that_used_nothing_may_slice(self):
        result = python(
            "import os, clslice\n"
            "child = os.fork()\n"
            "os.write(1, clslice.at(b'abc')[::-1].tobytes() + b'\\n')\n"
            "if child: raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        )
        self.assertEqual((result.returncode, result.stdout), (0, "cba\n" * 2), result.stderr)


class Interrupts(unittest.TestCase):
    def test_leave_nothing_running(self):
        """Ctrl-C at any moment: the arrays are not touched once the exception is there."""
        x, keys = (
            np.arange(1 << 18, dtype=np.int32).reshape(512, 512),
            (np.s_[::-1], np.s_[:, ::-1]),
        )
        caught, out = 0, np.empty_like(x)
        for delay in range(60):
            previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.001 + delay * 0.0003)
                while True:
                    out = np.empty_like(x)
                    clslice.getitem(x, keys[delay % 2], out=out)
            except KeyboardInterrupt:
                caught += 1
                out.fill(-1)
                time.sleep(0.002)
                self.assertTrue((out == -1).all())
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, previous)
        self.assertEqual(caught, 60)


class Devices(unittest.TestCase):
    def test_each_is_picked_by_its_selector(self):
        found = clslice.devices()
        self.assertTrue(any(device.usable for device in found))
        for device in found:
            self.assertTrue(device.name and device.platform and device.version)
            if device.usable:
                result = clslice.getitem(b"abc", np.s_[::-1], device=device.selector)
                self.assertEqual(result.tobytes(), b"cba")
            else:
                self.assertTrue(device.unusable_reason)

    def test_none_that_matches(self):
        with self.assertRaisesRegex(clslice.UnsupportedError, "nosuch.*devices: ") as caught:
            clslice.getitem(b"abc", ..., device="nosuch")
        self.assertIsInstance(caught.exception, NotImplementedError)
        self.assertEqual(caught.exception.rule, 81)
        with self.assertRaises(clslice.InvalidArgumentError) as caught:
            clslice.getitem(b"abc", ..., device="cpu:bogus:")
        self.assertEqual(caught.exception.rule, 80)
        with self.assertRaisesRegex(ValueError, r"device = 'cpu.x00,gpu' has a NUL at 3"):
            clslice.getitem(b"abc", ..., device="cpu\0,gpu")
        with self.assertRaisesRegex(TypeError, "device is of type int"):
            clslice.getitem(b"abc", ..., device=0)

    def test_the_environment_is_read_at_each_call(self):
        os.environ["CLSLICE_DEVICE"] = "none"
        try:
            with self.assertRaises(clslice.UnsupportedError):
                clslice.getitem(b"abc", ...)
            self.assertEqual(clslice.getitem(b"abc", ..., device="auto").tobytes(), b"abc")
        finally:
            del os.environ["CLSLICE_DEVICE"]
        self.assertEqual(clslice.getitem(b"abc", ...).tobytes(), b"abc")

    def test_no_opencl(self):
        result = python(
            "import clslice; clslice.devices()", CLSLICE_OPENCL="/nonexistent/libOpenCL.so"
        )
        self.assertRegex(
            result.stderr.splitlines()[-1], "^clslice.*UnsupportedError: .*/nonexistent/"
        )

    def test_empty_slices_need_no_device(self):
        result = python("import clslice; print(clslice.at(b'')[::-1].size)", CLSLICE_DEVICE="none")
        self.assertEqual((result.returncode, result.stdout), (0, "0\n"), result.stderr)


class Library(unittest.TestCase):
    def test_is_loaded_at_first_use(self):
        path = clslice.get_library_path()
        self.assertTrue(pathlib.Path(path).is_file())
        result = python(
            "import clslice\n"
            "is_mapped = lambda: 'libclslice' in open('/proc/self/maps').read()\n"
            "before = is_mapped()\n"
            "clslice.slice(b'abc', [0], [3], [-1])\n"
            "print(before, is_mapped())\n"
        )
        self.assertEqual(result.stdout, "False True\n", result.stderr)

    def test_has_the_packages_version(self):
        from clslice import _library

        self.assertEqual(_library.library_version(), clslice.__version__)

    def test_is_missing(self):
        for path, text in (
            ("/nonexistent/x.so", "/nonexistent/x.so"),
            ("libc.so.6", "clslice_get_api"),
        ):
            result = python("import clslice; clslice.devices()", CLSLICE_LIBRARY=path)
            self.assertRegex(
                result.stderr.splitlines()[-1], f"LibraryError: .*{text}.*CLSLICE_LIBRARY"
            )

    def test_programs_are_on_disk_when_a_process_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            for expected in "MISS", "HIT":
                result = python(
                    "import clslice; clslice.at(bytes(999))[::-1]",
                    CLSLICE_CACHE=f"{folder}/clslice",
                    CLSLICE_VERBOSE="cache",
                    POCL_CACHE_DIR=tempfile.mkdtemp(dir=folder),  # so that saving takes its time
                )
                self.assertRegex(result.stderr, f"cache: {expected} ")


if __name__ == "__main__":
    unittest.main()
