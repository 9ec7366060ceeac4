# SPDX-License-Identifier: MIT
"""What is not a NumPy array: DLPack, the buffer protocol, and what is refused."""

import array
import ctypes
import mmap
import unittest

import numpy as np

import clslice
import dlpack

class Producer:
    """Exports int32 memory as a library of its own would: any strides, data behind an offset."""

    def __init__(self, memory, first, shape, strides, device=dlpack.CPU):
        self.device, self.deleted = device, 0
        self.tensor = dlpack.tensor(
            memory,
            code=0,
            bits=32,
            shape=shape,
            strides=strides,
            byte_offset=4 * first,
            device=device,
        )
        self.deleter = dlpack.DELETER(self._delete)

    def _delete(self, _):
        self.deleted += 1

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **_):
        return dlpack.capsule(self.tensor, self.deleter)


class DLPack(unittest.TestCase):
    def test_reads_another_librarys(self):
        memory = np.arange(24, dtype=np.int32)
        x = memory.reshape(4, 6)[::-1, ::-2]
        producer = Producer(memory, 23, (4, 3), (-6, -2))
        result = clslice.at(producer)[1:, ::-1]
        self.assertEqual(result.tobytes(), x[1:, ::-1].tobytes())
        self.assertEqual(producer.deleted, 1)
        result = clslice.slice(producer, [0, 0], [4, 3], [-3, 2])
        self.assertEqual(result.tobytes(), x[::-3, ::2].tobytes())
        self.assertEqual(producer.deleted, 2)

    def test_reads_and_fills_numpys(self):
        class Exporter:
            """Nothing but DLPack."""

            def __init__(self, array):
                self.array = array

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

            def __dlpack__(self, **keywords):
                return self.array.__dlpack__(**keywords)

        x = np.arange(24.0).reshape(4, 6)
        target = Exporter(np.zeros((6, 4)).T[::-1])
        try:
            result = clslice.getitem(Exporter(x), np.s_[:, ::-1], out=target)
        except ValueError as error:  # an older NumPy imports what it may not write to
            self.assertRegex(str(error), "out is read-only")
            self.assertLess(np.lib.NumpyVersion(np.__version__), "2.1.0")
            return
        self.assertIs(result, target)
        self.assertEqual(target.array.tobytes(), x[:, ::-1].tobytes())

    def test_results_go_on(self):
        x = np.arange(6, dtype=np.float16)
        self.assertEqual(np.from_dlpack(clslice.at(x)[::-2]).tobytes(), x[::-2].tobytes())

    def test_refuses_other_devices(self):
        memory = np.zeros(4, np.int32)
        for device in 2, 4, 10:
            with self.assertRaisesRegex(TypeError, rf"x lies on DLPack's device \({device}, 0\)"):
                clslice.getitem(Producer(memory, 0, (4,), (1,), device), ...)


class Buffers(unittest.TestCase):
    def test_reads_the_buffer_protocol(self):
        data = bytes(range(24))
        for x in (
            data,
            bytearray(data),
            memoryview(data),
            array.array("B", data),
            (ctypes.c_uint8 * 24)(*data),
        ):
            self.assertEqual(clslice.at(x)[::-2].tobytes(), data[::-2])
        reversed_view = memoryview(data).cast("B", (4, 6))
        self.assertEqual(clslice.at(reversed_view)[1, ::-1].tobytes(), data[6:12][::-1])

    def test_fills_the_buffer_protocol(self):
        out = bytearray(12)
        self.assertIs(clslice.at(bytes(range(24)), out=out)[::-2], out)
        self.assertEqual(out, bytes(range(24))[::-2])

    def test_reads_memory_that_nobody_may_write_to(self):
        with mmap.mmap(-1, 4096, prot=mmap.PROT_READ) as memory:
            x = np.frombuffer(memory, np.float32)
            self.assertEqual(clslice.at(x)[::-5].tobytes(), x[::-5].tobytes())
            del x

    def test_subclasses_come_back_as_arrays(self):
        class Named(np.ndarray):
            pass

        x = np.arange(6).reshape(2, 3)
        self.assertIs(type(clslice.at(x.view(Named))[0]), np.ndarray)

    def test_refusals(self):
        for x, text in (
            ([1, 2], "x is of type list"),
            (None, "x is of type NoneType"),
            (np.array([None]), "refer to Python's objects"),
            (np.ma.masked_array([1, 2], [0, 1]), "x is a masked array"),
        ):
            with self.assertRaisesRegex(TypeError, text):
                clslice.getitem(x, ...)


if __name__ == "__main__":
    unittest.main()
