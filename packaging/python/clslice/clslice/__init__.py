# SPDX-License-Identifier: MIT
"""Slices of arrays on any OpenCL device, by the rules of DirectML's SLICE1 operator.

    clslice.getitem(x, key)                      x[key], packed, as NumPy's basic indexing says
    clslice.at(x)[::-1, 2:]                      the same, as it is written
    clslice.at(x)[::-1, 2:] = y                  x[::-1, 2:] = y, as NumPy assigns; or setitem()
    clslice.slice(x, offsets, sizes, strides)    SLICE1 as it stands
    clslice.batch(x, offsets, sizes, strides)    many windows of `x` at once
    clslice.get(x)                               a pyopencl.array.Array with any strides, as NumPy's
    clslice.devices()                            every OpenCL device, and what picks it

`x` is an array of NumPy's, one with __dlpack__ on the CPU or with the buffer protocol, or a
pyopencl.array.Array, which is sliced on its own device. CLSLICE_DEVICE, or `device=`, picks the
device for the others. clslice.torch has the same for PyTorch's tensors.
"""

from ._batching import batch
from ._device import DeviceInfo, devices
from ._errors import (
    Error,
    InvalidArgumentError,
    LibraryError,
    OutOfMemoryError,
    UnsupportedError,
)
from ._library import get_library_path
from ._slicing import at, get, getitem, setitem, slice

__version__ = "0.1.0"

__all__ = [
    "DeviceInfo",
    "Error",
    "InvalidArgumentError",
    "LibraryError",
    "OutOfMemoryError",
    "UnsupportedError",
    "at",
    "batch",
    "devices",
    "get",
    "get_library_path",
    "getitem",
    "setitem",
    "slice",
]
