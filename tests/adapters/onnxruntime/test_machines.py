# SPDX-License-Identifier: MIT
"""Processes of their own: on machines without OpenCL or with more devices, ending as they like."""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

REGISTER = """
import sessions
with sessions.registered() as devices:
    for device in devices:
        print(device.ep_metadata["selector"], device.ep_metadata["name"], sep="|")
"""

SLICE = """
import os, signal
import numpy as np, onnxruntime
import sessions
onnxruntime.register_execution_provider_library(sessions.REGISTERED_AS, sessions.LIBRARY)
offered = [device for device in onnxruntime.get_ep_devices() if device.ep_name == sessions.PROVIDER]
model = sessions.slice_model(
    sessions.value("x", np.float32, [9, 5]), sessions.value("y", np.float32, [7, 5]),
    starts=[-2], ends=[0], axes=[0], steps=[-1])
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(offered[:1], {"min_bytes": "0"})
session = onnxruntime.InferenceSession(model.SerializeToString(), sess_options=options,
                                       enable_fallback=0)
x = np.arange(45, dtype=np.float32).reshape(9, 5)
assert (session.run(None, {"x": x})[0] == x[-2:0:-1]).all()
"""


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs it in a process of its own, beside this file."""
    return subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(__file__),
                          env=os.environ | variables, text=True, capture_output=True, timeout=1200,
                          check=False)


def register(**variables: str) -> subprocess.CompletedProcess[str]:
    """Prints a line for each device that is offered."""
    return python(REGISTER, **variables)


class Refusals(unittest.TestCase):
    def test_no_opencl(self) -> None:
        """No device, and the log says why; the host goes on."""
        done = register(CLSLICE_OPENCL="/nonexistent")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("offers no device: OpenCL is not available: cannot open /nonexistent",
                      done.stderr)

    def test_no_device_wanted(self) -> None:
        done = register(CLSLICE_DEVICE="none")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn('CLSLICE_DEVICE="none"', done.stderr)

    def test_unknown_device(self) -> None:
        done = register(CLSLICE_DEVICE="nonsense")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('CLSLICE_DEVICE="nonsense": no match; devices: [0] "', done.stderr)


class Devices(unittest.TestCase):
    def test_each_with_its_selector(self) -> None:
        """Every device of the machine, CLSLICE_DEVICE's first, whichever that is."""
        every = register(POCL_DEVICES="pthread basic").stdout.splitlines()
        self.assertEqual(len(set(every)), len(every))
        self.assertGreaterEqual(len(every), 2)
        for line in every:
            selector = line.split("|")[0]
            with self.subTest(selector):
                offered = register(POCL_DEVICES="pthread basic", CLSLICE_DEVICE=selector)
                self.assertEqual(offered.stdout.splitlines()[0], line)
                self.assertEqual(sorted(offered.stdout.splitlines()), sorted(every))


class Endings(unittest.TestCase):
    """Hosts that never unregister: what was compiled is on disk, and the next one finds it."""

    def test_programs_are_on_disk(self) -> None:
        for ending, status in (("", 0), ("os._exit(0)", 0),
                               ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL)):
            with self.subTest(ending or "the end"), tempfile.TemporaryDirectory() as folder:
                for expected in "MISS", "HIT":
                    done = python(SLICE + ending, CLSLICE_CACHE=f"{folder}/clslice",
                                  CLSLICE_VERBOSE="cache",
                                  POCL_CACHE_DIR=tempfile.mkdtemp(dir=folder))
                    self.assertEqual(done.returncode, status, done.stderr)
                    self.assertRegex(done.stderr, f"cache: {expected} ")
                    self.assertGreater(len(os.listdir(f"{folder}/clslice")), 0)


if __name__ == "__main__":
    unittest.main()
