# SPDX-License-Identifier: MIT
"""clslice.torch, with torch 2.4 or later: its operator, and compiled functions."""

import unittest

import numpy as np
import torch

import clslice.torch

DTYPES = """
    bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128
""".split()
WINDOW = [0, 1], [4, 5], [-2, 3]


class Torch(unittest.TestCase):
    def expect(self, result, x, key):
        """By NumPy, of the same bits."""
        expected = x.numpy()[key]
        self.assertEqual((result.dtype, result.shape), (x.dtype, expected.shape))
        self.assertEqual(result.numpy().tobytes(), expected.tobytes())
        self.assertTrue(result.is_contiguous())

    def test_batch(self):
        for name in DTYPES:
            x = torch.arange(60).reshape(6, 10).to(getattr(torch, name))
            found = clslice.torch.batch(x, torch.tensor([[1, 2], [4, 0]]), (2, 3))
            self.assertEqual(found.dtype, x.dtype)
            self.assertTrue(torch.equal(found, torch.stack([x[1:3, 2:5], x[4:6, 0:3]])))
        x = torch.zeros(4, requires_grad=True)
        with self.assertRaisesRegex(RuntimeError, "no gradient"):
            clslice.torch.batch(x, [0], (2,))
        with torch.no_grad():
            self.assertEqual(clslice.torch.batch(x, [0, 2], (2,)).shape, (2, 2))
            traced = torch.compile(lambda x: clslice.torch.batch(x, [0], (2,)) + 1, backend="eager")
            self.assertEqual(traced(x).tolist(), [[1.0, 1.0]])

    def test_getitem_is_numpys(self):
        x = torch.arange(2 * 3 * 50, dtype=torch.float32).reshape(2, 3, 50)
        for key in (
            np.s_[::-1],
            np.s_[..., ::-3],
            np.s_[1, ::-1, None, 40:3:-7],
            np.s_[:, 5:],
            np.s_[0, -1, 2],
            np.s_[:, :: 2**62, 1 :: -(2**64)],
            (),
            None,
        ):
            self.expect(clslice.torch.getitem(x, key), x, key)
            self.expect(clslice.torch.getitem(x.permute(2, 0, 1), key), x.permute(2, 0, 1), key)
        self.assertEqual(clslice.torch.getitem(torch.tensor(7.0), None).tolist(), [7.0])
        with self.assertRaises(IndexError):
            clslice.torch.getitem(x, 2)

    def test_all_types(self):
        for name in DTYPES:
            x = torch.arange(24).to(getattr(torch, name)).reshape(4, 6)
            result = clslice.torch.slice(x, *WINDOW)
            self.assertEqual(result.dtype, x.dtype)
            self.assertTrue(torch.equal(result, x.flip(0)[::2, 1:6:3]))
        z = torch.arange(24).to(torch.complex64).reshape(4, 6) * 1j
        self.assertTrue(
            torch.equal(clslice.torch.slice(z.conj(), *WINDOW), z.conj().flip(0)[::2, 1:6:3])
        )

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "exceeds x.shape"):
            clslice.torch.slice(torch.zeros(4), [2], [3], [1])
        with self.assertRaisesRegex(ValueError, "^strides.0. = 0"):
            clslice.torch.slice(torch.zeros(4), [0], [4], [0])

    def test_operator_is_whole(self):
        """torch's own checks of schema, fake tensors, autograd and tracing."""
        for requires_grad in False, True:
            x = torch.randn(4, 6, dtype=torch.float64, requires_grad=requires_grad)
            torch.library.opcheck(torch.ops.clslice.slice.default, (x, *WINDOW))

    def test_traces(self):
        x = torch.randn(8, 6)
        compiled = torch.compile(
            lambda x: clslice.torch.slice(x * 2, [0, 0], [8, 6], [-1, 2]) + 1,
            backend="aot_eager",
            fullgraph=True,
        )
        self.assertTrue(torch.equal(compiled(x), (x * 2).flip(0)[:, ::2] + 1))


if __name__ == "__main__":
    unittest.main()
