#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_cffi.py LIBRARY: a host in another language, made from the layouts alone."""

import ctypes
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_int32, c_uint32, c_uint64, c_void_p, sizeof

UINT8 = 5
BUFFER = 1
SLICE1 = 111
BINDING_HOST = 2
E_INVALIDARG = -2147024809
E_NOTIMPL = -2147467263
RULE_OUTPUT_EXCEEDS_MAX = 21
RULE_STRUCT_UNKNOWN = 62
NO_DIMENSION = 0xFFFFFFFF

LOG = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_char_p)


class Struct(ctypes.Structure):
    """Sets `size` where a structure begins with it."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self._fields_[0][0] == "size":
            self.size = sizeof(self)


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


class BindingProperties(Struct):
    _fields_ = [
        ("RequiredDescriptorCount", c_uint32),
        ("TemporaryResourceSize", c_uint64),
        ("PersistentResourceSize", c_uint64),
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


class DeviceOptions(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("selector", c_char_p),
        ("build_options", c_char_p),
        ("get_proc", c_void_p),
        ("get_proc_user", c_void_p),
        ("log", LOG),
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


class OpenclObjects(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("reserved", c_uint32),
        ("platform", c_void_p),
        ("device_id", c_void_p),
        ("context", c_void_p),
        ("queue", c_void_p),
    ]


class Alias(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("is_alias", c_uint32),
        ("offset_bytes", c_uint64),
        ("size_bytes", c_uint64),
    ]


class CompileOptions(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("flags", c_uint32),
        ("execution_flags", c_uint32),
        ("reserved", c_uint32),
        ("variant", c_char_p),
    ]


class PlanInfo(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("element_bytes", c_uint32),
        ("index_bits", c_uint32),
        ("dimensions", c_uint32),
        ("elements", c_uint64),
        ("input_bytes", c_uint64),
        ("output_bytes", c_uint64),
        ("moved_bytes", c_uint64),
        ("floor_bytes", c_uint64),
        ("input_alignment", c_uint32),
        ("output_alignment", c_uint32),
        ("local_size", c_uint32),
        ("reserved", c_uint32),
        ("global_size", c_uint64),
        ("host_launches", c_uint64),
        ("variant", c_char * 32),
    ]


class CompiledOperatorInfo(Struct):
    _fields_ = [
        ("size", c_uint32),
        ("program_count", c_uint32),
        ("program_outcome", c_uint32),
        ("host_memory", c_uint32),
        ("build_nanoseconds", c_uint64),
        ("variant", c_char * 32),
        ("variant_unaligned", c_char * 32),
        ("element_bytes", c_uint32),
        ("element_bytes_unaligned", c_uint32),
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
        ("wait_events", POINTER(c_void_p)),
        ("wait_count", c_uint32),
        ("reserved", c_uint32),
    ]


SIZES = {
    BufferTensorDesc: 48,
    TypedDesc: 16,
    Slice1OperatorDesc: 48,
    BindingProperties: 24,
    Error: 1024,
    DeviceOptions: 112,
    DeviceInfo: 1504,
    OpenclObjects: 40,
    Alias: 24,
    CompileOptions: 24,
    PlanInfo: 120,
    CompiledOperatorInfo: 96,
    Binding: 64,
    DispatchDesc: 56,
}

# The table's members in order: what each returns, and takes.
FUNCTIONS = {
    "device_enumerate": (c_int32, POINTER(DeviceOptions), c_uint32, POINTER(DeviceInfo), POINTER(Error)),
    "device_create": (c_int32, POINTER(DeviceOptions), POINTER(c_void_p), POINTER(Error)),
    "device_retain": (None, c_void_p),
    "device_release": (None, c_void_p),
    "device_get_info": (c_int32, c_void_p, POINTER(DeviceInfo), POINTER(Error)),
    "device_get_opencl": (c_int32, c_void_p, POINTER(OpenclObjects), POINTER(Error)),
    "device_get_proc": (c_void_p, c_void_p, c_char_p),
    "device_check_feature_support": (
        c_int32, c_void_p, c_uint32, c_uint32, c_void_p, c_uint32, c_void_p, POINTER(Error),
    ),
    "device_get_build_log": (c_int32, c_void_p, c_char_p, c_uint64, POINTER(c_uint64), POINTER(Error)),
    "operator_create": (c_int32, c_void_p, POINTER(TypedDesc), POINTER(c_void_p), POINTER(Error)),
    "operator_retain": (None, c_void_p),
    "operator_release": (None, c_void_p),
    "operator_get_alias": (c_int32, c_void_p, POINTER(Alias), POINTER(Error)),
    "operator_get_plan": (c_int32, c_void_p, POINTER(CompileOptions), POINTER(PlanInfo), POINTER(Error)),
    "operator_describe": (
        c_int32, c_void_p, POINTER(CompileOptions), c_char_p, c_uint64, POINTER(c_uint64), POINTER(Error),
    ),
    "operator_compile": (c_int32, c_void_p, POINTER(CompileOptions), POINTER(c_void_p), POINTER(Error)),
    "compiled_operator_retain": (None, c_void_p),
    "compiled_operator_release": (None, c_void_p),
    "compiled_operator_get_binding_properties": (
        c_int32, c_void_p, POINTER(BindingProperties), POINTER(Error),
    ),
    "compiled_operator_get_info": (c_int32, c_void_p, POINTER(CompiledOperatorInfo), POINTER(Error)),
    "dispatch": (c_int32, c_void_p, POINTER(DispatchDesc), POINTER(c_void_p), POINTER(Error)),
    "event_wait": (c_int32, c_void_p, c_void_p, POINTER(Error)),
    "event_get_status": (c_int32, c_void_p, c_void_p, POINTER(Error)),
    "event_release": (None, c_void_p, c_void_p),
}


class Api(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("abi", c_uint32), ("version", c_char_p)] + [
        (name, ctypes.CFUNCTYPE(*types)) for name, types in FUNCTIONS.items()
    ]


def load(path):
    library = ctypes.CDLL(path)
    library.clslice_get_api.restype = POINTER(Api)
    library.clslice_get_api.argtypes = [c_uint32]
    api = library.clslice_get_api(1)
    assert api and api.contents.abi == 1 and api.contents.size >= sizeof(Api) == 208
    return api.contents


def operator_desc(in_sizes, out_sizes, offsets, windows, strides):
    """A DML_OPERATOR_DESC of bytes, and everything it points to."""
    rank = len(in_sizes)
    arrays = [(c_uint32 * rank)(*a) for a in (in_sizes, out_sizes, offsets, windows)]
    steps = (c_int32 * rank)(*strides)
    tensors = []
    for sizes in arrays[:2]:
        total = 1
        for size in sizes:
            total *= size
        buffer = BufferTensorDesc(DataType=UINT8, DimensionCount=rank, Sizes=sizes,
                                  TotalTensorSizeInBytes=(total + 3) // 4 * 4)
        tensor = TypedDesc(BUFFER, ctypes.addressof(buffer))
        tensors += [tensor, buffer]
    desc = Slice1OperatorDesc(ctypes.pointer(tensors[0]), ctypes.pointer(tensors[2]), rank,
                              arrays[2], arrays[3], steps)
    return TypedDesc(SLICE1, ctypes.addressof(desc)), (arrays, steps, tensors, desc)


def run(api):
    lines = []
    log = LOG(lambda user, level, text: lines.append((level, text)))
    error = Error()

    def check(status):
        assert status == 0, error.text

    device, op, compiled, event = (c_void_p() for _ in range(4))
    check(api.device_create(byref(DeviceOptions(log=log)), byref(device), byref(error)))
    assert lines and lines[0][0] == 2, "the log was not called"
    info = DeviceInfo()
    check(api.device_get_info(device, byref(info), byref(error)))
    assert info.size == 1504 and info.usable == 1 and info.name and info.version.startswith(b"OpenCL ")
    objects = OpenclObjects()
    check(api.device_get_opencl(device, byref(objects), byref(error)))
    assert objects.context and objects.queue

    desc, keep = operator_desc([5, 7], [2, 3], [1, 1], [3, 6], [2, -2])
    check(api.operator_create(device, byref(desc), byref(op), byref(error)))
    del keep  # what it points to needs to live for the call
    plan = PlanInfo()
    check(api.operator_get_plan(op, None, byref(plan), byref(error)))
    assert (plan.elements, plan.input_bytes, plan.output_bytes) == (6, 35, 6) and plan.variant
    check(api.operator_compile(op, byref(CompileOptions()), byref(compiled), byref(error)))
    built = CompiledOperatorInfo()
    check(api.compiled_operator_get_info(compiled, byref(built), byref(error)))
    assert built.program_count in (1, 2) and built.element_bytes >= 1
    properties = BindingProperties(9, 9, 9)
    check(api.compiled_operator_get_binding_properties(compiled, byref(properties), byref(error)))
    assert properties.PersistentResourceSize == properties.TemporaryResourceSize == 0

    source = (c_char * 35)(*range(35))
    target = (c_char * 6)()
    inputs = Binding(kind=BINDING_HOST, handle=ctypes.addressof(source), size=35)
    outputs = Binding(kind=BINDING_HOST, handle=ctypes.addressof(target), size=6)
    dispatch = DispatchDesc(inputs=ctypes.pointer(inputs), outputs=ctypes.pointer(outputs),
                            input_count=1, output_count=1)
    check(api.dispatch(compiled, byref(dispatch), byref(event), byref(error)))
    check(api.event_wait(device, event, byref(error)))
    assert api.event_get_status(device, event, byref(error)) == 0
    expected = [7 * row + column for row in (1, 3) for column in (6, 4, 2)]
    assert list(target.raw) == expected, (list(target.raw), expected)

    api.event_release(device, event)
    api.compiled_operator_release(compiled)
    api.operator_release(op)
    api.device_release(device)


def fail(api):
    """Errors arrive whole: without a device, and from a host of another version."""
    error = Error()
    desc, keep = operator_desc([8, 8], [8, 5], [0, 0], [8, 8], [1, -2])
    status = api.operator_create(None, byref(desc), None, byref(error))
    assert status == error.status == E_INVALIDARG and error.rule == RULE_OUTPUT_EXCEEDS_MAX
    assert (error.tensor, error.dimension) == (2, 1)
    assert list(error.value) == [5, 8, 2**64 - 2]
    assert error.text_length == len(error.text)
    assert error.text.decode().startswith("OutputTensor.Sizes[1] = 5 exceeds"), error.text
    del keep

    class Later(Struct):
        _fields_ = DeviceOptions._fields_ + [("later", c_uint64)]

    device = c_void_p()
    later = Later(later=1)
    options = ctypes.cast(ctypes.pointer(later), POINTER(DeviceOptions))
    assert api.device_create(options, byref(device), byref(error)) == E_NOTIMPL
    assert error.rule == RULE_STRUCT_UNKNOWN and error.dimension == NO_DIMENSION and not device


def main():
    for struct, size in SIZES.items():
        assert sizeof(struct) == size, (struct.__name__, sizeof(struct), size)
    api = load(sys.argv[1])
    fail(api)
    run(api)


if __name__ == "__main__":
    main()
