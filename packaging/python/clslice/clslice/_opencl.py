# SPDX-License-Identifier: MIT
"""Arrays of pyopencl: sliced where they are, on their own queue, ordered by their events."""

from __future__ import annotations

import ctypes
import functools
import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi
from ._abi import BINDING_CL_MEM, BINDING_SVM, Batch, Binding
from ._device import Device
from ._host import cast
from ._layout import View, moves
from ._operator import Items

if TYPE_CHECKING:
    import pyopencl as cl

CONTEXTS_MAX = 8


def is_opencl(given: object) -> bool:
    """Whether it is a pyopencl.array.Array. Imports nothing: where it is one, pyopencl is there."""
    module = sys.modules.get("pyopencl.array")
    return module is not None and isinstance(given, module.Array)


class OpenclArray:
    """An operand in memory of the device. `given` is the caller's own object. Its view counts from
    the begin of the memory object."""

    def __init__(self, given: Any, name: str) -> None:
        self.given = given
        self.dtype = given.dtype
        self.view = View(given.offset, given.shape, given.strides)
        self.tables: list[Any] = []
        if given.queue is None:
            raise ValueError(f"{name} has no queue: give one that has, {name}.with_queue(queue)")

    def empty(self, sizes: tuple[int, ...]) -> OpenclArray:
        import pyopencl.array

        given = self.given
        made = pyopencl.array.empty(given.queue, sizes, self.dtype, allocator=given.allocator)
        return OpenclArray(made, "the result")

    def zeros(self, sizes: tuple[int, ...]) -> OpenclArray:
        import pyopencl.array as cla

        queue, allocator = self.given.queue, self.given.allocator
        # As bytes, which it can fill of any number, whatever the items are.
        room = cla.zeros(queue, math.prod(sizes) * self.dtype.itemsize, np.uint8, "C", allocator)
        made = cla.Array(
            queue, sizes, self.dtype, "C", allocator, room.base_data, events=room.events
        )
        return OpenclArray(made, "the result")

    def as_output(self, out: Any, name: str = "out") -> OpenclArray:
        if not is_opencl(out):
            raise TypeError(
                f"out is of type {type(out).__name__}: for an array of pyopencl's, give another"
            )
        return OpenclArray(out, name)

    def as_value(self, y: Any) -> OpenclArray:
        """What is assigned to items of this array: an array of its context and type of items, or
        one of the host's, cast as NumPy casts it. A copy where it is of the same memory."""
        import pyopencl.array

        if not is_opencl(y):
            packed = np.asarray(cast(y, self.dtype), order="C")
            return OpenclArray(
                pyopencl.array.to_device(self.given.queue, packed, allocator=self.given.allocator),
                "y",
            )
        value = OpenclArray(y, "y")
        if value.dtype != self.dtype:
            raise TypeError(f"y has items of type {value.dtype}, x of type {self.dtype}")
        if value.given.context != self.given.context:
            raise ValueError("y is of another context than x")
        if not self.is_one_memory(value):
            return value
        copy = self.empty(value.view.sizes)
        if value.given.size:
            value.move(value.view, copy, None)
        return copy

    def is_one_memory(self, other: OpenclArray) -> bool:
        """Whether the views of both count from one place."""
        if self.given.base_data is None or other.given.base_data is None:  # of no bytes
            return False
        return self._binding(0).handle == other._binding(0).handle

    def move(self, view: View, target: OpenclArray, device: str | None) -> None:
        """Fills the target from a view of this array: enqueued, and in the events of both."""
        import pyopencl as cl

        self._check_device(device)
        queue, arrays = self.given.queue, (self.given, target.given)
        chosen = _device_of(queue.context, queue.device)
        is_one_memory = self.is_one_memory(target)
        for move in moves(self.dtype.itemsize, view, target.view, is_one_memory):
            # Held until they are passed on: another thread's add_event may let go of them.
            events = [event for array in arrays for event in array.events]
            waits = [event.int_ptr for event in events]
            source, filled = self._binding(move.source), target._binding(move.target)
            handle = chosen.enqueue(move, source, filled, queue.int_ptr, waits)
            done = cl.Event.from_int_ptr(handle.value, retain=False)
            for array in arrays:  # also the one that is read: it may be written next
                array.add_event(done)

    def move_batch(
        self,
        items: Items,
        batch: Batch,
        source: int,
        target: OpenclArray,
        start: int,
        size: int,
        device: str | None,
    ) -> None:
        """Fills items of the target, `size` bytes from `start`: enqueued, and in the events."""
        import pyopencl as cl

        self._check_device(device)
        queue, arrays = self.given.queue, (self.given, target.given, *self.tables)
        chosen = _device_of(queue.context, queue.device)
        events = [event for array in arrays for event in array.events]
        waits = [event.int_ptr for event in events]
        filled = target._binding(start)
        filled.size = size
        handle = chosen.enqueue_batch(
            items, batch, self._binding(source), filled, queue.int_ptr, waits
        )
        done = cl.Event.from_int_ptr(handle.value, retain=False)
        for array in arrays:
            array.add_event(done)

    def table(self, given: Any) -> Binding:
        """Numbers on the device, of which the next batch waits for the events."""
        table = OpenclArray(given, "offsets or index")
        self.tables.append(given)
        binding = table._binding(given.offset)
        binding.size = given.nbytes
        return binding

    def _check_device(self, device: str | None) -> None:
        if device is not None:
            raise ValueError(
                f"device = {device!r}: arrays of pyopencl are sliced on their own device"
            )

    def _binding(self, start: int) -> Binding:
        import pyopencl as cl

        memory = self.given.base_data
        if isinstance(memory, cl.SVMPointer):
            return Binding(kind=BINDING_SVM, handle=memory.svm_ptr, offset=start)
        return Binding(kind=BINDING_CL_MEM, handle=memory.int_ptr, offset=start)


@functools.lru_cache(CONTEXTS_MAX)
def _device_of(context: cl.Context, device: cl.Device) -> Device:
    """Over pyopencl's own objects, and through the functions of the loader that pyopencl uses:
    dlsym is the library's get_proc, and what it searches is pyopencl's module with all that this is
    linked with."""
    import pyopencl as cl

    module = ctypes.CDLL(cl._cl.__file__)
    dlsym = ctypes.cast(ctypes.CDLL(None).dlsym, ctypes.c_void_p)
    options = _abi.DeviceOptions(
        context=context.int_ptr,
        device_id=device.int_ptr,
        get_proc=dlsym,
        get_proc_user=module._handle,
    )
    return Device(options)
