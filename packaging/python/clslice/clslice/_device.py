# SPDX-License-Identifier: MIT
"""OpenCL devices, and the operators that were compiled for them."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import os
from ctypes import byref, c_void_p
from typing import Sequence

from . import _abi
from ._abi import Batch, Binding, DispatchDesc
from ._errors import DXGI_ERROR_NOT_FOUND, Error
from ._layout import Move
from ._library import call, library
from ._operator import Handle, Items, compiled_items, compiled_move

COMPILED_MAX = 256


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """An OpenCL device of this machine."""

    selector: str
    """As `device=` or CLSLICE_DEVICE, picks this device."""
    name: str
    platform: str
    version: str
    driver: str
    type: str
    """"gpu", "cpu", "acc", joined by '|'."""
    usable: bool
    unusable_reason: str
    compute_units: int
    global_bytes: int
    max_alloc_bytes: int


def devices() -> list[DeviceInfo]:
    """Every OpenCL device, usable or not. UnsupportedError where there is no OpenCL."""
    found: list[DeviceInfo] = []
    while True:
        info = _abi.DeviceInfo()
        try:
            call("device_enumerate", None, len(found), byref(info))
        except Error as error:
            if error.status != DXGI_ERROR_NOT_FOUND:
                raise
            return found
        found.append(_device_info(info))


def _device_info(info: _abi.DeviceInfo) -> DeviceInfo:
    values = {field.name: getattr(info, field.name) for field in dataclasses.fields(DeviceInfo)}
    texts = {name: value.decode() for name, value in values.items() if isinstance(value, bytes)}
    return DeviceInfo(**(values | texts | {"usable": bool(info.usable)}))


class Device:
    """A device with its compiled operators, the most recently used. Any thread may use it."""

    def __init__(self, options: _abi.DeviceOptions | None) -> None:
        handle = c_void_p()
        call("device_create", options, byref(handle))
        self._handle = Handle(handle, "clslice_device_release")
        # Of the handle and not of self: no cycle keeps a device alive.
        compiled = functools.partial(compiled_move, self._handle)
        self._compiled = functools.lru_cache(COMPILED_MAX)(compiled)
        self._items = functools.lru_cache(COMPILED_MAX)(
            functools.partial(compiled_items, self._handle)
        )

    def enqueue(
        self,
        move: Move,
        source: Binding,
        target: Binding,
        queue: int | None = None,
        wait_events: Sequence[int] = (),
    ) -> c_void_p:
        """Enqueues a move between places, whose ranges it sets. The cl_event is the caller's."""
        source.size, target.size = (span * move.width for span in move.spans)
        compiled = self._compiled(move.width, move.dimensions)
        return self._dispatch(compiled, source, target, None, queue, wait_events)

    def enqueue_batch(
        self,
        items: Items,
        batch: Batch,
        source: Binding,
        target: Binding,
        queue: int | None = None,
        wait_events: Sequence[int] = (),
    ) -> c_void_p:
        """Enqueues a batch, whose input's range it sets. The cl_event is the caller's."""
        source.size = items.source_span * items.width
        compiled = self._items(items, False)
        return self._dispatch(compiled, source, target, batch, queue, wait_events)

    def enqueue_gradient(self, items: Items, source: Binding, target: Binding) -> c_void_p:
        """Enqueues a gradient between places, whose ranges it sets. The cl_event is the
        caller's."""
        source.size = items.target_span * items.width
        target.size = items.source_span * items.width
        return self._dispatch(self._items(items, True), source, target, None, None, ())

    def _dispatch(
        self,
        compiled: Handle,
        source: Binding,
        target: Binding,
        batch: Batch | None,
        queue: int | None,
        wait_events: Sequence[int],
    ) -> c_void_p:
        desc = DispatchDesc(
            queue=queue,
            inputs=ctypes.pointer(source),
            outputs=ctypes.pointer(target),
            input_count=1,
            output_count=1,
            wait_count=len(wait_events),
            batch=None if batch is None else ctypes.addressof(batch),
        )
        if wait_events:
            desc.wait_events = (c_void_p * len(wait_events))(*wait_events)
        event = c_void_p()
        call("dispatch", compiled.value, byref(desc), byref(event))
        return event

    def wait(self, event: c_void_p) -> None:
        """Returns when the event is complete, and releases it."""
        try:
            call("event_wait", self._handle.value, event)
        finally:
            library().clslice_event_release(self._handle.value, event)

    def finish(self) -> None:
        """Returns when nothing that was enqueued on the device's own queue runs any more."""
        try:
            call("device_finish", self._handle.value)
        except Error:  # in a child of fork, which cannot have enqueued anything
            pass


_devices: dict[tuple[str | None, str | None], Device] = {}


def device_of(selector: str | None) -> Device:
    """The device that a selector picks; None: CLSLICE_DEVICE, else "auto". One is kept for each."""
    if not isinstance(selector, (str, type(None))):
        raise TypeError(
            f"device is of type {type(selector).__name__}: give a selector, such as 'cpu', or None"
        )
    if selector is not None and "\0" in selector:  # where C would end it
        place = selector.index("\0")
        raise ValueError(f"device = {selector!r} has a NUL at {place}: leave it out")
    key = selector, os.environ.get("CLSLICE_DEVICE")
    device = _devices.get(key)
    if device is None:
        options = None if selector is None else _abi.DeviceOptions(selector=selector.encode())
        # Creating one builds nothing: of two threads that both do, one lets go of its own.
        device = _devices.setdefault(key, Device(options))
    return device
