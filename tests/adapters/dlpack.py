# SPDX-License-Identifier: MIT
"""DLPack tensors of any description, and TVM-FFI functions called as C calls them."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any, Sequence

import numpy as np

CPU = 1
DLTENSOR_PTR = 7  # kTVMFFIDLTensorPtr


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class ManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", c_void_p), ("deleter", c_void_p)]


class Any_(ctypes.Structure):
    """TVMFFIAny"""

    _fields_ = [("type_index", c_int32), ("padding", c_uint32), ("value", c_void_p)]


DELETER = ctypes.CFUNCTYPE(None, c_void_p)

_alive: list[Any] = []  # what capsules and tensors point to


def tensor(memory: np.ndarray, *, code: int, bits: int, shape: Sequence[int], lanes: int = 1,
           strides: Sequence[int] | None = None, byte_offset: int = 0, device: int = CPU,
           **data: int | None) -> Tensor:
    """Of an array's memory, whatever the array says of it; data=None: of none."""
    numbers = c_int64 * len(shape)
    _alive.append(memory)
    return Tensor(data.get("data", memory.ctypes.data), device, 0, len(shape), code, bits, lanes,
                  numbers(*shape), numbers(*strides) if strides else None, byte_offset)


def capsule(of: Tensor, deleter: Any = None) -> Any:
    """As __dlpack__ returns it; a DELETER hears when it is not used any more."""
    managed = ManagedTensor(of, None, ctypes.cast(deleter, c_void_p))
    _alive.append((managed, deleter))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [c_void_p, ctypes.c_char_p, c_void_p]
    return new(ctypes.addressof(managed), b"dltensor", None)


def call(library: str, name: str, *tensors: Tensor) -> int:
    """The status that the function returns."""
    args = (Any_ * len(tensors))(*(Any_(DLTENSOR_PTR, 0, ctypes.addressof(t)) for t in tensors))
    function = getattr(ctypes.CDLL(library), f"__tvm_ffi_{name}")
    function.argtypes = [c_void_p, POINTER(Any_), c_int32, POINTER(Any_)]
    return function(None, args, len(args), ctypes.byref(Any_()))
