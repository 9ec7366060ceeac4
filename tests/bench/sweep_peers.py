# SPDX-License-Identifier: MIT
"""Who is measured over draws alone, beside those of peers_libraries.py, and in the same way."""

import ctypes
import math
import pathlib
import shutil
import subprocess
import tempfile

import clslice_ctypes as cl
import peers_cases
import peers_libraries

COMPILED_DRAWS = 4  # of a class: compiling takes seconds


class TorchCompile(peers_libraries.Torch):
    """PyTorch's copy, with torch.flip where a step is negative, compiled for the shape."""

    label = "torch.compile"

    def __init__(self, device):
        super().__init__(device)
        import torch._dynamo
        import torch._inductor.config

        # What cannot be compiled is an error, not something slower.
        torch._dynamo.config.suppress_errors = False
        torch._inductor.config.implicit_fallbacks = False
        # There is one kernel: a pool of compilers takes longer to start.
        torch._inductor.config.compile_threads = 1

    def prepare(self, case, source, target, stack):
        if case.number >= COMPILED_DRAWS:
            return None
        return super().prepare(case, source, target, stack)

    def _copy(self, view, flipped, out):
        torch = self.torch

        def copy(view, out):
            out.copy_(torch.flip(view, flipped) if flipped else view)

        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        compiled = torch.compile(copy, dynamic=False, fullgraph=True)
        compiled(view, out)
        out.zero_()  # what is compared comes from a later call

        def check():
            graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
            if graphs != 1:
                raise RuntimeError(f"torch.compile made {graphs} graphs, not 1")

        return lambda: compiled(view, out), check


class Cuda:
    """transpose.cu, for draws that are transposes; CuPy has the memory."""

    label = "CUDA"

    def __init__(self, device):
        self.cupy = peers_libraries.CuPy(device).cupy
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        if not nvcc:
            raise peers_libraries.Unavailable("needs nvcc, in PATH or /usr/local/cuda/bin")
        self.transpose = built(nvcc, "transpose.cu").transpose
        # Input, output, bytes of an element, matrices, rows and columns of the input.
        self.transpose.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_uint] * 4
        runtime = self.cupy.cuda.runtime
        self.version, self.finish = str(runtime.runtimeGetVersion()), runtime.deviceSynchronize

    def prepare(self, case, source, target, stack):
        shape = transposed(case)
        if not shape:
            return None
        cupy = self.cupy
        cupy.get_default_memory_pool().free_all_blocks()  # of the case before
        storage, result = cupy.asarray(source), cupy.asarray(target)
        view, out = storage[case.in_offset :], result[case.out_offset :]

        def once():
            code = self.transpose(view.data.ptr, out.data.ptr, source.itemsize, *shape)
            if code:
                raise RuntimeError(f"the kernel was not launched: CUDA's code {code}")

        run = peers_libraries.repeated(once, self.finish)
        return peers_libraries.Contender(run, lambda: cupy.asnumpy(result))


def built(nvcc, name):
    """The library of a source beside this file."""
    source = pathlib.Path(__file__).resolve().parent / name
    options = ["-O3", "-std=c++17", "-arch=native", "-Xcompiler", "-fPIC", "-shared"]
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, *options, "-o", f"{folder}/library.so", source]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except subprocess.CalledProcessError as reason:
            raise peers_libraries.Unavailable(f"nvcc failed: {reason.stdout}{reason.stderr}")
        return ctypes.CDLL(f"{folder}/library.so")


def transposed(case):
    """Matrices, rows and columns of a packed input whose matrices the output has transposed, or
    None where the slice is another."""
    *outer, columns, rows = case.sizes
    strides = (rows * columns,) * len(outer) + (1, columns)
    is_whole = case.out_sizes == case.sizes and all(r.step == 1 for r in case.ranges)
    is_packed = case.out_strides == peers_cases.packed(case.sizes)
    if len(outer) > 1 or not is_whole or not is_packed or case.in_strides != strides:
        return None
    return math.prod(outer), rows, columns


class Variant(peers_libraries.Clslice):
    """clslice with another kernel than the planner's choice."""

    def __init__(self, device, name):
        super().__init__(device)
        self.label = self.variant = name

    def prepare(self, case, source, target, stack):
        chosen = cl.compiled_slice(self.device, case)[1]
        if chosen == self.variant:
            return None
        try:
            return super().prepare(case, source, target, stack)
        except cl.Error as reason:
            if reason.rule != cl.RULE_VARIANT:
                raise
            return None  # it cannot do this slice


def variants(device):
    return [Variant(device, name) for name in cl.variant_names()]


PEERS = peers_libraries.PEERS | {"compile": TorchCompile, "cuda": Cuda}
