# SPDX-License-Identifier: MIT
"""Where elements lie, in bytes, and how one strided place is filled from another by SLICE1."""

from __future__ import annotations

import itertools
import math
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np

from ._abi import DIMENSION_COUNT_MAX, ELEMENTS_MAX
from ._errors import overlap_error
from ._key import Selection

SHARING_WORK_MAX = 100_000


class View(NamedTuple):
    """Elements of an array, wherever that is: byte `start` is the first of element (0, ..., 0)."""

    start: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def selected(self, selection: Selection) -> View:
        """What a selection leaves; only sizes mean something where that is empty."""
        ranges, axes = selection
        first = sum(r.start * stride for r, stride in zip(ranges, self.strides))
        strides = tuple(0 if i is None else ranges[i].step * self.strides[i] for i in axes)
        return View(self.start + first, selection.sizes, strides)

    @property
    def plain(self) -> View:
        """The same elements, with steps of 0 in dimensions of one, where steps say nothing."""
        strides = tuple(0 if n == 1 else step for n, step in zip(self.sizes, self.strides))
        return self._replace(strides=strides)


def broadcast(view: View, sizes: tuple[int, ...], name: str) -> View:
    """The view with these sizes, by steps of 0 where it repeats itself. As in NumPy's assignments,
    leading dimensions of one may be too many."""
    surplus = len(view.sizes) - len(sizes)
    if surplus > 0 and all(size == 1 for size in view.sizes[:surplus]):
        view = View(view.start, view.sizes[surplus:], view.strides[surplus:])
    missing = len(sizes) - len(view.sizes)
    own = (1,) * missing + view.sizes
    if missing < 0 or any(size not in (1, wanted) for size, wanted in zip(own, sizes)):
        raise ValueError(f"{name} has shape {view.sizes}, which does not fit {sizes}")
    steps = (0,) * missing + view.plain.strides
    return View(view.start, sizes, steps)


class _Places:
    """A view for NumPy to reckon with, of no memory that may be touched."""

    def __init__(self, view: View, itemsize: int) -> None:
        place = (1 << 20) + view.start, True  # not 0, which is none
        self.__array_interface__: dict[str, Any] = {
            "version": 3,
            "typestr": f"|V{itemsize}",
            "data": place,
            "shape": view.sizes,
            "strides": view.strides,
        }


def share_elements(itemsize: int, one: View, other: View) -> bool:
    """Whether views of one memory share a byte of some element; also where that is hard to tell."""
    places = [np.asarray(_Places(view, itemsize)) for view in (one, other)]
    try:
        return np.shares_memory(*places, max_work=SHARING_WORK_MAX)
    except RuntimeError:  # TooHardError, which has moved between NumPy's versions
        return True


class Dimension(NamedTuple):
    size: int
    source: int
    target: int


class Move(NamedTuple):
    """A SLICE1 between two places. Steps count elements of `width` bytes; those of the target are
    never negative. `source` and `target` are the lowest bytes that are read and written."""

    width: int
    dimensions: tuple[Dimension, ...]
    source: int
    target: int

    @property
    def spans(self) -> tuple[int, int]:
        """From the first to the last element of either side, in elements."""
        return (
            1 + sum((d.size - 1) * abs(d.source) for d in self.dimensions),
            1 + sum((d.size - 1) * d.target for d in self.dimensions),
        )

    @property
    def is_in_place(self) -> bool:
        """Whether the ranges that are read and written overlap, being of one memory."""
        read, written = (span * self.width for span in self.spans)
        return self.source < self.target + written and self.target < self.source + read


def moves(itemsize: int, source: View, target: View, is_one_memory: bool) -> Iterator[Move]:
    """Fills the target from the source, both of the same sizes, none 0. Mostly one move; more where
    either spans more elements than a tensor may have."""
    whole = _move(itemsize, source, target)
    # The library refuses this too, but sees one move at a time.
    if is_one_memory and max(whole.spans) > ELEMENTS_MAX and whole.is_in_place:
        raise overlap_error()
    if len(whole.dimensions) > DIMENSION_COUNT_MAX:
        whole = whole._replace(dimensions=_joined(whole.dimensions))
    if len(whole.dimensions) > DIMENSION_COUNT_MAX:
        raise ValueError(
            f"the slice has {len(whole.dimensions)} dimensions that do not continue each other in"
            f" memory: SLICE1 takes {DIMENSION_COUNT_MAX} at most; slice a part of the array, or a"
            " packed copy"
        )
    return _parts(whole)


def _move(itemsize: int, source: View, target: View) -> Move:
    """The width divides sizes, steps and places; items of several are one more dimension."""
    read, written = source.start, target.start
    steps = []
    for size, step, out in zip(source.sizes, source.plain.strides, target.plain.strides):
        if out < 0:  # written upwards, so read the other way round
            read, written = read + (size - 1) * step, written + (size - 1) * out
            step, out = -step, -out
        if step < 0:
            read += (size - 1) * step
        steps.append(Dimension(size, step, out))
    distances = itertools.chain.from_iterable((d.source, d.target) for d in steps)
    width = math.gcd(8, itemsize, read, written, *distances)
    if width < itemsize or not steps:
        steps.append(Dimension(itemsize // width, width, width))
    dimensions = tuple(Dimension(d.size, d.source // width, d.target // width) for d in steps)
    return Move(width, dimensions, read, written)


def _joined(dimensions: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """The same elements in the same order, by as few dimensions as continue each other."""
    joined: list[Dimension] = []
    for inner in (d for d in dimensions if d.size > 1):
        size, source, target = inner
        outer = joined[-1] if joined else None
        if outer and (outer.source, outer.target) == (size * source, size * target):
            joined[-1] = Dimension(outer.size * size, source, target)
        else:
            joined.append(inner)
    return tuple(joined) or (Dimension(1, 0, 0),)


def _parts(move: Move) -> Iterator[Move]:
    """The move in halves of its longest dimension, until a tensor can hold each."""
    if max(move.spans) <= ELEMENTS_MAX:
        yield move
        return
    reach = [(d.size - 1) * max(abs(d.source), d.target) for d in move.dimensions]
    longest = reach.index(max(reach))
    size, source, target = move.dimensions[longest]
    half = size // 2
    for first, count in ((0, half), (half, size - half)):
        lowest = first if source >= 0 else size - first - count
        steps = (source, target) if count > 1 else (0, 0)
        dimensions = list(move.dimensions)
        dimensions[longest] = Dimension(count, *steps)
        yield from _parts(
            Move(
                move.width,
                tuple(dimensions),
                move.source + lowest * abs(source) * move.width,
                move.target + first * target * move.width,
            )
        )
