# SPDX-License-Identifier: MIT
"""The functions that slice."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any, Sequence

import numpy as np

from ._abi import DATA_TYPES, DIMENSION_COUNT_MAX, ELEMENTS_MAX, INT_MAX, INT_MIN
from ._errors import RULE_BIND_OVERLAP, RULE_OUTPUT_STRIDES_OVERLAP, InvalidArgumentError
from ._host import HostArray
from ._key import Selection, select
from ._layout import View, broadcast, share_elements
from ._opencl import OpenclArray, is_opencl
from ._operator import create_operator, items_of, tensor_desc

Operand = HostArray | OpenclArray

# What the library calls by DirectML's names; the longer ones first.
NAMES = {
    "InputWindowOffsets": "offsets",
    "InputWindowSizes": "sizes",
    "InputWindowStrides": "strides",
    "InputTensor.Sizes": "x.shape",
    "InputTensor.Strides": "x.strides",
    "InputTensor.DimensionCount": "x.ndim",
    "OutputTensor.Sizes": "out.shape",
    "OutputTensor.Strides": "out.strides",
    "OutputTensor.DimensionCount": "out.ndim",
    "DimensionCount": "len(offsets)",
    "MaxCopiedElements": "most",
}


def slice(
    x: Any,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    *,
    out: Any = None,
    device: str | None = None,
) -> Any:
    """DirectML's SLICE1: in every dimension, `x` from `offsets`, through a window of `sizes`
    elements of `x`, in steps of `strides`; negative ones begin at the window's end.

    The result has 1 + (sizes[i] - 1) // abs(strides[i]) elements in dimension i; `out` may have
    fewer. Otherwise as getitem. What breaks a rule of SLICE1 is an InvalidArgumentError.

    >>> clslice.slice(np.arange(10), [2], [7], [-3])
    array([8, 5, 2])
    """
    source = operand(x)
    window = _window(len(source.view.sizes), offsets, sizes, strides)
    target = None if out is None else source.as_output(out)
    counts = target.view.sizes if target else most_elements(source.view.sizes, *window)
    check_window(source.dtype.itemsize, source.view.sizes, *window, counts)
    view = source.view.selected(_selection(window, counts))
    return _fill(source, view, target, device)


def gradient(
    y: np.ndarray,
    shape: Sequence[int],
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
) -> np.ndarray:
    """DirectML's SLICE_GRAD: zeros of this shape, but for the items of `y` where a slice of these
    numbers takes its own from. No stride of `y` is negative."""
    source = HostArray(y, "grad")
    shape = tuple(integers("shape", shape, len(shape), 0, ELEMENTS_MAX))
    window = _window(len(shape), offsets, sizes, strides)
    counts, itemsize = most_elements(shape, *window), source.dtype.itemsize
    check_window(itemsize, shape, *window, counts)
    if source.view.sizes != counts:
        raise ValueError(f"grad has shape {source.view.sizes}, the slice {counts}")
    target, read = source.empty(shape), source.view.plain
    filled = target.view
    dimensions = list(zip(shape, filled.strides, *window, counts, read.strides))
    items = items_of(itemsize, (read.start, filled.start), dimensions)
    span = max(items.source_span, items.target_span)
    if len(items.sizes) <= DIMENSION_COUNT_MAX and span <= ELEMENTS_MAX:
        source.move_gradient(items, target, None)
    else:  # more than one operator takes
        target.array.fill(0)
        target.view = filled.selected(_selection(window, counts))
        packed = HostArray(np.ascontiguousarray(y), "grad")  # joins as the slice's own result did
        packed.move(packed.view.plain, target, None)
    return target.array


def getitem(x: Any, key: Any, *, out: Any = None, device: str | None = None) -> Any:
    """A packed copy of `x[key]`, for the keys of NumPy's basic indexing: integers, slices with any
    steps, Ellipsis and None. Integers in every axis give an array without dimensions.

    `x` is an array of NumPy's, or one that has __dlpack__ on the CPU or the buffer protocol: the
    result is NumPy's, and complete. Or it is a pyopencl.array.Array: then so is the result, on the
    queue of `x` and in the order of its events. Items of any type that holds no references to
    objects, with any strides.

    `out`, of the same type of items and of the result's shape, is filled instead and returned; its
    strides may be any under which no two elements share memory. It must not overlap what is read
    of `x`, nor interleave with it: of one memory, one has to begin behind the other's last element.
    `device` is a selector as in CLSLICE_DEVICE, which None stands for. Any thread may call; the GIL
    is released.

    Raises Error and its subclasses, TypeError, ValueError, and IndexError for the key.
    """
    source = operand(x)
    view = source.view.selected(select(source.view.sizes, key))
    target = None if out is None else source.as_output(out)
    if target is not None and target.view.sizes != view.sizes:
        raise ValueError(f"out has shape {target.view.sizes}, the result {view.sizes}")
    return _fill(source, view, target, device)


def setitem(x: Any, key: Any, y: Any, *, device: str | None = None) -> None:
    """`x[key] = y` as NumPy assigns, for the keys of getitem.

    `x` is as for getitem, and writable. `y` is cast to the items of `x` as NumPy casts it, and then
    broadcast; what of it may share memory with `x` is copied first. Where `x` is a pyopencl.array.
    Array, `y` is one of the same context and type of items, or an array of the host's, or a number.
    Nothing but the items that the key selects is written.

    Raises Error and its subclasses, TypeError, ValueError, and IndexError for the key.
    """
    source = operand(x)
    target = source.as_output(x, "x")
    if is_opencl(y) and not is_opencl(x):
        raise TypeError("y is an array of pyopencl's, x is not: assign clslice.get(y)")
    view = source.view.selected(select(source.view.sizes, key))
    if not view.sizes and Ellipsis not in (key if isinstance(key, tuple) else (key,)):
        y = _item(source.dtype, y)
    if isinstance(y, np.ndarray):  # NumPy looks at its shape first, and casts nothing to nowhere
        broadcast(View(0, y.shape, y.strides), view.sizes, "y")
        if 0 in view.sizes:
            return
    value = source.as_value(y)
    spread = broadcast(value.view, view.sizes, "y")
    if math.prod(view.sizes) * source.dtype.itemsize:
        target.view = view
        try:
            value.move(spread, target, device)
        except InvalidArgumentError as error:
            if error.rule == RULE_OUTPUT_STRIDES_OVERLAP:
                error.args = (shared_text("x[key]", view),)
            raise


def _item(dtype: np.dtype, y: Any) -> Any:
    """What a key of integers alone takes, which NumPy does not broadcast: a single number."""
    if is_opencl(y):
        return y
    item = np.ndarray((), dtype)
    item[()] = y
    return item


def get(view: Any) -> np.ndarray:
    """The items of a pyopencl.array.Array, whatever its strides, as an array of NumPy's."""
    if not is_opencl(view):
        raise TypeError(f"get takes arrays of pyopencl's, not {type(view).__name__}")
    packed: np.ndarray = getitem(view, ...).get()
    return packed


class at:
    """`at(x)[key]` is `getitem(x, key)`, and `at(x)[key] = y` is `setitem(x, key, y)`."""

    def __init__(self, x: Any, *, out: Any = None, device: str | None = None) -> None:
        self._x, self._out, self._device = x, out, device

    def __getitem__(self, key: Any) -> Any:
        return getitem(self._x, key, out=self._out, device=self._device)

    def __setitem__(self, key: Any, y: Any) -> None:
        if self._out is not None:
            raise ValueError("at(x, out=...) is for reading: leave out away")
        setitem(self._x, key, y, device=self._device)


def operand(x: Any) -> Operand:
    return OpenclArray(x, "x") if is_opencl(x) else HostArray(x, "x")


def _fill(source: Operand, view: View, target: Any, device: str | None) -> Any:
    """The target, an operand of the source's kind, or where that is None a new one of the view's
    sizes: filled from the view of the source."""
    if target is None:
        target = source.empty(view.sizes)
    elif target.dtype != source.dtype:
        raise TypeError(f"out has items of type {target.dtype}, x of type {source.dtype}")
    if math.prod(view.sizes) * source.dtype.itemsize:
        try:
            source.move(view, target, device)
        except InvalidArgumentError as error:
            error.args = (_explanation(error, source, view, target),)
            raise
    return target.given


def _explanation(error: InvalidArgumentError, source: Any, view: View, target: Any) -> str:
    """The error's text, in the caller's terms where it is about `out`."""
    if error.rule == RULE_OUTPUT_STRIDES_OVERLAP:
        return shared_text("out", target.view)
    if error.rule != RULE_BIND_OVERLAP:
        return str(error)
    itemsize = source.dtype.itemsize
    if not source.is_one_memory(target) or share_elements(itemsize, view, target.view):
        return "x and out overlap: a slice cannot run in place; slice into another array"
    return (
        "x and out interleave: they share no element, but each lies between elements of the other,"
        " which a slice cannot fill; slice into another array, and copy that to out"
    )


def shared_text(name: str, view: View) -> str:
    return (
        f"two elements of {name} share memory: {name}.strides = {view.strides} under {name}.shape"
        f" = {view.sizes}; give every element its own"
    )


def integers(
    name: str, values: Sequence[int], count: int, least: int, most: int
) -> tuple[int, ...]:
    """The values, each known to fit its field of the description."""
    try:
        numbers = tuple(map(operator.index, values))
    except TypeError as reason:
        raise TypeError(f"{name} = {values!r}: {reason}: give a sequence of integers") from None
    if len(numbers) != count:
        raise ValueError(
            f"{name} has {len(numbers)} numbers, x has {count} dimensions: give one for each"
        )
    for i, number in enumerate(numbers):
        if not least <= number <= most:
            raise ValueError(f"{name}[{i}] = {number} is outside {least} to {most}")
    return numbers


def _window(
    rank: int, offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    return tuple(
        integers(name, values, rank, *limits)
        for name, values, limits in (
            ("offsets", offsets, (0, ELEMENTS_MAX)),
            ("sizes", sizes, (0, ELEMENTS_MAX)),
            ("strides", strides, (INT_MIN, INT_MAX)),
        )
    )


def most_elements(
    x_sizes: Sequence[int], offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
) -> tuple[int, ...]:
    """The most elements that a window gives; 1 for a window that the check will refuse."""
    return tuple(
        1 + (size - 1) // abs(stride) if size and stride and offset + size <= all_of_x else 1
        for all_of_x, offset, size, stride in zip(x_sizes, offsets, sizes, strides)
    )


@functools.lru_cache(1024)
def check_window(
    itemsize: int,
    x_sizes: tuple[int, ...],
    offsets: tuple[int, ...],
    windows: tuple[int, ...],
    strides: tuple[int, ...],
    out_sizes: tuple[int, ...],
) -> None:
    """Raises what the library says of the description."""
    width = itemsize if itemsize in DATA_TYPES else 1
    tensors = []
    for name, sizes in (("x", x_sizes), ("out", out_sizes)):
        for i, size in enumerate(sizes):
            if size > ELEMENTS_MAX:
                raise ValueError(
                    f"{name}.shape[{i}] = {size} is above {ELEMENTS_MAX}, SLICE1's most"
                )
        span = min(math.prod(sizes), ELEMENTS_MAX)
        tensors.append(tensor_desc(width, sizes, None, span))
    try:
        create_operator(None, (tensors[0], tensors[1]), offsets, windows, strides)
    except InvalidArgumentError as error:
        text = str(error)
        for name, ours in NAMES.items():
            text = text.replace(name, ours)
        error.args = (text,)
        raise


def _selection(window: tuple[tuple[int, ...], ...], counts: tuple[int, ...]) -> Selection:
    ranges = tuple(map(_range, *window, counts))
    return Selection(ranges, tuple(range(len(ranges))))


def _range(offset: int, window: int, stride: int, count: int) -> range:
    """The indices of one dimension, as many as the output has."""
    first = offset if stride > 0 else offset + window - 1
    return range(first, first + count * stride, stride)
