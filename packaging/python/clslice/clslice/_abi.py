# SPDX-License-Identifier: MIT
"""The structures of <clslice/clslice.h> and <clslice/directml.h> that this package uses."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_int32, c_int64, c_uint32, c_uint64, c_void_p

ABI_VERSION = 1

TENSOR_TYPE_BUFFER = 1
OPERATOR_SLICE1 = 111
OPERATOR_SLICE_GRAD = 135
# By the bytes of an element: SLICE1 moves bits, so one type of each width will do.
DATA_TYPES = {1: 5, 2: 4, 4: 3, 8: 10}
DIMENSION_COUNT_MAX = 8
ELEMENTS_MAX = 2**32 - 1
INT_MIN, INT_MAX = -(2**31), 2**31 - 1

BINDING_CL_MEM = 1
BINDING_HOST = 2
BINDING_SVM = 3

COMPILE_FLAG_BATCH = 0x2
BATCH_FLAG_SKIP = 0x1

NO_DIMENSION = 0xFFFFFFFF


class Sized(ctypes.Structure):
    """A structure that begins with its own size."""

    def __init__(self, **fields: object) -> None:
        super().__init__(size=ctypes.sizeof(self), **fields)


class BufferTensorDesc(ctypes.Structure):
    _fields_ = [
        ("DataType", c_uint32),
        ("Flags", c_uint32),
        ("DimensionCount", c_uint32),
        ("Sizes", POINTER(c_uint32)),
        ("Strides", POINTER(c_uint32)),
        ("TotalTensorSizeInBytes", c_uint64),
        ("GuaranteedBaseOffsetAlignment", c_uint32),
    ]


class TypedDesc(ctypes.Structure):
    """DML_TENSOR_DESC and DML_OPERATOR_DESC."""

    _fields_ = [("Type", c_uint32), ("Desc", c_void_p)]


class Slice1OperatorDesc(ctypes.Structure):
    """SLICE_GRAD's, too: its tensors are the input gradient and the output gradient."""

    _fields_ = [
        ("InputTensor", POINTER(TypedDesc)),
        ("OutputTensor", POINTER(TypedDesc)),
        ("DimensionCount", c_uint32),
        ("InputWindowOffsets", POINTER(c_uint32)),
        ("InputWindowSizes", POINTER(c_uint32)),
        ("InputWindowStrides", POINTER(c_int32)),
    ]


class ErrorInfo(Sized):
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


class DeviceOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("selector", c_char_p),
        ("build_options", c_char_p),
        ("get_proc", c_void_p),
        ("get_proc_user", c_void_p),
        ("log", c_void_p),
        ("log_user", c_void_p),
        ("context", c_void_p),
        ("device_id", c_void_p),
        ("queue", c_void_p),
        ("staging_bytes", c_uint64),
        ("cache_mode", c_uint32),
        ("reserved", c_uint32),
        ("cache_path", c_char_p),
        ("cache_bytes", c_uint64),
    ]


class DeviceInfo(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("device_class", c_uint32),
        ("usable", c_uint32),
        ("vendor_id", c_uint32),
        ("compute_units", c_uint32),
        ("address_bits", c_uint32),
        ("host_memory", c_uint32),
        ("unified_memory", c_uint32),
        ("max_work_group_size", c_uint64),
        ("max_alloc_bytes", c_uint64),
        ("global_bytes", c_uint64),
        ("local_bytes", c_uint64),
        ("device_id", c_void_p),
        ("selector", c_char * 256),
        ("name", c_char * 256),
        ("platform", c_char * 256),
        ("version", c_char * 256),
        ("driver", c_char * 128),
        ("type", c_char * 32),
        ("unusable_reason", c_char * 256),
    ]


class Binding(ctypes.Structure):
    _fields_ = [
        ("kind", c_uint32),
        ("reserved0", c_uint32),
        ("handle", c_void_p),
        ("offset", c_uint64),
        ("size", c_uint64),
        ("reserved", c_uint64 * 4),
    ]


class DispatchDesc(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("queue", c_void_p),
        ("inputs", POINTER(Binding)),
        ("outputs", POINTER(Binding)),
        ("input_count", c_uint32),
        ("output_count", c_uint32),
        ("wait_events", POINTER(c_void_p)),
        ("wait_count", c_uint32),
        ("reserved", c_uint32),
        ("batch", c_void_p),
    ]


class CompileOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("execution_flags", c_uint32),
        ("reserved", c_uint32),
        ("variant", c_char_p),
    ]


class Batch(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("count", c_uint64),
        ("window", Binding),
        ("window_axis", c_uint32),
        ("window_axis_count", c_uint32),
        ("window_row_bytes", c_uint64),
        ("window_advance", c_int64),
        ("output", Binding),
        ("output_index_bytes", c_uint32),
        ("reserved", c_uint32),
        ("output_pitch", c_uint64),
        ("skipped", Binding),
    ]


class ApiHead(ctypes.Structure):
    """How the table that clslice_get_api returns begins."""

    _fields_ = [("size", c_uint32), ("abi", c_uint32), ("version", c_char_p)]
