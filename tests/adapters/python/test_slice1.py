# SPDX-License-Identifier: MIT
"""SLICE1 against the loop that defines it, and what it refuses."""

import itertools
import unittest

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import arrays
import clslice


def reference(x, offsets, sizes, strides, out_sizes):
    """Out[o] = In[start + stride * o], element by element."""
    opaque = x.view(
        np.dtype((np.void, x.dtype.itemsize))
    )  # NumPy leaves out bytes that mean nothing
    out = np.empty(out_sizes, opaque.dtype)
    starts = [o + (n - 1 if s < 0 else 0) for o, n, s in zip(offsets, sizes, strides)]
    for at in itertools.product(*map(range, out_sizes)):
        out[at] = opaque[tuple(start + s * i for start, s, i in zip(starts, strides, at))]
    return out


@st.composite
def windows(draw, shape):
    offsets = [draw(st.integers(0, size - 1)) for size in shape]
    sizes = [draw(st.integers(1, size - offset)) for size, offset in zip(shape, offsets)]
    steps = st.sampled_from((1, 2, 3, -1, -2, -3, 2**31 - 1, -(2**31)))
    return offsets, sizes, [draw(steps) for _ in shape]


class Slice1(unittest.TestCase):
    @settings(max_examples=500)
    @given(st.data())
    def test_is_the_loop(self, data):
        x = data.draw(arrays.layouts().filter(lambda x: x.ndim and 0 < x.size < 2000))
        window = data.draw(windows(x.shape))
        most = [1 + (size - 1) // abs(stride) for size, stride in zip(*window[1:])]
        result = clslice.slice(x, *window)
        self.assertEqual(result.dtype, x.dtype)
        self.assertEqual(result.tobytes(), reference(x, *window, most).tobytes())
        fewer = [data.draw(st.integers(1, size)) for size in most]
        memory, out = data.draw(arrays.outputs(x.dtype, fewer))
        self.assertIs(clslice.slice(x, *window, out=out), out)
        self.assertEqual(out.tobytes(), reference(x, *window, fewer).tobytes())

    def refused(self, rule, text, *arguments, **keywords):
        """By the library, whose rule reaches the caller, and its text in our names."""
        with self.assertRaisesRegex(clslice.InvalidArgumentError, text) as caught:
            clslice.slice(*arguments, **keywords)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(caught.exception.rule, rule)
        self.assertEqual(caught.exception.status, -2147024809)
        return caught.exception

    def test_rules_of_the_description(self):
        x = np.zeros((4, 6), np.float32)
        text = r"^offsets\[1\] \+ sizes\[1\] = 3 \+ 9 = 12 exceeds x.shape\[1\] = 6"
        error = self.refused(20, text, x, [0, 3], [4, 9], [1, 1])
        self.assertEqual((error.tensor, error.dimension, error.values), ("input", 1, (3, 9, 6)))
        text = r"^offsets\[0\] \+ sizes\[0\] = 0 \+ 2147483648 = 2147483648 exceeds x.shape\[0\] = 4"
        self.refused(20, text, x, [0, 0], [2**31, 2], [1, 1])
        wide = np.broadcast_to(x[0], (2**31, 6))
        text = r"^x.shape\[0\] = 2147483648 with x.strides\[0\] = 6 "
        self.refused(11, text, wide, [0, 0], [2**31, 6], [1, 1])
        self.refused(18, r"^strides\[0\] = 0", x, [0, 0], [4, 6], [0, 1])
        self.refused(19, r"^sizes\[1\] = 0", x, [0, 0], [4, 0], [1, 1])
        self.refused(10, r"^x.shape\[0\] = 0", x[:0], [0, 0], [1, 1], [1, 1])
        self.refused(8, "^x.ndim = 9 ", x.reshape([4, 6] + [1] * 7), *[[1] * 9] * 3)
        self.refused(8, "^x.ndim = 0 ", np.float32(1), [], [], [])
        text = r"^len\(offsets\) = 2, x.ndim = 2 and out.ndim = 1 must be equal"
        self.refused(15, text, x, [0, 0], [4, 6], [1, 1], out=np.empty(24, "f4"))
        text = r"^out.shape\[1\] = 4 exceeds most\[1\] = 3 = 1 \+ \(sizes\[1\] - 1\)"
        self.refused(21, text, x, [0, 0], [4, 6], [1, 2], out=np.empty((4, 4), "f4"))
        # The operand lies backwards, but its window is judged as it is given.
        self.refused(20, "= 6$", x[::-1, ::-1], [0, 3], [4, 9], [1, -1])

    def test_numbers_that_no_field_holds(self):
        x = np.zeros((4, 6), np.float32)
        for window, text in (
            (([0, -1], [4, 6], [1, 1]), r"offsets\[1\] = -1 is outside 0 to 4294967295"),
            (([0, 0], [4, 2**32], [1, 1]), r"sizes\[1\] = 4294967296 is outside"),
            (([0, 0], [4, 6], [2**31, 1]), r"strides\[0\] = 2147483648 is outside"),
            (([0], [4, 6], [1, 1]), "offsets has 1 numbers, x has 2 dimensions"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                clslice.slice(x, *window)
        with self.assertRaisesRegex(TypeError, "float"):
            clslice.slice(x, [0, 0], [4, 6.0], [1, 1])


class Out(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(24, dtype=np.float32).reshape(4, 6)

    def refused(self, kind, text, out, **keywords):
        with self.assertRaisesRegex(kind, text) as caught:
            clslice.getitem(keywords.pop("x", self.x), ..., out=out, **keywords)
        return caught.exception

    def test_must_fit(self):
        self.refused(
            TypeError, "out has items of type float64, x of type float32", np.empty((4, 6))
        )
        self.refused(
            ValueError, r"out has shape \(6, 4\), the result \(4, 6\)", np.empty((6, 4), "f4")
        )
        self.refused(TypeError, "out is of type list", [[0.0] * 6] * 4)

    def test_must_be_writable(self):
        out = np.empty((4, 6), "f4")
        out.flags.writeable = False
        self.refused(ValueError, "out is read-only", out)
        self.refused(ValueError, "out is read-only", bytes(24), x=np.zeros(24, np.uint8))

    def test_must_not_be_a_scalar(self):
        for x in np.array(5.0), np.array(5, "M8[D]"), np.array((1, 2.0), "i4, f8"):
            self.refused(ValueError, "out is read-only", x[()], x=x)

    def test_must_have_room_for_every_element(self):
        for strides in ((24, 0), (4, 4)):
            out = np.lib.stride_tricks.as_strided(np.zeros(99, np.float32), (4, 6), strides)
            error = self.refused(
                clslice.InvalidArgumentError, "^two elements of out share memory: out.strides", out
            )
            self.assertEqual((error.rule, error.tensor, error.dimension), (13, "output", 1))

    def test_must_not_be_x(self):
        error = self.refused(clslice.InvalidArgumentError, "^x and out overlap", self.x)
        self.assertEqual((error.rule, error.tensor), (47, "output"))
        self.refused(clslice.InvalidArgumentError, "^x and out overlap", self.x[:2], x=self.x[1:3])
        self.assertEqual(self.x.tobytes(), np.arange(24, dtype=np.float32).tobytes())


    def test_must_not_interleave_with_x(self):
        """Which shares nothing, and is told from what does."""
        flat = self.x.reshape(-1)
        text = "^x and out interleave: they share no element"
        for x, out in (
            (flat[::2], flat[1::2]),
            (flat[1::2], flat[:-1:2][::-1]),
            (self.x[:, :3], self.x[:, 3:]),
            (self.x[::2], self.x[1::2]),
        ):
            error = self.refused(clslice.InvalidArgumentError, text, out, x=x)
            self.assertEqual(error.rule, 47)
        self.refused(clslice.InvalidArgumentError, "^x and out overlap", flat[::3], x=flat[4:12])
        out = flat[12:]
        self.assertIs(clslice.getitem(flat, np.s_[:12], out=out), out)  # only what is read counts
        self.assertEqual(out.tobytes(), flat[:12].tobytes())


class Keys(unittest.TestCase):
    def refused(self, kind, text, key):
        with self.assertRaisesRegex(kind, text):
            clslice.getitem(np.zeros((4, 6)), key)

    def test_out_of_range(self):
        self.refused(IndexError, "index 4 is out of bounds for axis 0 of size 4", 4)
        self.refused(IndexError, "index -7 is out of bounds for axis 1 of size 6", (0, -7))
        self.refused(IndexError, "3 indices, but the array has 2 dimensions", (0, 0, 0))
        self.refused(IndexError, "2 Ellipses", (..., ...))
        self.refused(ValueError, "step cannot be zero", np.s_[::0])

    def test_advanced(self):
        mask = np.ones((4, 6), bool)
        for key in (
            [0, 1],
            np.array([0, 1]),
            mask,
            True,
            np.True_,
            "name",
            1.0,
            (0, [1]),
            None.__class__,
        ):
            self.refused(TypeError, "clslice takes integers, slices, Ellipsis and None", key)

    def test_integers_of_other_libraries(self):
        x = np.arange(24).reshape(4, 6)
        self.assertEqual(clslice.getitem(x, (np.int8(-1), np.array(2)))[()], x[-1, 2])
        self.assertEqual(
            clslice.getitem(x, np.s_[np.uint8(1) :: np.int64(2)]).tobytes(), x[1::2].tobytes()
        )


if __name__ == "__main__":
    unittest.main()
