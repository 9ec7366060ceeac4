# SPDX-License-Identifier: MIT
"""Slices of PyTorch's tensors in CPU memory, with negative steps: needs torch 2.4 or newer.

Importing this module registers the operators `torch.ops.clslice.slice` and `slice_grad`, each of
which is the other's gradient: autograd and torch.compile know both. CLSLICE_DEVICE picks the device.
"""

# No postponed annotations: the operator's schema is read off them.
from typing import Any, List

import numpy as np
import torch

from . import _batching, _slicing
from ._key import select

__all__ = ["batch", "getitem", "slice", "slice_grad"]

# Bits are moved: NumPy, which has not all of torch's types, sees a tensor as one of these.
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}


def _bits(x: torch.Tensor) -> np.ndarray:
    return x.detach().resolve_conj().resolve_neg().view(_BITS[x.element_size()]).numpy()


@torch.library.custom_op("clslice::slice", mutates_args=(), device_types="cpu")
def slice(
    x: torch.Tensor, offsets: List[int], sizes: List[int], strides: List[int]
) -> torch.Tensor:
    """clslice.slice of a tensor, as a packed tensor of its own. The rest of `x` has gradient 0."""
    return torch.from_numpy(_slicing.slice(_bits(x), offsets, sizes, strides)).view(x.dtype)


@slice.register_fake
def _(x: torch.Tensor, offsets: List[int], sizes: List[int], strides: List[int]) -> torch.Tensor:
    return x.new_empty(_slicing.most_elements(x.shape, offsets, sizes, strides))


def _remember(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    x, *ctx.window = inputs
    ctx.sizes = x.shape


def _backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    return slice_grad(grad, ctx.sizes, *ctx.window), None, None, None


slice.register_autograd(_backward, setup_context=_remember)


@torch.library.custom_op("clslice::slice_grad", mutates_args=(), device_types="cpu")
def slice_grad(
    grad: torch.Tensor, shape: List[int], offsets: List[int], sizes: List[int], strides: List[int]
) -> torch.Tensor:
    """The gradient of slice, of a tensor of this shape: `grad`, which has the shape of the slice,
    where its elements were taken from, and 0 elsewhere."""
    found = _slicing.gradient(_bits(grad), shape, offsets, sizes, strides)
    return torch.from_numpy(found).view(grad.dtype)


@slice_grad.register_fake
def _(
    grad: torch.Tensor, shape: List[int], offsets: List[int], sizes: List[int], strides: List[int]
) -> torch.Tensor:
    return grad.new_empty(shape)


def _remember_window(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    ctx.window = inputs[2:]


def _backward_of_grad(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    return slice(grad, *ctx.window), None, None, None, None


slice_grad.register_autograd(_backward_of_grad, setup_context=_remember_window)


@torch.compiler.disable
def batch(x: torch.Tensor, offsets: Any, *window: Any, **options: Any) -> torch.Tensor:
    """clslice.batch of a tensor, as a packed tensor of its own. It has no gradient: a tensor that
    requires one raises, outside torch.no_grad()."""
    if x.requires_grad and torch.is_grad_enabled():
        raise RuntimeError("clslice.torch.batch has no gradient: detach x, or use torch.no_grad()")
    if options.get("out") is not None:
        raise TypeError("clslice.torch.batch takes no out")
    rows = offsets.numpy() if isinstance(offsets, torch.Tensor) else offsets
    return torch.from_numpy(_batching.batch(_bits(x), rows, *window, **options)).view(x.dtype)


def getitem(x: torch.Tensor, key: Any) -> torch.Tensor:
    """A packed copy of `x[key]`, for integers, slices with any steps, Ellipsis and None."""
    selection = select(x.shape, key)
    if not all(map(len, selection.ranges)):
        return x[:0].clone().reshape(selection.sizes)  # which autograd can follow
    ranges = selection.ranges or (range(1),)
    taken = slice(
        x if x.dim() else x.reshape(1),
        [min(r[0], r[-1]) for r in ranges],
        [abs(r[-1] - r[0]) + 1 for r in ranges],
        [r.step if len(r) > 1 else 1 for r in ranges],  # others may exceed what an operator takes
    )
    return taken.reshape(selection.sizes)
