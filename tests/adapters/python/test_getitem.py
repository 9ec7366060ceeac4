# SPDX-License-Identifier: MIT
"""getitem against NumPy's own indexing, bit for bit."""

import tempfile
import unittest

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import arrays
import clslice


class Getitem(unittest.TestCase):
    @settings(max_examples=2000)
    @given(st.data())
    def test_is_numpys(self, data):
        x = data.draw(arrays.layouts())
        key = data.draw(arrays.keys(x.shape))
        result, expected = clslice.getitem(x, key), arrays.viewed(x, key)
        self.assertIs(type(result), np.ndarray)
        self.assertEqual((result.dtype, result.shape), (x.dtype, expected.shape))
        self.assertEqual(result.tobytes(), expected.tobytes())
        self.assertTrue(result.flags.c_contiguous and result.flags.owndata)

    @settings(max_examples=1000)
    @given(st.data())
    def test_fills_out_and_nothing_else(self, data):
        x = data.draw(arrays.layouts())
        key = data.draw(arrays.keys(x.shape))
        expected = arrays.viewed(x, key)
        memory, out = data.draw(arrays.outputs(x.dtype, expected.shape))
        self.assertIs(clslice.getitem(x, key, out=out), out)
        self.assertEqual(out.tobytes(), expected.tobytes())
        opaque = np.dtype((np.void, x.dtype.itemsize))
        out.view(opaque)[...] = np.full(x.dtype.itemsize, arrays.SENTINEL, np.uint8).view(opaque)[0]
        self.assertTrue((memory == arrays.SENTINEL).all())

    def test_at_is_getitem(self):
        x = np.arange(24.0).reshape(4, 6)
        out = np.empty((4, 4))
        self.assertEqual(clslice.at(x)[::-1, 2:].tobytes(), x[::-1, 2:].tobytes())
        self.assertEqual(clslice.at(x)[1, None, -1].shape, (1,))
        self.assertIs(clslice.at(x, out=out, device="auto")[..., 2:], out)
        self.assertEqual(out.tobytes(), x[..., 2:].tobytes())

    def test_more_than_8_dimensions(self):
        x = np.arange(2**10, dtype=np.int16).reshape([2] * 10)
        for key in (..., (0, 1), (slice(None),) * 9 + (slice(None, None, -1),)):
            self.assertEqual(clslice.getitem(x, key).tobytes(), x[key].tobytes())
        ninefold = (slice(None, None, -1), slice(None)) * 5
        with self.assertRaisesRegex(ValueError, "10 dimensions that do not continue each other"):
            clslice.getitem(x, ninefold)

    def test_more_elements_than_a_tensor_holds(self):
        with tempfile.TemporaryFile() as file:  # of holes: reading them costs nothing
            x = np.memmap(file, np.uint8, "w+", shape=3 << 31)
        step = (1 << 24) + 1
        for marked in x[::step], x[::-step]:
            marked[:] = np.arange(1, 1 + len(marked)) % 251
        for key in np.s_[::step], np.s_[::-step], np.s_[-1 - 5 * step :: step]:
            self.assertEqual(clslice.getitem(x, key).tobytes(), x[key].tobytes())
        with self.assertRaisesRegex(ValueError, r"x.shape\[0\] = 6442450944 is above 4294967295"):
            clslice.slice(x, [0], [1], [1])

    def test_overlap_of_more_elements_than_a_tensor_holds(self):
        """No half of x meets the same half of out, but they overlap."""
        step = (1 << 24) + 1
        with tempfile.TemporaryFile() as file:
            memory = np.memmap(file, np.uint8, "w+", shape=480 * step)
        spots = memory[::step]
        spots[:] = expected = np.arange(480) % 251
        for x, out in ((spots[:300], spots[180:]), (spots[180:][::-1], spots[:300])):
            with self.assertRaisesRegex(ValueError, "overlap"):
                clslice.getitem(x, ..., out=out)
            self.assertTrue((spots == expected).all())
        clslice.getitem(spots[:240], ..., out=spots[240:])
        self.assertEqual(spots[240:].tobytes(), spots[:240].tobytes())

    def test_items_of_no_bytes(self):
        for dtype in "S0", "U0", "V0":
            x = np.ndarray((2, 3), dtype)
            result = clslice.getitem(x, np.s_[::-1, 1])
            self.assertEqual((result.dtype, result.shape), (x.dtype, (2,)))

    def test_arrays_of_megabytes(self):
        x = arrays.filled(np.dtype("f4"), (600, 700, 5))
        for key in (
            np.s_[::-1, 1:-1],
            np.s_[:, ::2, ::-1],
            np.s_[..., 3],
            np.s_[5],
            np.s_[:, None, ::3],
        ):
            for array in (x, x.transpose(1, 0, 2)):
                self.assertEqual(clslice.getitem(array, key).tobytes(), array[key].tobytes())


if __name__ == "__main__":
    unittest.main()
