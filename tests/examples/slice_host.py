#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slice_host.py [LIBRARY]: crops and mirrors an array, without a compiler and without a package.

What any language does that can lay out C structures and call C functions: the layouts are those of
clslice.h and directml.h, every field at its natural alignment. The sizes are those of 64-bit
systems.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import (
    POINTER, byref, c_char, c_float, c_int32, c_uint32, c_uint64, c_void_p, sizeof)
from typing import Any, Sequence

ABI = 1
FLOAT32, BUFFER, SLICE1 = 1, 1, 111  # DirectML's numbers


class Struct(ctypes.Structure):
    """Sets `size` where a structure begins with it: it says which version the caller knows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self._fields_[0][0] == "size":
            self.size = ctypes.sizeof(self)


class BufferTensorDesc(Struct):  # 48 bytes
    _fields_ = [
        ("DataType", c_uint32),
        ("Flags", c_uint32),
        ("DimensionCount", c_uint32),
        ("Sizes", POINTER(c_uint32)),
        ("Strides", POINTER(c_uint32)),
        ("TotalTensorSizeInBytes", c_uint64),
        ("GuaranteedBaseOffsetAlignment", c_uint32),
    ]


class TypedDesc(Struct):  # 16 bytes: DML_TENSOR_DESC and DML_OPERATOR_DESC
    _fields_ = [("Type", c_uint32), ("Desc", c_void_p)]


class Slice1OperatorDesc(Struct):  # 48 bytes
    _fields_ = [
        ("InputTensor", POINTER(TypedDesc)),
        ("OutputTensor", POINTER(TypedDesc)),
        ("DimensionCount", c_uint32),
        ("InputWindowOffsets", POINTER(c_uint32)),
        ("InputWindowSizes", POINTER(c_uint32)),
        ("InputWindowStrides", POINTER(c_int32)),
    ]


class Error(Struct):  # 1024 bytes
    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("opencl", c_int32),
        ("rule", c_uint32),
        ("tensor", c_uint32),
        ("dimension", c_uint32),
        ("value", c_uint64 * 3),
        ("item", c_uint64),
        ("text_length", c_uint32),
        ("text", c_char * 964),
    ]


def tensor(sizes: Sequence[int]) -> TypedDesc:
    """Packed numbers of 4 bytes."""
    rank = len(sizes)
    count = 1
    for size in sizes:
        count *= size
    buffer = BufferTensorDesc(DataType=FLOAT32, DimensionCount=rank,
                              Sizes=(c_uint32 * rank)(*sizes), TotalTensorSizeInBytes=4 * count)
    desc = TypedDesc(BUFFER, ctypes.addressof(buffer))
    desc.keeps = buffer  # an address keeps nothing alive
    return desc


def run(library: ctypes.CDLL) -> list[float]:
    """Rows 1 and 2 of 3 and columns 1 to 3 of 4, these backwards."""
    error = Error()

    def call(name: str, *args: Any) -> None:
        if getattr(library, f"clslice_{name}")(*args, byref(error)) < 0:
            raise RuntimeError(error.text.decode())

    source = (c_float * 12)(0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23)
    target = (c_float * 6)()
    slice1 = Slice1OperatorDesc(ctypes.pointer(tensor([3, 4])), ctypes.pointer(tensor([2, 3])), 2,
                                (c_uint32 * 2)(1, 1), (c_uint32 * 2)(2, 3), (c_int32 * 2)(1, -1))
    desc = TypedDesc(SLICE1, ctypes.addressof(slice1))
    device = c_void_p()
    try:
        call("device_create", None, byref(device))
        call("run", device, byref(desc), source, c_uint64(sizeof(source)), target,
             c_uint64(sizeof(target)))
        return list(target)
    finally:
        library.clslice_device_release(device)


def main() -> None:
    library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libclslice.so.0")
    library.clslice_get_api.restype = c_void_p
    if not library.clslice_get_api(ABI):
        sys.exit(f"slice_host.py: this library does not speak ABI {ABI}")
    try:
        numbers = run(library)
    except RuntimeError as error:
        sys.exit(f"slice_host.py: {error}")
    for row in (numbers[:3], numbers[3:]):
        print(*map("{:g}".format, row))


if __name__ == "__main__":
    main()
