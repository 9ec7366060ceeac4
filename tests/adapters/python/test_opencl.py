# SPDX-License-Identifier: MIT
"""Arrays of pyopencl: sliced on their own device and queue, in the order of their events."""

import contextlib
import gc
import math
import os
import subprocess
import sys
import unittest

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.cltypes
import pyopencl.tools
from hypothesis import given, settings
from hypothesis import strategies as st

import arrays
import clslice

# What pyopencl can hand back, aligned as its own arrays are.
DTYPES = [dtype for dtype in arrays.DTYPES if dtype.kind not in "SUMm"]

SHARING = """
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyopencl as cl
import pyopencl.array

import clslice

sys.setswitchinterval(1e-6)
queue = cl.CommandQueue(cl.Context([cl.get_platforms()[0].get_devices()[0]]))
x = cl.array.to_device(queue, np.arange(240))


def work(_):
    for i in range(200):
        clslice.at(x)[::-1]


with ThreadPoolExecutor(4) as pool:
    for _ in pool.map(work, range(4)):
        pass
queue.finish()
"""


def context():
    return cl.Context([cl.get_platforms()[0].get_devices()[0]])


def on_device(queue, x):
    """The same layout in a buffer of the device."""
    root = x
    while root.base is not None:
        root = root.base
    memory = np.ndarray(max(1, root.nbytes), np.uint8, root if root.nbytes else b"\0")
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(queue.context, flags, hostbuf=memory)
    offset = x.__array_interface__["data"][0] - root.__array_interface__["data"][0] if x.size else 0
    return cla.Array(queue, x.shape, x.dtype, data=buffer, offset=offset, strides=x.strides)


class Opencl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.context = context()
        cls.queue = cl.CommandQueue(cls.context)

    def expect(self, result, expected):
        self.assertIs(type(result), cla.Array)
        self.assertEqual((result.dtype, result.shape), (expected.dtype, expected.shape))
        self.assertEqual(result.get().tobytes(), expected.tobytes())

    @settings(max_examples=600)
    @given(st.data())
    def test_is_numpys(self, data):
        x = data.draw(arrays.layouts(dtypes=DTYPES))
        key = data.draw(arrays.keys(x.shape))
        result = clslice.getitem(on_device(self.queue, x), key)
        self.assertEqual(result.queue, self.queue)
        self.expect(result, arrays.viewed(x, key))

    def test_materialises_views(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        on_it = cla.to_device(self.queue, x)
        view = on_it[::-1, 1::2]
        with self.assertRaises(Exception):  # which pyopencl does not
            view.get()
        self.expect(clslice.at(view)[...], x[::-1, 1::2])
        self.expect(clslice.at(view)[1:, ::-1], x[::-1, 1::2][1:, ::-1])
        self.expect(clslice.slice(on_it, [0, 1], [4, 5], [-2, 3]), x[::-1][::2, 1:6:3])
        self.expect(clslice.at(on_it)[2, 3], x[2, 3, ...])
        self.expect(clslice.at(on_it)[2:2], x[2:2])

    def test_out(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        on_it, out = cla.to_device(self.queue, x), cla.zeros(self.queue, (6, 8), np.float32)
        part = out[::-2, 1:7]
        self.assertIs(clslice.getitem(on_it[:3], ..., out=part), part)
        expected = np.zeros((6, 8), np.float32)
        expected[::-2, 1:7] = x[:3]
        self.assertEqual(out.get().tobytes(), expected.tobytes())
        with self.assertRaisesRegex(TypeError, "out is of type ndarray"):
            clslice.getitem(on_it, ..., out=np.zeros((4, 6), np.float32))
        with self.assertRaisesRegex(TypeError, "out is of type Array"):
            clslice.getitem(x, ..., out=on_it)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "^x and out overlap"):
            clslice.getitem(on_it, ..., out=on_it)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "^x and out interleave"):
            clslice.getitem(on_it[:, :3], ..., out=on_it[:, 3:])

    def test_setitem(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        other = np.arange(3, dtype=np.float32)
        for key, y in (
            (np.s_[::-1, 1::2], other),
            (np.s_[1], 7),
            (np.s_[..., ::-3], np.ones((4, 1), np.int8)),
            (np.s_[2:2], np.zeros((0, 6))),
        ):
            on_it, expected = cla.to_device(self.queue, x), x.copy()
            clslice.at(on_it)[key] = y
            expected[key] = y
            self.expect(on_it, expected)
        on_it, expected = cla.to_device(self.queue, x), x.copy()
        clslice.at(on_it)[::-1] = on_it[:, ::-1]
        expected[::-1] = x[:, ::-1]
        self.expect(on_it, expected)
        clslice.at(on_it)[1:3] = cla.to_device(self.queue, other)[None, :1]
        expected[1:3] = other[:1]
        self.expect(on_it, expected)
        with self.assertRaisesRegex(TypeError, "y has items of type int64"):
            clslice.at(on_it)[...] = cla.to_device(self.queue, np.arange(6))
        with self.assertRaisesRegex(ValueError, "another context"):
            clslice.at(on_it)[...] = cla.zeros(cl.CommandQueue(context()), 6, np.float32)
        with self.assertRaisesRegex(ValueError, "does not fit"):
            clslice.at(on_it)[...] = np.ones(5)

    def test_get(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        view = cla.to_device(self.queue, x)[::-1, 1::2]
        self.assertEqual(clslice.get(view).tobytes(), x[::-1, 1::2].tobytes())
        with self.assertRaisesRegex(TypeError, "not ndarray"):
            clslice.get(x)

    def test_batch(self):
        x = np.arange(600, dtype=np.float32).reshape(20, 30)
        on_it = cla.to_device(self.queue, x)
        corners = np.array([[3, 4], [16, 25], [0, 0]], np.int32)
        expected = np.stack([x[i : i + 4, j : j + 5] for i, j in corners])
        self.expect(clslice.batch(on_it, corners, (4, 5)), expected)
        on_device = cla.to_device(self.queue, corners)
        self.expect(clslice.batch(on_it, on_device, (4, 5)), expected)
        out = cla.zeros(self.queue, (7, 4, 5), np.float32)
        index = cla.to_device(self.queue, np.array([6, 1, 2], np.uint32))
        clslice.batch(on_it, on_device, (4, 5), out=out, index=index)
        filled = np.zeros((7, 4, 5), np.float32)
        filled[[6, 1, 2]] = expected
        self.expect(out, filled)

    def test_batch_leaves_out_what_is_out_of_range(self):
        x = np.arange(600, dtype=np.float32).reshape(20, 30)
        on_it = cla.to_device(self.queue, x)
        rows = cla.to_device(self.queue, np.array([3, -1, 20, 19], np.int32))
        expected = np.zeros((4, 1, 30), np.float32)
        expected[0], expected[3] = x[3:4], x[19:20]
        self.expect(clslice.batch(on_it, rows, (1, 30), axes=0), expected)
        out = cla.zeros(self.queue, (4, 1, 30), np.float32) - 5
        expected[1:3] = -5
        clslice.batch(on_it, rows, (1, 30), axes=0, out=out)
        self.expect(out, expected)
        with self.assertRaisesRegex(TypeError, "on a device, int32 or uint32"):
            clslice.batch(on_it, cla.to_device(self.queue, np.arange(3)), (1, 30), axes=0)
        with self.assertRaisesRegex(TypeError, "both be on the host"):
            clslice.batch(on_it, rows, (1, 30), axes=0, out=out, index=[0, 1, 2, 3])

    def test_a_new_result_is_of_zeros_whatever_its_items_are(self):
        rows = cla.to_device(self.queue, np.array([1, -1], np.int32))
        vectors = [cl.cltypes.float3, cl.cltypes.float4]
        for dtype in map(np.dtype, [*DTYPES, "f2", "M8[s]", *vectors]):
            x = arrays.filled(dtype, (3, 5))
            on_it = cla.Array(self.queue, x.shape, dtype)
            cl.enqueue_copy(self.queue, on_it.base_data, x)
            result = clslice.batch(on_it, rows, (1, 5), axes=0)
            found = np.ndarray((2, 1, 5), dtype)
            cl.enqueue_copy(self.queue, found, result.base_data, wait_for=result.events)
            expected = x[1].tobytes() + bytes(5 * dtype.itemsize)
            self.assertEqual((found.tobytes(), result.dtype), (expected, dtype))
        coarse = cl.tools.SVMAllocator(self.context, queue=self.queue)
        for allocator in (coarse, cl.tools.SVMPool(coarse)):
            x = np.arange(6, dtype=np.float16).reshape(2, 3)
            on_it = cla.to_device(self.queue, x, allocator=allocator)
            expected = np.stack([x[1:], 0 * x[1:]])
            self.expect(clslice.batch(on_it, rows, (1, 3), axes=0), expected)

    def test_values_are_cast_as_numpy_does(self):
        pair = np.dtype([("x", "f4"), ("y", "f4")])
        for dtype, y in (
            ("u1", 300),
            ("i4", math.nan),
            ("f4", 1j),
            ("f4", "x"),
            ("f4", "7"),
            ("f4", True),
            ("i4", np.array([1.5, 2.5])),
            (pair, (1, 2)),
            (pair, [(1, 2), (3, 4)]),
            (pair, 5),
        ):
            x = np.zeros((3, 2), dtype)
            on_it = cla.to_device(self.queue, x)
            try:
                x[1:] = y
            except Exception as error:
                with self.assertRaises(type(error)):
                    clslice.at(on_it)[1:] = y
            else:
                clslice.at(on_it)[1:] = y
            self.expect(on_it, x)
        with self.assertRaisesRegex(TypeError, "y is an array of pyopencl's, x is not"):
            clslice.at(np.zeros(4))[...] = cla.zeros(self.queue, 4, np.float64)

    def test_arrays_of_no_bytes(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        on_it, none = cla.to_device(self.queue, x), cla.zeros(self.queue, (0, 6), np.float32)
        clslice.at(on_it)[4:] = none
        clslice.at(none)[...] = none
        clslice.at(none)[...] = on_it[:1]
        self.expect(on_it, x)
        self.expect(clslice.getitem(on_it[:0], ..., out=none), x[:0])
        rows = cla.to_device(self.queue, np.array([1, 0], np.int32))
        out = cla.zeros(self.queue, (0, 2, 6), np.float32)
        self.expect(
            clslice.batch(on_it, rows, (2, 6), axes=0, out=out, index=rows), x[:0].reshape(0, 2, 6)
        )
        no_rows = cla.zeros(self.queue, 0, np.int32)
        self.assertEqual(clslice.batch(on_it, no_rows, (2, 6), axes=0).shape, (0, 2, 6))
        some = cla.zeros(self.queue, (3, 2, 6), np.float32)
        clslice.batch(on_it, no_rows, (2, 6), axes=0, out=some, index=no_rows)
        self.assertFalse(some.get().any())

    def test_tables_on_the_device_need_x_there(self):
        x, rows = np.arange(9.0), cla.to_device(self.queue, np.array([1, 0], np.int32))
        with self.assertRaisesRegex(TypeError, "^offsets on the device need an x on the device"):
            clslice.batch(x, rows, [3])
        with self.assertRaisesRegex(TypeError, "^index on the device need an x on the device"):
            clslice.batch(x, [1, 0], [3], out=np.zeros((4, 3)), index=rows)

    def test_tables_that_overlap_out_are_named(self):
        x = cla.to_device(self.queue, np.arange(9, dtype=np.int32))
        memory = cla.zeros(self.queue, 20, np.int32)
        rows, out = memory[4:6], memory[:6].reshape(2, 3)
        other = cla.zeros(self.queue, 2, np.int32)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "^offsets and out overlap"):
            clslice.batch(x, rows, [3], out=out)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "^index and out overlap"):
            clslice.batch(x, other, [3], out=out, index=rows)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "^x and out overlap"):
            clslice.batch(memory[3:9], other, [3], out=out)

    def test_memory_of_every_kind(self):
        x = np.arange(240, dtype=np.int16).reshape(12, 20)
        pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(self.queue))
        coarse = cl.tools.SVMAllocator(self.context, queue=self.queue)
        for allocator in (pool, coarse, cl.tools.SVMPool(coarse)):
            on_it = cla.to_device(self.queue, x, allocator=allocator)
            result = clslice.at(on_it)[::-1, 3::2]
            self.assertIs(type(result.base_data), type(on_it.base_data))
            self.expect(result, x[::-1, 3::2])
        whole = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, 4096)
        region = whole.get_sub_region(1024, 2048)
        on_it = cla.Array(self.queue, x.shape, x.dtype, data=region, offset=40)
        cl.enqueue_copy(self.queue, region, x, dst_offset=40)
        self.expect(clslice.at(on_it)[:, ::-1], x[:, ::-1])

    def test_refusals(self):
        on_it = cla.to_device(self.queue, np.zeros(4, np.float32))
        with self.assertRaisesRegex(ValueError, "device = 'cpu': arrays of pyopencl"):
            clslice.getitem(on_it, ..., device="cpu")
        with self.assertRaisesRegex(ValueError, r"x has no queue: .* x.with_queue\(queue\)"):
            clslice.getitem(on_it.with_queue(None), ...)
        with self.assertRaisesRegex(clslice.InvalidArgumentError, "exceeds x.shape"):
            clslice.slice(on_it, [1], [4], [1])
        other = cla.zeros(cl.CommandQueue(context()), 4, np.float32)
        with self.assertRaises(clslice.InvalidArgumentError) as caught:
            clslice.getitem(on_it, ..., out=other)
        self.assertIn("context", str(caught.exception))

    def test_needs_no_loader_but_pyopencls(self):
        os.environ["CLSLICE_OPENCL"] = "/nonexistent/libOpenCL.so"
        try:
            on_it = cla.to_device(cl.CommandQueue(context()), np.arange(9))
            self.expect(clslice.at(on_it)[::-2], np.arange(9)[::-2])
        finally:
            del os.environ["CLSLICE_OPENCL"]

    def test_threads_share_an_array(self):
        """Each lets go of the array's older events while the others wait for them."""
        result = subprocess.run(
            [sys.executable, "-c", SHARING], capture_output=True, text=True, timeout=1200
        )
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_contexts_come_and_go(self):
        for i in range(12):
            queue = cl.CommandQueue(context())
            self.expect(
                clslice.at(cla.to_device(queue, np.arange(i + 1)))[::-1], np.arange(i + 1)[::-1]
            )
        gc.collect()


class Order(unittest.TestCase):
    """A queue that keeps no order of its own."""

    def setUp(self):
        self.context = context()
        out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        self.queue = cl.CommandQueue(self.context, properties=out_of_order)

    @contextlib.contextmanager
    def held_back(self, x):
        """x on the device, written once the gate is open: by the test, or when it has failed."""
        gate = cl.UserEvent(self.context)
        on_it = cla.zeros(self.queue, x.shape, x.dtype)
        written = cl.enqueue_copy(
            self.queue, on_it.base_data, x, is_blocking=False, wait_for=[gate, *on_it.events]
        )
        on_it.add_event(written)
        try:
            yield on_it, gate
        finally:
            if gate.command_execution_status != cl.command_execution_status.COMPLETE:
                gate.set_status(cl.command_execution_status.COMPLETE)

    def test_after_what_writes_x_and_before_what_writes_it_next(self):
        x = np.arange(1 << 20, dtype=np.float32)
        with self.held_back(x) as (on_it, gate):
            result = clslice.at(on_it)[::-1]
            done = result.events[-1]
            self.assertIn(done, on_it.events)
            self.queue.flush()
            status = cl.command_execution_status
            self.assertNotEqual(done.command_execution_status, status.COMPLETE)
            on_it.fill(-1)
            gate.set_status(status.COMPLETE)
            self.assertEqual(result.get().tobytes(), x[::-1].tobytes())
            self.assertTrue((on_it.get() == -1).all())

    def test_after_what_writes_out(self):
        x = np.arange(1 << 16, dtype=np.float32)
        on_it = cla.to_device(self.queue, x)
        with self.held_back(np.ones(1 << 16, np.float32)) as (out, _):
            clslice.getitem(on_it, np.s_[::-1], out=out)
        self.assertEqual(out.get().tobytes(), x[::-1].tobytes())

    def test_results_go_on(self):
        x = np.arange(1 << 16, dtype=np.float32)
        with self.held_back(x) as (on_it, _):
            result = clslice.at(clslice.at(on_it)[::-1])[1::2] * 2 + 1
        self.assertEqual(result.get().tobytes(), (x[::-1][1::2] * 2 + 1).tobytes())


if __name__ == "__main__":
    unittest.main()
