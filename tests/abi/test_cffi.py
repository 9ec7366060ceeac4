#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_cffi.py CC INCLUDE GOLDEN LIBRARY: Python's cffi reads what `cc -E -P -DCLSLICE_PLAIN` gives of the headers:
every layout and constant of golden.h, and functions that can be called."""

import re
import subprocess
import sys

try:
    import cffi
except ImportError:
    print("skipped: no cffi for this Python (pip: cffi)")
    sys.exit(77)

RULE_STRIDE_ZERO = 18
NUMBER = re.compile("[0-9P][0-9xA-F P+*]*")  # P: the bytes of a pointer


def read(compiler, include):
    source = "#include <clslice/clslice.h>\n#include <clslice/directml.h>\n"
    command = [compiler, "-E", "-P", "-DCLSLICE_PLAIN", "-I", include, "-x", "c", "-"]
    plain = subprocess.run(command, input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    ffi = cffi.FFI()
    ffi.cdef(plain)
    return ffi


def rows(golden, pointer):
    """The arguments of every X(...) of golden.h, numbers as such."""
    for line in golden.splitlines():
        match = re.match(r"\s+X\(([^()]*)\)", line)
        if match:
            words = [word.strip() for word in match[1].split(",")]
            yield words[0], *(eval(w, {"P": pointer}) if NUMBER.fullmatch(w) else w for w in words[1:])


def check(ffi, library, golden):
    counts = [0, 0]
    for name, *rest in rows(golden, ffi.sizeof("void *")):
        if len(rest) == 3:
            field, at, size = rest
            fields = dict(ffi.typeof(name).fields)
            assert ffi.offsetof(name, field) == at, (name, field, at)
            assert ffi.sizeof(fields[field].type) == size, (name, field, size)
            counts[0] += 1
        elif name.isupper() and not name.endswith("_DESC") and hasattr(library, name):
            assert getattr(library, name) & 0xFFFFFFFF == rest[0], (name, rest)
            counts[1] += 1
    assert min(counts) > 100, counts


def call(ffi, library):
    """A slice without a step is refused, by rule and in words."""
    sizes = ffi.new("uint32_t[]", [4])
    buffer = ffi.new("DML_BUFFER_TENSOR_DESC *", {
        "DataType": library.DML_TENSOR_DATA_TYPE_UINT8, "DimensionCount": 1, "Sizes": sizes,
        "TotalTensorSizeInBytes": 4})
    tensor = ffi.new("DML_TENSOR_DESC *", {"Type": library.DML_TENSOR_TYPE_BUFFER, "Desc": buffer})
    offsets, strides = ffi.new("uint32_t[]", [0]), ffi.new("int32_t[]", [0])
    slice1 = ffi.new("DML_SLICE1_OPERATOR_DESC *", {
        "InputTensor": tensor, "OutputTensor": tensor, "DimensionCount": 1, "InputWindowOffsets": offsets,
        "InputWindowSizes": sizes, "InputWindowStrides": strides})
    desc = ffi.new("DML_OPERATOR_DESC *", {"Type": library.DML_OPERATOR_SLICE1, "Desc": slice1})
    error = ffi.new("clslice_error *", {"size": ffi.sizeof("clslice_error")})
    status = library.clslice_operator_create(ffi.NULL, desc, ffi.NULL, error)
    assert status == library.CLSLICE_E_INVALIDARG and error.rule == RULE_STRIDE_ZERO
    assert ffi.string(library.clslice_rule_name(error.rule)) == b"CLSLICE_RULE_STRIDE_ZERO"
    assert b"InputWindowStrides[0]" in ffi.string(error.text)
    api = library.clslice_get_api(1)
    assert api.operator_create(ffi.NULL, desc, ffi.NULL, error) == status


def main():
    compiler, include, golden, library = sys.argv[1:]
    ffi = read(compiler, include)
    loaded = ffi.dlopen(library)
    with open(golden, encoding="utf-8") as file:
        check(ffi, loaded, file.read())
    call(ffi, loaded)


if __name__ == "__main__":
    main()
