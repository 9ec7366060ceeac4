# SPDX-License-Identifier: MIT
"""clslice's device as measuring needs it: over the Python package's own description of the ABI,
with buffers of the device, and dispatches that nobody waits for."""

import contextlib
import ctypes
import itertools
import os
import pathlib
import sys
from ctypes import CFUNCTYPE, byref
from ctypes import c_char, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np

# In a source tree the package lies there; where `carry` has put this, beside it.
tree = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(tree / "packaging/python/clslice"))

from clslice import Error, LibraryError
from clslice._abi import BINDING_CL_MEM, BINDING_HOST, Binding, DeviceInfo, DispatchDesc
from clslice._abi import OPERATOR_SLICE1, OPERATOR_SLICE_GRAD, ErrorInfo, Sized
from clslice._library import call, library, library_version
from clslice._operator import Handle, create_operator, tensor_desc

__all__ = [
    "BINDING_CL_MEM",
    "BINDING_HOST",
    "Binding",
    "Device",
    "Error",
    "LibraryError",
    "RULE_VARIANT",
    "compiled_slice",
    "described",
    "dispatcher",
    "variant_names",
]

CLASS_CPU = 1
RULE_VARIANT = 64
MEM_READ_WRITE = 0x1
MEM_USE_HOST_PTR = 0x8

CREATE_BUFFER = CFUNCTYPE(c_void_p, c_void_p, c_uint64, c_size_t, c_void_p, c_void_p)
RELEASE_BUFFER = CFUNCTYPE(c_int32, c_void_p)
# Write and read: queue, buffer, blocking, offset, bytes, address, wait list, event.
MOVE_BUFFER = CFUNCTYPE(
    c_int32, c_void_p, c_void_p, c_uint32, c_size_t, c_size_t,
    c_void_p, c_uint32, c_void_p, c_void_p
)


class OpenclObjects(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("platform", c_void_p),
        ("device_id", c_void_p),
        ("context", c_void_p),
        ("queue", c_void_p),
    ]


class CompileOptions(Sized):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("execution_flags", c_uint32),
        ("reserved", c_uint32),
        ("variant", c_char_p),
    ]


class CompiledOperatorInfo(Sized):
    """As far as the variant: clslice fills what the size leaves."""

    _fields_ = [
        ("size", c_uint32),
        ("program_count", c_uint32),
        ("program_outcome", c_uint32),
        ("host_memory", c_uint32),
        ("build_nanoseconds", c_uint64),
        ("variant", c_char * 32),
    ]


class Device:
    """The device that CLSLICE_DEVICE picks, with the OpenCL functions that buffers take."""

    def __init__(self, path):
        os.environ["CLSLICE_LIBRARY"] = path
        self.version = library_version()
        handle, info, objects = c_void_p(), DeviceInfo(), OpenclObjects()
        call("device_create", None, byref(handle))
        self._owner, self.handle = Handle(handle, "clslice_device_release"), handle
        call("device_get_info", handle, byref(info))
        call("device_get_opencl", handle, byref(objects))
        self.name, self.driver = info.name.decode(), info.driver.decode()
        self.is_cpu = info.device_class == CLASS_CPU
        self.buffer_bytes, self.bytes = info.max_alloc_bytes, info.global_bytes
        self.context, self.queue = c_void_p(objects.context), c_void_p(objects.queue)
        self.create_buffer = self._opencl("clCreateBuffer", CREATE_BUFFER)
        self.release_buffer = self._opencl("clReleaseMemObject", RELEASE_BUFFER)
        self.write_buffer = self._opencl("clEnqueueWriteBuffer", MOVE_BUFFER)
        self.read_buffer = self._opencl("clEnqueueReadBuffer", MOVE_BUFFER)

    def _opencl(self, name, prototype):
        get_proc = library().clslice_device_get_proc
        get_proc.argtypes, get_proc.restype = [c_void_p, c_char_p], c_void_p
        address = get_proc(self.handle, name.encode())
        if not address:
            raise Error(f"the device's OpenCL has no {name}")
        return prototype(address)

    @contextlib.contextmanager
    def buffer(self, array):
        """A cl_mem of the array's bytes: on a CPU the array itself, which must outlive it."""
        code, size = c_int32(), array.nbytes
        flags = MEM_READ_WRITE | (MEM_USE_HOST_PTR if self.is_cpu else 0)
        address = array.ctypes.data if self.is_cpu else None
        memory = self.create_buffer(self.context, flags, size, address, ctypes.addressof(code))
        if not memory:
            raise Error(f"clCreateBuffer of {size} bytes: OpenCL's code {code.value}")
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
            raise Error(f"moving {array.nbytes} bytes: OpenCL's code {code}")


def operator(device, case):
    """The Handle of the case's operator."""
    width = np.dtype(case.dtype).itemsize
    tensors = tuple(
        tensor_desc(width, sizes, strides, 1 + sum((n - 1) * s for n, s in zip(sizes, strides)))
        for sizes, strides in ((case.sizes, case.in_strides), (case.out_sizes, case.out_strides))
    )
    kind = OPERATOR_SLICE_GRAD if case.is_gradient else OPERATOR_SLICE1
    handle = create_operator(device.handle, tensors, *case.window, kind)
    return Handle(handle, "clslice_operator_release")


def described(device, case):
    """The case's slice and its plan in words."""
    op, needed = operator(device, case), c_uint64()
    call("operator_describe", op.value, None, None, c_uint64(0), byref(needed))
    text = ctypes.create_string_buffer(needed.value)
    call("operator_describe", op.value, None, text, needed, None)
    return text.value.decode()


def variant_names():
    """Of all the kernels that there are."""
    variant_name = library().clslice_variant_name
    variant_name.argtypes, variant_name.restype = [c_uint32], c_char_p
    names = itertools.takewhile(bool, map(variant_name, itertools.count()))
    return [name.decode() for name in names]


def compiled_slice(device, case, variant=None):
    """The Handle of the case's compiled operator, and the name of its variant: the planner's choice
    where none is given."""
    op = operator(device, case)
    compiled, info = c_void_p(), CompiledOperatorInfo()
    options = CompileOptions(variant=variant.encode() if variant else None)
    call("operator_compile", op.value, byref(options), byref(compiled))
    call("compiled_operator_get_info", compiled, byref(info))
    return Handle(compiled, "clslice_compiled_operator_release"), info.variant.decode()


def dispatcher(device, compiled, source, target):
    """run(launches): dispatches that often from one Binding to the other and waits for the last."""
    desc = DispatchDesc(
        inputs=ctypes.pointer(source), outputs=ctypes.pointer(target), input_count=1, output_count=1
    )
    event, error = c_void_p(), ErrorInfo()
    dispatch, wait = library().clslice_dispatch, library().clslice_event_wait
    release = library().clslice_event_release

    def run(launches):
        failed = 0
        for _ in range(launches - 1):
            failed = failed or dispatch(compiled.value, byref(desc), None, byref(error))
        failed = failed or dispatch(compiled.value, byref(desc), byref(event), byref(error))
        if failed or wait(device.handle, event, byref(error)):
            raise Error(f"clslice_dispatch: {error.text.decode()}")
        release(device.handle, event)

    return run
