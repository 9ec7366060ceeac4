# SPDX-License-Identifier: MIT
"""clslice from Python, as far as measuring needs it. The layouts are those of <clslice/clslice.h>."""

import contextlib
import ctypes
from ctypes import CFUNCTYPE, POINTER, byref
from ctypes import c_char, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np

ABI_VERSION = 1

BUFFER_TENSOR = 1
SLICE1 = 111
DATA_TYPES = {"float32": 1, "float16": 2, "uint8": 5, "int32": 6, "int16": 7, "float64": 9}

CLASS_CPU = 1
BINDING_CL_MEM = 1
BINDING_HOST = 2

MEM_READ_WRITE = 0x1
MEM_USE_HOST_PTR = 0x8

CREATE_BUFFER = CFUNCTYPE(c_void_p, c_void_p, c_uint64, c_size_t, c_void_p, POINTER(c_int32))
RELEASE_BUFFER = CFUNCTYPE(c_int32, c_void_p)
# Write and read: queue, buffer, blocking, offset, bytes, address, wait list, event.
MOVE_BUFFER = CFUNCTYPE(
    c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_size_t, c_void_p, c_uint32, c_void_p, c_void_p
)


class ClsliceError(Exception):
    """What clslice or OpenCL said."""


class Struct(ctypes.Structure):
    """A structure of the ABI: `size`, where it begins with one, is its own."""

    def __init__(self, **fields):
        super().__init__(**fields)
        if self._fields_[0][0] == "size":
            self.size = ctypes.sizeof(self)


class BufferTensorDesc(Struct):
    _fields_ = [
        ("DataType", c_uint32),
        ("Flags", c_uint32),
        ("DimensionCount", c_uint32),
        ("Sizes", POINTER(c_uint32)),
        ("Strides", POINTER(c_uint32)),
        ("TotalTensorSizeInBytes", c_uint64),
        ("GuaranteedBaseOffsetAlignment", c_uint32),
    ]


class TypedDesc(Struct):
    """DML_TENSOR_DESC and DML_OPERATOR_DESC."""

    _fields_ = [("Type", c_uint32), ("Desc", c_void_p)]


class Slice1OperatorDesc(Struct):
    _fields_ = [
        ("InputTensor", POINTER(TypedDesc)),
        ("OutputTensor", POINTER(TypedDesc)),
        ("DimensionCount", c_uint32),
        ("InputWindowOffsets", POINTER(c_uint32)),
        ("InputWindowSizes", POINTER(c_uint32)),
        ("InputWindowStrides", POINTER(c_int32)),
    ]


class Error(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("status", c_int32),
        ("opencl", c_int32),
        ("rule", c_uint32),
        ("tensor", c_uint32),
        ("dimension", c_uint32),
        ("value", c_uint64 * 3),
        ("text_length", c_uint32),
        ("text", c_char * 972),
    ]


class DeviceInfo(Struct):
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
        ("selector", c_char * 256),
        ("name", c_char * 256),
        ("platform", c_char * 256),
        ("version", c_char * 256),
        ("driver", c_char * 128),
        ("type", c_char * 32),
        ("unusable_reason", c_char * 256),
    ]


class Api(Struct):
    """The head of clslice_get_api's table."""

    _fields_ = [("size", c_uint32), ("abi", c_uint32), ("version", c_char_p)]


class OpenclObjects(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("platform", c_void_p),
        ("device_id", c_void_p),
        ("context", c_void_p),
        ("queue", c_void_p),
    ]


class CompiledOperatorInfo(Struct):
    """As far as the variant: clslice fills what the size leaves."""

    _fields_ = [
        ("size", c_uint32),
        ("program_count", c_uint32),
        ("program_outcome", c_uint32),
        ("host_memory", c_uint32),
        ("build_nanoseconds", c_uint64),
        ("variant", c_char * 32),
    ]


class Binding(Struct):
    _fields_ = [
        ("kind", c_uint32),
        ("reserved0", c_uint32),
        ("handle", c_void_p),
        ("offset", c_uint64),
        ("size", c_uint64),
        ("reserved", c_uint64 * 4),
    ]


class DispatchDesc(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("queue", c_void_p),
        ("inputs", POINTER(Binding)),
        ("outputs", POINTER(Binding)),
        ("input_count", c_uint32),
        ("output_count", c_uint32),
        ("wait_events", c_void_p),
        ("wait_count", c_uint32),
        ("reserved", c_uint32),
    ]


class Device:
    """The device that CLSLICE_DEVICE picks, with the OpenCL functions that buffers take."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.clslice_get_api.restype = POINTER(Api)
        api = self.library.clslice_get_api(ABI_VERSION)
        if not api:
            raise ClsliceError(f"{path} does not speak ABI version {ABI_VERSION}")
        self.version = api.contents.version.decode()
        self.library.clslice_device_get_proc.restype = c_void_p
        for name in ("device", "operator", "compiled_operator", "event"):
            getattr(self.library, f"clslice_{name}_release").restype = None
        self.handle = c_void_p()
        self.call("device_create", None, byref(self.handle))
        info, objects = DeviceInfo(), OpenclObjects()
        self.call("device_get_info", self.handle, byref(info))
        self.call("device_get_opencl", self.handle, byref(objects))
        self.name, self.driver = info.name.decode(), info.driver.decode()
        self.is_cpu = info.device_class == CLASS_CPU
        self.context, self.queue = c_void_p(objects.context), c_void_p(objects.queue)
        self.create_buffer = self._opencl("clCreateBuffer", CREATE_BUFFER)
        self.release_buffer = self._opencl("clReleaseMemObject", RELEASE_BUFFER)
        self.write_buffer = self._opencl("clEnqueueWriteBuffer", MOVE_BUFFER)
        self.read_buffer = self._opencl("clEnqueueReadBuffer", MOVE_BUFFER)

    def _opencl(self, name, prototype):
        address = self.library.clslice_device_get_proc(self.handle, name.encode())
        if not address:
            raise ClsliceError(f"the device's OpenCL has no {name}")
        return prototype(address)

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.library, f"clslice_{name}")(*arguments, byref(error)) < 0:
            raise ClsliceError(f"clslice_{name}: {error.text.decode()}")

    def close(self):
        self.library.clslice_device_release(self.handle)

    @contextlib.contextmanager
    def buffer(self, array):
        """A cl_mem with the array's bytes: on a CPU the array itself, which must outlive it, else a copy."""
        code = c_int32()
        flags = MEM_READ_WRITE | (MEM_USE_HOST_PTR if self.is_cpu else 0)
        address = array.ctypes.data if self.is_cpu else None
        memory = self.create_buffer(self.context, flags, array.nbytes, address, byref(code))
        if not memory:
            raise ClsliceError(f"clCreateBuffer of {array.nbytes} bytes: OpenCL's code {code.value}")
        try:
            if not self.is_cpu:
                self._move(self.write_buffer, memory, array)
            yield memory
        finally:
            self.release_buffer(memory)

    def read(self, memory, array):
        self._move(self.read_buffer, memory, array)

    def _move(self, function, memory, array):
        code = function(self.queue, memory, 1, 0, array.nbytes, array.ctypes.data, 0, None, None)
        if code:
            raise ClsliceError(f"moving {array.nbytes} bytes: OpenCL's code {code}")


def _tensor(dtype, sizes, strides):
    """A DML_TENSOR_DESC, which keeps alive what it points to."""
    rank = len(sizes)
    last = sum((size - 1) * stride for size, stride in zip(sizes, strides))
    total = ((last + 1) * np.dtype(dtype).itemsize + 3) // 4 * 4
    buffer = BufferTensorDesc(
        DataType=DATA_TYPES[dtype],
        DimensionCount=rank,
        Sizes=(c_uint32 * rank)(*sizes),
        Strides=(c_uint32 * rank)(*strides),
        TotalTensorSizeInBytes=total,
    )
    tensor = TypedDesc(Type=BUFFER_TENSOR, Desc=ctypes.addressof(buffer))
    tensor.keep = buffer
    return tensor


@contextlib.contextmanager
def compiled_slice(device, case):
    """The case's compiled operator and the name of its variant."""
    rank = len(case.sizes)
    source = _tensor(case.dtype, case.sizes, case.in_strides)
    target = _tensor(case.dtype, case.out_sizes, case.out_strides)
    offsets, windows, steps = case.window
    slice1 = Slice1OperatorDesc(
        InputTensor=ctypes.pointer(source),
        OutputTensor=ctypes.pointer(target),
        DimensionCount=rank,
        InputWindowOffsets=(c_uint32 * rank)(*offsets),
        InputWindowSizes=(c_uint32 * rank)(*windows),
        InputWindowStrides=(c_int32 * rank)(*steps),
    )
    desc = TypedDesc(Type=SLICE1, Desc=ctypes.addressof(slice1))
    operator, compiled, info = c_void_p(), c_void_p(), CompiledOperatorInfo()
    device.call("operator_create", device.handle, byref(desc), byref(operator))
    try:
        device.call("operator_compile", operator, None, byref(compiled))
        device.call("compiled_operator_get_info", compiled, byref(info))
        yield compiled, info.variant.decode()
    finally:
        device.library.clslice_compiled_operator_release(compiled)
        device.library.clslice_operator_release(operator)


def dispatcher(device, compiled, source, target):
    """run(launches): dispatches that often from one Binding to the other and waits for the last."""
    desc = DispatchDesc(input_count=1, output_count=1)
    desc.inputs, desc.outputs = ctypes.pointer(source), ctypes.pointer(target)
    event, error = c_void_p(), Error()
    dispatch, wait = device.library.clslice_dispatch, device.library.clslice_event_wait
    release = device.library.clslice_event_release

    def run(launches):
        failed = 0
        for _ in range(launches - 1):
            failed = failed or dispatch(compiled, byref(desc), None, byref(error))
        failed = failed or dispatch(compiled, byref(desc), byref(event), byref(error))
        if failed or wait(device.handle, event, byref(error)):
            raise ClsliceError(f"clslice_dispatch: {error.text.decode()}")
        release(device.handle, event)

    return run
