# SPDX-License-Identifier: MIT
"""batch against slices one by one, in NumPy."""

import unittest

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import arrays
import clslice


def taken(x, offsets, sizes, strides):
    """A window of x by NumPy, in steps from its end where they are negative."""
    for axis, (offset, size, stride) in enumerate(zip(offsets, sizes, strides)):
        x = np.moveaxis(x, axis, 0)
        x = x[offset : offset + size]
        x = x[::stride] if stride > 0 else x[::-1][::-stride]
        x = np.moveaxis(x, 0, axis)
    return x


@st.composite
def windows(draw, shape):
    sizes = [draw(st.integers(1, size)) for size in shape]
    strides = draw(arrays.steps(len(shape)))
    return sizes, strides


class Batch(unittest.TestCase):
    @settings(max_examples=700)
    @given(st.data())
    def test_is_a_slice_for_each(self, data):
        x = data.draw(arrays.layouts(max_dims=4))
        if x.ndim == 0 or x.size == 0:
            return
        sizes, strides = data.draw(windows(x.shape))
        axes = data.draw(st.permutations(range(x.ndim)))[: data.draw(st.integers(1, x.ndim))]
        count = data.draw(st.integers(0, 5))
        dtype = data.draw(st.sampled_from((np.int64, np.uint8, np.int32)))
        offsets = np.array(
            [
                [data.draw(st.integers(0, x.shape[a] - sizes[a])) for a in axes]
                for _ in range(count)
            ],
            dtype,
        ).reshape(count, len(axes))
        found = clslice.batch(x, offsets, sizes, strides, axes=axes)
        expected = []
        for row in offsets:
            whole = [0] * x.ndim
            for axis, offset in zip(axes, row):
                whole[axis] = int(offset)
            expected.append(np.ascontiguousarray(taken(x, whole, sizes, strides)).tobytes())
        self.assertEqual([item.tobytes() for item in found], expected)
        self.assertEqual(found.dtype, x.dtype)

    @settings(max_examples=300)
    @given(st.data())
    def test_goes_where_the_index_says(self, data):
        x = arrays.filled(np.dtype(data.draw(st.sampled_from(("u1", "u2", "f4", "D")))), (9, 7))
        count, rows = data.draw(st.integers(1, 6)), 8
        offsets = [data.draw(st.integers(0, 5)) for _ in range(count)]
        index = data.draw(st.permutations(range(rows)))[:count]
        memory = np.zeros((rows, 2, 4, 7), x.dtype)
        out = memory[:, data.draw(st.integers(0, 1))] if data.draw(st.booleans()) else memory[:, 0]
        before = memory.copy()
        self.assertIs(clslice.batch(x, offsets, (4, 7), axes=0, out=out, index=index), out)
        expected = before
        view = expected[:, 0] if out.ctypes.data == memory.ctypes.data else expected[:, 1]
        for row, offset in zip(index, offsets):
            view[row] = x[offset : offset + 4]
        self.assertEqual(memory.tobytes(), expected.tobytes())

    def test_what_is_out_of_range_is_named(self):
        x = np.arange(60).reshape(6, 10)
        with self.assertRaisesRegex(IndexError, r"offsets\[1\] = 8 for axis 1 is outside 0 to 7"):
            clslice.batch(x, [[0, 7], [1, 8]], (2, 3))
        with self.assertRaisesRegex(IndexError, r"offsets\[2\] = -1 for axis 0 is outside 0 to 4"):
            clslice.batch(x, [0, 1, -1], (2, 10), axes=[0])
        with self.assertRaisesRegex(IndexError, r"index\[0\] = 3 is outside 0 to 2"):
            clslice.batch(x, [0], (2, 10), axes=0, out=np.zeros((3, 2, 10), x.dtype), index=[3])
        with self.assertRaisesRegex(IndexError, "axes has 2, but x has 2 dimensions"):
            clslice.batch(x, [0], (2, 10), axes=2)
        with self.assertRaisesRegex(TypeError, "offsets has items of type float64"):
            clslice.batch(x, [[0.0, 1.0]], (2, 3))
        with self.assertRaisesRegex(ValueError, r"offsets has shape \(1, 3\): give \(count, 2\)"):
            clslice.batch(x, [[0, 1, 2]], (2, 3))
        with self.assertRaisesRegex(ValueError, "index is for out"):
            clslice.batch(x, [0], (2, 10), axes=0, index=[0])
        with self.assertRaisesRegex(ValueError, "sizes"):
            clslice.batch(x, [[0, 0]], (7, 3))
        with self.assertRaisesRegex(ValueError, "give each axis once"):
            clslice.batch(x, [[0, 0]], (2, 3), axes=[1, -1])
        with self.assertRaisesRegex(ValueError, r"out has shape \(1, 2, 4\), items have \(2, 3\)"):
            clslice.batch(x, [[0, 0]], (2, 3), out=np.zeros((1, 2, 4), x.dtype))

    def test_nothing(self):
        x = np.arange(12).reshape(3, 4)
        found = clslice.batch(x, [], (2, 2), axes=0)
        self.assertEqual((found.shape, found.dtype), ((0, 2, 2), x.dtype))
        self.assertEqual(clslice.batch(x, np.zeros((0, 2), np.int32), (2, 4)).shape, (0, 2, 4))

    def test_crops(self):
        x = arrays.filled(np.dtype("u1"), (5, 60, 70, 3))
        rng = np.random.default_rng(3)
        corners = np.stack([rng.integers(0, n, 40) for n in (5, 60 - 16 + 1, 70 - 20 + 1)], 1)
        found = clslice.batch(x, corners, (1, 16, 20, 3), axes=(0, 1, 2))
        for item, (i, y, z) in zip(found, corners):
            self.assertTrue((item[0] == x[i, y : y + 16, z : z + 20]).all())


if __name__ == "__main__":
    unittest.main()
