# SPDX-License-Identifier: MIT
"""SLICE1 and SLICE_GRAD operators: how they are described to the library, checked and compiled."""

from __future__ import annotations

import ctypes
import math
import weakref
from ctypes import byref, c_int32, c_uint32, c_void_p
from typing import NamedTuple, Sequence

from . import _abi
from ._layout import Dimension, Move
from ._library import call, library


class Items(NamedTuple):
    """What the items of a batch have alike, or the slice that a gradient is of: SLICE1's
    description, in elements of `width` bytes."""

    width: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offsets: tuple[int, ...]
    """Where no table says otherwise."""
    windows: tuple[int, ...]
    steps: tuple[int, ...]
    counts: tuple[int, ...]
    """Of an item's elements, in each dimension."""
    targets: tuple[int, ...]
    """How far these are apart in the output."""

    @property
    def source_span(self) -> int:
        return 1 + sum((size - 1) * step for size, step in zip(self.sizes, self.strides))

    @property
    def target_span(self) -> int:
        return 1 + sum((size - 1) * step for size, step in zip(self.counts, self.targets))


def items_of(itemsize: int, places: Sequence[int], dimensions: Sequence[tuple[int, ...]]) -> Items:
    """Of dimensions that have what Items has, but strides and targets in bytes. The width divides
    these and the places; items of several are one more dimension."""
    distances = (dimension[i] for dimension in dimensions for i in (1, 6))
    width = math.gcd(8, itemsize, *places, *distances)
    if width < itemsize:
        words = itemsize // width
        dimensions = [*dimensions, (words, width, 0, words, 1, words, width)]
    sizes, strides, offsets, windows, steps, counts, targets = zip(*dimensions)
    strides, targets = (tuple(n // width for n in each) for each in (strides, targets))
    return Items(width, sizes, strides, offsets, windows, steps, counts, targets)


class Handle:
    """Owns one reference to an object of the library."""

    def __init__(self, handle: c_void_p, release: str) -> None:
        self.value = handle
        # Not at exit: a daemon's thread may still be inside a call.
        weakref.finalize(self, getattr(library(), release), handle).atexit = False


def _numbers(values: Sequence[int]) -> ctypes.Array[c_uint32]:
    return (c_uint32 * len(values))(*values)


def tensor_desc(
    width: int, sizes: Sequence[int], strides: Sequence[int] | None, span: int
) -> _abi.TypedDesc:
    """A DML_TENSOR_DESC over `span` elements, which keeps what it points to."""
    buffer = _abi.BufferTensorDesc(
        DataType=_abi.DATA_TYPES[width],
        DimensionCount=len(sizes),
        Sizes=_numbers(sizes),
        Strides=None if strides is None else _numbers(strides),
        TotalTensorSizeInBytes=(span * width + 3) // 4 * 4,
    )
    desc = _abi.TypedDesc(_abi.TENSOR_TYPE_BUFFER, ctypes.addressof(buffer))
    desc.buffer = buffer
    return desc


def create_operator(
    device: c_void_p | None,
    tensors: tuple[_abi.TypedDesc, _abi.TypedDesc],
    offsets: Sequence[int],
    windows: Sequence[int],
    steps: Sequence[int],
    kind: int = _abi.OPERATOR_SLICE1,
) -> c_void_p:
    """An operator, or, without a device, only the check whether it could be."""
    slice1 = _abi.Slice1OperatorDesc(
        InputTensor=ctypes.pointer(tensors[0]),
        OutputTensor=ctypes.pointer(tensors[1]),
        DimensionCount=len(offsets),
        InputWindowOffsets=_numbers(offsets),
        InputWindowSizes=_numbers(windows),
        InputWindowStrides=(c_int32 * len(steps))(*steps),
    )
    desc = _abi.TypedDesc(kind, ctypes.addressof(slice1))
    operator = c_void_p()
    call("operator_create", device, byref(desc), byref(operator) if device else None)
    return operator


def compiled_move(device: Handle, width: int, dimensions: tuple[Dimension, ...]) -> Handle:
    """A compiled operator that reads as the dimensions step, from either end."""
    sizes = [d.size for d in dimensions]
    spans = Move(width, dimensions, 0, 0).spans
    source = tensor_desc(width, sizes, [abs(d.source) for d in dimensions], spans[0])
    target = tensor_desc(width, sizes, [d.target for d in dimensions], spans[1])
    steps = [-1 if d.source < 0 else 1 for d in dimensions]
    created = create_operator(device.value, (source, target), [0] * len(sizes), sizes, steps)
    return _compiled(created, None)


def _compiled(created: c_void_p, options: _abi.CompileOptions | None) -> Handle:
    operator = Handle(created, "clslice_operator_release")
    compiled = c_void_p()
    taken = byref(options) if options else None
    call("operator_compile", operator.value, taken, byref(compiled))
    return Handle(compiled, "clslice_compiled_operator_release")


def compiled_items(device: Handle, items: Items, is_gradient: bool) -> Handle:
    """A compiled operator for batches of these items, or for the gradient of one, which fills what
    that is taken from."""
    source = tensor_desc(items.width, items.sizes, items.strides, items.source_span)
    target = tensor_desc(items.width, items.counts, items.targets, items.target_span)
    window = items.offsets, items.windows, items.steps
    if is_gradient:
        kind = _abi.OPERATOR_SLICE_GRAD
        return _compiled(create_operator(device.value, (target, source), *window, kind), None)
    created = create_operator(device.value, (source, target), *window)
    return _compiled(created, _abi.CompileOptions(flags=_abi.COMPILE_FLAG_BATCH))
