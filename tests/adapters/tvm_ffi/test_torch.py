#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_torch.py LIBRARY: what PyTorch passes to TVM-FFI is sliced; exits with 77 where there is no
PyTorch."""

import sys

import tvm_ffi

try:
    import torch
except ImportError:
    print("skipped: no torch here")
    sys.exit(77)

x, out = torch.arange(24).reshape(4, 6).t(), torch.zeros(3, 4, dtype=torch.int64)
tvm_ffi.load_module(sys.argv[1]).slice(x, (1, 0), (5, 4), (-2, 1), out)
assert torch.equal(out, x[1:].flip(0)[::2])
