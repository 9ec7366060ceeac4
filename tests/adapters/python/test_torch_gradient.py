# SPDX-License-Identifier: MIT
"""The gradients of clslice.torch, with torch 2.4 or later, beside those of torch's own slices."""

import random
import unittest
from unittest import mock

import numpy as np
import torch

import clslice.torch
from clslice import _slicing

DTYPES = "float16 bfloat16 float32 float64 complex64 complex128".split()
OTHER_DTYPES = "bool uint8 int8 int16 int32 int64".split()
SHAPE = 5, 7
WINDOWS = (
    ([0, 1], [4, 5], [-2, 3]),
    ([1, 2], [3, 5], [-1, -4]),
    ([0, 0], [5, 7], [1, 2]),
    ([4, 0], [1, 7], [-9, -3]),
)


def by_torch(x, key):
    """x[key], whose steps torch takes where they are positive: the other dimensions are flipped."""
    flipped = [axis for axis, part in enumerate(key) if (part.step or 1) < 0]
    upwards = []
    for part, size in zip(key, x.shape):
        taken = range(size)[part]
        lowest, highest = min(taken[0], taken[-1]), max(taken[0], taken[-1])
        upwards.append(slice(lowest, highest + 1, abs(taken.step)))
    return x[tuple(upwards)].flip(flipped)


def random_key(rng, shape):
    """A slice of some elements for each dimension."""
    key = []
    for size in shape:
        first, last = rng.randrange(size), rng.randrange(size)
        step = rng.choice((1, 1, 2, 3, 9)) * (1 if first <= last else -1)
        beyond = last + (1 if step > 0 else -1)
        key.append(slice(first, beyond if beyond >= 0 else None, step))
    return tuple(key)


def layouts(grad):
    """The same shape: packed, transposed, with gaps, of one row or one number for all, and where it
    is complex the conjugate, which torch leaves to its readers."""
    yield grad
    axes = list(range(grad.dim()))[::-1]
    yield grad.permute(axes).contiguous().permute(axes)
    yield grad.repeat_interleave(2, -1)[..., ::2]
    yield grad[:1].expand(grad.shape)
    yield grad.flatten()[0].expand(grad.shape)
    yield grad.conj()


class TorchGradient(unittest.TestCase):
    def test_gradients_are_torchs(self):
        rng = random.Random(135)
        for number in range(60):
            dtype = getattr(torch, DTYPES[number % len(DTYPES)])
            shape = [rng.randrange(1, 9) for _ in range(rng.randrange(1, 6))]
            shape[-1] *= rng.choice((1, 1, 20))
            key = random_key(rng, shape)
            x = torch.randn(shape).to(dtype).requires_grad_()
            ours, theirs = clslice.torch.getitem(x, key), by_torch(x, key)
            self.assertTrue(torch.equal(ours, theirs))
            for grad in layouts(torch.randn(ours.shape).to(dtype)):
                with self.subTest(shape=shape, key=key, strides=grad.stride(), dtype=dtype):
                    found, expected = (
                        torch.autograd.grad(y, x, grad, retain_graph=True)[0]
                        for y in (ours, theirs)
                    )
                    self.assertEqual((found.dtype, found.shape), (dtype, x.shape))
                    self.assertTrue(found.is_contiguous())
                    self.assertTrue(torch.equal(found, expected))

    def test_types_without_gradients(self):
        for name in OTHER_DTYPES:
            part = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
            expected = torch.zeros(4, 6, dtype=part.dtype)
            expected[::2, 1::2] = part.flip(0)
            found = clslice.torch.slice_grad(part, (4, 6), [0, 1], [3, 5], [-2, 2])
            self.assertEqual(found.dtype, part.dtype)
            self.assertTrue(torch.equal(found, expected))

    def test_expanded_gradients_are_not_copied(self):
        x = torch.randn(SHAPE, requires_grad=True)
        with mock.patch.object(_slicing, "gradient", wraps=_slicing.gradient) as gradient:
            clslice.torch.slice(x, *WINDOWS[0]).sum().backward()
        self.assertEqual(gradient.call_args.args[0].strides, (0, 0))
        expected = torch.zeros(SHAPE)
        expected[1:4:2, 1:6:3] = 1
        self.assertTrue(torch.equal(x.grad, expected))

    def test_gradients_anywhere_in_memory(self):
        """Also where no item is aligned."""
        numbers = np.arange(1.0, 5)
        for offset in 0, 1, 2, 4:
            memory = np.zeros(40, np.uint8)
            grad = torch.from_numpy(np.ndarray(4, np.float64, memory, offset))
            grad.numpy()[...] = numbers
            found = clslice.torch.slice_grad(grad, [9], [1], [8], [-2])
            self.assertEqual(found.tolist(), [0, 0, 4, 0, 3, 0, 2, 0, 1])

    def test_more_dimensions_than_an_operator_has(self):
        """Eight, of items that are two words."""
        shape = 2, 1, 3, 2, 1, 2, 2, 4
        x = torch.randn(shape, dtype=torch.complex128, requires_grad=True)
        key = tuple(slice(None, None, step) for step in (-1, 1, 2, -1, 1, 1, -1, -3))
        ours, theirs = clslice.torch.getitem(x, key), by_torch(x, key)
        grad = torch.randn_like(theirs)
        self.assertTrue(torch.equal(*(torch.autograd.grad(y, x, grad)[0] for y in (ours, theirs))))

    def test_more_dimensions_where_the_gradient_is_permuted(self):
        """Two dimensions of the slice's own result are one; not of this gradient."""
        x = torch.randn((3,) * 6 + (2, 2), dtype=torch.complex128, requires_grad=True)
        key = (slice(None, None, 2),) * 6
        ours, theirs = clslice.torch.getitem(x, key), by_torch(x, key)
        grad = torch.randn(theirs.shape[::-1], dtype=x.dtype).permute(*reversed(range(8)))
        self.assertTrue(torch.equal(*(torch.autograd.grad(y, x, grad)[0] for y in (ours, theirs))))

    def test_a_leaf_of_several_uses(self):
        found, expected = (torch.arange(24.0).reshape(4, 6).requires_grad_() for _ in range(2))
        keys = np.s_[::-1, 1::2], np.s_[1:3, ::-3], np.s_[::2, :]
        for x, function in ((found, clslice.torch.getitem), (expected, by_torch)):
            first, second, third = (function(x, key) for key in keys)
            (first.square().sum() + second.sum() * third.sum() + x.sum()).backward()
        self.assertTrue(torch.equal(found.grad, expected.grad))
        clslice.torch.getitem(found, np.s_[:1]).sum().backward()
        expected.grad[0] += 1
        self.assertTrue(torch.equal(found.grad, expected.grad))

    def test_numbers(self):
        """By differences, once and twice; gradients of a batch, too."""
        for window in WINDOWS:
            for dtype in torch.float64, torch.complex128:
                x = torch.randn(SHAPE, dtype=dtype, requires_grad=True)
                grad = torch.randn_like(clslice.torch.slice(x, *window)).requires_grad_()
                for function, of in (
                    (lambda x: clslice.torch.slice(x, *window), x),
                    (lambda grad: clslice.torch.slice_grad(grad, SHAPE, *window), grad),
                ):
                    self.assertTrue(torch.autograd.gradcheck(function, of, check_batched_grad=True))
                    self.assertTrue(torch.autograd.gradgradcheck(function, of))

    def test_operator_is_whole(self):
        """torch's own checks of schema, fake tensors, autograd and tracing."""
        for window in WINDOWS[:2]:
            taken = clslice.torch.slice(torch.randn(SHAPE, dtype=torch.float64), *window)
            for grad in layouts(taken):
                for requires_grad in False, True:
                    given = grad.detach().requires_grad_(requires_grad)
                    torch.library.opcheck(
                        torch.ops.clslice.slice_grad.default, (given, SHAPE, *window)
                    )

    def test_empty_slices(self):
        for shape, key in (((4, 6), np.s_[2:2]), ((4, 6), np.s_[1, 3:3, None]), ((0,), np.s_[:])):
            x = torch.randn(shape, requires_grad=True)
            result = clslice.torch.getitem(x, key)
            self.assertEqual(result.shape, x.detach().numpy()[key].shape)
            result.sum().backward()
            self.assertEqual(x.grad.tolist(), torch.zeros(shape).tolist())

    def test_a_single_number(self):
        x = torch.tensor(7.0, requires_grad=True)
        clslice.torch.getitem(x, None).sum().backward()
        self.assertEqual(x.grad.item(), 1)

    def test_errors(self):
        for grad, shape, window, text in (
            (torch.zeros(3), [4], ([2], [3], [1]), "exceeds x.shape"),
            (torch.zeros(3), [4], ([0], [4], [0]), "^strides.0. = 0"),
            (torch.zeros(2), [4], ([0], [3], [1]), "^grad has shape .2,., the slice .3,.$"),
            (torch.zeros(3), [4], ([0], [0], [1]), "^sizes.0. = 0"),
            (torch.zeros(3), [4, 4], ([0], [3], [1]), "^offsets has 1 numbers"),
        ):
            with self.assertRaisesRegex(ValueError, text):
                clslice.torch.slice_grad(grad, shape, *window)

    def test_traces(self):
        x, expected = (torch.arange(48.0).reshape(8, 6).requires_grad_() for _ in range(2))
        compiled = torch.compile(
            lambda x: (clslice.torch.slice(x * 2, [0, 0], [8, 6], [-1, 2]) * x[:, 3:]).sum(),
            backend="aot_eager",
            fullgraph=True,
        )
        compiled(x).backward()
        ((expected * 2).flip(0)[:, ::2] * expected[:, 3:]).sum().backward()
        self.assertTrue(torch.equal(x.grad, expected.grad))


if __name__ == "__main__":
    unittest.main()
