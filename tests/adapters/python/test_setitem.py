# SPDX-License-Identifier: MIT
"""setitem against NumPy's own assignment, bit for bit, with every other byte as it was."""

import math
import unittest
import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import arrays
import clslice

NUMBERS = [np.dtype(name) for name in "? b B h H i I q Q e f d F D >i2 >f8".split()]


def memory_of(x):
    """All bytes that an array's are among."""
    while x.base is not None and isinstance(x.base, np.ndarray):
        x = x.base
    return x


@st.composite
def writable(draw, dtypes=arrays.DTYPES):
    """A view that may be written, alone in its memory."""
    x = draw(arrays.layouts(dtypes=dtypes))
    shape = x.shape
    dtype = x.dtype
    memory, view = draw(arrays.outputs(dtype, shape))
    memory[...] = np.arange(memory.size) % 251
    if dtype == bool:
        memory[...] &= 1
    return view


@st.composite
def fitting(draw, dtype, shape):
    """An array that broadcasts to the shape, also by leading dimensions of one."""
    own = [1 if draw(st.integers(0, 4)) == 0 else size for size in shape]
    own = own[draw(st.integers(0, len(own))) :]
    if draw(st.integers(0, 5)) == 0:
        own = [1] * draw(st.integers(1, 2)) + [1] * (len(shape) - len(own)) + own
    return arrays.filled(dtype, tuple(own))


def assigned(x, key, y):
    """What NumPy makes of it: the bytes of all memory, or the exception."""
    memory = memory_of(x)
    before = memory.tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            x[key] = y
        except Exception as error:
            return type(error), before
    after = memory.tobytes()
    memory.view(np.uint8).reshape(-1)[...] = np.frombuffer(before, np.uint8)
    return None, after


class Setitem(unittest.TestCase):
    def check(self, x, key, y):
        kind, expected = assigned(x, key, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                clslice.at(x)[key] = y
                raised = None
            except Exception as error:
                raised = error
        self.assertEqual(memory_of(x).tobytes(), expected)
        if kind is None:
            self.assertIsNone(raised)
        else:
            self.assertIsInstance(raised, kind)

    @settings(max_examples=1200)
    @given(st.data())
    def test_is_numpys(self, data):
        x = data.draw(writable())
        key = data.draw(arrays.keys(x.shape))
        y = data.draw(fitting(x.dtype, arrays.viewed(x, key).shape))
        self.check(x, key, y)

    @settings(max_examples=700)
    @given(st.data())
    def test_casts_as_numpy_does(self, data):
        x = data.draw(writable(NUMBERS))
        key = data.draw(arrays.keys(x.shape))
        dtype = data.draw(st.sampled_from(NUMBERS))
        shape = arrays.viewed(x, key).shape
        y = data.draw(
            st.one_of(
                fitting(dtype, shape),
                st.integers(-300, 2**40),
                st.floats(-1e6, 1e6),
                st.just([[1, 2], [3, 4]]),
                st.just("7"),
            )
        )
        self.check(x, key, y)

    def test_bytes_between_fields_are_not_overwritten(self):
        record = np.zeros(3, [("a", "i4"), ("b", "i4"), ("c", "i4")])
        record["b"] = 7
        with self.assertRaisesRegex(TypeError, "belong to no field"):
            clslice.at(record[["a", "c"]])[:] = (1, 2)
        with self.assertRaisesRegex(TypeError, "belong to no field"):
            clslice.getitem(record[["a", "c"]], np.s_[:], out=record[["a", "c"]])
        self.assertEqual(record["b"].tolist(), [7, 7, 7])
        clslice.at(record["a"])[:] = 1
        self.assertEqual(record["a"].tolist(), [1, 1, 1])

    def test_nothing_is_cast_to_nowhere(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            clslice.at(np.zeros(4))[2:2] = np.array(["a"])
            clslice.at(np.zeros(4, int))[2:2] = np.array([math.nan])
            with self.assertRaises(ValueError):
                clslice.at(np.zeros(4))[:] = np.array([1j, 2])

    def test_what_numpy_refuses_to_cast_is_refused(self):
        pair = np.dtype([("number", "f4"), ("tag", "u1")])
        day = np.datetime64("2020-01-01")
        values = (300, -1, 2**70, math.nan, 1j, "x", None, np.float64(math.nan), np.int64(300), day)
        lists = ([300, 1], [math.nan, 1], (1, 2), [(1, 2), (3, 4)], [[1], [2, 3]], range(2))
        for dtype in ("u1", "i4", "f4", "f2", "?", "D", "M8[s]", "S3", "U2", "V3", pair):
            for y in (*values, *lists, np.array([(1, 2)], pair)[0]):
                with self.subTest(dtype=dtype, y=y):
                    self.check(np.zeros((3, 2), dtype), np.s_[1:], y)

    @settings(max_examples=300)
    @given(st.data())
    def test_what_overlaps_is_copied_first(self, data):
        x = data.draw(writable(NUMBERS))
        key = data.draw(arrays.keys(x.shape))
        view = arrays.viewed(x, key)
        y = view[(*(slice(None, None, -1) for _ in view.shape), ...)]
        self.check(x, key, y)

    def test_shapes_that_do_not_fit(self):
        x = np.zeros((3, 4))
        for y in np.ones(3), np.ones((2, 4)), np.ones((2, 3, 4)):
            with self.assertRaisesRegex(ValueError, r"y has shape .* which does not fit \(3, 4\)"):
                clslice.at(x)[...] = y
        with self.assertRaisesRegex(ValueError, "does not fit"):
            clslice.at(x)[:0] = np.ones((2, 4))
        clslice.at(x)[:0] = np.ones(4)
        self.assertFalse(x.any())

    def test_what_cannot_be_written(self):
        x = np.zeros(4)
        x.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "^x is read-only"):
            clslice.at(x)[1:] = 2
        with self.assertRaisesRegex(ValueError, "read-only"):
            clslice.at(b"abcd")[1:] = 2
        twice = np.lib.stride_tricks.as_strided(np.zeros(4), (2, 4), (0, 8))
        with self.assertRaisesRegex(ValueError, "share memory"):
            clslice.at(twice)[...] = np.ones((2, 4))
        with self.assertRaisesRegex(ValueError, "out is for|is for reading"):
            clslice.at(np.zeros(4), out=np.zeros(4))[...] = 1

    def test_other_owners(self):
        memory = bytearray(12)
        clslice.at(memory)[::3] = 255
        self.assertEqual(memory, b"\xff\0\0" * 4)
        clslice.setitem(memory, np.s_[1::3], [1, 2, 3, 4], device="auto")
        self.assertEqual(memory[1::3], b"\x01\x02\x03\x04")


if __name__ == "__main__":
    unittest.main()
