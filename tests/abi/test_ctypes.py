#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_ctypes.py LIBRARY: the whole ABI in another language, made from the layouts alone.

The structures that a plain slice needs are those of tests/examples/slice_host.py.
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_int32, c_int64, c_uint32, c_uint64
from ctypes import c_void_p, sizeof
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).parents[1] / "examples"))

from slice_host import (  # noqa: E402
    ABI,
    BUFFER,
    SLICE1,
    BufferTensorDesc,
    Error,
    Slice1OperatorDesc,
    Struct,
    TypedDesc,
)

UINT8 = 5
BINDING_HOST = 2
CACHE_OFF = 1
E_INVALIDARG = -2147024809
E_NOTIMPL = -2147467263
NOT_FOUND = -2005270526
RULE_OUTPUT_EXCEEDS_MAX = 21
RULE_STRUCT_UNKNOWN = 62
NO_DIMENSION = 0xFFFFFFFF

LOG = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_char_p)


def fields(*groups):
    """A type and the names of the fields that have it, in order."""
    return [(name, kind) for kind, names in groups for name in names.split()]


class BindingProperties(Struct):
    _fields_ = fields(
        (c_uint32, "RequiredDescriptorCount"),
        (c_uint64, "TemporaryResourceSize PersistentResourceSize"),
    )


class DeviceOptions(Struct):
    _fields_ = fields(
        (c_uint32, "size flags"),
        (c_char_p, "selector build_options"),
        (c_void_p, "get_proc get_proc_user"),
        (LOG, "log"),
        (c_void_p, "log_user context device_id queue"),
        (c_uint64, "staging_bytes"),
        (c_uint32, "cache_mode reserved"),
        (c_char_p, "cache_path"),
        (c_uint64, "cache_bytes"),
    )


class DeviceInfo(Struct):
    _fields_ = fields(
        (c_uint32, "size device_class usable vendor_id compute_units address_bits host_memory"),
        (c_uint32, "unified_memory"),
        (c_uint64, "max_work_group_size max_alloc_bytes global_bytes local_bytes"),
        (c_void_p, "device_id"),
        (c_char * 256, "selector name platform version"),
        (c_char * 128, "driver"),
        (c_char * 32, "type"),
        (c_char * 256, "unusable_reason"),
    )


class OpenclObjects(Struct):
    _fields_ = fields((c_uint32, "size reserved"), (c_void_p, "platform device_id context queue"))


class Alias(Struct):
    _fields_ = fields((c_uint32, "size is_alias"), (c_uint64, "offset_bytes size_bytes"))


class CompileOptions(Struct):
    _fields_ = fields((c_uint32, "size flags execution_flags reserved"), (c_char_p, "variant"))


class PlanInfo(Struct):
    _fields_ = fields(
        (c_uint32, "size element_bytes index_bits dimensions"),
        (c_uint64, "elements input_bytes output_bytes moved_bytes floor_bytes floor_bytes_64"),
        (c_uint32, "input_alignment output_alignment local_size launches"),
        (c_uint64, "global_size host_launches"),
        (c_char * 32, "variant"),
    )


class CompiledOperatorInfo(Struct):
    _fields_ = fields(
        (c_uint32, "size program_count program_outcome host_memory"),
        (c_uint64, "build_nanoseconds"),
        (c_char * 32, "variant variant_unaligned"),
        (c_uint32, "element_bytes element_bytes_unaligned input_alignment output_alignment"),
        (c_char * 64, "cache_reason"),
    )


class Binding(Struct):
    _fields_ = fields(
        (c_uint32, "kind reserved0"),
        (c_void_p, "handle"),
        (c_uint64, "offset size"),
        (c_uint64 * 4, "reserved"),
    )


class DispatchDesc(Struct):
    _fields_ = fields(
        (c_uint32, "size flags"),
        (c_void_p, "queue"),
        (POINTER(Binding), "inputs outputs"),
        (c_uint32, "input_count output_count"),
        (POINTER(c_void_p), "wait_events"),
        (c_uint32, "wait_count reserved"),
        (c_void_p, "batch"),  # POINTER(Batch)
    )


class Batch(Struct):
    _fields_ = fields(
        (c_uint32, "size flags"),
        (c_uint64, "count"),
        (Binding, "window"),
        (c_uint32, "window_axis window_axis_count"),
        (c_uint64, "window_row_bytes"),
        (c_int64, "window_advance"),
        (Binding, "output"),
        (c_uint32, "output_index_bytes reserved"),
        (c_uint64, "output_pitch"),
        (Binding, "skipped"),
    )


class CacheCounters(Struct):
    _fields_ = fields(
        (c_uint32, "size is_on"),
        (c_uint64, "hits misses stale corrupt untrusted refused saved unsaved"),
    )


class CacheInfo(Struct):
    _fields_ = fields(
        (c_uint32, "size mode"),
        (c_uint64, "max_bytes entries bytes oldest"),
        (c_char * 4096, "path"),
    )


class CacheEntry(Struct):
    _fields_ = fields(
        (c_uint32, "size is_whole"),
        (c_uint64, "bytes last_used"),
        (c_char * 64, "name"),
        (c_char * 512, "text"),
    )


P = sizeof(c_void_p)
SIZES = {
    BufferTensorDesc: 16 + 4 * P,
    TypedDesc: 2 * P,
    Slice1OperatorDesc: 6 * P,
    BindingProperties: 16 + P,
    Error: 1024,
    DeviceOptions: 32 + 10 * P,
    DeviceInfo: 1504 + P,
    OpenclObjects: 8 + 4 * P,
    Alias: 24,
    CompileOptions: 16 + P,
    PlanInfo: 128,
    CompiledOperatorInfo: 168,
    CacheCounters: 72,
    CacheInfo: 4136,
    CacheEntry: 600,
    Binding: 56 + P,
    DispatchDesc: 24 + 5 * P,
    Batch: 224 + 3 * P,
}

ERROR = POINTER(Error)

# The table's members in order: what each returns, and takes.
FUNCTIONS = {
    "device_enumerate": (c_int32, POINTER(DeviceOptions), c_uint32, POINTER(DeviceInfo), ERROR),
    "device_create": (c_int32, POINTER(DeviceOptions), POINTER(c_void_p), ERROR),
    "device_retain": (None, c_void_p),
    "device_release": (None, c_void_p),
    "device_get_info": (c_int32, c_void_p, POINTER(DeviceInfo), ERROR),
    "device_get_opencl": (c_int32, c_void_p, POINTER(OpenclObjects), ERROR),
    "device_get_proc": (c_void_p, c_void_p, c_char_p),
    "device_check_feature_support": (
        c_int32,
        c_void_p,
        c_uint32,
        c_uint32,
        c_void_p,
        c_uint32,
        c_void_p,
        ERROR,
    ),
    "device_get_build_log": (c_int32, c_void_p, c_char_p, c_uint64, POINTER(c_uint64), ERROR),
    "operator_create": (c_int32, c_void_p, POINTER(TypedDesc), POINTER(c_void_p), ERROR),
    "operator_retain": (None, c_void_p),
    "operator_release": (None, c_void_p),
    "operator_get_alias": (c_int32, c_void_p, POINTER(Alias), ERROR),
    "operator_get_plan": (c_int32, c_void_p, POINTER(CompileOptions), POINTER(PlanInfo), ERROR),
    "operator_describe": (
        c_int32,
        c_void_p,
        POINTER(CompileOptions),
        c_char_p,
        c_uint64,
        POINTER(c_uint64),
        ERROR,
    ),
    "operator_compile": (c_int32, c_void_p, POINTER(CompileOptions), POINTER(c_void_p), ERROR),
    "compiled_operator_retain": (None, c_void_p),
    "compiled_operator_release": (None, c_void_p),
    "compiled_operator_get_binding_properties": (
        c_int32,
        c_void_p,
        POINTER(BindingProperties),
        ERROR,
    ),
    "compiled_operator_get_info": (c_int32, c_void_p, POINTER(CompiledOperatorInfo), ERROR),
    "dispatch": (c_int32, c_void_p, POINTER(DispatchDesc), POINTER(c_void_p), ERROR),
    "event_wait": (c_int32, c_void_p, c_void_p, ERROR),
    "event_get_status": (c_int32, c_void_p, c_void_p, ERROR),
    "event_release": (None, c_void_p, c_void_p),
    "device_get_cache_counters": (c_int32, c_void_p, POINTER(CacheCounters), ERROR),
    "cache_get_info": (c_int32, POINTER(DeviceOptions), POINTER(CacheInfo), ERROR),
    "cache_enumerate": (c_int32, POINTER(DeviceOptions), c_uint32, POINTER(CacheEntry), ERROR),
    "cache_clear": (c_int32, POINTER(DeviceOptions), POINTER(c_uint64), ERROR),
    "device_finish": (c_int32, c_void_p, ERROR),
    "run": (c_int32, c_void_p, POINTER(TypedDesc), c_void_p, c_uint64, c_void_p, c_uint64, ERROR),
    "get_version": (c_uint32,),
    "status_name": (c_char_p, c_int32),
    "rule_name": (c_char_p, c_uint32),
    "variant_name": (c_char_p, c_uint32),
    "parse_cache": (c_int32, c_char_p, POINTER(c_uint32), POINTER(c_char_p), ERROR),
    "parse_bytes": (c_int32, c_char_p, POINTER(c_uint64), ERROR),
}


class Api(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("abi", c_uint32), ("version", c_char_p)] + [
        (name, ctypes.CFUNCTYPE(*types)) for name, types in FUNCTIONS.items()
    ]


def load(path):
    library = ctypes.CDLL(path)
    library.clslice_get_api.restype = POINTER(Api)
    library.clslice_get_api.argtypes = [c_uint32]
    api = library.clslice_get_api(ABI)
    assert api and api.contents.abi == ABI and api.contents.size >= sizeof(Api) == 8 + 37 * P
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
        buffer = BufferTensorDesc(
            DataType=UINT8,
            DimensionCount=rank,
            Sizes=sizes,
            TotalTensorSizeInBytes=(total + 3) // 4 * 4,
        )
        tensor = TypedDesc(BUFFER, ctypes.addressof(buffer))
        tensors += [tensor, buffer]
    desc = Slice1OperatorDesc(
        ctypes.pointer(tensors[0]), ctypes.pointer(tensors[2]), rank, arrays[2], arrays[3], steps
    )
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
    assert info.size == sizeof(info) and info.usable == 1 and info.name
    assert info.version.startswith(b"OpenCL ")
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
    dispatch = DispatchDesc(
        inputs=ctypes.pointer(inputs),
        outputs=ctypes.pointer(outputs),
        input_count=1,
        output_count=1,
    )
    check(api.dispatch(compiled, byref(dispatch), byref(event), byref(error)))
    check(api.event_wait(device, event, byref(error)))
    check(api.device_finish(device, byref(error)))
    assert api.event_get_status(device, event, byref(error)) == 0
    expected = [7 * row + column for row in (1, 3) for column in (6, 4, 2)]
    assert list(target.raw) == expected, (list(target.raw), expected)
    target = (c_char * 6)()
    desc, keep = operator_desc([5, 7], [2, 3], [1, 1], [3, 6], [2, -2])
    check(api.run(device, byref(desc), source, 35, target, 6, byref(error)))
    assert list(target.raw) == expected, (list(target.raw), expected)
    del keep

    options = DeviceOptions(cache_mode=CACHE_OFF)
    cache, counters = CacheInfo(), CacheCounters()
    check(api.cache_get_info(byref(options), byref(cache), byref(error)))
    assert (cache.size, cache.mode, cache.path) == (4136, CACHE_OFF, b"")
    assert api.cache_enumerate(byref(options), 0, byref(CacheEntry()), byref(error)) == NOT_FOUND
    check(api.device_get_cache_counters(device, byref(counters), byref(error)))
    assert counters.size == 72
    mode, path, size = c_uint32(), c_char_p(), c_uint64()
    check(api.parse_cache(b"off", byref(mode), byref(path), byref(error)))
    assert (mode.value, path.value) == (CACHE_OFF, None)
    check(api.parse_bytes(b"3K", byref(size), byref(error)))
    assert size.value == 3072

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
    assert error.item == 2**64 - 1
    assert api.status_name(status) == b"CLSLICE_E_INVALIDARG"
    assert api.rule_name(error.rule) == b"CLSLICE_RULE_OUTPUT_EXCEEDS_MAX"
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
