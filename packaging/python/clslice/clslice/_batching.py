# SPDX-License-Identifier: MIT
"""Many windows of one array by one dispatch."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _abi
from ._abi import Batch, Binding
from ._errors import RULE_BIND_OVERLAP, RULE_OUTPUT_STRIDES_OVERLAP, InvalidArgumentError
from ._layout import View, share_elements
from ._opencl import is_opencl
from ._operator import Items, items_of
from ._slicing import (
    Operand,
    check_window,
    getitem,
    integers,
    most_elements,
    operand,
    shared_text,
)

# What the library calls the tables.
TABLES = {"clslice_batch.window": "offsets", "clslice_batch.output": "index"}


def batch(
    x: Any,
    offsets: Any,
    sizes: Sequence[int],
    strides: Sequence[int] | None = None,
    *,
    axes: Sequence[int] | None = None,
    out: Any = None,
    index: Any = None,
    device: str | None = None,
) -> Any:
    """Many windows of `x` at once: item i is clslice.slice(x, offsets[i], sizes, strides).

    `offsets` has shape (count, len(axes)), or (count,) for one axis, and integers of any type.
    `axes` are the dimensions that they are of, all where it is None; in the others a window begins
    at 0. `sizes` and `strides` have a number for every dimension of `x`; strides are 1 where there
    are none. The result has shape (count, *shape of an item).

    `out`, of the same type of items and shape (n, *shape of an item), is filled instead and
    returned: out[i] with item i, or out[index[i]]; `index` has `count` integers, and what it does not
    name stays as it is. Where it names one twice, that item is one of the two.

    `x` and the rest are as for getitem. Where `x` is a pyopencl.array.Array, `offsets` and `index`
    may be arrays of int32 or uint32 on the device, which are read there: an item with an offset or
    an index out of range is then left out. In a new result it is 0.

    An offset or index out of range raises IndexError, which names the row, and the axis; negative
    ones are out of range. Otherwise as getitem.

    >>> clslice.batch(np.arange(10), [7, 0, 4], [3])
    array([[7, 8, 9],
           [0, 1, 2],
           [4, 5, 6]])
    """
    source = operand(x)
    for name, table in (("offsets", offsets), ("index", index)):
        if is_opencl(table) and not is_opencl(x):
            raise TypeError(
                f"{name} on the device need an x on the device: give clslice.get({name})"
            )
    rank = len(source.view.sizes)
    window = integers("sizes", sizes, rank, 0, _abi.ELEMENTS_MAX)
    steps = (1,) * rank
    if strides is not None:
        steps = integers("strides", strides, rank, _abi.INT_MIN, _abi.INT_MAX)
    origin = (0,) * rank
    counts = most_elements(source.view.sizes, origin, window, steps)
    check_window(source.dtype.itemsize, source.view.sizes, origin, window, steps, counts)
    rooms = [size - extent + 1 for size, extent in zip(source.view.sizes, window)]
    chosen = _axes(axes, rank)
    table = _Table.of(offsets, "offsets", len(chosen))
    table.check(chosen, rooms)
    target, places = _target(source, table, counts, out, index)
    if table.count and math.prod(target.view.sizes) * source.dtype.itemsize:
        if places is not None and (places.host is None) != (table.host is None):
            raise TypeError("offsets and index must both be on the host, or both on the device")
        plan = _plan(source, target, window, steps, chosen)
        _fill(source, target, plan, chosen, (table, places), device)
    return target.given


class _Table(NamedTuple):
    """Integers for every item: of the host, or on the device."""

    name: str
    count: int
    host: np.ndarray | None
    device: Any

    @staticmethod
    def of(given: Any, name: str, columns: int | None) -> _Table:
        """`columns` None: one number for each item."""
        is_on_device = is_opencl(given)
        numbers = given if is_on_device else _numbers(given)
        if numbers.dtype.kind not in "iu" and (numbers is given or not _are_integers(numbers)):
            raise TypeError(f"{name} has items of type {numbers.dtype}: give integers")
        if is_on_device and numbers.dtype not in (np.int32, np.uint32):
            raise TypeError(
                f"{name} has items of type {numbers.dtype}: on a device, int32 or uint32"
            )
        count = numbers.shape[0] if numbers.shape else 0
        wanted = (count,) if columns is None else (count, columns)
        is_flat = numbers.ndim == 1 and (columns == 1 or count == 0)
        if numbers.shape != wanted and not is_flat:
            last = "" if columns is None else f", {columns}"
            raise ValueError(f"{name} has shape {numbers.shape}: give (count{last})")
        if is_on_device:
            return _Table(name, count, None, _packed(numbers))
        return _Table(name, count, numbers.reshape(wanted), None)

    def check(self, axes: Sequence[int] | None, rooms: Sequence[int]) -> None:
        """Raises IndexError where a number of the host's is not within its room."""
        if self.host is None or self.count == 0:
            return
        columns = self.host.reshape(self.count, -1)
        for i, room in enumerate(rooms if axes is None else [rooms[axis] for axis in axes]):
            column = columns[:, i]
            bad = np.flatnonzero((column < 0) | (column >= room))
            if bad.size:
                row = int(bad[0])
                axis = "" if axes is None else f" for axis {axes[i]}"
                raise IndexError(
                    f"{self.name}[{row}] = {int(column[row])}{axis} is outside 0 to {room - 1}"
                )


def _numbers(given: Any) -> np.ndarray:
    """As an array; of a list whose integers are larger than NumPy's, one of objects."""
    numbers = np.asarray(given)
    if numbers.size == 0:
        return numbers.astype(np.int64)
    if numbers is given or numbers.dtype.kind != "f":
        return numbers
    exact = np.asarray(given, object)
    return exact if _are_integers(exact) else numbers


def _are_integers(numbers: np.ndarray) -> bool:
    return numbers.dtype == object and all(
        isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in numbers.flat
    )


def _packed(given: Any) -> Any:
    return given if given.flags.c_contiguous else getitem(given, ...)


def _axes(axes: Any, rank: int) -> list[int]:
    values = range(rank) if axes is None else axes if np.ndim(axes) else (axes,)
    chosen = list(integers("axes", values, len(values), _abi.INT_MIN, _abi.INT_MAX))
    for axis in chosen:
        if not -rank <= axis < rank:
            raise IndexError(f"axes has {axis}, but x has {rank} dimensions")
    chosen = [axis % rank for axis in chosen]
    if len(set(chosen)) != len(chosen) or not chosen:
        raise ValueError(f"axes = {axes}: give each axis once, and one at least")
    return chosen


def _target(
    source: Operand, table: _Table, counts: tuple[int, ...], out: Any, index: Any
) -> tuple[Any, _Table | None]:
    """The array to fill, and which of its items, None: the first ones."""
    if out is None:
        if index is not None:
            raise ValueError("index is for out: give out, too")
        sizes = (table.count, *counts)
        return source.empty(sizes) if table.host is not None else source.zeros(sizes), None
    target = source.as_output(out)
    if target.dtype != source.dtype:
        raise TypeError(f"out has items of type {target.dtype}, x of type {source.dtype}")
    if target.view.sizes[1:] != counts or not target.view.sizes:
        raise ValueError(f"out has shape {target.view.sizes}, items have {counts}")
    rows = target.view.sizes[0]
    if index is None:
        if rows != table.count:
            raise ValueError(f"out has {rows} items, offsets {table.count}: they must be equal")
        return target, None
    places = _Table.of(index, "index", None)
    if places.count != table.count:
        raise ValueError(f"index has {places.count} numbers, offsets {table.count}")
    places.check(None, [rows])
    return target, places


class _Plan(NamedTuple):
    """The items, and where the tensors and the table of offsets lie."""

    items: Items
    source: int
    target: int
    pitch: int
    axis: int
    flips: tuple[int | None, ...]
    """For each axis of the table: what its offsets are taken from, where x lies downwards."""


def _plan(
    source: Operand,
    target: Any,
    window: tuple[int, ...],
    steps: tuple[int, ...],
    axes: list[int],
) -> _Plan:
    view, filled = source.view.plain, target.view.plain
    if min(filled.strides) < 0:
        raise ValueError(f"out.strides = {filled.strides}: a batch writes upwards alone")
    read, itemsize = view.start, source.dtype.itemsize
    if _items_share(itemsize, filled):
        raise ValueError(shared_text("out", target.view))
    flips: list[int | None] = [None] * len(view.sizes)
    dimensions = []
    for axis, (size, stride, extent, step, count, apart) in enumerate(
        zip(view.sizes, view.strides, window, steps, filled.sizes[1:], filled.strides[1:])
    ):
        if stride < 0:
            read += (size - 1) * stride
            stride, step, flips[axis] = -stride, -step, size - extent
        if step > _abi.INT_MAX:
            if count > 1:
                raise ValueError(
                    f"strides[{axis}] = {-step}: x lies downwards there, where strides are at least"
                    f" {-_abi.INT_MAX}"
                )
            step = _abi.INT_MAX
        dimensions.append((size, stride, flips[axis] or 0, extent, step, count, apart))
    items = items_of(itemsize, (read, filled.start, filled.strides[0]), dimensions)
    if len(items.sizes) > _abi.DIMENSION_COUNT_MAX:
        raise ValueError(
            f"the batch has {len(items.sizes)} dimensions: SLICE1 takes {_abi.DIMENSION_COUNT_MAX}"
        )
    if max(items.source_span, items.target_span) > _abi.ELEMENTS_MAX:
        raise ValueError(f"x or an item of out spans more than {_abi.ELEMENTS_MAX} elements")
    first, last = min(axes), max(axes)
    pitch = filled.strides[0] // items.width
    return _Plan(items, read, filled.start, pitch, first, tuple(flips[first : last + 1]))


def _items_share(itemsize: int, filled: View) -> bool:
    """Whether two items of a batch's output share memory: then its first does with another."""
    start, (rows, *sizes), (pitch, *strides) = filled
    if rows == 1:
        return False
    item = View(start, tuple(sizes), tuple(strides))
    others = View(start + pitch, (rows - 1, *sizes), filled.strides)
    return share_elements(itemsize, item, others)


def _window(plan: _Plan, axes: list[int], offsets: _Table) -> np.ndarray:
    """The table of windows: a column for every axis from the first to the last."""
    table = np.zeros((offsets.count, len(plan.flips)), np.uint32)
    for i, flip in enumerate(plan.flips):
        column: Any = 0
        if plan.axis + i in axes:
            column = offsets.host[:, axes.index(plan.axis + i)]  # type: ignore[index]
        table[:, i] = column if flip is None else flip - np.asarray(column, np.int64)
    return table


def _fill(
    source: Operand,
    target: Any,
    plan: _Plan,
    axes: list[int],
    tables: tuple[_Table, _Table | None],
    device: str | None,
) -> None:
    offsets, places = tables
    batch = Batch(
        count=offsets.count,
        window_axis=plan.axis,
        window_axis_count=len(plan.flips),
        output_pitch=plan.pitch,
    )
    rows = target.view.sizes[0]
    size = ((rows - 1) * plan.pitch + plan.items.target_span) * plan.items.width
    kept: list[Any] = []
    if offsets.host is None:
        if any(flip is not None for flip in plan.flips) or len(axes) != len(plan.flips):
            raise ValueError(
                "offsets on the device: give axes that follow each other, of an x whose strides are"
                " not negative there"
            )
        if axes != sorted(axes):
            raise ValueError("offsets on the device: give axes in their order")
        batch.flags = _abi.BATCH_FLAG_SKIP
        batch.window = source.table(offsets.device)
    else:
        kept.append(_window(plan, axes, offsets))
        batch.window = _host(kept[-1])
    if places is not None:
        batch.output_index_bytes = 4 if places.host is None else 8
        if places.host is None:
            batch.output = source.table(places.device)
        else:
            kept.append(np.ascontiguousarray(places.host.reshape(-1), np.uint64))
            batch.output = _host(kept[-1])
    try:
        source.move_batch(plan.items, batch, plan.source, target, plan.target, size, device)
    except InvalidArgumentError as error:
        if error.rule == RULE_OUTPUT_STRIDES_OVERLAP:
            error.args = (shared_text("out", target.view),)
        if error.rule == RULE_BIND_OVERLAP:
            what = next((ours for name, ours in TABLES.items() if name in str(error)), "x")
            error.args = (
                f"{what} and out overlap, or lie between each other's elements: a batch cannot run"
                " in place; fill another array",
            )
        raise


def _host(table: np.ndarray) -> Binding:
    return Binding(kind=_abi.BINDING_HOST, handle=table.ctypes.data, size=table.nbytes)
