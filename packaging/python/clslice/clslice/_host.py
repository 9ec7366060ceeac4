# SPDX-License-Identifier: MIT
"""Arrays in host memory: NumPy's, and what NumPy takes without a copy."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import numpy as np

from ._abi import BINDING_HOST, Batch, Binding
from ._device import Device, device_of
from ._layout import View, moves
from ._operator import Items

DLPACK_HOST_DEVICES = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost


class HostArray:
    """An operand in host memory. `given` is the caller's own object."""

    def __init__(self, given: Any, name: str) -> None:
        self.given = given
        self.array = _as_numpy(given, name)
        self.dtype = self.array.dtype
        if self.dtype.hasobject:
            raise TypeError(
                f"{name} has items of type {self.dtype}, which refer to Python's objects"
            )
        # Not .ctypes.data, which takes several times as long.
        start = self.array.__array_interface__["data"][0]
        self.view = View(start, self.array.shape, self.array.strides)

    def empty(self, sizes: tuple[int, ...]) -> HostArray:
        # Not np.empty, which makes room in items of no bytes, and leaves it as it is.
        return HostArray(np.ndarray(sizes, self.dtype), "the result")

    def as_output(self, out: Any, name: str = "out") -> HostArray:
        target = HostArray(out, name)
        if isinstance(out, np.generic) or not target.array.flags.writeable:
            raise ValueError(f"{name} is read-only")
        if has_gaps(target.dtype):
            raise TypeError(
                f"{name} has items of type {target.dtype}, some bytes of which belong to no field"
                " and would be overwritten: take its fields one by one"
            )
        return target

    def as_value(self, y: Any) -> HostArray:
        """What is assigned to items of this array, cast as NumPy casts it; a copy where it may
        share memory with this array."""
        value = cast(y, self.dtype)
        if np.may_share_memory(value, self.array):
            value = value.copy()
        return HostArray(value, "y")

    def move_batch(
        self,
        items: Items,
        batch: Batch,
        source: int,
        target: HostArray,
        start: int,
        size: int,
        device: str | None,
    ) -> None:
        """Fills items of the target, `size` bytes from `start`; returns when that is done."""
        read = Binding(kind=BINDING_HOST, handle=source)
        filled = Binding(kind=BINDING_HOST, handle=start, size=size)
        with _finishing(device) as chosen:
            chosen.wait(chosen.enqueue_batch(items, batch, read, filled))

    def move_gradient(self, items: Items, target: HostArray, device: str | None) -> None:
        """Fills the target, what the items are taken from; returns when that is done."""
        read = Binding(kind=BINDING_HOST, handle=self.view.start)
        filled = Binding(kind=BINDING_HOST, handle=target.view.start)
        with _finishing(device) as chosen:
            chosen.wait(chosen.enqueue_gradient(items, read, filled))

    def is_one_memory(self, other: HostArray) -> bool:
        """Whether the views of both count from one place."""
        return True

    def move(self, view: View, target: HostArray, device: str | None) -> None:
        """Fills the target from a view of this array; returns when that is done."""
        with _finishing(device) as chosen:
            for move in moves(self.dtype.itemsize, view, target.view, is_one_memory=True):
                source = Binding(kind=BINDING_HOST, handle=move.source)
                chosen.wait(
                    chosen.enqueue(move, source, Binding(kind=BINDING_HOST, handle=move.target))
                )


@contextlib.contextmanager
def _finishing(device: str | None) -> Iterator[Device]:
    """A device that is waited for after an error: what was enqueued until then still uses the
    arrays."""
    chosen = device_of(device)
    try:
        yield chosen
    except BaseException:
        chosen.finish()
        raise


def has_gaps(dtype: np.dtype) -> bool:
    """Whether items have bytes that belong to no field."""
    if dtype.subdtype is not None:
        return has_gaps(dtype.base)
    if dtype.names is None:
        return False
    is_field = np.zeros(dtype.itemsize, bool)
    for name in dtype.names:
        field, at = dtype.fields[name][:2]
        is_field[at : at + field.itemsize] = not has_gaps(field)
    return not is_field.all()


def cast(y: Any, dtype: np.dtype) -> np.ndarray:
    """What NumPy makes of it in an assignment to items of this type, and refuses there."""
    if isinstance(y, np.ndarray):
        return y.astype(dtype, copy=False)
    # A tuple is an item where these have fields.
    shape = np.shape(y) if dtype.names is None else np.array(y, dtype).shape
    value = np.ndarray(shape, dtype)
    value[...] = y
    return value


def _as_numpy(given: Any, name: str) -> np.ndarray:
    """The same memory as a NumPy array."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: slice its .data and its .mask")
    if isinstance(given, np.ndarray):
        return given.view(np.ndarray)
    if hasattr(given, "__dlpack__"):
        return _from_dlpack(given, name)
    if hasattr(given, "__array_interface__"):
        return np.asarray(given)
    try:
        return np.asarray(memoryview(given))
    except TypeError:
        raise TypeError(
            f"{name} is of type {type(given).__name__}: give an array of NumPy's, one with"
            " __dlpack__ on the CPU, one with the buffer protocol, or, for x and out alike,"
            " one of pyopencl's"
        ) from None


def _from_dlpack(given: Any, name: str) -> np.ndarray:
    kind, number = given.__dlpack_device__()
    if kind not in DLPACK_HOST_DEVICES:
        raise TypeError(
            f"{name} lies on DLPack's device ({int(kind)}, {number}): clslice takes DLPack on the"
            " CPU; pyopencl's arrays it slices where they are"
        )
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError) as reason:
        raise TypeError(f"{name} cannot be had through DLPack: {reason}") from reason
