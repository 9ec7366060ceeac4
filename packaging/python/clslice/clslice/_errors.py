# SPDX-License-Identifier: MIT
"""What can go wrong, as exceptions: the statuses of <clslice/clslice.h> and their text."""

from __future__ import annotations

from ._abi import ErrorInfo, NO_DIMENSION

E_NOTIMPL = -2147467263
E_POINTER = -2147467261
E_OUTOFMEMORY = -2147024882
E_INVALIDARG = -2147024809
DXGI_ERROR_NOT_FOUND = -2005270526
DXGI_ERROR_UNSUPPORTED = -2005270524

RULE_OUTPUT_STRIDES_OVERLAP = 13
RULE_BIND_OVERLAP = 47

TENSORS = (None, "input", "output")


class Error(Exception):
    """A call of clslice failed. str() is its text: field, index, values and what to do."""

    status: int = 0
    """The result, as <clslice/clslice.h> numbers it; 0 where no call of the library was made."""
    opencl: int = 0
    """The code of the OpenCL call that failed, 0 where none did."""
    rule: int = 0
    """The rule that was broken: a CLSLICE_RULE_ number, stable over versions."""
    tensor: str | None = None
    """"input" or "output", where the rule is about one of them."""
    dimension: int | None = None
    """Index from 0, where the rule is about one dimension."""
    values: tuple[int, ...] = ()
    """The offending values in the text's order; negative ones as unsigned 64-bit numbers."""


class InvalidArgumentError(Error, ValueError):
    """A description, binding or selector breaks a rule."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the host or of the device ran out."""


class UnsupportedError(Error, NotImplementedError):
    """No OpenCL, no such device, or something that the library or the device cannot do."""


class LibraryError(Error, ImportError):
    """libclslice.so.0 cannot be loaded, or speaks another ABI."""


_CLASSES: dict[int, type[Error]] = {
    E_INVALIDARG: InvalidArgumentError,
    E_POINTER: InvalidArgumentError,
    E_OUTOFMEMORY: OutOfMemoryError,
    E_NOTIMPL: UnsupportedError,
    DXGI_ERROR_UNSUPPORTED: UnsupportedError,
}


def overlap_error() -> InvalidArgumentError:
    """What the library says of ranges that overlap, without its text."""
    error = InvalidArgumentError()
    error.status, error.rule, error.tensor = E_INVALIDARG, RULE_BIND_OVERLAP, "output"
    return error


def error_from(status: int, info: ErrorInfo) -> Error:
    """The exception for what a call returned and wrote."""
    error = _CLASSES.get(status, Error)(info.text.decode(errors="replace"))
    error.status, error.opencl, error.rule = status, info.opencl, info.rule
    error.tensor = TENSORS[info.tensor]
    error.dimension = None if info.dimension == NO_DIMENSION else info.dimension
    error.values = tuple(info.value)
    return error
