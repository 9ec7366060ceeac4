# SPDX-License-Identifier: MIT
"""Finding libclslice.so.0, loading it at the first use, and calling it. Calls release the GIL."""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, byref, c_int32, c_uint32, c_void_p
from pathlib import Path
from typing import Any

from ._abi import (
    ABI_VERSION,
    ApiHead,
    DeviceInfo,
    DeviceOptions,
    DispatchDesc,
    ErrorInfo,
    TypedDesc,
)
from ._errors import LibraryError, error_from

NAME = "libclslice.so.0"

# What each function takes before its error.
_FALLIBLE: dict[str, list[Any]] = {
    "device_enumerate": [POINTER(DeviceOptions), c_uint32, POINTER(DeviceInfo)],
    "device_create": [POINTER(DeviceOptions), POINTER(c_void_p)],
    "device_finish": [c_void_p],
    "operator_create": [c_void_p, POINTER(TypedDesc), POINTER(c_void_p)],
    "operator_compile": [c_void_p, c_void_p, POINTER(c_void_p)],
    "dispatch": [c_void_p, POINTER(DispatchDesc), POINTER(c_void_p)],
    "event_wait": [c_void_p, c_void_p],
}
_RELEASES: dict[str, list[Any]] = {
    "device_release": [c_void_p],
    "operator_release": [c_void_p],
    "compiled_operator_release": [c_void_p],
    "event_release": [c_void_p, c_void_p],
}


def get_library_path() -> str:
    """Where the library is loaded from: CLSLICE_LIBRARY, else the package's own copy, else, in a
    source tree, what its build left, else the name that the dynamic linker looks for."""
    package = Path(__file__).resolve().parent
    candidates = [package / NAME]
    if (package.parent / "pyproject.toml").exists():
        candidates.append(package.parents[3] / "build" / "release" / "lib" / NAME)
    found = (str(path) for path in candidates if path.exists())
    return os.environ.get("CLSLICE_LIBRARY") or next(found, NAME)


@functools.cache
def library() -> ctypes.CDLL:
    path = get_library_path()
    try:
        loaded = ctypes.CDLL(path)
        loaded.clslice_get_api.restype = POINTER(ApiHead)
        api = loaded.clslice_get_api(c_uint32(ABI_VERSION))
    except (OSError, AttributeError) as reason:
        raise LibraryError(f"{reason}: name libclslice.so.0 in CLSLICE_LIBRARY") from reason
    if not api:
        raise LibraryError(f"{path} does not speak version {ABI_VERSION} of clslice's ABI")
    for name, arguments in _FALLIBLE.items():
        function = getattr(loaded, f"clslice_{name}")
        function.argtypes, function.restype = [*arguments, POINTER(ErrorInfo)], c_int32
    for name, arguments in _RELEASES.items():
        function = getattr(loaded, f"clslice_{name}")
        function.argtypes, function.restype = arguments, None
    return loaded


def library_version() -> str:
    """The version of the library that is loaded."""
    version: bytes = library().clslice_get_api(c_uint32(ABI_VERSION)).contents.version
    return version.decode()


def call(name: str, *arguments: object) -> None:
    """Calls clslice_NAME, and raises what it says."""
    info = ErrorInfo()
    status = getattr(library(), f"clslice_{name}")(*arguments, byref(info))
    if status < 0:
        raise error_from(status, info)
