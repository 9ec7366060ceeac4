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
        for large in 2**63, 10**30:
            with self.assertRaisesRegex(IndexError, rf"offsets\[1\] = {large} for axis 1 is outside"):
                clslice.batch(x, [[0, 1], [2, large]], (2, 3))
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

    def test_items_of_out_that_share_memory_are_refused(self):
        x = np.arange(8.0)
        for shape, strides in (((4, 3), (0, 8)), ((4, 3), (8, 8)), ((3, 3), (16, 8))):
            memory = np.full(30, -1.0)
            out = np.lib.stride_tricks.as_strided(memory[8:], shape, strides)
            with self.assertRaisesRegex(ValueError, "^two elements of out share memory: out.str"):
                clslice.batch(x, [0] * shape[0], [3], out=out)
            with self.assertRaisesRegex(ValueError, "share memory"):
                clslice.batch(x, [0], [3], out=out, index=[1])
            self.assertTrue((memory == -1).all())
        out = np.lib.stride_tricks.as_strided(np.zeros(30), (4, 3), (40, 0))
        with self.assertRaisesRegex(ValueError, "^two elements of out share memory: out.strides"):
            clslice.batch(x, [0] * 4, [3], out=out)

    @settings(max_examples=300)
    @given(st.data())
    def test_items_of_out_may_interleave(self, data):
        x = arrays.filled(np.dtype(data.draw(st.sampled_from(("u1", "f4", "V3")))), (3, 4, 5, 2))
        counts = [data.draw(st.integers(1, size)) for size in x.shape]
        order = data.draw(st.permutations(range(5)))
        rows = data.draw(st.integers(1, 9))
        sizes = [rows, *counts]
        factors = data.draw(st.lists(st.integers(1, 3), min_size=5, max_size=5))
        memory = np.zeros([sizes[axis] * factors[axis] for axis in order], x.dtype)
        out = memory.transpose(np.argsort(order))
        out = out[tuple(slice(None, None, factor) for factor in factors)]
        offsets = [[0, 0, 0, 0], [n - count for n, count in zip(x.shape, counts)]] * 5
        clslice.batch(x, offsets[:rows], counts, out=out)
        for item, offset in zip(out, offsets):
            expected = x[tuple(slice(i, i + n) for i, n in zip(offset, counts))]
            self.assertEqual(item.tobytes(), expected.tobytes())

    def test_the_lowest_stride_where_x_is_reversed(self):
        x = np.arange(20, dtype=np.int16)
        least = -(2**31)
        for strided in x, x[::-1], x[::-2]:
            found = clslice.batch(strided, [1, 4], [5], [least])
            self.assertEqual(found.tolist(), [[strided[5]], [strided[8]]])
        long = np.lib.stride_tricks.as_strided(x[-1:], (2**31 + 1,), (-2,))
        with self.assertRaisesRegex(ValueError, r"strides\[0\] = -2147483648: x lies downwards"):
            clslice.batch(long, [0], [2**31 + 1], [least])

    def test_strides_of_axes_of_one_element_say_nothing(self):
        x = np.arange(12).reshape(3, 4)
        expected = np.stack([x[1:3, :2], x[0:2, :2]])
        thin = np.lib.stride_tricks.as_strided(x, (3, 4, 1), (32, 8, -24))
        memory = np.zeros((2, 2, 2, 1), x.dtype)
        out = np.lib.stride_tricks.as_strided(memory, memory.shape, (32, 16, 8, -8))
        clslice.batch(thin, [1, 0], (2, 2, 1), (1, 1, -7), axes=0, out=out)
        self.assertTrue((out[..., 0] == expected).all())
        one = np.lib.stride_tricks.as_strided(memory, (1, 2, 2, 1), (-32, 16, 8, 8))
        clslice.batch(thin, [0], (2, 2, 1), axes=0, out=one)
        self.assertTrue((one[0, ..., 0] == x[:2, :2]).all())

    def test_axes_are_any_sequence_of_integers(self):
        x = np.arange(60).reshape(6, 10)
        for axes in range(2), np.arange(2), np.array([0, 1], np.uint8), (0, np.int64(1)), [-2, -1]:
            self.assertEqual(clslice.batch(x, [[1, 2]], (1, 1), axes=axes).tolist(), [[[12]]])
        for axes in np.int32(1), np.array(1), -1:
            self.assertEqual(clslice.batch(x, [2], (1, 1), axes=axes).tolist(), [[[2]]])
        with self.assertRaisesRegex(TypeError, r"axes = \[0.5\]: .*float.*: give a sequence of integers"):
            clslice.batch(x, [2], (1, 1), axes=[0.5])
        with self.assertRaisesRegex(TypeError, "sizes = 3: .*: give a sequence of integers"):
            clslice.batch(x, [2], 3, axes=[0])

    def test_shapes_of_tables_are_named(self):
        x = np.arange(12).reshape(3, 4)
        with self.assertRaisesRegex(ValueError, r"offsets has shape \(\): give \(count, 1\)"):
            clslice.batch(x, 1, (2, 4), axes=0)
        with self.assertRaisesRegex(ValueError, r"index has shape \(\): give \(count\)"):
            clslice.batch(x, [1], (2, 4), axes=0, out=np.zeros((1, 2, 4), x.dtype), index=0)
        with self.assertRaisesRegex(ValueError, r"offsets has shape \(0, 3\): give \(count, 2\)"):
            clslice.batch(x, np.zeros((0, 3), int), (2, 4))

    def test_x_and_out_that_overlap_are_named(self):
        memory = np.arange(24)
        for out in memory[2:14].reshape(3, 4), memory[1::2].reshape(3, 4):
            with self.assertRaisesRegex(clslice.InvalidArgumentError, "^x and out overlap, or lie"):
                clslice.batch(memory[::2], [0, 1, 2], [4], out=out)
        self.assertEqual(memory.tolist(), list(range(24)))

    def test_nothing(self):
        x = np.arange(12).reshape(3, 4)
        found = clslice.batch(x, [], (2, 2), axes=0)
        self.assertEqual((found.shape, found.dtype), ((0, 2, 2), x.dtype))
        self.assertEqual(clslice.batch(x, np.zeros((0, 2), np.int32), (2, 4)).shape, (0, 2, 4))
        self.assertEqual(clslice.batch(x, [], (2, 2), axes=[0, 1]).shape, (0, 2, 2))

    def test_crops(self):
        x = arrays.filled(np.dtype("u1"), (5, 60, 70, 3))
        rng = np.random.default_rng(3)
        corners = np.stack([rng.integers(0, n, 40) for n in (5, 60 - 16 + 1, 70 - 20 + 1)], 1)
        found = clslice.batch(x, corners, (1, 16, 20, 3), axes=(0, 1, 2))
        for item, (i, y, z) in zip(found, corners):
            self.assertTrue((item[0] == x[i, y : y + 16, z : z + 20]).all())


if __name__ == "__main__":
    unittest.main()
