# SPDX-License-Identifier: MIT
"""Slices of PyTorch's tensors in CPU memory, with negative steps: needs torch 2.4 or newer.

Importing this module registers the operator `torch.ops.clslice.slice`, which autograd and
torch.compile know. CLSLICE_DEVICE picks the device.
"""

# No postponed annotations: the operator's schema is read off them.
import builtins
from typing import Any, List

import torch

from . import _batching, _slicing
from ._key import select

__all__ = ["batch", "getitem", "slice"]

# Bits are moved: NumPy, which has not all of torch's types, sees a tensor as one of these.
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}


@torch.library.custom_op("clslice::slice", mutates_args=(), device_types="cpu")
def slice(
    x: torch.Tensor, offsets: List[int], sizes: List[int], strides: List[int]
) -> torch.Tensor:
    """clslice.slice of a tensor, as a packed tensor of its own. The rest of `x` has gradient 0."""
    resolved = x.detach().resolve_conj().resolve_neg()
    bits = resolved.view(_BITS[x.element_size()]).numpy()
    return torch.from_numpy(_slicing.slice(bits, offsets, sizes, strides)).view(x.dtype)


@slice.register_fake
def _(x: torch.Tensor, offsets: List[int], sizes: List[int], strides: List[int]) -> torch.Tensor:
    return x.new_empty(_slicing.most_elements(sizes, strides))


def _remember(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    x, *ctx.window = inputs
    ctx.sizes = x.shape


def _backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    """Scatters into zeros. torch's steps are positive: what was taken backwards is flipped."""
    flipped, taken = [], []
    for axis, (offset, size, stride) in enumerate(zip(*ctx.window)):
        if stride < 0:
            flipped.append(axis)
            offset += (size - 1) % -stride
            stride = -stride
        taken.append(builtins.slice(offset, offset + 1 + (grad.shape[axis] - 1) * stride, stride))
    result = grad.new_zeros(ctx.sizes)
    result[tuple(taken)] = grad.flip(flipped)
    return result, None, None, None


slice.register_autograd(_backward, setup_context=_remember)


def batch(x: torch.Tensor, offsets: Any, *window: Any, **options: Any) -> torch.Tensor:
    """clslice.batch of a tensor, as a packed tensor of its own. It has no gradient: a tensor that
    requires one raises, outside torch.no_grad()."""
    if x.requires_grad and torch.is_grad_enabled():
        raise RuntimeError("clslice.torch.batch has no gradient: detach x, or use torch.no_grad()")
    if options.get("out") is not None:
        raise TypeError("clslice.torch.batch takes no out")
    bits = x.detach().resolve_conj().resolve_neg().view(_BITS[x.element_size()]).numpy()
    rows = offsets.numpy() if isinstance(offsets, torch.Tensor) else offsets
    return torch.from_numpy(_batching.batch(bits, rows, *window, **options)).view(x.dtype)


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
        [r.step for r in ranges],
    )
    return taken.reshape(selection.sizes)
