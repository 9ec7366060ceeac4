# SPDX-License-Identifier: MIT
"""Other machines, each a process of its own: without OpenCL, or with more devices."""
import os
import subprocess
import sys
import unittest

REGISTER = """
import sessions
with sessions.registered() as devices:
    for device in devices:
        print(device.ep_metadata["selector"], device.ep_metadata["name"], sep="|")
"""


def register(**variables: str) -> subprocess.CompletedProcess[str]:
    """Prints a line for each device that is offered."""
    return subprocess.run([sys.executable, "-c", REGISTER], cwd=os.path.dirname(__file__),
                          env=os.environ | variables, text=True, capture_output=True, timeout=1200,
                          check=False)


class Refusals(unittest.TestCase):
    def test_no_opencl(self) -> None:
        """No device, and the log says why; the host goes on."""
        done = register(CLSLICE_OPENCL="/nonexistent")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("offers no device: no OpenCL here: cannot open /nonexistent", done.stderr)

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


if __name__ == "__main__":
    unittest.main()
