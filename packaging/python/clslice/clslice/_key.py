# SPDX-License-Identifier: MIT
"""NumPy's basic indexing, without an array: the indices of every axis, and what becomes of it."""

from __future__ import annotations

import operator
from typing import NamedTuple, Sequence

import numpy as np


class Selection(NamedTuple):
    """The result has a dimension for each of `axes`: an axis of `x`, or None for a new one."""

    ranges: tuple[range, ...]
    """The indices taken, for every axis of `x`."""
    axes: tuple[int | None, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(1 if axis is None else len(self.ranges[axis]) for axis in self.axes)


def select(sizes: Sequence[int], key: object) -> Selection:
    """What `key` selects of an array of these sizes: IndexError where it is out of range or too
    long, TypeError where it is no basic index."""
    entries = _without_ellipsis(key if isinstance(key, tuple) else (key,), len(sizes))
    ranges: list[range] = []
    axes: list[int | None] = []
    for entry in entries:
        axis = len(ranges)
        if entry is None:
            axes.append(None)
        elif isinstance(entry, slice):
            ranges.append(range(*entry.indices(sizes[axis])))
            axes.append(axis)
        else:
            ranges.append(_single(entry, axis, sizes[axis]))
    return Selection(tuple(ranges), tuple(axes))


def _without_ellipsis(entries: tuple[object, ...], rank: int) -> list[object]:
    """The entries with full slices for the axes that they leave to an Ellipsis, or out."""
    full = slice(None)
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if used > rank:
        raise IndexError(f"the key has {used} indices, but the array has {rank} dimensions")
    places = [place for place, entry in enumerate(entries) if entry is Ellipsis]
    if len(places) > 1:
        raise IndexError(f"the key has {len(places)} Ellipses: write one '...' at most")
    place = places[0] if places else len(entries)
    return [*entries[:place], *[full] * (rank - used), *entries[place + 1 :]]


def _single(entry: object, axis: int, size: int) -> range:
    """The one index of an axis that an integer drops."""
    is_integer = hasattr(entry, "__index__") and not isinstance(entry, (bool, np.bool_))
    try:
        index = operator.index(entry) if is_integer else None  # type: ignore[arg-type]
    except TypeError:  # an array of several
        index = None
    if index is None:
        raise TypeError(
            f"the index of axis {axis} is of type {type(entry).__name__}: clslice takes integers,"
            " slices, Ellipsis and None; index with arrays, lists and masks in NumPy"
        )
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} of size {size}")
    return range(index % size, index % size + 1)
