# SPDX-License-Identifier: MIT
"""Many sessions, threads and registrations; options; memory as users bring it."""
import concurrent.futures
import gc
import os
import unittest

import numpy as np
import onnx
import onnxruntime

import sessions
from sessions import value

RANDOM = np.random.default_rng(3)


def mirrored_rows(shape: sessions.Shape = ("rows", "columns"),
                  cut: sessions.Shape = ("n", "columns")) -> onnx.ModelProto:
    """Rows from the last but one to the second, of any matrix unless a shape is given."""
    return sessions.slice_model(value("x", np.float32, shape), value("y", np.float32, cut),
                                starts=[-2], ends=[0], axes=[0], steps=[-1])


def entries(folder: str) -> int:
    return len(os.listdir(f"/proc/self/{folder}"))


class Threads(sessions.ProviderTest):
    """What a run on another thread could disturb is the shape: each has its own."""

    def run_often(self, session: onnxruntime.InferenceSession, seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(25):
            x = random.random((random.integers(2, 200), random.integers(1, 400)), np.float32)
            self.assert_same(session.run(None, {"x": x}), [x[-2:0:-1]])

    def test_one_session(self) -> None:
        session = sessions.our_session(mirrored_rows(), self.device)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(self.run_often, session, seed) for seed in range(8)]:
                done.result()
        self.assertEqual(sessions.nodes_run(session), {sessions.PROVIDER: 200})

    def test_a_session_each(self) -> None:
        def work(seed: int) -> None:
            session = sessions.our_session(mirrored_rows(), self.device)
            self.run_often(session, seed)
            self.assertEqual(sessions.nodes_run(session), {sessions.PROVIDER: 25})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(work, seed) for seed in range(8)]:
                done.result()


class Registration(unittest.TestCase):
    def test_ten_times(self) -> None:
        """Neither threads nor files stay, but for the driver's own from the first time on."""
        left = []
        for turn in range(10):
            with sessions.registered() as devices:
                session = sessions.our_session(mirrored_rows(), devices[0])
                x = RANDOM.random((50 + turn, 60), np.float32)
                self.assertEqual(session.run(None, {"x": x})[0].tobytes(), x[-2:0:-1].tobytes())
                self.assertEqual(sessions.nodes_run(session), {sessions.PROVIDER: 1})
                del session, devices
                gc.collect()
            left.append((entries("task"), entries("fd")))
        self.assertEqual(left[1:], left[1:2] * 9)


class Memory(sessions.ProviderTest):
    def test_any_alignment(self) -> None:
        """Bound memory starts wherever its owner likes."""
        session = sessions.our_session(mirrored_rows(), self.device)
        x = RANDOM.random((33, 47), np.float32)
        expected = np.ascontiguousarray(x[-2:0:-1])
        for start, end in ((0, 1), (1, 0), (3, 2), (4, 4), (8, 12)):
            source = np.zeros(x.nbytes + 16, np.uint8)
            source[start:start + x.nbytes] = x.reshape(-1).view(np.uint8)
            target = np.zeros(expected.nbytes + 16, np.uint8)
            binding = session.io_binding()
            binding.bind_input("x", "cpu", 0, np.float32, x.shape, source.ctypes.data + start)
            binding.bind_output("y", "cpu", 0, np.float32, expected.shape, target.ctypes.data + end)
            session.run_with_iobinding(binding)
            with self.subTest(source=start, target=end):
                self.assertEqual(target[end:end + expected.nbytes].tobytes(), expected.tobytes())
                self.assertFalse(target[:end].any() or target[end + expected.nbytes:].any())


class Options(sessions.ProviderTest):
    def run_one(self, **options: str | None) -> int:
        """How many nodes of a model with one slice of 8,192 bytes ran on the device's provider."""
        x = RANDOM.random((34, 64), np.float32)
        session = sessions.our_session(mirrored_rows([34, 64], [32, 64]), self.device, **options)
        self.assert_same(session.run(None, {"x": x}), [x[-2:0:-1]])
        return sessions.nodes_run(session)[sessions.PROVIDER]

    def test_min_bytes(self) -> None:
        for text, nodes in (("0", 1), ("8192", 1), ("8193", 0), ("8K", 1), ("1M", 0), ("1G", 0),
                            ("18446744073709551615", 0), (None, 0)):
            with self.subTest(min_bytes=text):
                self.assertEqual(self.run_one(min_bytes=text), nodes)

    def test_device(self) -> None:
        for selector in (self.device.ep_metadata["selector"], "auto", ":any"):
            with self.subTest(device=selector):
                self.assertEqual(self.run_one(device=selector), 1)

    def test_cache(self) -> None:
        for cache in ("off", "0", "default", "ro", "refresh", f"ro={os.getcwd()}/none"):
            with self.subTest(cache=cache):
                self.assertEqual(self.run_one(cache=cache), 1)
        folder = os.path.join(os.getcwd(), "programs")
        self.run_one(cache=folder)
        # The device is in use, and need not be released.
        self.assertGreater(len(os.listdir(folder)), 0)

    def test_refused(self) -> None:
        for options, reason in (({"min_bytes": "12x"}, 'min_bytes = "12x"'),
                                ({"min_bytes": "-1"}, 'min_bytes = "-1"'),
                                ({"min_bytes": "K"}, 'min_bytes = "K"'),
                                ({"min_bytes": "1KB"}, 'min_bytes = "1KB"'),
                                ({"min_bytes": "none"}, 'min_bytes = "none": expected a number'),
                                ({"min_bytes": "99999999999G"}, 'min_bytes = "99999999999G"'),
                                ({"min_bytes": "18446744073709551616"}, 'min_bytes = "184'),
                                ({"min_bytes": "1" * 99}, "min_bytes is 99 bytes long"),
                                ({"cache": "maybe"}, 'cache = "maybe"'),
                                ({"cache": "ro=relative"}, 'cache = "ro=relative"'),
                                ({"cache": "off=/tmp"}, 'cache = "off=/tmp"'),
                                ({"device": "nonsense"}, 'device="nonsense": no match; devices:'),
                                ({"device": "gpu:::"}, "device="),
                                ({"device": "x" * 999}, "device is 999 bytes long"),
                                ({"min-bytes": "1"}, "min-bytes: unknown option; use device,"),
                                ({"Device": "cpu"}, "Device: unknown option; use device,"),
                                ({"": "1"}, "ep.clsliceexecutionprovider.: unknown option")):
            with self.subTest(**options), self.assertRaisesRegex(Exception, reason):
                self.run_one(**options)

    @unittest.skipUnless(hasattr(onnxruntime.InferenceSession, "set_ep_dynamic_options"),
                         "this version has it in C alone")
    def test_dynamic(self) -> None:
        """Options at run time go to every provider of a session, and this one has none."""
        session = sessions.our_session(mirrored_rows(), self.device)
        session.set_ep_dynamic_options({"any": "thing"})
        x = RANDOM.random((9, 5), np.float32)
        self.assert_same(session.run(None, {"x": x}), [x[-2:0:-1]])

    def test_model_of_what_is_compiled(self) -> None:
        """There is nothing to be written into it, so nothing is taken."""
        session = sessions.our_session(mirrored_rows(), self.device, {
            "ep.context_enable": "1", "ep.context_file_path": os.path.join(os.getcwd(), "c.onnx")})
        x = RANDOM.random((9, 5), np.float32)
        self.assert_same(session.run(None, {"x": x}), [x[-2:0:-1]])
        self.assertEqual(sessions.nodes_run(session), {sessions.CPU: 1})


if __name__ == "__main__":
    unittest.main()
