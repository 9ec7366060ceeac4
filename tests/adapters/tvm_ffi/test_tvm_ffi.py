#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_tvm_ffi.py LIBRARY [TEST...]: slices arrays through TVM-FFI, as its users do."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Sequence

import dlpack
import numpy as np
import tvm_ffi

LIBRARY = sys.argv.pop(1)
module = tvm_ffi.load_module(LIBRARY)

TYPES = "? b B h H e i I f q Q d F D".split()  # of 1, 2, 4, 8 and 16 bytes


def sliced(x: np.ndarray, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int],
           shape: Sequence[int]) -> np.ndarray:
    """SLICE1, index by index."""
    return x[np.ix_(*((o if t > 0 else o + s - 1) + t * np.arange(n)
                      for o, s, t, n in zip(offsets, sizes, strides, shape)))]


def like(view: np.ndarray, memory: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The view of memory, as a view of other memory."""
    return np.ndarray(view.shape, view.dtype, other, view.ctypes.data - memory.ctypes.data,
                      view.strides)


def layout(dice: random.Random, shape: Sequence[int], dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """A view of that shape, permuted, with gaps, turned around and at an offset, and its memory."""
    rank, width = len(shape), np.dtype(dtype).itemsize
    order = dice.sample(range(rank), rank)
    gaps = [dice.choice((1, 1, 1, 2, 3)) for _ in shape]
    count = int(np.prod([n * gap for n, gap in zip(shape, gaps)]))
    memory = np.frombuffer(bytearray(dice.randbytes(count * width + 64)), "u1")
    start = dice.randrange(0, 64, dice.choice((1, width, 16)))  # unaligned elements, too
    view = memory[start:start + count * width].view(dtype)
    view = view.reshape([shape[i] * gaps[i] for i in order]).transpose(np.argsort(order))
    view = view[tuple(slice(None, None, gap) for gap in gaps)]
    return view[tuple(slice(None, None, dice.choice((1, -1))) for _ in shape)], memory


class Results(unittest.TestCase):
    def check(self, dice: random.Random, dtype: str) -> None:
        rank = dice.randint(1, 7 if dtype == "D" else 8)
        shape = [dice.randint(1, 40 if rank < 3 else 9 if rank < 5 else 3) for _ in range(rank)]
        x, memory = layout(dice, shape, dtype)
        if dice.random() < 0.1:  # broadcast along a dimension
            strides = list(x.strides)
            strides[dice.randrange(rank)] = 0
            x = np.lib.stride_tricks.as_strided(x, x.shape, strides)
        offsets = [dice.randrange(n) for n in shape]
        sizes = [dice.randint(1, n - o) for n, o in zip(shape, offsets)]
        steps = [dice.choice((1, -1, 2, -2, 3, -3, 2**31 - 1, -(2**31))) for _ in shape]
        most = [1 + (s - 1) // abs(t) for s, t in zip(sizes, steps)]
        out, around = layout(dice, [dice.choice((n, dice.randint(1, n))) for n in most], dtype)
        untouched, wanted = memory.copy(), around.copy()
        like(out, around, wanted)[...] = sliced(x, offsets, sizes, steps, out.shape)
        case = (dtype, shape, x.strides, offsets, sizes, steps, out.shape, out.strides)
        self.assertIsNone(module.slice(x, offsets, sizes, steps, out), case)
        self.assertEqual(around.tobytes(), wanted.tobytes(), case)
        self.assertEqual(memory.tobytes(), untouched.tobytes(), case)

    def test_any_layout_of_any_type(self) -> None:
        for seed in range(700):
            self.check(random.Random(seed), TYPES[seed % len(TYPES)])

    def test_memory_that_dlpack_alone_describes(self) -> None:
        """Called from C: packed by NULL strides, at an offset, elements of three numbers."""
        x, out = np.arange(31, dtype="f4"), np.zeros(13, "f4")
        rgb: dict[str, Any] = dict(code=2, bits=32, lanes=3, byte_offset=4)
        vectors = [dlpack.tensor(np.array(v), code=0, bits=64, shape=[2])
                   for v in ([0, 2], [2, 3], [1, -2])]
        status = dlpack.call(LIBRARY, "slice", dlpack.tensor(x, shape=[2, 5], **rgb), *vectors,
                             dlpack.tensor(out, shape=[2, 2], **rgb))
        self.assertEqual(status, 0)
        wanted = x[1:].reshape(2, 5, 3)[:, [4, 2]]
        np.testing.assert_array_equal(out, np.append(np.float32(0), wanted))


class Arguments(unittest.TestCase):
    def setUp(self) -> None:
        self.x, self.out = np.arange(12, dtype="i4").reshape(3, 4), np.zeros((2, 3), "i4")
        self.window = [(1, 1), (2, 3), (1, -1)]

    def slice(self, *more: Any, **changed: Any) -> None:
        given = dict(zip(("x", "offsets", "sizes", "strides", "out"),
                         (self.x, *self.window, self.out)))
        module.slice(*(given | changed).values(), *more)

    def test_forms_of_numbers(self) -> None:
        forms: list[Callable[[tuple[int, ...]], Any]] = [
            tuple, list, tvm_ffi.convert, tvm_ffi.Array, tvm_ffi.List,
            lambda numbers: np.array(numbers, "i8"),
            lambda numbers: np.array(numbers[::-1], "i8")[::-1],
            lambda numbers: tvm_ffi.from_dlpack(np.array(numbers, "i8")),
        ]
        for form in forms:
            self.out[:] = 0
            offsets, sizes, strides = map(form, self.window)
            self.slice(offsets=offsets, sizes=sizes, strides=strides)
            np.testing.assert_array_equal(self.out, [[7, 6, 5], [11, 10, 9]])
        self.slice(offsets=tvm_ffi.Shape((1, 1)), sizes=tvm_ffi.Shape((2, 3)))

    def test_device(self) -> None:
        for device in (None, "cpu", "", "no-such-thing,auto", tvm_ffi.convert("any")):
            self.out[:] = 0
            self.slice(device)
            np.testing.assert_array_equal(self.out, [[7, 6, 5], [11, 10, 9]])

    def test_more_devices_than_are_kept(self) -> None:
        for number in range(20):
            self.out[:] = 0
            self.slice(f"no-such-{number},auto")
            np.testing.assert_array_equal(self.out, [[7, 6, 5], [11, 10, 9]])

    def foreign(self, **changed: Any) -> Any:
        """The memory of x, described otherwise."""
        fields: dict[str, Any] = dict(code=0, bits=32, shape=[3, 4], strides=[4, 1])
        return tvm_ffi.from_dlpack(dlpack.capsule(dlpack.tensor(self.x, **fields | changed)))

    def test_any_stride_of_a_single_element(self) -> None:
        for stride in (2**40, -2**63):
            self.slice(x=self.foreign(shape=[1, 4], strides=[stride, 1]), offsets=(0, 1),
                       sizes=(1, 3), out=self.out[:1])
            np.testing.assert_array_equal(self.out, [[3, 2, 1], [0, 0, 0]])

    def test_neighbours_in_one_array(self) -> None:
        numbers = np.arange(9)
        module.slice(numbers[:4], (0,), (4,), (-1,), numbers[4:8])
        np.testing.assert_array_equal(numbers, [0, 1, 2, 3, 3, 2, 1, 0, 8])
        module.slice(numbers[4:], (0,), (5,), (-1,), numbers[3::-1])
        np.testing.assert_array_equal(numbers, [2, 1, 0, 8, 3, 2, 1, 0, 8])

    def refused(self, kind: Any, text: str, *more: Any, **changed: Any) -> None:
        before = self.out.copy()
        with self.assertRaisesRegex(kind, text):
            self.slice(*more, **changed)
        np.testing.assert_array_equal(self.out, before)

    def test_what_slice1_refuses(self) -> None:
        self.refused(ValueError, r"InputWindowOffsets\[1\].*= 2 \+ 3 = 5 exceeds .* = 4",
                     offsets=(1, 2))
        self.refused(ValueError, r"InputWindowStrides\[0\] = 0", strides=(0, 1))
        self.refused(ValueError, r"InputWindowSizes\[1\] = 0", sizes=(2, 0))
        self.refused(ValueError, r"OutputTensor.Sizes\[1\] = 3 exceeds .* = 2", strides=(1, 2))
        self.refused(ValueError, r"OutputTensor.Sizes\[0\] = 0", out=np.zeros((0, 3), "i4"))
        self.refused(ValueError, "DimensionCount = 3", out=np.zeros((1, 1, 1), "i4"))
        self.refused(ValueError, "DimensionCount = 9 is outside 1 to 8", x=np.zeros((1,) * 9, "i4"),
                     offsets=(0,) * 9, sizes=(1,) * 9, strides=(1,) * 9)
        self.refused(ValueError, "DimensionCount = 0 is outside", x=np.array(1, "i4"), offsets=(),
                     sizes=(), strides=())
        self.refused(ValueError, "overlap", out=self.x[:2, :3])
        self.refused(ValueError, r"OutputTensor.Strides\[0\] = 0",
                     out=np.lib.stride_tricks.as_strided(self.out, (2, 3), (0, 4)))

    def test_what_is_no_slice1(self) -> None:
        self.refused(TypeError, "x is of TVM-FFI's type 1, not a tensor", x=3)
        self.refused(TypeError, "out is of TVM-FFI's type 0", out=None)
        self.refused(TypeError, "offsets is of TVM-FFI's type 1;", offsets=1)
        self.refused(TypeError, "sizes is of TVM-FFI's type 70;", sizes=np.ones(2, "i4"))
        self.refused(TypeError, r"sizes\[1\] is of TVM-FFI's type 3, not an int64", sizes=(1, 1.5))
        self.refused((TypeError, OverflowError), r"sizes\[0\] is .* not an int64|too large",
                     sizes=(2**70, 1))  # before 0.1.15, by TVM-FFI itself
        self.refused(ValueError, "strides has 1 numbers, x has 2 dimensions", strides=(1,))
        self.refused(ValueError, r"offsets\[1\] = -1 is outside 0 to 4294967295", offsets=(0, -1))
        self.refused(ValueError, r"strides\[0\] = 2147483648 is outside", strides=(2**31, 1))
        self.refused(ValueError, "must be equal", out=self.out.astype("f4"))
        self.refused(ValueError, "must be equal", x=self.foreign(lanes=2))
        self.refused(TypeError, "offsets is of TVM-FFI's type 70",
                     offsets=self.foreign(device=4, bits=64, shape=[2], strides=[1]))
        self.refused(TypeError, "device is of TVM-FFI's type 1;", 1)
        self.refused(TypeError, "not 7 arguments", None, None)
        self.refused(ValueError, "device has 300 bytes", "a" * 300)
        self.refused(ValueError, "and no NUL", "cpu\0")
        self.refused(ValueError, "not a hexadecimal digit", "uuid=zz")
        self.refused(RuntimeError, "no match; devices: ", "no-such-thing")

    def test_numbers_without_memory(self) -> None:
        self.refused(TypeError, "sizes is of TVM-FFI's type 70",
                     sizes=self.foreign(bits=64, shape=[2], strides=[1], data=None))

    def test_memory_that_is_refused(self) -> None:
        foreign = self.foreign
        self.refused(ValueError, "x is on DLPack's device type 4: .* queue", x=foreign(device=4))
        self.refused(ValueError, "x has elements of 4 bits", x=foreign(bits=4))
        self.refused(ValueError, "x has elements of 0 bits", x=foreign(lanes=0))
        self.refused(ValueError, r"x.strides\[0\] = -4294967296 exceeds 4294967295",
                     x=foreign(strides=[-2**32, 1]))
        self.refused(ValueError, r"x.shape\[0\] = 4294967296 is outside",
                     x=foreign(shape=[2**32, 4]))
        self.refused(ValueError, "more than 2\\^32 - 1 elements", x=foreign(strides=[2**31, 1]))
        self.refused(ValueError, "x.data is NULL", x=foreign(data=None))
        self.refused(ValueError, r"spans 2147483648 elements of 16 bytes: at most 2147483647",
                     x=foreign(code=5, bits=128, strides=[2**31 - 3, 1]), out=np.zeros((2, 3), "D"))
        self.refused(ValueError, "8 dimensions of elements of 16 bytes",
                     x=np.zeros((2,) * 8, "D"), offsets=(0,) * 8, sizes=(2,) * 8,
                     strides=(1,) * 8, out=np.zeros((2,) * 8, "D"))


class Process(unittest.TestCase):
    def test_threads(self) -> None:
        def work(number: int) -> None:
            x = np.arange(number, number + 1000, dtype="i8")
            for n in range(1, 60):
                out = np.zeros(n, "i8")
                module.slice(x, (3,), (4 * n,), (-4,), out)
                np.testing.assert_array_equal(out, x[3:3 + 4 * n][::-4])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))

    def test_loaded_again(self) -> None:
        for n in range(10):
            again = tvm_ffi.load_module(LIBRARY, keep_module_alive=False)
            out = np.zeros(1, "i4")
            again.slice(np.arange(10, dtype="i4"), (n,), (1,), (1,), out)
            self.assertEqual(out[0], n)
            del again

    def test_child_of_a_fork_gets_an_error(self) -> None:
        x, out = np.arange(4.0), np.zeros(2)
        module.slice(x, (1,), (2,), (1,), out)
        child = os.fork()
        if child == 0:
            try:
                module.slice(x, (1,), (2,), (1,), out)
            except RuntimeError as error:
                os._exit(0 if "fork" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def run_alone(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        script = ("import sys, numpy, threading, tvm_ffi\n"
                  "def work():\n"
                  "    out = numpy.zeros(2)\n"
                  "    module.slice(numpy.arange(4.0), [1], [3], [-2], out)\n"
                  "    sys.stdout.write(f'{out}\\n')\n"
                  "module = tvm_ffi.load_module(sys.argv[1])\n") + script
        return subprocess.run([sys.executable, "-c", script, LIBRARY], text=True,
                              capture_output=True, env=os.environ | environment, check=False)

    def test_threads_come_first(self) -> None:
        """Drivers are not ready for several threads before one has found their devices."""
        done = self.run_alone("for _ in range(8): threading.Thread(target=work).start()")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("[3. 1.]\n" * 8, "", 0))

    def test_programs_are_on_disk_when_the_process_ends(self) -> None:
        folder = Path.cwd() / "programs"
        done = self.run_alone("work()", CLSLICE_CACHE=str(folder))
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("[3. 1.]\n", "", 0))
        self.assertTrue(any(folder.iterdir()))

    def test_no_opencl(self) -> None:
        done = self.run_alone("work()", CLSLICE_OPENCL="/nonexistent/libOpenCL.so")
        self.assertRegex(done.stderr, "RuntimeError: .*/nonexistent/libOpenCL.so")
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
